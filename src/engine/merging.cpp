#include "merging.hpp"

#include <algorithm>
#include <bit>

#include "bits.hpp"
#include "counting.hpp"

namespace h2pc {
namespace {

constexpr Word golden = 0x9E3779B97F4A7C15ULL;  // 2^64 / golden ratio; odd, so no column is lost
constexpr double cells_per_row = 2.0;           // up to which there is a slot for every cell
constexpr double share_worth_merging = 0.4;     // with more rows, bitmaps of samples are as fast
constexpr double share_worth_trying = 0.93;     // of a sixteenth of the rows, or fewer
constexpr std::size_t rows_for_one_looked_at = 16, most_looked_at = std::size_t{1} << 16;

int bits_for(Count n_codes) { return std::bit_width(static_cast<unsigned>(n_codes) - 1u); }

// Groups of equal rows, by first occurrence.
struct Groups {
  std::vector<std::size_t> first;
  std::vector<Count> weights;

  void add(std::size_t row, Count weight) {
    first.push_back(row);
    weights.push_back(weight);
  }
};

// Counts all cells, and returns those that occur with their codes; nothing where they are more than
// `most`.
template <class Code, class CodesOf>
std::optional<Rows> occupied_cells(const Sample& sample, const Rows& rows, VarSpan variables,
                                   CodesOf codes_of, std::size_t n_cells, std::size_t most) {
  std::vector<Count> keys(rows.n_rows(), 0);
  for (const Var v : variables) extend(keys, codes_of(v), sample.n_codes(v));
  std::vector<Count> counts(n_cells, 0);
  for (std::size_t r = 0; r < keys.size(); ++r) {
    counts[static_cast<std::size_t>(keys[r])] += rows.is_weighted() ? rows.weights()[r] : 1;
  }
  std::vector<Count> occupied, weights;
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    if (counts[cell] == 0) continue;
    occupied.push_back(static_cast<Count>(cell));
    weights.push_back(counts[cell]);
  }
  if (occupied.size() > most) return std::nullopt;
  std::vector<Code> merged(variables.size() * occupied.size());
  std::vector<Var> places(static_cast<std::size_t>(sample.n_variables()), -1);
  for (std::size_t i = variables.size(); i-- > 0;) {  // the last variable is the last digit
    const Count n_codes = sample.n_codes(variables[i]);
    places[static_cast<std::size_t>(variables[i])] = static_cast<Var>(i);
    for (std::size_t j = 0; j < occupied.size(); ++j) {
      merged[i * occupied.size() + j] = static_cast<Code>(occupied[j] % n_codes);
      occupied[j] /= n_codes;
    }
  }
  const std::size_t n_merged = weights.size();
  return Rows(std::move(merged), n_merged, std::move(places), std::move(weights));
}

// A hash table of words: the codes of a row side by side where they fit, else a hash of them.
template <class CodesOf>
std::optional<Groups> groups_by_hash(const Sample& sample, const Rows& rows, VarSpan variables,
                                     CodesOf codes_of, bool is_packed, std::size_t most) {
  std::vector<Word> keys(rows.n_rows(), 0);
  for (const Var v : variables) {
    const auto codes = codes_of(v);
    const int shift = bits_for(sample.n_codes(v));
    for (std::size_t r = 0; r < keys.size(); ++r) {
      keys[r] = is_packed ? keys[r] << shift | codes[r] : keys[r] * golden + codes[r];
    }
  }
  const auto rows_agree = [&](std::size_t r, std::size_t other) {
    for (const Var v : variables) {
      const auto codes = codes_of(v);
      if (codes[r] != codes[other]) return false;
    }
    return true;
  };
  struct Slot {
    Word key = 0;
    Count group = -1;
  };
  const std::size_t n_slots =
      std::bit_ceil(std::max<std::size_t>(16, 2 * std::min(keys.size(), most)));
  const int shift = 64 - std::countr_zero(n_slots);
  std::vector<Slot> slots(n_slots);
  Groups groups;
  for (std::size_t r = 0; r < keys.size(); ++r) {
    std::size_t place = static_cast<std::size_t>(keys[r] * golden >> shift);
    const auto is_other = [&](const Slot& slot) {
      if (slot.group < 0) return false;
      if (slot.key != keys[r]) return true;
      return !is_packed && !rows_agree(r, groups.first[static_cast<std::size_t>(slot.group)]);
    };
    while (is_other(slots[place])) place = (place + 1) & (n_slots - 1);
    const Count weight = rows.is_weighted() ? rows.weights()[r] : 1;
    if (slots[place].group >= 0) {
      groups.weights[static_cast<std::size_t>(slots[place].group)] += weight;
      continue;
    }
    if (groups.first.size() == most) return std::nullopt;
    slots[place] = {keys[r], static_cast<Count>(groups.first.size())};
    groups.add(r, weight);
  }
  return groups;
}

}  // namespace

