// A sample of discrete variables, and the index of it that tests and scores share: a bitmap for every
// level, and how often any two levels occur together. Immutable.
//
// A cell may be missing: its code is the number of levels, one past the last. It has no bit in the
// bitmap of any level, and is in no count of levels or pairs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "statistics.hpp"
#include "types.hpp"

namespace h2pc {

// Bitmaps begin at the start of a cache line.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  CacheLineAllocator() = default;
  template <class U>
  constexpr CacheLineAllocator(const CacheLineAllocator<U>&) noexcept {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p, alignment); }

  // Memory that is written to before it is read need not be set to 0.
  template <class U>
  void construct(U*) noexcept {}
  template <class U, class... Arguments>
  void construct(U* p, Arguments&&... arguments) {
    ::new (static_cast<void*>(p)) U(std::forward<Arguments>(arguments)...);
  }

  bool operator==(const CacheLineAllocator&) const = default;
};

// Room for words; what is in it after a resize is not defined.
using Bitmaps = std::vector<Word, CacheLineAllocator<Word>>;
template <class T>
using Room = std::vector<T, CacheLineAllocator<T>>;

// The codes of some variables, row by row: of single samples, or of distinct rows and their weights.
class Rows {
 public:
  Rows() = default;
  template <class Code>
  Rows(std::vector<Code> codes, std::size_t n_rows, std::vector<Var> places,
       std::vector<Count> weights)
      : codes_(std::move(codes)),
        n_rows_(n_rows),
        places_(std::move(places)),
        weights_(std::move(weights)),
        has_every_variable_(std::ranges::all_of(places_, [](Var place) { return place >= 0; })) {}

  std::size_t n_rows() const { return n_rows_; }
  bool is_weighted() const { return !weights_.empty(); }
  std::span<const Count> weights() const { return weights_; }
  bool is_wide() const { return std::holds_alternative<std::vector<std::uint16_t>>(codes_); }

  // Whether the codes of all variables are here.
  bool has_every_variable() const { return has_every_variable_; }
  // Whether the codes of a variable are here: merged rows have those of a few.
  bool has(Var v) const { return places_[static_cast<std::size_t>(v)] >= 0; }
  bool has_all(VarSpan variables) const {
    return std::ranges::all_of(variables, [this](Var v) { return has(v); });
  }

  // Calls `use(codes_of)`, where `codes_of(v)` is a span of the codes of v, of 8 or 16 bits.
  template <class Use>
  decltype(auto) visit(Use&& use) const {
    return std::visit(
        [&]<class Code>(const std::vector<Code>& codes) -> decltype(auto) {
          return use([&](Var v) {
            const auto place = static_cast<std::size_t>(places_[static_cast<std::size_t>(v)]);
            return std::span<const Code>(codes).subspan(place * n_rows_, n_rows_);
          });
        },
        codes_);
  }

 private:
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>> codes_;
  std::size_t n_rows_ = 0;
  std::vector<Var> places_;  // of variables among the codes; -1 where they are not there
  std::vector<Count> weights_;
  bool has_every_variable_ = false;
};

class Sample {
 public:
  // `codes` are those of one variable after the other, `n_rows` each; weights are empty where every
  // row is one sample. Throws std::invalid_argument where sizes do not agree or a code is neither a
  // level nor that of a missing cell.
  Sample(std::vector<std::uint8_t> codes, std::vector<Count> cards, std::vector<Count> weights);
  Sample(std::vector<std::uint16_t> codes, std::vector<Count> cards, std::vector<Count> weights);

  // Single samples, or distinct rows in the order of their first samples: those that came with weights,
  // and those of many samples that are alike.
  const Rows& rows() const { return rows_; }
  Var n_variables() const { return static_cast<Var>(cards_.size()); }
  std::size_t n_samples() const { return n_samples_; }
  Count card(Var v) const { return cards_[index(v)]; }
  Count most_levels() const { return most_levels_; }
  // Whether no cell is missing, of any variable or of some.
  bool is_complete() const { return missing_of_.empty(); }
  bool is_complete(Var v) const { return is_complete() || missing_of_[index(v)] < 0; }
  bool is_complete(VarSpan variables) const {
    return is_complete() ||
           std::ranges::all_of(variables, [this](Var v) { return is_complete(v); });
  }
  // The samples in which v is missing.
  Count n_missing(Var v) const { return is_complete(v) ? 0 : n_missing_[index(v)]; }
  // The levels of v, and one more where cells are missing.
  Count n_codes(Var v) const { return card(v) + (is_complete(v) ? 0 : 1); }
  // Levels that are counted: all but one, which follows by subtraction, unless cells are missing.
  Count n_counted(Var v) const { return card(v) - (is_complete(v) ? 1 : 0); }

