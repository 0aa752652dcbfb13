#include "tables.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "bits.hpp"

namespace h2pc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t largest_table = std::size_t{1} << 22;   // entries
constexpr double largest_masks = 1 << 22;                     // words
constexpr double share_worth_picking = 0.4;                   // of the rows, and picking them pays
constexpr std::size_t most_judged = 16;                       // tables that the choice is judged by
constexpr std::size_t bytes_of_pairs = std::size_t{1} << 24;  // most for the counts of recent pairs
constexpr std::size_t fewest_rows_of_pairs = 4, most_rows_of_pairs = 64;
constexpr double share_worth_a_row = 0.5;  // of its cost, if not kept: most rows are of use again

// Of a stratum: the bits that are set in some level of the target, and those that are not.
bool varies(std::uint32_t levels_seen) { return (levels_seen & levels_seen >> 16) != 0; }

struct StrataSeen {
  std::size_t n_varying = 0, n_constant = 0;  // those in which the target varies, or does not
};

// Finds the strata in which the target varies, without a branch: levels are hard to foresee. Looks no
// further once it varies in all. What was seen of a stratum has its number plus one; rows that do not
// count have the number -1.
template <class Code>
StrataSeen look_at_strata(std::span<const Count> stratum_of_row, std::span<const Code> target,
                          std::size_t n_strata, std::vector<std::uint32_t>& levels_seen) {
  levels_seen.assign(n_strata + 1, 0);
  StrataSeen seen;
  std::size_t r = 0, end = 8 * n_strata;
  while (r < target.size() && seen.n_varying < n_strata) {
    for (end = std::min(2 * end, target.size()); r < end; ++r) {
      const std::uint32_t level = target[r];
      levels_seen[static_cast<std::size_t>(stratum_of_row[r] + 1)] |= level | ~level << 16;
    }
    seen = {};
    for (std::size_t stratum = 1; stratum <= n_strata; ++stratum) {
      seen.n_varying += varies(levels_seen[stratum]);
      seen.n_constant += levels_seen[stratum] != 0 && !varies(levels_seen[stratum]);
    }
  }
  return seen;
}

template <class T>
void make_room(std::vector<T>& room, std::size_t n) {
  if (room.size() < n) room.resize(n);
}

}  // namespace

std::span<const Count> RecentPairs::of(const Sample& sample, Var v, std::size_t n_wanted) {
  n_uses_ += 1;
  const auto known = std::ranges::find(rows_, v, &Row::v);
  if (known != rows_.end()) {
    known->last_use = n_uses_;
    return known->counts;
  }
  const auto n_variables = static_cast<std::size_t>(sample.n_variables());
  const double by_bitmaps =
      static_cast<double>(n_wanted * sample.n_words()) * bit_kernels().cost_of_word;
  if (by_bitmaps < share_worth_a_row * sample.cost_of_rarer_pairs(v)) return {};
  const std::size_t most = std::clamp(bytes_of_pairs / (sizeof(Count) * n_variables),
                                      fewest_rows_of_pairs, most_rows_of_pairs);
  Row& row = rows_.size() < most ? rows_.emplace_back()
                                 : *std::ranges::min_element(rows_, {}, &Row::last_use);
  row.v = v;
  row.last_use = n_uses_;
  row.counts.resize(n_variables);
  sample.count_rarer_pairs(v, row.counts);
  return row.counts;
}

Tables::Tables(const Sample& sample, const Rows& rows, const Statistic& statistic, VarSpan fixed,
               std::size_t n_strata_variables, VarSpan varying, bool is_search, Workspace& room)
    : sample_(sample),
      rows_(rows),
      statistic_(statistic),
      fixed_(fixed),
      n_strata_variables_(n_strata_variables),
      room_(room),
      is_separating_(fixed.size() == n_strata_variables + 2),
      is_complete_(sample.is_complete(fixed)),
      n_possible_(n_combinations(sample, fixed)),
      per_level_(is_separating_ ? static_cast<std::size_t>(sample.card(fixed.back())) : 1),
      per_stratum_(per_level_ * static_cast<std::size_t>(sample.card(fixed[n_strata_variables]))),
      n_varying_(is_search ? 0 : varying.size()) {
  if (sample.is_binary()) {
    most_levels_ = 2;
  } else {
    for (const Var v : varying) {
      most_levels_ = std::max(most_levels_, static_cast<std::size_t>(sample.card(v)));
    }
  }
  plan_ = cheapest_plan(varying);
  make_room(room_.columns, std::max(most_levels_, per_level_));
  switch (plan_) {
    case Plan::pairs:
      make_room(room_.table, per_stratum_ * most_levels_);
      break;
    case Plan::triples: {
      const std::size_t n =
          triple_masks(sample_, fixed_[0], fixed_[1], room_.cells.masks, room_.mask_of);
      room_.cells.n = n;
      make_room(room_.counts, n);
      n_strata_ = n_strata_variables_ == 1 ? static_cast<std::size_t>(sample_.card(fixed_[0])) : 1;
      make_room(room_.table, n_strata_ * per_stratum_ * most_levels_);
      break;
    }
    case Plan::binary:
      prepare_binary();
      if (!is_search && !has_missing_) count_rare_levels(varying.size());
      break;
    case Plan::bitmaps:
      prepare_bitmaps(varying);
      break;
    case Plan::either:
      prepare_bitmaps(varying);
      prepare_keys();
      break;
    case Plan::keys:
      prepare_keys();
      break;
  }
}

