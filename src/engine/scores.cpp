#include "scores.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <unordered_map>

#include "bits.hpp"
#include "counting.hpp"
#include "regret.hpp"

namespace h2pc {
namespace {

constexpr double many_parameters = 1 << 14;  // of a family; penalties for more may be rounded
constexpr double large_alpha = 1e4;          // differences of ln Γ lose digits from here on
constexpr double entries_per_row = 4;  // larger tables take longer to add up than rows to sort
constexpr double small_table = 1 << 12;
constexpr double largest_table = 1 << 30;
constexpr std::size_t n_known = 1 << 12;    // counts whose term is looked up once it is known
constexpr std::size_t n_term_tables = 128;  // of different a, that a room keeps
constexpr std::size_t n_regrets = 1 << 16;  // that a table or a room keeps
constexpr std::uint64_t exact_sizes = std::uint64_t{1} << 62;

constexpr double weight_of_chance = 0.2;  // of an edge; see chance_of and docs/decisions.md

constexpr double astronomical = 0x1p1000;  // sizes beyond are taken as this

std::size_t card_of(const Sample& sample, Var v) {
  return static_cast<std::size_t>(sample.card(v));
}

// ln Γ(x) for x > 0. The common function also writes to a global variable.
double log_gamma(double x) {
#if defined(_MSC_VER)
  return std::lgamma(x);
#else
  int sign = 0;
  return ::lgamma_r(x, &sign);
#endif
}

// The number of fractional bits that keeps any sum over a graph below 2^52 units; `more` is the
// largest term of a sample, in nats, beyond what its levels and the other samples explain.
int fraction_bits(const Sample& sample, double more) {
  const auto n = static_cast<double>(sample.n_samples());
  const double log_n = std::log(n + 1.0);
  const double per_sample =
      2.0 * log_n + std::log(static_cast<double>(sample.most_levels())) + more;
  const double per_family = n * per_sample + many_parameters * (0.5 * log_n + 1.0);
  return 52 - static_cast<int>(std::ceil(std::log2(sample.n_variables() * per_family)));
}

// An integer of 128 bits, as far as penalties need it.
struct Wide {
  std::uint64_t high = 0, low = 0;

  static Wide product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t half = 0xffffffffULL;
    const std::uint64_t a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
    const std::uint64_t first = a0 * b0, cross = a1 * b0 + (first >> 32);
    const std::uint64_t middle = a0 * b1 + (cross & half);
    return {a1 * b1 + (cross >> 32) + (middle >> 32), (middle << 32) | (first & half)};
  }
  // Divided by 2^n and rounded to the nearest, the half upwards; 0 < n < 64.
  Wide rounded(int n) const {
    Wide sum = *this;
    sum.low += std::uint64_t{1} << (n - 1);
    if (sum.low < low) sum.high += 1;
    return {sum.high >> n, (sum.low >> n) | (sum.high << (64 - n))};
  }
  Wide minus(const Wide& other) const {
    return {high - other.high - (low < other.low ? 1 : 0), low - other.low};
  }
  double nearest() const {
    if (high == 0) return static_cast<double>(low);
    const int n = std::countl_zero(high);
    std::uint64_t top = n == 0 ? high : (high << n) | (low >> (64 - n));
    if ((n == 0 ? low : low << n) != 0) top |= 1;  // beyond the digits that a double has
    return std::ldexp(static_cast<double>(top), 64 - n);
  }
};

// What the terms of a count have: a, and the levels of a table whose regret is part of them, or 0.
struct TermKind {
  double alpha = 0.0;
  std::size_t n_levels = 0;
  bool operator==(const TermKind&) const = default;
};

// Of two values that are looked up together.
template <class A, class B>
std::size_t joint_hash(const A& a, const B& b) {
  return std::hash<A>{}(a) * 0x9e3779b97f4a7c15ULL + std::hash<B>{}(b);
}

// The terms of one kind, in fixed point, worked out where they are met for the first time.
class Terms {
 public:
  Terms(const TermKind& kind, int shift, std::size_t n_samples)
      : alpha_(kind.alpha),
        n_levels_(kind.n_levels),
        log_gamma_(kind.alpha > 0.0 ? log_gamma(kind.alpha) : 0.0),
        shift_(shift),
        known_(std::min(n_samples + 1, n_known), unknown) {}

