#include "table_test.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "bits.hpp"
#include "merging.hpp"
#include "rounds.hpp"

namespace h2pc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_df = 1e15;
constexpr double below = 1.0 - 1e-9, above = 1.0 + 1e-9;  // what rounding cannot change
constexpr double cost_worth_keeping = 3000.0;             // nanoseconds of a test; see AnswerCache
constexpr std::size_t most_focused = 64;                  // of more variables few rows are equal
constexpr std::size_t most_at_once = BinaryTables::most;  // tables
constexpr double not_known = 1.0;                         // no log p-value is above 0
constexpr double largest_members_table = 1 << 14;         // cells; larger ones are mostly empty

// Degrees of freedom where zeros do not reduce them.
std::int64_t plain_df(double n_strata, std::size_t n_rows, std::size_t n_columns) {
  const double df = n_strata * static_cast<double>(n_rows - 1) * static_cast<double>(n_columns - 1);
  return static_cast<std::int64_t>(std::min(df, largest_df));
}

Statistic statistic_for(const Sample& sample, StatisticKind kind) {
  if (kind == StatisticKind::pearson) {
    return {{}, pearson_shift(sample.n_samples(), sample.most_levels())};
  }
  return {sample.x_log_x().values(), sample.x_log_x().shift()};
}

// Moves a member's axis to the end: table[outer, member, inner, target] becomes
// goal[outer, inner, target, member].
void bring_last(std::span<const Count> table, std::size_t n_outer, std::size_t card,
                std::size_t n_inner, std::size_t n_target, std::span<Count> goal) {
  std::size_t place = 0;
  for (std::size_t outer = 0; outer < n_outer; ++outer) {
    for (std::size_t rest = 0; rest < n_inner * n_target; ++rest) {
      std::size_t start = outer * card * n_inner * n_target + rest;
      for (std::size_t level = 0; level < card; ++level) {
        goal[place++] = table[start];
        start += n_inner * n_target;
      }
    }
  }
}

}  // namespace

std::unique_ptr<Workspace> TableTest::Workspaces::lent() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      auto room = std::move(free_.back());
      free_.pop_back();
      return room;
    }
  }
  return std::make_unique<Workspace>();
}

void TableTest::Workspaces::give_back(std::unique_ptr<Workspace> room) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(room));
}