double Tables::cost_by_set_bits(Var v) const {
  if (rows_.is_weighted() || !sample_.has_bitmaps())
    return infinity;  // a bit is a sample, not a row
  const auto counts = sample_.level_counts(v);
  const double outside_mode =
      static_cast<double>(sample_.n_samples()) - counts[static_cast<std::size_t>(sample_.mode(v))];
  const double n_words = (sample_.n_codes(v) - 1.0) * static_cast<double>(sample_.n_words());
  return outside_mode * cost::bit + n_words * cost::bit_word;
}

double Tables::cost_by_bitmaps(double n_cells, Var v) const {
  return n_cells * sample_.n_counted(v) * static_cast<double>(sample_.n_words()) *
         bit_kernels().cost_of_word;
}

double Tables::cost_by_keys(Var v) const {
  return std::min(static_cast<double>(rows_.n_rows()) * cost::row, cost_by_set_bits(v));
}

// The least total of what is built once and what every table costs, judged by the first few tables.
Tables::Plan Tables::cheapest_plan(VarSpan varying) {
  const bool is_pair = fixed_.size() == 1;
  const double n_rows = static_cast<double>(rows_.n_rows());
  if (!sample_.has_bitmaps()) {
    cost_of_one_ = n_rows * cost::row;
    return is_pair && sample_.has_pairs() ? Plan::pairs : Plan::keys;
  }
  const double word = static_cast<double>(sample_.n_words()) * bit_kernels().cost_of_word;
  if (is_pair) {
    cost_of_one_ = word;
    return Plan::pairs;
  }
  const VarSpan first = varying.first(std::min(varying.size(), most_judged));
  bool all_binary = statistic_.is_g2() && fixed_.size() <= 3;
  if (!sample_.is_binary()) {
    const auto is_binary = [this](Var v) { return sample_.card(v) == 2; };
    all_binary = all_binary && std::ranges::all_of(fixed_, is_binary) &&
                 std::ranges::all_of(varying, is_binary);
  }
  has_missing_ = !is_complete_ || !sample_.is_complete(varying);
  double n_counts = fixed_.size() == 2 ? 1.0 : 4.0;
  if (has_missing_) n_counts = 2.0 * n_possible_;
  const double binary = all_binary ? n_counts * word : infinity;
  // Bitmaps and triples of binary variables never cost less, and set bits and rows at least this.
  const double least_by_keys =
      std::min(n_rows * cost::row, static_cast<double>(sample_.n_words()) * cost::bit_word);
  if (!has_missing_ && binary <= least_by_keys) {
    cost_of_one_ = binary;
    return Plan::binary;
  }
  const bool has_triples = fixed_.size() == 2 && sample_.has_pairs();
  double free_cells = 1.0;
  for (const Var v : fixed_) free_cells *= sample_.n_counted(v);
  double one_triples = 0.0, one_bitmaps = 0.0, one_keys = 0.0, one_either = 0.0;
  for (const Var v : first) {
    const double by_bitmaps = cost_by_bitmaps(n_possible_, v), by_keys = cost_by_keys(v);
    one_triples += cost_by_bitmaps(free_cells, v) + n_possible_ * sample_.card(v) * cost::subtract;
    one_bitmaps += by_bitmaps;
    one_keys += by_keys;
    one_either += std::min(by_bitmaps, by_keys);
  }
  const double share = 1.0 / static_cast<double>(first.size());
  const double n = static_cast<double>(varying.size());
  const double once_bitmaps = 2.0 * n_possible_ * word;
  const double once_keys = (static_cast<double>(fixed_.size()) * cost::key + cost::strata) * n_rows;
  double triples = has_triples ? n * share * one_triples : infinity;
  double bitmaps = once_bitmaps + n * share * one_bitmaps;
  double keys = once_keys + n * share * one_keys;
  double either = once_bitmaps + once_keys + n * share * one_either;
  const double most_levels = static_cast<double>(most_levels_);
  const double n_words = static_cast<double>(sample_.n_words());
  if (n_possible_ * std::max(n_words, most_levels) > largest_masks) bitmaps = either = infinity;
  if (n_possible_ * most_levels > static_cast<double>(largest_table)) triples = infinity;
  if (!rows_.has_every_variable() && !(rows_.has_all(fixed_) && rows_.has_all(varying))) {
    keys = either = infinity;
  }
  const double best = std::min({bitmaps, keys, either});
  if (std::min(best, triples) == infinity) {
    throw std::out_of_range("a focused test got a variable outside its focus");
  }
  cost_of_one_ = std::min({binary, best / n, triples / n});
  if (n * binary <= std::min(best, triples)) return Plan::binary;
  if (triples <= best) return Plan::triples;
  if (bitmaps == best) return Plan::bitmaps;
  return keys == best ? Plan::keys : Plan::either;
}