std::optional<Rows> merged_rows(const Sample& sample, const Rows& rows, VarSpan variables,
                                std::size_t most, std::vector<std::size_t>* firsts) {
  double n_cells = 1.0;
  int n_bits = 0;
  for (const Var v : variables) {
    n_cells *= sample.n_codes(v);
    n_bits += bits_for(sample.n_codes(v));
  }
  return rows.visit([&](auto codes_of) -> std::optional<Rows> {
    using Code = typename decltype(codes_of(0))::value_type;
    const bool is_small = n_cells <= cells_per_row * static_cast<double>(rows.n_rows());
    if (is_small && firsts == nullptr) {
      return occupied_cells<Code>(sample, rows, variables, codes_of,
                                  static_cast<std::size_t>(n_cells), most);
    }
    auto found = groups_by_hash(sample, rows, variables, codes_of, n_bits <= 64, most);
    if (!found) return std::nullopt;
    std::vector<Code> merged;
    merged.reserve(variables.size() * found->first.size());
    std::vector<Var> places(static_cast<std::size_t>(sample.n_variables()), -1);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      places[static_cast<std::size_t>(variables[i])] = static_cast<Var>(i);
      const auto codes = codes_of(variables[i]);
      for (const std::size_t r : found->first) merged.push_back(codes[r]);
    }
    const std::size_t n_merged = found->first.size();
    if (firsts != nullptr) *firsts = std::move(found->first);
    return Rows(std::move(merged), n_merged, std::move(places), std::move(found->weights));
  });
}

bool DistinctRows::are_few() const {
  return static_cast<double>(n_distinct) <= share_worth_trying * static_cast<double>(n_rows);
}

DistinctRows look_at_some(const Rows& rows, VarSpan variables) {
  const std::size_t step =
      std::max(rows_for_one_looked_at, (rows.n_rows() + most_looked_at - 1) / most_looked_at);
  std::vector<Word> keys((rows.n_rows() + step - 1) / step, 0);
  rows.visit([&](auto codes_of) {
    for (const Var v : variables) {
      const auto codes = codes_of(v);
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = keys[i] * golden + codes[i * step];
    }
  });
  std::ranges::sort(keys);
  const auto rest = std::ranges::unique(keys);
  return {keys.size(), keys.size() - rest.size()};
}

std::size_t rows_without_bitmaps(std::size_t n_words) {
  return static_cast<std::size_t>(static_cast<double>(n_words) * bit_kernels().cost_of_word /
                                  cost::strata);
}

std::size_t rows_worth_merging(const Sample& sample, const Rows& rows, VarSpan variables) {
  double most = static_cast<double>(rows.n_rows());
  if (sample.has_bitmaps()) {
    double by_bits = 0.0;
    for (const Var v : variables) {
      const auto counts = sample.level_counts(v);
      const double outside = static_cast<double>(sample.n_samples()) -
                             counts[static_cast<std::size_t>(sample.mode(v))];
      by_bits += outside * cost::bit +
                 (sample.card(v) - 1.0) * static_cast<double>(sample.n_words()) * cost::bit_word;
    }
    most = std::min(most, by_bits / static_cast<double>(variables.size()) / cost::row);
  }
  return static_cast<std::size_t>(share_worth_merging * most);
}

}  // namespace h2pc