  std::int64_t operator()(Count n) {
    const auto place = static_cast<std::size_t>(n);
    if (place >= known_.size()) return n_levels_ == 0 ? term(n) : large_term(n);
    if (known_[place] == unknown) known_[place] = term(n);
    return known_[place];
  }

  std::int64_t sum(std::span<const Count> counts) {
    std::int64_t total = 0;
    for (const Count n : counts) total += (*this)(n);
    return total;
  }

 private:
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::min();

  // A regret takes longer than a look-up.
  std::int64_t large_term(Count n) {
    if (large_.size() > n_regrets) large_.clear();
    const auto [found, is_new] = large_.try_emplace(n, 0);
    if (is_new) found->second = term(n);
    return found->second;
  }

  std::int64_t term(Count count) const {
    const auto n = static_cast<double>(count);
    double exact = 0.0;
    if (alpha_ == 0.0) {
      exact = n * std::log(n);
      if (n_levels_ > 0) exact += log_regret(count, static_cast<double>(n_levels_));
    } else if (alpha_ < large_alpha) {
      exact = log_gamma(n + alpha_) - log_gamma_;
    } else {  // two terms of the series of ln Γ
      exact = (alpha_ + n - 0.5) * std::log1p(n / alpha_) + n * (std::log(alpha_) - 1.0);
      exact += (1.0 / (alpha_ + n) - 1.0 / alpha_) / 12.0;
    }
    return static_cast<std::int64_t>(std::nearbyint(std::ldexp(exact, shift_)));
  }

  double alpha_;
  std::size_t n_levels_;
  double log_gamma_;
  int shift_;
  std::vector<std::int64_t> known_;
  std::unordered_map<Count, std::int64_t> large_;
};

// Regrets in fixed point, worked out where they are met for the first time.
class Regrets {
 public:
  std::int64_t operator()(Count n, double k, int shift) {
    if (known_.size() > n_regrets) known_.clear();
    const auto [found, is_new] = known_.try_emplace({n, k}, 0);
    if (is_new) {
      found->second =
          static_cast<std::int64_t>(std::nearbyint(std::ldexp(log_regret(n, k), shift)));
    }
    return found->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::pair<Count, double>& key) const {
      return joint_hash(key.second, key.first);
    }
  };
  std::unordered_map<std::pair<Count, double>, std::int64_t, Hash> known_;
};

// Copies the counts that are not 0, and returns how many there are. Large tables are mostly empty, and
// which cells are is hard to foresee for a processor: so it looks at sixteen at once, then at each
// without a branch. `kept` may be the counts themselves, or has room for one more than there are.
std::size_t keep_positive(std::span<const Count> counts, Count* kept) {
  constexpr std::size_t at_once = 16;
  std::size_t n = 0, i = 0;
  const auto keep = [&](Count count) {
    kept[n] = count;
    n += count != 0;
  };
  for (; i + at_once <= counts.size(); i += at_once) {
    Count any = 0;
    for (std::size_t k = i; k < i + at_once; ++k) any |= counts[k];
    if (any == 0) continue;
    for (std::size_t k = i; k < i + at_once; ++k) keep(counts[k]);
  }
  for (; i < counts.size(); ++i) keep(counts[i]);
  return n;
}

// The counts of a family that are not 0, in any order.
struct FamilyCounts {
  h2pc::Room<Count> cells, configurations;
  std::vector<Count> levels;  // of the child, over the samples that are complete

  void clear(std::size_t n_levels) {
    cells.clear();
    configurations.clear();
    levels.assign(n_levels, 0);
  }

  // Of a configuration, level by level.
  void add_configuration(std::span<const Count> counts) {
    Count total = 0;
    for (std::size_t level = 0; level < counts.size(); ++level) {
      if (counts[level] > 0) cells.push_back(counts[level]);
      levels[level] += counts[level];
      total += counts[level];
    }
    if (total > 0) configurations.push_back(total);
  }

  // Of table[configuration, level, candidate], where every level of the candidate splits the
  // configurations.
  void add_table(std::span<const Count> table, std::size_t n_configurations, std::size_t card) {
    cells.resize(table.size() + 1);
    cells.resize(keep_positive(table, cells.data()));
    configurations.resize(n_configurations * card);
    std::size_t start = 0;
    for (std::size_t q = 0; q < n_configurations; ++q) {
      Count* own = &configurations[q * card];
      std::copy_n(&table[start], card, own);
      start += card;
      for (std::size_t level = 1; level < levels.size(); ++level, start += card) {
        for (std::size_t c = 0; c < card; ++c) own[c] += table[start + c];
      }
    }
    configurations.resize(keep_positive(configurations, configurations.data()));
  }