// Which of its two levels a binary variable is at does not matter to G². So a cell is named by the
// variables that are at their rarer level: ab, a, b, none of (a, b); of (a, b, c) with c first, then
// without. All counts follow from those of such levels together.
void Tables::prepare_binary() {
  if (has_missing_) {
    find_cells(sample_, fixed_, static_cast<std::size_t>(n_possible_), room_.cells);
    make_room(room_.counts, room_.cells.n);
    return;
  }
  const std::size_t n_words = sample_.n_words();
  for (std::size_t i = 0; i < fixed_.size(); ++i) levels_[i] = sample_.rarer_level(fixed_[i]);
  const std::size_t a = levels_[0], b = levels_[1];
  const Count n = static_cast<Count>(sample_.n_samples());
  const Count n_a = sample_.level_count(a), n_b = sample_.level_count(b);
  Bitmaps& masks = room_.cells.masks;
  const std::size_t n_masks = fixed_.size() == 2 ? 1 : 4;
  if (masks.size() < n_masks * n_words) masks.resize(n_masks * n_words);
  Count* counts = binary_counts_;
  const BitKernels& bits = bit_kernels();
  Word* ab = masks.data();
  const Word* map_a = sample_.bitmap(a).data();
  const Word* map_b = sample_.bitmap(b).data();
  const auto n_ab = static_cast<Count>(bits.and_into(map_a, map_b, ab, n_words));
  if (fixed_.size() == 2) {
    counts[0] = n_ab;
    counts[1] = n_a - n_ab;
    counts[2] = n_b - n_ab;
    counts[3] = n - n_a - n_b + n_ab;
    return;
  }
  const std::size_t c = levels_[2];
  const Word* map_c = sample_.bitmap(c).data();
  const auto n_ac = static_cast<Count>(bits.and_into(map_a, map_c, ab + n_words, n_words));
  const auto n_bc = static_cast<Count>(bits.and_into(map_b, map_c, ab + 2 * n_words, n_words));
  const auto n_abc = static_cast<Count>(bits.and_into(ab, map_c, ab + 3 * n_words, n_words));
  const Count n_c = sample_.level_count(c);
  counts[0] = n_abc;
  counts[1] = n_ac - n_abc;
  counts[2] = n_bc - n_abc;
  counts[3] = n_c - n_ac - n_bc + n_abc;
  counts[4] = n_ab - n_abc;
  counts[5] = n_a - n_ab - counts[1];
  counts[6] = n_b - n_ab - counts[2];
  counts[7] = n - n_a - n_b + n_ab - counts[3];
}

void Tables::count_rare_levels(std::size_t n) {
  if (!sample_.has_rare_lists()) return;
  const std::size_t n_masks = fixed_.size() == 2 ? 1 : 4;
  const Count* counts_of = binary_counts_;
  // Samples of the masks: ab, or ab, ac, bc and abc.
  const double n_samples =
      n_masks == 1 ? counts_of[0] : 4.0 * counts_of[0] + counts_of[4] + counts_of[1] + counts_of[2];
  const double per_sample =
      static_cast<double>(sample_.n_rare()) / static_cast<double>(sample_.n_samples());
  const double n_variables = static_cast<double>(sample_.n_variables());
  const double by_lists = n_samples * per_sample * cost::move +
                          static_cast<double>(n_masks) * n_variables * cost::clear;
  const double by_bitmaps =
      static_cast<double>(n * n_masks * sample_.n_words()) * bit_kernels().cost_of_word;
  if (by_lists > by_bitmaps) return;
  has_rare_counts_ = true;
  for (std::size_t k = 0; k < n_masks; ++k) {
    auto& counts = room_.rare_counts[k];
    counts.assign(static_cast<std::size_t>(sample_.n_variables()), 0);
    const auto mask =
        std::span<const Word>(room_.cells.masks).subspan(k * sample_.n_words(), sample_.n_words());
    for_each_bit(mask, [&](std::size_t sample) {
      for (const auto v : sample_.rare_variables(sample)) counts[v] += 1;
    });
  }
}

// Of (a, b) and every v: of a ⊥ b | v where separators vary, else of b ⊥ v | a.
void Tables::count_threes(VarSpan variables, std::span<Half> halves) {
  const BitKernels& bits = bit_kernels();
  BinaryTables& room = room_.binary;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (has_rare_counts_) {
      room.with[0][i] = room_.rare_counts[0][static_cast<std::size_t>(variables[i])];
      continue;
    }
    const Word* map = sample_.bitmap(sample_.rarer_level(variables[i])).data();
    room.with[0][i] =
        static_cast<Count>(bits.and_count(room_.cells.masks.data(), map, sample_.n_words()));
  }
  look_up_pairs(variables);
  const Count* n = binary_counts_;
  auto& cells = room.cells;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Count ab = room.with[0][i];
    cells[0][i] = ab;
    cells[1][i] = room.alone[0][i] - ab;
    cells[2][i] = room.alone[1][i] - ab;
    cells[3][i] = room.alone[3][i] - cells[1][i] - room.alone[1][i];
  }
  if (is_separating_) {
    add_up_separated<2>(std::span(n, 4), halves);
  } else {
    add_up_strata<2>(std::span(n, 4), halves);
  }
}

