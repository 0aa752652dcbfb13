#include "sample.hpp"

#include <limits>
#include <numeric>
#include <string>

#include "bits.hpp"
#include "counting.hpp"
#include "merging.hpp"

namespace h2pc {
namespace {

constexpr double sparse = 0.125;  // the share of rarer levels up to which they are listed
constexpr std::size_t few_levels = 16;
constexpr std::size_t most_samples = std::numeric_limits<Count>::max();
constexpr std::size_t many_rows = std::size_t{1} << 14;  // from here on it may pay to merge them

std::size_t words_for(std::size_t n_samples) {
  const std::size_t per_block = 64 * words_per_block;
  return (n_samples + per_block - 1) / per_block * words_per_block;
}

// Sets the bits of some rows of one variable, from `start` on: `words` has a bitmap for each level.
// Missing cells have none.
template <class Code>
void set_bits(std::span<const Code> codes, std::size_t start, std::span<Word> words,
              std::size_t n_words) {
  const std::size_t n_levels = words.size() / n_words;
  for (std::size_t i = start; i < codes.size(); ++i) {
    if (codes[i] < n_levels) words[codes[i] * n_words + i / 64] |= Word{1} << (i % 64);
  }
}

// The same for all rows; where there are few levels, each is compared with 64 codes at a time.
void set_all_bits(std::span<const std::uint8_t> codes, std::span<Word> words, std::size_t n_words) {
  const std::size_t n_levels = words.size() / n_words, n_whole = codes.size() / 64;
  if (n_levels > few_levels) {
    set_bits(codes, 0, words, n_words);
    return;
  }
  for (std::size_t level = 0; level < n_levels; ++level) {
    bit_kernels().level_bits(codes.data(), n_whole, static_cast<std::uint8_t>(level),
                             &words[level * n_words]);
  }
  set_bits(codes, 64 * n_whole, words, n_words);
}

void set_all_bits(std::span<const std::uint16_t> codes, std::span<Word> words,
                  std::size_t n_words) {
  set_bits(codes, 0, words, n_words);
}

}  // namespace

Sample::Sample(std::vector<std::uint8_t> codes, std::vector<Count> cards,
               std::vector<Count> weights)
    : cards_(std::move(cards)) {
  build(std::move(codes), std::move(weights));
}

Sample::Sample(std::vector<std::uint16_t> codes, std::vector<Count> cards,
               std::vector<Count> weights)
    : cards_(std::move(cards)) {
  build(std::move(codes), std::move(weights));
}

template <class Code>
void Sample::build(std::vector<Code> codes, std::vector<Count> weights) {
  if (cards_.empty() || codes.empty() || codes.size() % cards_.size() != 0) {
    throw std::invalid_argument(
        "a sample needs as many codes for every variable, and at least one");
  }
  const std::size_t n_rows = codes.size() / cards_.size();
  if (!weights.empty() && weights.size() != n_rows) {
    throw std::invalid_argument("a sample needs a weight for every row, or none");
  }
  std::size_t total = n_rows;
  if (!weights.empty()) {
    if (*std::ranges::min_element(weights) < 1) throw std::invalid_argument("weights begin at 1");
    total = std::accumulate(weights.begin(), weights.end(), std::size_t{0});
  }
  if (total > most_samples) {
    throw std::invalid_argument("a sample has at most " + std::to_string(most_samples) + " rows");
  }
  n_samples_ = total;
  first_level_.assign(1, 0);
  for (const Count card : cards_) {
    if (card < 1) throw std::invalid_argument("a variable has at least one level");
    most_levels_ = std::max(most_levels_, card);
    first_level_.push_back(first_level_.back() + static_cast<std::size_t>(card));
  }
  std::vector<Count> missing_of(cards_.size(), -1);
  Count n_incomplete = 0;
  for (std::size_t v = 0; v < cards_.size(); ++v) {
    const auto own = std::span<const Code>(codes).subspan(v * n_rows, n_rows);
    Code largest = 0;
    for (const Code code : own) largest = std::max(largest, code);
    if (static_cast<Count>(largest) > cards_[v]) {
      throw std::invalid_argument("a code of variable " + std::to_string(v) + " is no level");
    }
    if (static_cast<Count>(largest) == cards_[v]) missing_of[v] = n_incomplete++;
  }
  if (n_incomplete > 0) missing_of_ = std::move(missing_of);

  Vars variables(cards_.size());
  std::iota(variables.begin(), variables.end(), Var{0});
  rows_ = Rows(std::move(codes), n_rows, variables, std::move(weights));
  const auto merge = [&](std::size_t most) {
    std::vector<std::size_t> firsts;  // so that merged rows come in the order of their first ones
    auto merged = merged_rows(*this, rows_, variables, most, &firsts);
    if (merged) rows_ = std::move(*merged);
  };
  bool may_merge = !rows_.is_weighted() && n_rows >= many_rows;
  if (may_merge) {
    const DistinctRows seen = look_at_some(rows_, variables);
    const std::size_t most = rows_without_bitmaps(words_for(n_rows));
    may_merge = seen.are_few();
    if (may_merge && seen.n_distinct <= most) merge(most);
  }
  count_levels();
  find_modes();
  list_rare_levels();
  if (may_merge && !rows_.is_weighted()) merge(rows_worth_merging(*this, rows_, variables));
  if (sizeof(Count) * n_levels() * n_levels() <= largest_pairs) count_pairs();
}

// Counts the samples of every level, with bitmaps where a row is one sample.
void Sample::count_levels() {
  level_counts_.assign(n_levels(), 0);
  const std::size_t n_rows = rows_.n_rows();
  if (!rows_.is_weighted()) {
    n_words_ = words_for(n_rows);
    bitmaps_.assign(n_levels() * n_words_, Word{0});
  }
  const BitKernels& bits = bit_kernels();
  rows_.visit([&](auto codes_of) {
    for (Var v = 0; v < n_variables(); ++v) {
      const auto own = codes_of(v);
      Count* counts = &level_counts_[first_level(v)];
      for (std::size_t r = 0; rows_.is_weighted() && r < n_rows; ++r) {
        if (static_cast<Count>(own[r]) < card(v)) counts[own[r]] += rows_.weights()[r];
      }
      if (!has_bitmaps()) continue;
      const auto n = static_cast<std::size_t>(card(v));
      const auto words = std::span(bitmaps_).subspan(first_level(v) * n_words_, n * n_words_);
      set_all_bits(own, words, n_words_);
      for (std::size_t level = 0; level < n; ++level) {
        const Word* map = &words[level * n_words_];
        counts[level] = static_cast<Count>(bits.and_count(map, map, n_words_));
      }
    }
  });
  if (!is_complete()) find_missing();
}

void Sample::find_missing() {
  n_missing_.assign(cards_.size(), 0);
  const auto n_incomplete = static_cast<std::size_t>(*std::ranges::max_element(missing_of_)) + 1;
  missing_.assign(n_incomplete * n_words_, Word{0});
  const std::size_t n_rows = rows_.n_rows();
  rows_.visit([&](auto codes_of) {
    for (Var v = 0; v < n_variables(); ++v) {
      if (is_complete(v)) continue;
      const auto counts = level_counts(v);
      const auto n_present = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
      n_missing_[index(v)] = static_cast<Count>(n_samples_ - n_present);
      if (!has_bitmaps()) continue;
      const auto own = codes_of(v);
      using Code = typename decltype(own)::value_type;
      Word* words = &missing_[static_cast<std::size_t>(missing_of_[index(v)]) * n_words_];
      const auto code = static_cast<Code>(card(v));
      std::size_t r = 0;
      if constexpr (sizeof(Code) == 1) {
        bit_kernels().level_bits(own.data(), n_rows / 64, code, words);
        r = n_rows / 64 * 64;
      }
      for (; r < n_rows; ++r) words[r / 64] |= Word{own[r] == code} << (r % 64);
    }
  });
}

void Sample::find_modes() {
  for (Var v = 0; v < n_variables(); ++v) {
    const auto counts = level_counts(v);
    const auto mode = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
    modes_.push_back(static_cast<Count>(mode));
    rarer_levels_.push_back(first_level(v) + (mode == 0 ? 1 : 0));
  }
}

void Sample::count_pairs() {
  const std::size_t n = n_levels();
  Room<Count> pairs(n * n);
  Room<Count> table(static_cast<std::size_t>(most_levels_) *
                    static_cast<std::size_t>(most_levels_));
  for (Var a = 0; a < n_variables(); ++a) {
    const std::size_t first_a = first_level(a), n_a = static_cast<std::size_t>(card(a));
    for (std::size_t i = 0; i < n_a; ++i) {
      for (std::size_t j = 0; j < n_a; ++j) {
        pairs[(first_a + i) * n + first_a + j] = i == j ? level_counts_[first_a + i] : 0;
      }
    }
    for (Var b = a + 1; b < n_variables(); ++b) {
      count_pair(*this, a, b, table);
      const std::size_t first_b = first_level(b), n_b = static_cast<std::size_t>(card(b));
      for (std::size_t i = 0; i < n_a; ++i) {
        for (std::size_t j = 0; j < n_b; ++j) {
          pairs[(first_a + i) * n + first_b + j] = table[i * n_b + j];
          pairs[(first_b + j) * n + first_a + i] = table[i * n_b + j];
        }
      }
    }
  }
  pairs_ = std::move(pairs);
  const std::size_t n_variables = cards_.size();
  rarer_pairs_ = Room<Count>(n_variables * n_variables);
  for (std::size_t a = 0; a < n_variables; ++a) {
    for (std::size_t b = 0; b < n_variables; ++b) {
      const bool are_binary = cards_[a] == 2 && cards_[b] == 2;
      rarer_pairs_[a * n_variables + b] = are_binary ? pair(rarer_levels_[a], rarer_levels_[b]) : 0;
    }
  }
}

void Sample::list_rare_levels() {
  std::size_t n_binary = 0, n_listed = 0;
  for (Var v = 0; v < n_variables(); ++v) {
    if (card(v) != 2) continue;
    n_binary += 1;
    n_listed += static_cast<std::size_t>(level_count(rarer_level(v)));
  }
  const bool is_sparse = static_cast<double>(n_listed) <=
                         sparse * static_cast<double>(n_binary) * static_cast<double>(n_samples_);
  const bool has_numbers = n_variables() <= std::numeric_limits<std::uint16_t>::max();
  if (!(is_sparse && has_numbers && has_bitmaps() && is_complete())) return;
  std::vector<std::size_t> ends(n_samples_ + 1, 0);
  const auto for_each_rare = [&](auto&& use) {
    for (Var v = 0; v < n_variables(); ++v) {
      if (card(v) != 2) continue;
      for_each_bit(bitmap(rarer_level(v)), [&](std::size_t sample) { use(sample, v); });
    }
  };
  for_each_rare([&](std::size_t sample, Var) { ends[sample + 1] += 1; });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  rare_starts_ = ends;
  rare_variables_.resize(n_listed);
  for_each_rare([&](std::size_t sample, Var v) {
    rare_variables_[ends[sample]++] = static_cast<std::uint16_t>(v);
  });
}

void Sample::count_rarer_pairs(Var v, std::span<Count> counts) const {
  if (has_pairs()) {
    std::ranges::copy(rarer_pairs(v), counts.begin());
    return;
  }
  std::ranges::fill(counts, 0);
  if (has_rare_lists()) {
    for_each_bit(bitmap(rarer_level(v)), [&](std::size_t sample) {
      for (const auto other : rare_variables(sample)) counts[other] += 1;
    });
    return;
  }
  const Word* own = bitmap(rarer_level(v)).data();
  for (Var other = 0; other < n_variables(); ++other) {
    if (card(other) != 2) continue;
    counts[index(other)] = static_cast<Count>(
        bit_kernels().and_count(own, bitmap(rarer_level(other)).data(), n_words_));
  }
}

double Sample::cost_of_rarer_pairs(Var v) const {
  const auto n = static_cast<double>(n_variables());
  if (has_pairs()) return n * cost::clear;
  if (!has_rare_lists()) return n * static_cast<double>(n_words_) * bit_kernels().cost_of_word;
  const double per_sample = static_cast<double>(n_rare()) / static_cast<double>(n_samples_);
  return n * cost::clear + level_count(rarer_level(v)) * per_sample * cost::move;
}

const XLogX& Sample::x_log_x() const {
  std::call_once(x_log_x_is_made_, [this] { x_log_x_ = XLogX::of(n_samples_); });
  return *x_log_x_;
}

std::size_t Sample::n_bytes() const {
  const std::size_t n_codes = rows_.n_rows() * cards_.size() * (rows_.is_wide() ? 2 : 1);
  return n_codes + sizeof(Word) * (bitmaps_.size() + missing_.size()) +
         sizeof(Count) * (pairs_.size() + rarer_pairs_.size()) +
         sizeof(std::uint16_t) * rare_variables_.size() + sizeof(std::size_t) * rare_starts_.size();
}

}  // namespace h2pc