  // The levels of the child in such a table.
  void add_levels(std::span<const Count> table, std::size_t card) {
    for (std::size_t i = 0; i < table.size(); i += card) {
      const auto own = table.subspan(i, card);
      levels[i / card % levels.size()] += std::accumulate(own.begin(), own.end(), Count{0});
    }
  }
};

std::ptrdiff_t place_of(VarSpan parents, Var v) {
  const auto found = std::ranges::find(parents, v);
  return found == parents.end() ? -1 : found - parents.begin();
}

// Where the counts of a family come from: those of levels or pairs, tables of three variables, cells
// that are added up or split, or sorted rows where a table of all cells would be large. Cells add up
// to those without a parent only where it is complete.
enum class Way { levels, pair, triple, fewer, more, rows };

struct Change {
  Var other;
  std::ptrdiff_t place;  // of a parent that is removed, or -1
  bool adds;
  Way way;
};

// How to count a family after every change.
struct Plan {
  std::vector<Change> changes;
  std::size_t n_cells = 0;  // of the family as it is; 0 where they are not needed
  bool is_counted = false;
  bool by_bitmaps = false;
  bool has_triples = false;
};

double most_entries(const Sample& sample) {
  const auto n_rows = static_cast<double>(sample.rows().n_rows());
  return std::clamp(entries_per_row * n_rows, small_table, largest_table);
}

Plan plan_of(const Sample& sample, Var child, VarSpan parents, VarSpan others) {
  Plan plan;
  const double possible = n_combinations(sample, parents) * sample.card(child);
  double n_splits = 0.0, n_split_levels = 0.0;
  for (const Var other : others) {
    Change change{other, place_of(parents, other), false, Way::fewer};
    change.adds = change.place < 0 && other != child;
    const double card = change.adds ? sample.card(other) : 1.0;
    const std::size_t n_parents =
        parents.size() + (change.adds ? 1 : 0) - (change.place >= 0 ? 1 : 0);
    if (n_parents == 0) {
      change.way = Way::levels;
    } else if (n_parents == 1 && sample.has_pairs()) {
      change.way = Way::pair;
    } else if (possible * card > most_entries(sample) ||
               (change.place >= 0 && !sample.is_complete(other))) {
      change.way = Way::rows;
    } else if (change.adds) {
      change.way = Way::more;
      n_splits += 1.0;
      n_split_levels += sample.n_counted(other) + 1.0;
    } else {
      plan.is_counted = true;
    }
    plan.changes.push_back(change);
  }

  const double word = static_cast<double>(sample.n_words()) * bit_kernels().cost_of_word;
  const double by_rows = static_cast<double>(sample.rows().n_rows()) *
                         (static_cast<double>(parents.size() + 1) * cost::key +
                          (n_splits + (plan.is_counted ? 1.0 : 0.0)) * cost::row);
  if (n_splits > 0.0 && parents.size() == 1 && sample.has_pairs() && sample.has_bitmaps()) {
    const double few =
        static_cast<double>(sample.n_counted(parents.front())) * sample.n_counted(child);
    plan.has_triples = few * word * (1.0 + n_split_levels - n_splits) <= by_rows;
  }
  if (plan.has_triples) {
    for (Change& change : plan.changes) {
      if (change.way == Way::more) change.way = Way::triple;
    }
  }
  if (plan.is_counted || (n_splits > 0.0 && !plan.has_triples)) {
    plan.n_cells = static_cast<std::size_t>(possible);
    plan.by_bitmaps =
        sample.has_bitmaps() && possible * word * (2.0 + n_split_levels - n_splits) < by_rows;
  }
  return plan;
}

// The counts of a family after a change, as a table or as sorted rows that a candidate may split.
struct Counted {
  std::span<const Count> table;
  std::size_t n_configurations = 1;
  std::size_t n_columns = 1;
  std::optional<Var> candidate;
};

}  // namespace

StopCheck::StopCheck(Poll poll, double seconds_between_polls)
    : poll_(std::move(poll)),
      interval_(std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double>(seconds_between_polls))) {}

void StopCheck::poll_now() {
  next_poll_ = Clock::now() + interval_;
  if (poll_(progress)) throw Stopped{};
}

