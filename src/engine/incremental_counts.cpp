#include "incremental_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bits.hpp"
#include "counting.hpp"
#include "table_test.hpp"

namespace h2pc {
namespace {

constexpr std::size_t most_members = 16;
constexpr std::size_t speed_of_arrays = 4;  // counts subtracted as arrays, while one is looked up
constexpr std::size_t most_outcomes = 512;  // tables of one stratum that are made beforehand
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

}  // namespace

bool IncrementalCounts::serve(const TableTest& test, Var target, VarSpan candidates,
                              VarSpan members) {
  const Sample& sample = test.sample();
  const bool is_focused = &test.rows() != &sample.rows();
  if (!test.statistic().is_g2() || is_focused || !sample.has_rare_lists()) return false;
  const auto is_binary = [&](Var v) { return sample.card(v) == 2; };
  return is_binary(target) && std::ranges::all_of(candidates, is_binary) &&
         std::ranges::all_of(members, is_binary);
}

IncrementalCounts::IncrementalCounts(const TableTest& test, Var target, Room<Count>& counts)
    : test_(test),
      sample_(test.sample()),
      target_(target),
      counts_(counts),
      n_variables_((static_cast<std::size_t>(sample_.n_variables()) + 7) / 8 * 8),
      most_strata_(std::min(counts.size() / (2 * n_variables_), sample_.n_samples())) {}

bool IncrementalCounts::update(VarSpan members, std::size_t n_outsiders) {
  if (most_strata_ == 0 || members.size() > most_members) return false;
  const bool follows = !strata_.empty() && members_.size() <= members.size() &&
                       std::ranges::equal(members_, members.first(members_.size()));
  double price = follows ? 0.0 : static_cast<double>(n_variables_) * cost::row;
  const double per_sample =
      static_cast<double>(sample_.n_rare()) / static_cast<double>(sample_.n_samples());
  if (!follows && !sample_.has_pairs()) {
    price += sample_.level_count(sample_.rarer_level(target_)) * per_sample * cost::move;
  }
  for (const Var v : members.subspan(follows ? members_.size() : 0)) {
    price += sample_.level_count(sample_.rarer_level(v)) * per_sample * cost::move;
  }
  if (price > cost_of_counting_anew(members.size(), n_outsiders)) return false;
  if (!follows) begin();
  for (const Var v : members.subspan(members_.size())) {
    if (!add(v)) return false;
  }
  return true;
}

double IncrementalCounts::cost_of_counting_anew(std::size_t n_members,
                                                std::size_t n_outsiders) const {
  const double n_words = static_cast<double>(sample_.n_words());
  const double n_bits = static_cast<double>(sample_.n_rare()) / static_cast<double>(n_variables_);
  const Rows& rows = sample_.rows();
  const auto n_rows = static_cast<double>(rows.n_rows());
  const double keys = static_cast<double>(n_members + 1) * n_rows * cost::key;
  const double n = static_cast<double>(n_outsiders);
  // Bits are those of samples: where rows were merged, they are scattered.
  const double by_bits =
      keys +
      n * (rows.is_weighted() ? n_rows * cost::row : n_bits * cost::bit + n_words * cost::bit_word);
  const double by_bitmaps = (n + 2.0) * std::ldexp(1.0, static_cast<int>(n_members) + 1) * n_words *
                            bit_kernels().cost_of_word;
  return std::min(by_bits, by_bitmaps) + (n_members > 0 ? keys : 0.0);
}

// Puts all samples into one stratum: its counts are those of pairs.
void IncrementalCounts::begin() {
  const std::size_t level = sample_.rarer_level(target_);
  const Count n = sample_.level_count(level);
  members_.clear();
  strata_.assign(1, {static_cast<Count>(sample_.n_samples()) - n, n, 0});
  const auto usual = counts_of(0), rare = counts_of(1);
  std::ranges::fill(usual, 0);
  std::ranges::fill(rare, 0);
  sample_.count_rarer_pairs(target_, rare.first(static_cast<std::size_t>(sample_.n_variables())));
  for (Var v = 0; v < sample_.n_variables(); ++v) {
    if (sample_.card(v) != 2) continue;  // others have no rarer level, and are not asked about
    const auto i = static_cast<std::size_t>(v);
    usual[i] = sample_.level_count(sample_.rarer_level(v)) - rare[i];
  }
  cells_.assign(sample_.n_samples(), 0);
  for_each_bit(sample_.bitmap(level), [&](std::size_t sample) { cells_[sample] = 1; });
}

bool IncrementalCounts::add(Var member) {
  const auto bitmap = sample_.bitmap(sample_.rarer_level(member));
  const std::size_t n_strata = strata_.size();
  std::vector<Count> moved(2 * n_strata, 0);
  for_each_bit(bitmap,
               [&](std::size_t sample) { moved[static_cast<std::size_t>(cells_[sample])] += 1; });
  std::vector<std::size_t> child_of(n_strata);  // itself where all of its samples move, or none
  std::size_t n_after = n_strata;
  for (std::size_t s = 0; s < n_strata; ++s) {
    const Count n = moved[2 * s] + moved[2 * s + 1];
    const bool splits = 0 < n && n < strata_[s].usual + strata_[s].rare;
    child_of[s] = splits ? n_after++ : s;
  }
  if (n_after > most_strata_) return false;
  strata_.resize(n_after);

  // Where counts go down and up with every sample of a cell.
  std::vector<std::size_t> source(2 * n_strata, nowhere), goal(2 * n_strata, nowhere);
  const std::size_t many = n_variables_ * sample_.n_samples() /
                           (speed_of_arrays * std::max<std::size_t>(1, sample_.n_rare()));
  const auto bit = std::uint32_t{1} << members_.size();
  for (std::size_t s = 0; s < n_strata; ++s) {
    const Count usual = moved[2 * s], rare = moved[2 * s + 1];
    Stratum& own = strata_[s];
    if (child_of[s] == s) {
      if (usual + rare > 0) own.pattern |= bit;
      continue;
    }
    const bool was_live = own.is_live();
    own.usual -= usual;
    own.rare -= rare;
    Stratum& child = strata_[child_of[s]];
    child = {usual, rare, own.pattern | bit};
    for (std::size_t level = 0; was_live && level < 2; ++level) {
      const std::size_t cell = 2 * s + level;
      if (child.is_live()) {
        goal[cell] = 2 * child_of[s] + level;
        std::ranges::fill(counts_of(goal[cell]), 0);
      }
      const bool at_once = goal[cell] != nowhere && static_cast<std::size_t>(moved[cell]) > many;
      if (own.is_live() && !at_once) source[cell] = cell;
    }
  }
  // Most samples come from one cell: its counts are those of all samples that move, without the others.
  const std::size_t largest =
      static_cast<std::size_t>(std::ranges::max_element(moved) - moved.begin());
  const auto n_moved = static_cast<std::size_t>(sample_.level_count(sample_.rarer_level(member)));
  const auto n_largest = static_cast<std::size_t>(moved[largest]);
  const bool subtracts =
      sample_.has_pairs() && goal[largest] != nowhere && n_largest > n_moved - n_largest + many;
  std::vector<Count> others(subtracts ? n_variables_ : 0, 0);
  for_each_bit(bitmap, [&](std::size_t sample) {
    const auto cell = static_cast<std::size_t>(cells_[sample]);
    cells_[sample] = static_cast<Count>(2 * child_of[cell >> 1] + (cell & 1));
    if (subtracts && cell == largest) return;
    const auto variables = sample_.rare_variables(sample);
    for (std::size_t i = 0; subtracts && i < variables.size(); ++i) others[variables[i]] += 1;
    if (source[cell] != nowhere) {
      const auto counts = counts_of(source[cell]);
      for (const auto v : variables) counts[v] -= 1;
    }
    if (goal[cell] != nowhere) {
      const auto counts = counts_of(goal[cell]);
      for (const auto v : variables) counts[v] += 1;
    }
  });
  if (subtracts) {
    const auto all = sample_.rarer_pairs(member);
    const auto counts = counts_of(goal[largest]);
    for (std::size_t v = 0; v < all.size(); ++v) counts[v] = all[v] - others[v];
    source[largest] = nowhere;
  }
  for (std::size_t cell = 0; cell < 2 * n_strata; ++cell) {
    if (source[cell] != nowhere || goal[cell] == nowhere || !strata_[cell >> 1].is_live()) continue;
    const auto counts = counts_of(cell), gone = counts_of(goal[cell]);
    for (std::size_t v = 0; v < n_variables_; ++v) counts[v] -= gone[v];
  }
  members_.push_back(member);
  return true;
}

void IncrementalCounts::answer_outsiders(VarSpan outsiders, std::span<double> log_p) {
  const auto values = test_.statistic().x_log_x;
  const auto f = [values](Count n) { return values[static_cast<std::size_t>(n)]; };
  // Of all variables, wanted or not: their counts lie side by side.
  std::vector<Count> df(n_variables_, 0);
  std::vector<std::int64_t> halves(n_variables_, 0);
  std::vector<std::int64_t> outcomes;
  for (std::size_t s = 0; s < strata_.size(); ++s) {
    const Stratum& stratum = strata_[s];
    if (!stratum.is_live()) continue;
    const auto usual = counts_of(2 * s), rare = counts_of(2 * s + 1);
    const Count n_usual = stratum.usual, n_rare = stratum.rare, total = n_usual + n_rare;
    const auto width = static_cast<std::size_t>(n_rare) + 1;
    if ((static_cast<std::size_t>(n_usual) + 1) * width > most_outcomes) {
      bit_kernels().add_half_g2_in_stratum(usual.data(), rare.data(), n_usual, n_rare, n_variables_,
                                           values.data(), halves.data(), df.data());
      continue;
    }
    // There are fewer tables that a variable can have here than variables.
    const std::int64_t own = f(total) - f(n_usual) - f(n_rare);
    outcomes.clear();
    for (Count a = 0; a <= n_usual; ++a) {
      for (Count b = 0; b <= n_rare; ++b) {
        outcomes.push_back(own + f(a) + f(b) + f(n_usual - a) + f(n_rare - b) - f(a + b) -
                           f(total - a - b));
      }
    }
    for (std::size_t block = 0; block < n_variables_; block += 8) {
      Count any = 0;
      for (std::size_t x = block; x < block + 8; ++x) any |= usual[x] | rare[x];
      if (any == 0) continue;  // all of these are at one level, and add nothing
      for (std::size_t x = block; x < block + 8; ++x) {
        const Count a = usual[x], b = rare[x];
        halves[x] += outcomes[static_cast<std::size_t>(a) * width + static_cast<std::size_t>(b)];
        df[x] += (a + b > 0) & (a + b < total);
      }
    }
  }
  const std::int64_t plain = std::int64_t{1} << members_.size();
  for (std::size_t i = 0; i < outsiders.size(); ++i) {
    const auto x = static_cast<std::size_t>(outsiders[i]);
    const Half half{halves[x], test_.adjusts_df() ? df[x] : plain};
    log_p[i] = test_.log_p_of(test_.statistic_of(half), half.df, Wanted::links, {});
  }
}

void IncrementalCounts::answer_members(std::span<double> log_p) const {
  const double n_cells = std::ldexp(1.0, static_cast<int>(members_.size()) + 1);
  if (!test_.has_power(n_cells)) {
    std::ranges::fill(log_p.first(members_.size()), 0.0);
    return;
  }
  std::vector<std::size_t> stratum_of(std::size_t{1} << members_.size(), nowhere);
  for (std::size_t s = 0; s < strata_.size(); ++s) stratum_of[strata_[s].pattern] = s;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Half half;
    for (std::size_t s = 0; s < strata_.size(); ++s) {
      const std::size_t other = stratum_of[strata_[s].pattern ^ (std::uint32_t{1} << i)];
      if (other == nowhere || other <= s) continue;
      half += half_g2_of_four(strata_[s].usual, strata_[s].rare, strata_[other].usual,
                              strata_[other].rare, test_.statistic().x_log_x);
    }
    if (!test_.adjusts_df()) half.df = std::int64_t{1} << (members_.size() - 1);
    log_p[i] = test_.log_p_of(test_.statistic_of(half), half.df, Wanted::exact, {});
  }
}

}  // namespace h2pc