  // Whether all variables have two levels.
  bool is_binary() const { return n_levels() == 2 * cards_.size() && most_levels_ == 2; }

  // Levels are numbered over all variables: those of v begin here, in the order of its codes.
  std::size_t first_level(Var v) const { return first_level_[index(v)]; }
  std::size_t n_levels() const { return first_level_.back(); }
  Count level_count(std::size_t level) const { return level_counts_[level]; }
  std::span<const Count> level_counts(Var v) const {
    return std::span(level_counts_).subspan(first_level(v), static_cast<std::size_t>(card(v)));
  }
  // The most frequent code of v, the first of several: the one that is counted by subtraction.
  Count mode(Var v) const { return modes_[index(v)]; }
  // The level of a binary variable that is not its mode.
  std::size_t rarer_level(Var v) const { return rarer_levels_[index(v)]; }

  // Bitmaps of samples; there are none where rows came with weights, or are so few that going through
  // them is faster.
  bool has_bitmaps() const { return n_words_ > 0; }
  std::size_t n_words() const { return n_words_; }
  std::span<const Word> bitmap(std::size_t level) const {
    return std::span<const Word>(bitmaps_).subspan(level * n_words_, n_words_);
  }

  // The samples in which v is missing; it must not be complete.
  std::span<const Word> missing(Var v) const {
    const auto place = static_cast<std::size_t>(missing_of_[index(v)]);
    return std::span<const Word>(missing_).subspan(place * n_words_, n_words_);
  }

  // How often any two levels occur together, where that takes at most so many bytes: of 2,000 binary
  // variables.
  static constexpr std::size_t largest_pairs = std::size_t{1} << 26;
  bool has_pairs() const { return !pairs_.empty(); }
  Count pair(std::size_t level, std::size_t other) const {
    return pairs_[level * n_levels() + other];
  }
  // The same with every level of a variable.
  std::span<const Count> pairs(std::size_t level, Var v) const {
    return std::span(pairs_).subspan(level * n_levels() + first_level(v),
                                     static_cast<std::size_t>(card(v)));
  }

  // How often the rarer level of a binary variable occurs with that of every binary variable, itself
  // included; in one place, because tables of complete binary variables need nothing else.
  std::span<const Count> rarer_pairs(Var v) const {
    return std::span(rarer_pairs_).subspan(index(v) * cards_.size(), cards_.size());
  }

  // The binary variables that a sample has at their rarer level; for sparse complete data only.
  bool has_rare_lists() const { return !rare_variables_.empty(); }
  std::size_t n_rare() const { return rare_variables_.size(); }
  std::span<const std::uint16_t> rare_variables(std::size_t sample) const {
    return std::span(rare_variables_)
        .subspan(rare_starts_[sample], rare_starts_[sample + 1] - rare_starts_[sample]);
  }

  // The same as `rarer_pairs`, counted anew where there are no counts of pairs: by the lists, or by
  // bitmaps. The sample must be complete, and have bitmaps; v is binary.
  void count_rarer_pairs(Var v, std::span<Count> counts) const;
  // Nanoseconds that this takes, about.
  double cost_of_rarer_pairs(Var v) const;

  // Throws std::out_of_range where a number is not that of a variable.
  void check(Var v) const {
    if (v < 0 || v >= n_variables()) throw std::out_of_range("a variable number is out of range");
  }
  void check(VarSpan variables) const {
    for (const Var v : variables) check(v);
  }

  // n·ln n for all counts, made when first needed.
  const XLogX& x_log_x() const;

  std::size_t n_bytes() const;

 private:
  static std::size_t index(Var v) { return static_cast<std::size_t>(v); }
  template <class Code>
  void build(std::vector<Code> codes, std::vector<Count> weights);
  void count_levels();
  void find_missing();
  void find_modes();
  void count_pairs();
  void list_rare_levels();

  Rows rows_;
  std::vector<Count> cards_;
  std::size_t n_samples_ = 0;
  Count most_levels_ = 1;
  std::vector<std::size_t> first_level_;
  std::vector<Count> level_counts_;
  std::vector<Count> modes_;
  std::vector<std::size_t> rarer_levels_;
  std::size_t n_words_ = 0;
  Bitmaps bitmaps_;
  std::vector<Count> missing_of_;  // places among the bitmaps of missing cells, or -1; may be empty
  std::vector<Count> n_missing_;   // samples
  Bitmaps missing_;
  Room<Count> pairs_, rarer_pairs_;
  std::vector<std::size_t> rare_starts_;
  std::vector<std::uint16_t> rare_variables_;
  mutable std::once_flag x_log_x_is_made_;
  mutable std::shared_ptr<const XLogX> x_log_x_;
};

}  // namespace h2pc