std::vector<double> CallbackScore::changed(Var child, VarSpan parents, VarSpan others,
                                           StopCheck&) const {
  std::vector<double> scores = changed_(child, parents, others);
  if (scores.size() != others.size()) {
    throw std::invalid_argument("a score must have one value for every change");
  }
  return scores;
}

// What a thread works in. Its vectors keep their memory; its terms depend on nothing but their kind.
struct TableScore::Room {
  Vars fixed;                 // the parents and the child
  Cells cells;                // of them, as bitmaps …
  std::vector<Count> keys;    // … or as a number for every row
  std::vector<Count> counts;  // of all cells
  Bitmaps masks;              // for tables of three variables
  std::size_t n_masks = 0;
  std::vector<Count> mask_of;
  std::vector<Count> mask_counts;
  std::vector<Count> configurations;
  std::vector<Count> order;  // the rows, sorted by configuration
  std::vector<std::size_t> starts;
  bool is_sorted_by_parents = false;
  std::vector<Count> table;
  std::vector<Count> columns;
  FamilyCounts found;
  struct KindHash {
    std::size_t operator()(const TermKind& kind) const {
      return joint_hash(kind.alpha, kind.n_levels);
    }
  };
  std::unordered_map<TermKind, Terms, KindHash> terms;
  Regrets regrets;

  template <class T>
  static std::span<T> first(std::vector<T>& vector, std::size_t n) {
    if (vector.size() < n) vector.resize(n);
    return std::span(vector).first(n);
  }

  VarSpan parents() const { return VarSpan(fixed).first(fixed.size() - 1); }
  Var child() const { return fixed.back(); }

  void prepare(const Sample& sample, const Plan& plan);
  Counted count(const Sample& sample, const Plan& plan, const Change& change);
  Counted count_fewer(const Sample& sample, std::size_t place);
  Counted count_triple(const Sample& sample, Var other);
  Counted count_more(const Sample& sample, const Plan& plan, Var other);
  Counted sort_rows(const Sample& sample, const Change& change);
  void count_sorted(const Sample& sample, std::optional<Var> candidate);
  void find_counts(const Sample& sample, const Plan& plan, const Change& change);

  Terms& terms_of(const TermKind& kind, int shift, std::size_t n_samples) {
    return terms.try_emplace(kind, kind, shift, n_samples).first->second;
  }
};

// Takes a room from those that are free, and puts it back.
class TableScore::Lease {
 public:
  explicit Lease(const TableScore& score) : score_(score) {
    {
      const std::lock_guard lock(score_.mutex_);
      if (!score_.rooms_.empty()) {
        room_ = std::move(score_.rooms_.back());
        score_.rooms_.pop_back();
        return;
      }
    }
    room_ = std::make_unique<Room>();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    try {
      const std::lock_guard lock(score_.mutex_);
      score_.rooms_.push_back(std::move(room_));
    } catch (...) {  // no memory for the list: the room is freed
    }
  }

  Room& operator*() { return *room_; }

 private:
  const TableScore& score_;
  std::unique_ptr<Room> room_;
};

// The number of combinations of some levels: exact, unless that is 0; as a double in any case; its
// logarithm where it is astronomical.
struct TableScore::Size {
  std::uint64_t exact;
  double value;
  double log = 0.0;

  static Size of(std::uint64_t exact) { return {exact, static_cast<double>(exact)}; }
};

struct TableScore::FamilySize {
  std::size_t n_levels;
  Size cells, configurations;
};

struct TableScore::TermKinds {
  TermKind of_cells, of_configurations;
};

TableScore::TableScore(std::shared_ptr<const Sample> sample, ScoreKind kind,
                       double equivalent_sample_size)
    : sample_(std::move(sample)), kind_(kind), equivalent_sample_size_(equivalent_sample_size) {
  if (!sample_) throw std::invalid_argument("a score needs a sample");
  const bool is_bayesian = kind == ScoreKind::bdeu || kind == ScoreKind::bds;
  if (is_bayesian && !(std::isfinite(equivalent_sample_size) && equivalent_sample_size > 0.0)) {
    throw std::invalid_argument("the equivalent sample size must be a number above 0");
  }
  shift_ = fraction_bits(*sample_, is_bayesian ? std::abs(std::log(equivalent_sample_size)) : 0.0);
  if (kind == ScoreKind::aic) penalty_ = 1.0;
  if (kind == ScoreKind::bic) penalty_ = 0.5 * std::log(static_cast<double>(sample_->n_samples()));
}

TableScore::~TableScore() = default;