class TableTest::Lease {
 public:
  explicit Lease(Workspaces& owner) : owner_(owner), room_(owner.lent()) {}
  ~Lease() { owner_.give_back(std::move(room_)); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Workspace& operator*() const { return *room_; }

 private:
  Workspaces& owner_;
  std::unique_ptr<Workspace> room_;
};

TableTest::TableTest(std::shared_ptr<const Sample> sample, const TableTestSettings& settings)
    : Test(settings.log_alpha, sample->n_variables()),
      sample_(std::move(sample)),
      rows_(sample_, &sample_->rows()),
      settings_(settings),
      statistic_(statistic_for(*sample_, settings.statistic)),
      unit_(std::ldexp(1.0, 1 - statistic_.shift)),
      critical_(std::make_shared<const CriticalStatistics>(settings.log_alpha)),
      cache_(std::make_shared<const AnswerCache>(settings.n_answers)),
      round_cache_(std::make_shared<RoundCache>(sample_->n_variables(), settings.bytes_for_rounds)),
      workspaces_(std::make_shared<Workspaces>()) {}

TableTest::TableTest(const TableTest& other, std::shared_ptr<const Rows> rows)
    : Test(other.settings_.log_alpha, other.sample_->n_variables()),
      sample_(other.sample_),
      rows_(std::move(rows)),
      settings_(other.settings_),
      statistic_(other.statistic_),
      unit_(other.unit_),
      critical_(other.critical_),
      cache_(other.cache_),
      round_cache_(other.round_cache_),
      workspaces_(other.workspaces_) {}

std::shared_ptr<const Test> TableTest::focused(VarSpan variables) const {
  const bool is_focused = rows_.get() != &sample_->rows();
  if (is_focused || variables.size() > most_focused) return nullptr;
  const std::size_t most = rows_worth_merging(*sample_, *rows_, variables);
  auto merged = merged_rows(*sample_, *rows_, variables, most);
  if (!merged) return nullptr;
  return std::shared_ptr<const TableTest>(
      new TableTest(*this, std::make_shared<const Rows>(std::move(*merged))));
}

std::shared_ptr<const TableTest> TableTest::on_merged_rows(VarSpan variables) const {
  auto merged = merged_rows(*sample_, *rows_, variables, rows_->n_rows());
  return std::shared_ptr<const TableTest>(
      new TableTest(*this, std::make_shared<const Rows>(std::move(*merged))));
}

std::shared_ptr<const Test> TableTest::ready_for_subsets(VarSpan variables) const {
  return rows_->has_all(variables) ? on_merged_rows(variables) : nullptr;
}

double TableTest::statistic_of(const Half& half) const {
  return std::max(0.0, static_cast<double>(half.value) * unit_);
}

double TableTest::log_p_of(double statistic, std::int64_t df, Wanted wanted,
                           std::span<double> least_links) const {
  if (wanted != Wanted::exact && static_cast<std::size_t>(df) < CriticalStatistics::n_df) {
    const double critical = critical_->at(static_cast<std::size_t>(df));
    if (statistic < critical * below) return 0.0;
    if (wanted == Wanted::verdicts && statistic > critical * above) return -infinity;
    if (wanted == Wanted::largest) {
      double& least = least_links[static_cast<std::size_t>(df)];
      if (statistic > least * above) return -infinity;
      least = std::min(statistic, least);
    }
  }
  return log_chi_square_tail(statistic, df);
}

// From the counts of pairs: no table is made.
void TableTest::answer_marginal(const Question& question, Wanted wanted,
                                std::span<double> least_links, std::span<double> log_p) const {
  const Sample& sample = *sample_;
  const auto f = [values = statistic_.x_log_x](Count n) {
    return values[static_cast<std::size_t>(n)];
  };
  const std::size_t first = sample.first_level(question.target);
  const auto card = static_cast<std::size_t>(sample.card(question.target));
  std::int64_t own = f(static_cast<Count>(sample.n_samples())), rows = 0;
  for (const Count n : sample.level_counts(question.target)) {
    own -= f(n);
    rows += n > 0;
  }
  for (std::size_t i = 0; i < question.varying.size(); ++i) {
    const Var x = question.varying[i];
    if (!has_power(static_cast<double>(card) * sample.card(x))) {
      log_p[i] = 0.0;
      continue;
    }
    std::int64_t columns = 0;
    Half half{own, 0};
    for (const Count n : sample.level_counts(x)) {
      half.value -= f(n);
      columns += n > 0;
    }
    for (std::size_t level = first; level < first + card; ++level) {
      for (const Count n : sample.pairs(level, x)) half.value += f(n);
    }
    half.df = settings_.adjust_df ? (rows - 1) * (columns - 1) : plain_df_of(question, x);
    log_p[i] = log_p_of(statistic_of(half), half.df, wanted, least_links);
  }
}

void TableTest::answer_marginal_of_present(const Question& question, Wanted wanted,
                                           std::span<double> least_links, std::span<Count> columns,
                                           std::span<double> log_p) const {
  const Sample& sample = *sample_;
  const auto f = [values = statistic_.x_log_x](Count n) {
    return values[static_cast<std::size_t>(n)];
  };
  const std::size_t first = sample.first_level(question.target);
  const auto card = static_cast<std::size_t>(sample.card(question.target));
  for (std::size_t i = 0; i < question.varying.size(); ++i) {
    const Var x = question.varying[i];
    const auto own = columns.first(static_cast<std::size_t>(sample.card(x)));
    std::ranges::fill(own, 0);
    Half half;
    std::int64_t n_rows = 0;
    Count total = 0;
    for (std::size_t level = first; level < first + card; ++level) {
      Count row = 0, *column = own.data();
      for (const Count n : sample.pairs(level, x)) {
        half.value += f(n);
        row += n;
        *column++ += n;
      }
      half.value -= f(row);
      total += row;
      n_rows += row > 0;
    }
    const double n_cells = static_cast<double>(card) * sample.card(x);
    if (n_cells * settings_.power_rule > total) {
      log_p[i] = 0.0;
      continue;
    }
    std::int64_t n_columns = 0;
    for (const Count n : own) {
      half.value -= f(n);
      n_columns += n > 0;
    }
    half.value += f(total);
    half.df = settings_.adjust_df ? std::max<std::int64_t>(0, (n_rows - 1) * (n_columns - 1))
                                  : plain_df_of(question, x);
    log_p[i] = log_p_of(statistic_of(half), half.df, wanted, least_links);
  }
}

std::ptrdiff_t TableTest::answer(const Question& question, Wanted wanted, bool first_independence,
                                 Context& context, std::span<double> log_p) const {
  const Sample& sample = *sample_;
  const Lease lease(*workspaces_);
  Workspace& room = *lease;
  room.fixed.assign(question.z.begin(), question.z.end());
  room.fixed.push_back(question.target);
  if (question.is_separating()) room.fixed.push_back(question.candidate);
  const double n_possible = n_combinations(sample, room.fixed);
  std::array<double, CriticalStatistics::n_df> least_of_this;
  std::span<double> least_links = question.least_links;
  if (wanted == Wanted::largest && least_links.empty()) {
    least_of_this.fill(infinity);
    least_links = least_of_this;
  }
  if (room.fixed.size() == 1 && sample.has_pairs() && statistic_.is_g2()) {
    context.spend(static_cast<double>(question.varying.size()) * 50.0);
    if (sample.is_complete()) {
      answer_marginal(question, wanted, least_links, log_p);
    } else {
      room.columns.resize(
          std::max(room.columns.size(), static_cast<std::size_t>(sample.most_levels())));
      answer_marginal_of_present(question, wanted, least_links, room.columns, log_p);
    }
    return -1;
  }

  const double cost =
      n_possible * static_cast<double>(sample.n_words()) * bit_kernels().cost_of_word;
  const bool is_kept = cache_->size() > 0 && cost > cost_worth_keeping;
  Hash shared;
  const Role role = question.is_separating() ? Role::condition : Role::pair;
  if (is_kept) {
    shared = hash_of_set(question.z);
    shared += hash_of(question.target, Role::pair);
    if (question.is_separating()) shared += hash_of(question.candidate, Role::pair);
  }
  const Wanted precision = is_kept ? Wanted::exact : wanted;
  // Whether all tests are performed: none is known, and all tables are of one size.
  const bool all_open =
      !is_kept && sample.is_binary() && sample.is_complete() && has_power(n_possible * 2.0);
  CompleteSamples complete(sample, *rows_, room.fixed, room.incomplete);
  std::optional<Tables> tables;  // made for the first test that is performed
  // A search for the first independence begins with small blocks: what lies beyond it is of no use. Only
  // tables of binary variables cost less together.
  const std::size_t growth = sample.is_binary() ? 2 : 1;
  std::size_t block = !first_independence ? most_at_once : sample.is_binary() ? 4 : 1;
  for (std::size_t start = 0; start < question.varying.size();
       block = std::min(growth * block, most_at_once)) {
    room.open.clear();
    room.hashes.clear();
    std::size_t end = start;
    if (all_open) {
      const auto some =
          question.varying.subspan(start).first(std::min(block, question.varying.size() - start));
      room.open.assign(some.begin(), some.end());
      std::ranges::fill(log_p.subspan(start, some.size()), not_known);
      end += some.size();
    }
    for (bool stops = false; end < question.varying.size() && room.open.size() < block && !stops;
         ++end) {
      const Var x = question.varying[end];
      Hash hash = shared;
      std::optional<double> known;
      if (is_kept) {
        hash += hash_of(x, role);
        known = cache_->find(hash);
      }
      if (!known && has_power(n_possible * sample.card(x), complete, x)) {
        room.open.push_back(x);
        room.hashes.push_back(hash);
        log_p[end] = not_known;
        continue;
      }
      log_p[end] = known.value_or(0.0);
      stops = first_independence && is_independent(log_p[end]);
    }
    if (!room.open.empty()) {
      if (!tables) {
        const auto left = question.varying.subspan(start);
        tables.emplace(sample, *rows_, statistic_, room.fixed, question.z.size(), left,
                       first_independence, room);
      }
      context.spend(tables->cost_of_one() * static_cast<double>(room.open.size()));
      room.halves.resize(room.open.size());
      tables->count(room.open, room.halves);
    }
    std::size_t next = 0;
    for (std::size_t i = start; i < end; ++i) {
      if (log_p[i] == not_known) {
        Half& half = room.halves[next];
        if (!settings_.adjust_df) half.df = plain_df_of(question, question.varying[i]);
        log_p[i] = log_p_of(statistic_of(half), half.df, precision, least_links);
        if (is_kept) cache_->keep(room.hashes[next], log_p[i]);
        next += 1;
      }
      if (first_independence && is_independent(log_p[i])) return static_cast<std::ptrdiff_t>(i);
    }
    start = end;
  }
  return -1;
}

std::int64_t TableTest::plain_df_of(const Question& question, Var x) const {
  const auto levels = [this](Var v) { return static_cast<std::size_t>(sample_->card(v)); };
  const double n_strata = n_combinations(*sample_, question.z);
  if (!question.is_separating()) return plain_df(n_strata, levels(question.target), levels(x));
  return plain_df(n_strata * sample_->card(x), levels(question.target), levels(question.candidate));
}

bool TableTest::performs(Var x, Var y, VarSpan z) const {
  const double n_cells = n_combinations(*sample_, z) * sample_->card(x) * sample_->card(y);
  if (!has_power(n_cells)) return false;
  if (sample_->is_complete()) return true;
  Vars fixed(z.begin(), z.end());
  fixed.push_back(x);
  Bitmaps incomplete;
  CompleteSamples complete(*sample_, *rows_, fixed, incomplete);
  return has_power(n_cells, complete, y);
}

Outcome TableTest::outcome(Var x, Var y, VarSpan z) const {
  if (!performs(x, y, z)) return {};
  const Lease lease(*workspaces_);
  Vars fixed(z.begin(), z.end());
  fixed.push_back(x);
  const std::array<Var, 1> varying{y};
  Tables tables(*sample_, *rows_, statistic_, fixed, z.size(), varying, false, *lease);
  Half half;
  tables.count(varying, std::span(&half, 1));
  if (!settings_.adjust_df) half.df = plain_df_of({x, z, varying}, y);
  const double statistic = statistic_of(half);
  return {statistic, half.df, log_chi_square_tail(statistic, half.df), true};
}

// All from one table of the members and the target.
void TableTest::answer_members(Var target, VarSpan members, Context& context,
                               std::span<double> log_p) const {
  const Sample& sample = *sample_;
  Vars everyone(members.begin(), members.end());
  everyone.push_back(target);
  const double n_cells = n_combinations(sample, everyone);
  Bitmaps incomplete;
  CompleteSamples complete(sample, *rows_, members, incomplete);
  if (!has_power(n_cells, complete, target)) {
    std::ranges::fill(log_p.first(members.size()), 0.0);
    return;
  }
  const bool has_codes = rows_->has_all(everyone);
  const double n_rows = static_cast<double>(rows_->n_rows());
  const double by_rows =
      has_codes ? n_rows * (static_cast<double>(everyone.size()) * cost::key + cost::row)
                : infinity;
  const double by_bitmaps =
      sample.has_bitmaps()
          ? 2.0 * n_cells * static_cast<double>(sample.n_words()) * bit_kernels().cost_of_word
          : infinity;
  if (members.size() < 2 || n_cells > largest_members_table ||
      std::min(by_rows, by_bitmaps) == infinity) {
    std::shared_ptr<const TableTest> merged;
    if (members.size() > 1 && has_codes) merged = on_merged_rows(everyone);
    const TableTest& test = merged ? *merged : *this;
    for (std::size_t i = 0; i < members.size(); ++i) {
      Vars others;
      std::ranges::remove_copy(members, std::back_inserter(others), members[i]);
      test.answer({target, others, members.subspan(i, 1)}, Wanted::exact, false, context,
                  log_p.subspan(i, 1));
    }
    return;
  }
  context.spend(std::min(by_rows, by_bitmaps));
  const Lease lease(*workspaces_);
  Workspace& room = *lease;
  const auto size = static_cast<std::size_t>(n_cells);
  std::vector<Count>& table = room.table;
  if (table.size() < size) table.resize(size);
  std::fill_n(table.begin(), size, 0);
  if (by_bitmaps < by_rows) {
    find_cells(sample, everyone, size, room.cells);
    for (std::size_t c = 0; c < room.cells.n; ++c) {
      table[static_cast<std::size_t>(room.cells.numbers[c])] = room.cells.counts[c];
    }
  } else {
    room.keys.assign(rows_->n_rows(), 0);
    rows_->visit([&](auto codes_of) {
      for (const Var v : members) {
        extend(room.keys, codes_of(v), sample.card(v));
      }
      if (!sample.is_complete(everyone)) {
        for (const Var v : everyone)
          leave_out_missing(sample, v, codes_of(v), std::span(room.keys));
        const auto codes = codes_of(target);
        for (std::size_t r = 0; r < room.keys.size(); ++r) {
          if (room.keys[r] < 0) continue;
          const std::size_t cell =
              static_cast<std::size_t>(room.keys[r] * sample.card(target)) + codes[r];
          table[cell] += rows_->is_weighted() ? rows_->weights()[r] : 1;
        }
        return;
      }
      scatter(codes_of(target), std::span<const Count>(room.keys), rows_->weights(),
              static_cast<std::size_t>(sample.card(target)), std::span<Count>(table));
    });
  }
  const auto n_target = static_cast<std::size_t>(sample.card(target));
  std::size_t n_inner = size / n_target;
  if (room.counts.size() < size) room.counts.resize(size);
  std::size_t most_levels = n_target;
  for (const Var v : members) {
    most_levels = std::max(most_levels, static_cast<std::size_t>(sample.card(v)));
  }
  if (room.columns.size() < most_levels) room.columns.resize(most_levels);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto card = static_cast<std::size_t>(sample.card(members[i]));
    n_inner /= card;
    const std::size_t n_strata = size / (card * n_target);
    bring_last(std::span(table).first(size), n_strata / n_inner, card, n_inner, n_target,
               room.counts);
    Half half =
        statistic_.half(room.counts, {n_strata, n_target, card, 1}, std::span(room.columns));
    if (!settings_.adjust_df) half.df = plain_df(static_cast<double>(n_strata), n_target, card);
    log_p[i] = log_chi_square_tail(statistic_of(half), half.df);
  }
}

std::unique_ptr<Rounds> TableTest::rounds(Var target, VarSpan candidates, VarSpan start,
                                          Context& context) const {
  return cached_rounds(*this, *round_cache_, target, candidates, start, context);
}

}  // namespace h2pc