// Of (a, b, c) and every v: of b ⊥ c | a, v where separators vary, else of c ⊥ v | a, b.
void Tables::count_fours(VarSpan variables, std::span<Half> halves) {
  const BitKernels& bits = bit_kernels();
  BinaryTables& room = room_.binary;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (has_rare_counts_) {
      const auto v = static_cast<std::size_t>(variables[i]);
      for (std::size_t k = 0; k < 4; ++k) room.with[k][i] = room_.rare_counts[k][v];
      continue;
    }
    const Word* map = sample_.bitmap(sample_.rarer_level(variables[i])).data();
    std::array<Count, 4> with;
    bits.and_count_many(room_.cells.masks.data(), 4, map, sample_.n_words(), with.data());
    for (std::size_t k = 0; k < 4; ++k) room.with[k][i] = with[k];
  }
  look_up_pairs(variables);
  // The first cell of a pair is that with c.
  const std::array<Count, 8> all{binary_counts_[0], binary_counts_[4], binary_counts_[1],
                                 binary_counts_[5], binary_counts_[2], binary_counts_[6],
                                 binary_counts_[3], binary_counts_[7]};
  auto& [with, alone, cells, values, df] = room;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Count abc = with[3][i], ac = with[1][i] - abc, bc = with[2][i] - abc;
    const Count c = alone[2][i] - ac - bc - abc;
    const Count a_alone = alone[0][i] - with[0][i], b_alone = alone[1][i] - with[0][i];
    cells[0][i] = abc;
    cells[1][i] = with[0][i] - abc;
    cells[2][i] = ac;
    cells[3][i] = a_alone - ac;
    cells[4][i] = bc;
    cells[5][i] = b_alone - bc;
    cells[6][i] = c;
    cells[7][i] = alone[3][i] - a_alone - b_alone - with[0][i] - c;
  }
  if (is_separating_) {
    add_up_separated<4>(all, halves);
  } else {
    add_up_strata<4>(all, halves);
  }
}

// The same where cells are missing: nothing follows from the counts of pairs.
void Tables::count_present(VarSpan variables, std::span<Half> halves) {
  const Cells& fixed = room_.cells;
  auto& cells = room_.binary.cells;
  const auto n_cells = static_cast<std::size_t>(n_possible_);
  // The place of a cell of the fixed variables and a level: in the column of its row, or in the table
  // of the level.
  const auto place = [this](std::size_t cell, std::size_t level) {
    return is_separating_ ? (cell / 4 * 2 + level) * 4 + cell % 4 : cell * 2 + level;
  };
  if (fixed.n < n_cells) {
    for (std::size_t k = 0; k < 2 * n_cells; ++k)
      std::fill_n(cells[k].begin(), variables.size(), 0);
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_complete = sample_.is_complete(variables[i]);
    for (std::size_t level = 0; level < 2; ++level) {
      if (level == 0 || !is_complete) {
        const std::size_t row = sample_.first_level(variables[i]) + level;
        bit_kernels().and_count_many(fixed.masks.data(), fixed.n, sample_.bitmap(row).data(),
                                     sample_.n_words(), room_.counts.data());
      }
      for (std::size_t c = 0; c < fixed.n; ++c) {
        const Count n =
            level == 0 || !is_complete ? room_.counts[c] : fixed.counts[c] - room_.counts[c];
        cells[place(static_cast<std::size_t>(fixed.numbers[c]), level)][i] = n;
      }
    }
  }
  add_up(n_cells / 2, halves);
}

// The counts of pairs apart from what follows, which is done for many variables at once.
void Tables::look_up_pairs(VarSpan variables) {
  auto& alone = room_.binary.alone;
  for (std::size_t k = 0; k < fixed_.size(); ++k) {
    const auto pairs = sample_.has_pairs()
                           ? sample_.rarer_pairs(fixed_[k])
                           : room_.pairs.of(sample_, fixed_[k], std::max(n_varying_, n_counted_));
    const Word* own = sample_.bitmap(sample_.rarer_level(fixed_[k])).data();
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const auto v = static_cast<std::size_t>(variables[i]);
      if (!pairs.empty()) {
        alone[k][i] = pairs[v];
        continue;
      }
      const Word* other = sample_.bitmap(sample_.rarer_level(variables[i])).data();
      alone[k][i] = static_cast<Count>(bit_kernels().and_count(own, other, sample_.n_words()));
    }
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    alone[3][i] = sample_.level_count(sample_.rarer_level(variables[i]));
  }
}