TableScore::FamilySize TableScore::size_after(VarSpan parents, Var child, Var other) const {
  const Sample& sample = *sample_;
  const std::size_t n_levels = card_of(sample, child);
  const bool adds = other != child && place_of(parents, other) < 0;
  std::uint64_t configurations = adds ? card_of(sample, other) : 1;
  for (const Var v : parents) {
    if (v == other) continue;
    if (configurations > exact_sizes / card_of(sample, v)) {
      configurations = 0;
      break;
    }
    configurations *= card_of(sample, v);
  }
  if (configurations != 0 && configurations <= exact_sizes / n_levels) {
    return {n_levels, Size::of(configurations * n_levels), Size::of(configurations)};
  }
  // As doubles, multiplied in an order that the variables have no say in.
  std::vector<Count> cards;
  if (adds) cards.push_back(sample.card(other));
  for (const Var v : parents) {
    if (v != other) cards.push_back(sample.card(v));
  }
  const auto product = [&cards] {
    std::ranges::sort(cards);
    double n = 1.0, log = 0.0;
    for (const Count card : cards) {
      n = std::min(n * card, astronomical);
      log += std::log(card);
    }
    return Size{0, n, log};
  };
  const Size before = configurations != 0 ? Size::of(configurations) : product();
  cards.push_back(static_cast<Count>(n_levels));
  return {n_levels, product(), before};
}

// The regret of a table of this size on n samples, in units of the scores.
std::int64_t TableScore::regret_of(Room& room, const Size& size, Count n) const {
  if (size.value < astronomical || n == 0) return room.regrets(n, size.value, shift_);
  // Almost every sample has no cell twice, and is n^-n likely at best.
  const double nats = n * (size.log - std::log(n));
  return static_cast<std::int64_t>(std::nearbyint(std::ldexp(nats, shift_)));
}

// What the parameters of a family cost on n samples, in units of the scores. Cells and configurations
// are rounded by themselves: so they cancel between the families of a graph, as the terms do.
double TableScore::penalty_of(Room& room, const FamilySize& size, Count n) const {
  if (kind_ == ScoreKind::qnml) {
    return static_cast<double>(regret_of(room, size.cells, n) -
                               regret_of(room, size.configurations, n));
  }
  if (penalty_ == 0.0) return 0.0;
  if (size.cells.exact == 0) {
    const auto more = static_cast<double>(size.n_levels - 1);
    return std::min(more * size.configurations.value * std::ldexp(penalty_, shift_), astronomical);
  }
  int exponent = 0;
  const auto digits = static_cast<std::uint64_t>(std::ldexp(std::frexp(penalty_, &exponent), 53));
  const int n_beyond = 53 - exponent - shift_;  // 10 or more, as a family has room for parameters
  const Wide all = Wide::product(size.cells.exact, digits).rounded(n_beyond);
  return all.minus(Wide::product(size.configurations.exact, digits).rounded(n_beyond)).nearest();
}

// The share of the imaginary sample of one of n; never 0, which stands for the log-likelihood.
double TableScore::alpha_of(double n) const {
  return std::max(equivalent_sample_size_ / std::min(n, astronomical),
                  std::numeric_limits<double>::denorm_min());
}

// What the terms of cells and of configurations are made of.
TableScore::TermKinds TableScore::kinds_of(const FamilySize& size, double n_observed) const {
  const auto n_levels = static_cast<double>(size.n_levels);
  switch (kind_) {
    case ScoreKind::log_likelihood:
    case ScoreKind::aic:
    case ScoreKind::bic:
    case ScoreKind::qnml:
      break;
    case ScoreKind::fnml:
      return {{}, {0.0, size.n_levels}};
    case ScoreKind::k2:
      return {{1.0}, {n_levels}};
    case ScoreKind::bdeu:
      return {{alpha_of(size.cells.value)}, {alpha_of(size.configurations.value)}};
    case ScoreKind::bds:
      return {{alpha_of(n_levels * n_observed)}, {alpha_of(n_observed)}};
  }
  return {};
}

// What the edges to a child may gain by chance, in units of the scores: the averages of a score over
// samples with and without those in which a parent is missing, a share q of all, differ in the order of
// √(q / (1 - q)) / √n. This times √ln n is larger in the long run. An edge has the mean of its two ends:
// graphs with the same independences lose the same.
double TableScore::chance_of(Var child, VarSpan parents, Var other) const {
  if (kind_ == ScoreKind::log_likelihood) return 0.0;
  const auto n = static_cast<double>(sample_->n_samples());
  const auto odds = [&](Var v) {
    return sample_->n_missing(v) / std::max(1.0, n - sample_->n_missing(v));
  };
  double units = 0.0;
  const auto add = [&](Var parent) {
    const double mean = 0.5 * (odds(child) + odds(parent));
    const double nats = weight_of_chance * std::sqrt(mean * n * std::log(n));
    units += std::nearbyint(std::ldexp(nats, shift_));
  };
  for (const Var parent : parents) {
    if (parent != other) add(parent);
  }
  if (other != child && place_of(parents, other) < 0) add(other);
  return units;
}

// The score of a family of incomplete variables, in units. Families have different complete samples, so
// their averages are compared, times the number of all samples (Bodewes and Scutari, 2021). The child
// without parents is the same in all of its families: that part has all samples in which the child is
// not missing, and only what the parents add to it those of the family. `score` is that of the complete
// samples, the counts in the room have their levels of the child.
double TableScore::node_average(Room& room, Var child, double score) const {
  const auto n = static_cast<double>(sample_->n_samples());
  const FamilySize alone{card_of(*sample_, child), Size::of(card_of(*sample_, child)), Size::of(1)};
  const auto [of_cells, of_total] = kinds_of(alone, 1.0);
  Terms& cell_term = room.terms_of(of_cells, shift_, sample_->n_samples());
  Terms& total_term = room.terms_of(of_total, shift_, sample_->n_samples());
  const auto score_alone = [&](std::span<const Count> levels, Count m) {
    std::int64_t sum = -total_term(m);
    for (const Count k : levels) {
      if (k > 0) sum += cell_term(k);
    }
    return static_cast<double>(sum) - penalty_of(room, alone, m);
  };
  const auto total = [](std::span<const Count> levels) {
    return std::accumulate(levels.begin(), levels.end(), Count{0});
  };
  const auto present = sample_->level_counts(child);
  const std::span<const Count> complete(room.found.levels);
  const Count n_present = total(present), m = total(complete);
  if (n_present == 0) {  // nothing is known: all levels are equally likely
    const double nats = -n * std::log(static_cast<double>(alone.n_levels));
    return std::nearbyint(std::ldexp(nats, shift_));
  }
  const double own = score_alone(present, n_present) * (n / n_present);
  return std::nearbyint(m == 0 ? own : own + (score - score_alone(complete, m)) * (n / m));
}

// The score of the family whose counts are in the room.
double TableScore::score(Room& room, Var child, const FamilySize& size) const {
  const FamilyCounts& found = room.found;
  const auto n_observed = static_cast<double>(found.configurations.size());
  const auto [of_cells, of_configurations] = kinds_of(size, n_observed);
  const std::size_t n_samples = sample_->n_samples();
  if (room.terms.size() > n_term_tables) room.terms.clear();
  std::int64_t total = room.terms_of(of_cells, shift_, n_samples).sum(found.cells);
  total -= room.terms_of(of_configurations, shift_, n_samples).sum(found.configurations);
  if (sample_->is_complete()) {
    const double sum = std::ldexp(static_cast<double>(total), -shift_);
    const auto n = static_cast<Count>(n_samples);
    return sum - std::ldexp(penalty_of(room, size, n), -shift_);
  }
  const Count n_complete = std::accumulate(found.levels.begin(), found.levels.end(), Count{0});
  const double sum = static_cast<double>(total) - penalty_of(room, size, n_complete);
  return std::ldexp(node_average(room, child, sum), -shift_);
}

// Finds what the changes of a family share.
void TableScore::Room::prepare(const Sample& sample, const Plan& plan) {
  is_sorted_by_parents = false;
  if (plan.has_triples) {
    n_masks = triple_masks(sample, parents().front(), child(), masks, mask_of);
  }
  if (plan.n_cells == 0) return;
  if (plan.is_counted) counts.assign(plan.n_cells, 0);
  if (plan.by_bitmaps) {
    find_cells(sample, fixed, plan.n_cells, cells);
    if (!plan.is_counted) return;
    for (std::size_t i = 0; i < cells.n; ++i) {
      counts[static_cast<std::size_t>(cells.numbers[i])] = cells.counts[i];
    }
    return;
  }
  const Rows& rows = sample.rows();
  keys.resize(rows.n_rows());
  rows.visit([&](auto codes_of) {
    std::ranges::copy(codes_of(fixed.front()), keys.begin());
    for (const Var v : VarSpan(fixed).subspan(1)) {
      extend(keys, codes_of(v), sample.card(v));
    }
    for (const Var v : fixed) leave_out_missing(sample, v, codes_of(v), std::span(keys));
  });
  if (!plan.is_counted) return;
  for (std::size_t r = 0; r < keys.size(); ++r) {
    if (keys[r] < 0) continue;
    counts[static_cast<std::size_t>(keys[r])] += rows.is_weighted() ? rows.weights()[r] : 1;
  }
}