std::size_t Tables::clear_sums(std::size_t n_cells, std::size_t n) {
  BinaryTables& room = room_.binary;
  const std::size_t padded = (n + 7) / 8 * 8;
  for (std::size_t k = 0; k < n_cells; ++k) {
    std::fill(room.cells[k].begin() + static_cast<std::ptrdiff_t>(n),
              room.cells[k].begin() + static_cast<std::ptrdiff_t>(padded), 0);
  }
  std::fill_n(room.values.begin(), padded, 0);
  std::fill_n(room.df.begin(), padded, 0);
  return padded;
}

// Every pair of cells is a stratum, and its two cells are levels of the target.
template <std::size_t n_strata>
void Tables::add_up_strata(std::span<const Count> all, std::span<Half> halves) {
  BinaryTables& room = room_.binary;
  const std::size_t padded = clear_sums(2 * n_strata, halves.size());
  for (std::size_t k = 0; k < 2 * n_strata; k += 2) {
    if (all[k] == 0 || all[k + 1] == 0) continue;
    bit_kernels().add_half_g2_in_stratum(room.cells[k].data(), room.cells[k + 1].data(), all[k],
                                         all[k + 1], padded, statistic_.x_log_x.data(),
                                         room.values.data(), room.df.data());
  }
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = {room.values[i], room.df[i]};
}

// Every four cells are a table where v is at its rarer level, and what is left of them another one.
template <std::size_t n_tables>
void Tables::add_up_separated(std::span<const Count> all, std::span<Half> halves) {
  BinaryTables& room = room_.binary;
  constexpr std::size_t n_cells = 2 * n_tables;
  for (std::size_t k = 0; k < n_cells; ++k) {
    for (std::size_t i = 0; i < halves.size(); ++i)
      room.cells[n_cells + k][i] = all[k] - room.cells[k][i];
  }
  add_up(n_tables, halves);
}

void Tables::add_up(std::size_t n_tables, std::span<Half> halves) {
  BinaryTables& room = room_.binary;
  const std::size_t padded = clear_sums(4 * n_tables, halves.size());
  for (std::size_t k = 0; k < 4 * n_tables; k += 4) {
    bit_kernels().add_half_g2(room.cells[k].data(), room.cells[k + 1].data(),
                              room.cells[k + 2].data(), room.cells[k + 3].data(), padded,
                              statistic_.x_log_x.data(), room.values.data(), room.df.data());
  }
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = {room.values[i], room.df[i]};
}

// Up to how many samples of a cell are listed: going through them beats going through words.
std::size_t Tables::few_samples(VarSpan varying) const {
  if (rows_.is_weighted()) return 0;
  const VarSpan first = varying.first(std::min(varying.size(), most_judged));
  double levels = 0.0;
  for (const Var v : first) levels += sample_.n_counted(v);
  const double n = static_cast<double>(varying.size());
  const double n_words = static_cast<double>(sample_.n_words());
  const double by_bitmap =
      n * levels / static_cast<double>(first.size()) * n_words * bit_kernels().cost_of_word -
      n_words * cost::bit_word;
  const double by_sample = cost::bit + n * cost::listed;
  return static_cast<std::size_t>(std::max(0.0, by_bitmap / by_sample));
}

void Tables::prepare_bitmaps(VarSpan varying) {
  find_cells(sample_, fixed_, static_cast<std::size_t>(n_possible_), room_.cells);
  drop_constant_strata();
  const std::size_t few = n_varying_ == 0 ? 0 : few_samples(varying);
  n_listed_ = 0;
  if (few > 0) list_small_cells(few);
  make_room(room_.counts, room_.cells.n);
  make_room(room_.table, std::max<std::size_t>(n_strata_, 1) * per_stratum_ * most_levels_);
}

// Keeps the cells of strata in which the target varies, numbered anew: others add nothing.
void Tables::drop_constant_strata() {
  Cells& cells = room_.cells;
  const std::size_t n_words = sample_.n_words();
  const auto n_possible = static_cast<std::size_t>(n_possible_) / per_stratum_;
  std::vector<Count>& first_level = room_.cell_counts;
  std::vector<Count>& new_number = room_.keys;
  first_level.assign(n_possible, -1);
  new_number.assign(n_possible, -1);
  for (std::size_t c = 0; c < cells.n; ++c) {
    const auto number = static_cast<std::size_t>(cells.numbers[c]);
    const std::size_t stratum = number / per_stratum_;
    const auto level = static_cast<Count>(number % per_stratum_ / per_level_);
    if (first_level[stratum] < 0) {
      first_level[stratum] = level;
    } else if (first_level[stratum] != level) {
      new_number[stratum] = 0;
    }
  }
  n_strata_ = 0;
  for (Count& number : new_number) {
    if (number == 0) number = static_cast<Count>(n_strata_++);
  }
  std::size_t n_kept = 0;
  for (std::size_t c = 0; c < cells.n; ++c) {
    const auto number = static_cast<std::size_t>(cells.numbers[c]);
    const Count stratum = new_number[number / per_stratum_];
    if (stratum < 0) continue;
    if (n_kept != c) {
      std::ranges::copy(cells.mask(c, n_words), &cells.masks[n_kept * n_words]);
      cells.counts[n_kept] = cells.counts[c];
    }
    cells.numbers[n_kept] = static_cast<Count>(static_cast<std::size_t>(stratum) * per_stratum_ +
                                               number % per_stratum_);
    n_kept += 1;
  }
  cells.n = n_kept;
}

// Lists the samples of cells with up to `few`; the others keep their bitmaps.
void Tables::list_small_cells(std::size_t few) {
  Cells& cells = room_.cells;
  const std::size_t n_words = sample_.n_words();
  room_.listed.clear();
  room_.listed_cells.clear();
  std::size_t n_kept = 0;
  for (std::size_t c = 0; c < cells.n; ++c) {
    if (static_cast<std::size_t>(cells.counts[c]) > few) {
      if (n_kept != c) {
        std::ranges::copy(cells.mask(c, n_words), &cells.masks[n_kept * n_words]);
        cells.numbers[n_kept] = cells.numbers[c];
        cells.counts[n_kept] = cells.counts[c];
      }
      n_kept += 1;
      continue;
    }
    for_each_bit(cells.mask(c, n_words), [&](std::size_t sample) {
      room_.listed.push_back(static_cast<Count>(sample));
      room_.listed_cells.push_back(cells.numbers[c]);
    });
  }
  cells.n = n_kept;
  n_listed_ = room_.listed.size();
}

// Gives every row its cell, over the strata in which the target varies; -1 for the others.
void Tables::prepare_keys() {
  std::vector<Count>& cell_of_row = room_.cell_of_row;
  const std::size_t n_rows = rows_.n_rows();
  const std::size_t n_numbers =
      number_rows(sample_, rows_, fixed_.first(n_strata_variables_), cell_of_row);
  rows_.visit([&](auto codes_of) {
    const auto target = codes_of(fixed_[n_strata_variables_]);
    const auto last = codes_of(fixed_.back());
    for (const Var v : fixed_.subspan(n_strata_variables_)) {
      leave_out_missing(sample_, v, codes_of(v), std::span(cell_of_row));
    }
    const StrataSeen strata = look_at_strata(cell_of_row, target, n_numbers, room_.levels_seen);
    const Count card = sample_.card(fixed_[n_strata_variables_]);
    const auto last_card = static_cast<Count>(per_level_);
    const auto has_room = [this](std::size_t n_strata) {
      return (n_strata * per_stratum_ + n_spare_cells) * (most_levels_ + 1) <= largest_table;
    };
    // Strata that are empty or in which the target is constant add nothing to a statistic: to leave them
    // out takes as long as several tables.
    const double n_tables = static_cast<double>(std::max<std::size_t>(1, n_varying_));
    const double share_constant = static_cast<double>(strata.n_constant) /
                                  static_cast<double>(strata.n_varying + strata.n_constant + 1);
    const auto n_of_no_use =
        static_cast<double>((n_numbers - strata.n_varying) * per_stratum_ * most_levels_);
    const double saved =
        share_constant * static_cast<double>(n_rows) * cost::row + n_of_no_use * cost::subtract;
    const bool keeps_all =
        is_complete_ && has_room(n_numbers) && n_tables * saved < n_rows * cost::strata;
    n_key_strata_ = keeps_all ? n_numbers : strata.n_varying;
    has_keys_ = has_room(n_key_strata_);
    if (keeps_all) {
      extend(cell_of_row, target, card);
      if (is_separating_) extend(cell_of_row, last, last_card);
      n_key_rows_ = n_rows;
      keys_ = cell_of_row;
      return;
    }
    std::vector<Count>& new_number = room_.rows;
    new_number.assign(n_numbers + 1, -1);  // that of a stratum has its old number plus one
    Count n_numbered = 0;
    for (std::size_t i = 1; i <= n_numbers; ++i) {
      if (varies(room_.levels_seen[i])) new_number[i] = n_numbered++;
    }
    const auto renumbered = [&](Count stratum) {
      return new_number[static_cast<std::size_t>(stratum + 1)];
    };
    if (!has_keys_) {
      for (Count& stratum : cell_of_row) stratum = renumbered(stratum);
      return;
    }
    std::size_t n = 0;
    for (std::size_t r = 0; r < n_rows; ++r) {
      const Count number = renumbered(cell_of_row[r]);
      Count cell = number * card + static_cast<Count>(target[r]);
      if (is_separating_) cell = cell * last_card + static_cast<Count>(last[r]);
      cell_of_row[r] = number >= 0 ? cell : -1;
      n += number >= 0;
    }
    // The numbers are used up: their room takes the rows that count.
    room_.keys.resize(n_rows);
    // One pass over all rows is faster than picking most of them: the others get cells of no use.
    if (static_cast<double>(n) > share_worth_picking * static_cast<double>(n_rows)) {
      const std::size_t n_cells = n_key_strata_ * per_stratum_;
      for (std::size_t r = 0; r < n_rows; ++r) {
        const auto no_cell = static_cast<Count>(n_cells + r % n_spare_cells);
        room_.keys[r] = cell_of_row[r] < 0 ? no_cell : cell_of_row[r];
      }
      n_key_rows_ = n_rows;
      keys_ = room_.keys;
      return;
    }
    room_.rows.resize(n_rows);
    n = 0;
    for (std::size_t r = 0; r < n_rows; ++r) {
      room_.keys[n] = cell_of_row[r];
      room_.rows[n] = static_cast<Count>(r);
      n += cell_of_row[r] >= 0;
    }
    n_key_rows_ = n;
    keys_ = std::span(room_.keys).first(n);
  });
  const std::size_t n_cells = n_key_strata_ * per_stratum_;
  make_room(room_.table, std::min((n_cells + n_spare_cells) * (most_levels_ + 1), largest_table));
  make_room(room_.table, per_stratum_ * most_levels_);
  if (!has_keys_) return;
  const bool is_weighted = rows_.is_weighted();
  room_.weights.resize(is_weighted && n_key_rows_ < n_rows ? n_key_rows_ : 0);
  for (std::size_t i = 0; i < room_.weights.size(); ++i) {
    room_.weights[i] = rows_.weights()[static_cast<std::size_t>(room_.rows[i])];
  }
  room_.cell_counts.clear();
  may_set_bits_ = !is_weighted && n_cells <= n_rows;
}