Counted TableScore::Room::count(const Sample& sample, const Plan& plan, const Change& change) {
  switch (change.way) {
    case Way::levels:
    case Way::pair:
      break;  // counted already
    case Way::triple:
      return count_triple(sample, change.other);
    case Way::fewer:
      if (change.place >= 0) return count_fewer(sample, static_cast<std::size_t>(change.place));
      return {counts, counts.size() / card_of(sample, child()), 1, {}};
    case Way::more:
      return count_more(sample, plan, change.other);
    case Way::rows:
      return sort_rows(sample, change);
  }
  return {};
}

// Adds the cells up to those without the parent at `place`.
Counted TableScore::Room::count_fewer(const Sample& sample, std::size_t place) {
  const std::size_t card = card_of(sample, fixed[place]);
  std::size_t inner = 1;
  for (const Var v : VarSpan(fixed).subspan(place + 1)) inner *= card_of(sample, v);
  const std::size_t outer = counts.size() / (card * inner);
  const auto sums = first(table, outer * inner);
  std::ranges::fill(sums, 0);
  for (std::size_t i = 0; i < outer; ++i) {
    const auto own = sums.subspan(i * inner, inner);
    for (std::size_t level = 0; level < card; ++level) {
      const auto part = std::span(counts).subspan((i * card + level) * inner, inner);
      for (std::size_t j = 0; j < inner; ++j) own[j] += part[j];
    }
  }
  return {sums, sums.size() / card_of(sample, child()), 1, {}};
}

// Counts table[parent, child, other].
Counted TableScore::Room::count_triple(const Sample& sample, Var other) {
  const Var parent = fixed.front();
  const std::size_t n_configurations = card_of(sample, parent), card = card_of(sample, other);
  const auto split = first(table, n_configurations * card_of(sample, child()) * card);
  h2pc::count_triple(sample, parent, child(), other,
                     std::span<const Word>(masks).first(n_masks * sample.n_words()), mask_of,
                     first(mask_counts, n_masks), split);
  return {split, n_configurations, card, {}};
}

// Splits the cells by the levels of another variable.
Counted TableScore::Room::count_more(const Sample& sample, const Plan& plan, Var other) {
  const std::size_t card = card_of(sample, other);
  const auto split = first(table, plan.n_cells * card);
  std::ranges::fill(split, 0);
  if (plan.by_bitmaps) {
    count_by_bitmaps(sample, cells, other, first(mask_counts, cells.n), split);
  } else {
    const Rows& rows = sample.rows();
    rows.visit([&](auto codes_of) {
      const auto codes = codes_of(other);
      if (sample.is_complete(fixed) && sample.is_complete(other)) {
        scatter(codes, std::span<const Count>(keys), rows.weights(), card, split);
        return;
      }
      for (std::size_t r = 0; r < keys.size(); ++r) {
        if (keys[r] < 0 || codes[r] == card) continue;
        const std::size_t entry = static_cast<std::size_t>(keys[r]) * card + codes[r];
        split[entry] += rows.is_weighted() ? rows.weights()[r] : 1;
      }
    });
  }
  return {split, plan.n_cells / card_of(sample, child()), card, {}};
}

// Orders the rows by the configuration of the parents; a new one splits them further, unless its
// levels and those of the child are too many.
Counted TableScore::Room::sort_rows(const Sample& sample, const Change& change) {
  Counted counted;
  Vars sorted_by(parents().begin(), parents().end());
  if (change.place >= 0) {
    sorted_by.erase(sorted_by.begin() + change.place);
  } else if (change.adds) {
    if (static_cast<double>(sample.card(child())) * sample.card(change.other) <=
        most_entries(sample)) {
      counted.candidate = change.other;
    } else {
      sorted_by.push_back(change.other);
    }
  }
  const bool by_parents = sorted_by.size() == parents().size();
  if (by_parents && is_sorted_by_parents) return counted;
  is_sorted_by_parents = by_parents;
  const std::size_t n = number_rows(sample, sample.rows(), sorted_by, configurations);
  starts.assign(n + 2, 0);
  for (const Count q : configurations) {
    if (q >= 0) starts[static_cast<std::size_t>(q) + 2] += 1;
  }
  for (std::size_t q = 2; q < starts.size(); ++q) starts[q] += starts[q - 1];
  order.resize(configurations.size());
  for (std::size_t r = 0; r < configurations.size(); ++r) {
    if (configurations[r] < 0) continue;
    order[starts[static_cast<std::size_t>(configurations[r]) + 1]++] = static_cast<Count>(r);
  }
  starts.pop_back();
  return counted;
}