// Counts the rows of every cell, for levels that follow by subtraction.
void Tables::count_key_cells() {
  const std::size_t n_cells = n_key_strata_ * per_stratum_;
  room_.cell_counts.assign(n_cells + n_spare_cells, 0);
  for (const Count key : keys_) room_.cell_counts[static_cast<std::size_t>(key)] += 1;
  room_.cell_counts.resize(n_cells);
}

Tables::Way Tables::way_for(Var v) const {
  if (plan_ == Plan::bitmaps) return Way::bitmaps;
  const double by_rows = static_cast<double>(has_keys_ ? n_key_rows_ : rows_.n_rows()) * cost::row;
  const double by_bits = may_set_bits_ ? cost_by_set_bits(v) : infinity;
  if (plan_ == Plan::either &&
      cost_by_bitmaps(static_cast<double>(room_.cells.n), v) <= std::min(by_rows, by_bits)) {
    return Way::bitmaps;
  }
  return by_bits < by_rows ? Way::set_bits : Way::scatter;
}

Layout Tables::layout_of(Var v, std::size_t n_strata) const {
  const auto card = static_cast<std::size_t>(sample_.card(v));
  const std::size_t n_rows = per_stratum_ / per_level_;
  return is_separating_ ? Layout{n_strata, n_rows, per_level_, card}
                        : Layout{n_strata, n_rows, card, 1};
}

void Tables::count(VarSpan variables, std::span<Half> halves) {
  if (plan_ == Plan::binary && has_missing_) {
    count_present(variables, halves);
    return;
  }
  if (plan_ == Plan::binary) {
    // How long a search will be is not known: lists are worth it once bitmaps have cost as much.
    n_counted_ += variables.size();
    if (!has_rare_counts_) count_rare_levels(n_counted_);
    fixed_.size() == 2 ? count_threes(variables, halves) : count_fours(variables, halves);
    return;
  }
  n_counted_ += variables.size();
  for (std::size_t i = 0; i < variables.size(); ++i) halves[i] = half(variables[i]);
}

void Tables::copy_or_count_pair(Var v, std::span<Count> table) {
  if (sample_.has_pairs()) {
    copy_pair(sample_, fixed_[0], v, table);
    return;
  }
  const bool are_binary = sample_.card(fixed_[0]) == 2 && sample_.card(v) == 2;
  const auto pairs = are_binary && sample_.is_complete() && sample_.has_bitmaps()
                         ? room_.pairs.of(sample_, fixed_[0], std::max(n_varying_, n_counted_))
                         : std::span<const Count>();
  if (pairs.empty()) {
    count_pair(sample_, fixed_[0], v, table);
    return;
  }
  const std::size_t a = sample_.rarer_level(fixed_[0]), b = sample_.rarer_level(v);
  const std::size_t row = a - sample_.first_level(fixed_[0]), column = b - sample_.first_level(v);
  const Count n_ab = pairs[static_cast<std::size_t>(v)];
  const Count n_a = sample_.level_count(a), n_b = sample_.level_count(b);
  table[2 * row + column] = n_ab;
  table[2 * row + 1 - column] = n_a - n_ab;
  table[2 * (1 - row) + column] = n_b - n_ab;
  table[2 * (1 - row) + 1 - column] = static_cast<Count>(sample_.n_samples()) - n_a - n_b + n_ab;
}