// Counts sorted rows, one configuration after the other, split by a candidate or not.
void TableScore::Room::count_sorted(const Sample& sample, std::optional<Var> candidate) {
  const Rows& rows = sample.rows();
  const std::size_t n_levels = card_of(sample, child());
  const std::size_t card = candidate ? card_of(sample, *candidate) : 1;
  const auto of_cells = first(table, n_levels * card), of_columns = first(columns, card);
  std::ranges::fill(of_cells, 0);
  std::ranges::fill(of_columns, 0);
  rows.visit([&](auto codes_of) {
    const auto x = codes_of(child()), y = codes_of(candidate.value_or(child()));
    for (std::size_t q = 0; q + 1 < starts.size(); ++q) {
      const auto own = std::span<const Count>(order).subspan(starts[q], starts[q + 1] - starts[q]);
      for (const Count row : own) {
        const auto r = static_cast<std::size_t>(row);
        const std::size_t c = candidate ? y[r] : 0;
        if (x[r] == n_levels || c == card) continue;
        const Count n = rows.is_weighted() ? rows.weights()[r] : 1;
        of_cells[c * n_levels + x[r]] += n;
        of_columns[c] += n;
      }
      for (const Count row : own) {
        const auto r = static_cast<std::size_t>(row);
        const std::size_t c = candidate ? y[r] : 0;
        if (x[r] == n_levels || c == card) continue;
        Count& in_cell = of_cells[c * n_levels + x[r]];
        if (in_cell > 0) found.cells.push_back(in_cell);
        if (of_columns[c] > 0) found.configurations.push_back(of_columns[c]);
        found.levels[x[r]] += in_cell;
        in_cell = of_columns[c] = 0;
      }
    }
  });
}

// Finds the counts of the family after a change.
void TableScore::Room::find_counts(const Sample& sample, const Plan& plan, const Change& change) {
  found.clear(card_of(sample, child()));
  if (change.way == Way::levels) {
    found.add_configuration(sample.level_counts(child()));
    return;
  }
  if (change.way == Way::pair) {
    const Var parent = change.adds ? change.other : parents()[change.place == 0 ? 1 : 0];
    for (std::size_t i = 0; i < card_of(sample, parent); ++i) {
      found.add_configuration(sample.pairs(sample.first_level(parent) + i, child()));
    }
    return;
  }
  const Counted counted = count(sample, plan, change);
  if (change.way == Way::rows) {
    count_sorted(sample, counted.candidate);
    return;
  }
  found.add_table(counted.table, counted.n_configurations, counted.n_columns);
  if (!sample.is_complete()) found.add_levels(counted.table, counted.n_columns);
}

double TableScore::family(Var child, VarSpan parents) const {
  StopCheck never;
  return changed(child, parents, VarSpan(&child, 1), never).front();
}

std::vector<double> TableScore::changed(Var child, VarSpan parents, VarSpan others,
                                        StopCheck& stop) const {
  const Sample& sample = *sample_;
  sample.check(child);
  sample.check(parents);
  sample.check(others);
  Lease lease(*this);
  Room& room = *lease;
  room.fixed.assign(parents.begin(), parents.end());
  room.fixed.push_back(child);
  const Plan plan = plan_of(sample, child, parents, others);
  room.prepare(sample, plan);

  std::vector<double> scores;
  scores.reserve(others.size());
  for (const Change& change : plan.changes) {
    if (change.way != Way::levels && change.way != Way::pair) stop.look();
    room.find_counts(sample, plan, change);
    double found = score(room, child, size_after(parents, child, change.other));
    if (!sample.is_complete()) {
      found -= std::ldexp(chance_of(child, parents, change.other), -shift_);
    }
    scores.push_back(found);
  }
  return scores;
}

}  // namespace h2pc