Half Tables::half(Var v) {
  const auto card = static_cast<std::size_t>(sample_.card(v));
  const std::span<Count> table(room_.table), columns(room_.columns);
  switch (plan_) {
    case Plan::pairs:
      copy_or_count_pair(v, table);
      return statistic_.half(table, layout_of(v, 1), columns);
    case Plan::triples: {
      const auto masks =
          std::span<const Word>(room_.cells.masks).first(room_.cells.n * sample_.n_words());
      count_triple(sample_, fixed_[0], fixed_[1], v, masks, room_.mask_of, room_.counts, table);
      return statistic_.half(table, layout_of(v, n_strata_), columns);
    }
    default:
      break;
  }
  const Way way = way_for(v);
  if (way != Way::bitmaps) return half_by_keys(v, way);
  std::ranges::fill(table.first(n_strata_ * per_stratum_ * card), 0);
  count_by_bitmaps(sample_, room_.cells, v, room_.counts, table);
  if (n_listed_ > 0) {
    rows_.visit([&](auto codes_of) {
      const auto codes = codes_of(v);
      for (std::size_t i = 0; i < n_listed_; ++i) {
        const auto cell = static_cast<std::size_t>(room_.listed_cells[i]);
        const std::size_t level = codes[static_cast<std::size_t>(room_.listed[i])];
        if (level < card) table[cell * card + level] += 1;
      }
    });
  }
  return statistic_.half(table, layout_of(v, n_strata_), columns);
}

Half Tables::half_by_keys(Var v, Way way) {
  const auto card = static_cast<std::size_t>(sample_.card(v));
  const std::size_t size = per_stratum_ * card, n_rows = rows_.n_rows();
  const std::span<Count> table(room_.table), columns(room_.columns);
  if (way == Way::set_bits) {
    const auto mode = static_cast<std::size_t>(sample_.mode(v));
    if (room_.cell_counts.empty()) count_key_cells();
    std::ranges::fill(table.first(n_key_strata_ * size), 0);
    if (!sample_.is_complete(v)) {
      for_each_bit(sample_.missing(v), [&](std::size_t sample) {
        const Count cell = room_.cell_of_row[sample];
        if (cell >= 0) table[static_cast<std::size_t>(cell) * card + mode] -= 1;
      });
    }
    for (std::size_t level = 0; level < card; ++level) {
      if (level == mode) continue;
      for_each_bit(sample_.bitmap(sample_.first_level(v) + level), [&](std::size_t sample) {
        const Count cell = room_.cell_of_row[sample];
        if (cell >= 0) table[static_cast<std::size_t>(cell) * card + level] += 1;
      });
    }
    for (std::size_t cell = 0; cell < room_.cell_counts.size(); ++cell) {
      const auto own = table.subspan(cell * card, card);
      const Count others = std::accumulate(own.begin(), own.end(), -own[mode]);
      own[mode] += room_.cell_counts[cell] - others;
    }
    return statistic_.half(table, layout_of(v, n_key_strata_), columns);
  }
  if (has_keys_) {
    const std::size_t n_cells = n_key_strata_ * per_stratum_;
    const auto n_codes = static_cast<std::size_t>(sample_.n_codes(v));
    std::ranges::fill(table.first((n_cells + n_spare_cells) * n_codes), 0);
    rows_.visit([&](auto codes_of) {
      const bool is_every_row = n_key_rows_ == n_rows;
      const std::span<const Count> weights = is_every_row ? rows_.weights() : room_.weights;
      const auto some = std::span<const Count>(room_.rows).first(is_every_row ? 0 : n_key_rows_);
      scatter(codes_of(v), keys_, weights, n_codes, table, some);
    });
    if (n_codes > card) drop_missing(table, n_cells, card);
    return statistic_.half(table, layout_of(v, n_key_strata_), columns);
  }
  // A table of all strata would be large: a few strata at a time.
  const std::size_t at_once = std::max<std::size_t>(1, table.size() / size);
  Half half;
  rows_.visit([&](auto codes_of) {
    const auto codes = codes_of(v), target = codes_of(fixed_[n_strata_variables_]);
    const auto last = codes_of(fixed_.back());
    for (std::size_t low = 0; low < n_key_strata_; low += at_once) {
      const std::size_t some = std::min(at_once, n_key_strata_ - low);
      std::ranges::fill(table.first(some * size), 0);
      for (std::size_t r = 0; r < n_rows; ++r) {
        if (room_.cell_of_row[r] < 0 || codes[r] == card) continue;
        const std::size_t stratum = static_cast<std::size_t>(room_.cell_of_row[r]) - low;
        if (stratum >= some) continue;  // also those below low
        std::size_t cell = stratum * (per_stratum_ / per_level_) + target[r];
        if (is_separating_) cell = cell * per_level_ + last[r];
        table[cell * card + codes[r]] += rows_.is_weighted() ? rows_.weights()[r] : 1;
      }
      half += statistic_.half(table, layout_of(v, some), columns);
    }
  });
  return half;
}

}  // namespace h2pc
