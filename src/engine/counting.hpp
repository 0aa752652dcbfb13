// Contingency tables, counted in the way that costs least. All ways give the same integers:
//
// - bitmaps: AND the bitmap of a cell with that of a level, and count the bits;
// - set bits: go through the bits of every level but the most frequent one, and scatter them;
// - scatter: one pass over the codes, the only way for weighted rows.
//
// A sample is counted where none of the variables is missing. A level follows by subtraction only where
// its variable is complete.
//
// A table is laid out as cells (combinations of levels of the variables that stay the same over many
// tables, as mixed-radix numbers) times the levels of the variable that changes: table[cell, level].
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "sample.hpp"
#include "types.hpp"

namespace h2pc {

// What counting costs, in nanoseconds, as seen on one machine; only the ratios matter, and a wrong one
// costs time, never an answer. That of a word of a bitmap depends on the processor:
// BitKernels::cost_of_word.
namespace cost {
inline constexpr double bit = 1.6;       // find a set bit and scatter it
inline constexpr double bit_word = 0.6;  // look into a word for set bits
inline constexpr double row = 0.45;      // scatter one row
inline constexpr double listed = 1.0;    // count one sample of a list
inline constexpr double key = 0.1;       // extend the key of one row by one variable
inline constexpr double strata = 2.5;    // find out whether the stratum of a row counts
inline constexpr double move = 0.5;      // count one variable of a list of rarer levels
inline constexpr double subtract = 0.5;  // find one count by subtraction
inline constexpr double clear = 0.1;     // set one count to 0
}  // namespace cost

template <class Use>
void for_each_bit(std::span<const Word> words, Use&& use) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (Word word = words[w]; word != 0; word &= word - 1) {
      use(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

// How often every code occurs; all are below the size of `counts`.
template <class Code>
void count_codes(std::span<const Code> codes, std::span<Count> counts) {
  // Four tables: adding to the same entry again would have to wait.
  const std::size_t n = counts.size(), n_whole = codes.size() / 4 * 4;
  std::vector<Count> parts(4 * n, 0);
  for (std::size_t i = 0; i < n_whole; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) parts[k * n + codes[i + k]] += 1;
  }
  for (std::size_t i = n_whole; i < codes.size(); ++i) parts[codes[i]] += 1;
  for (std::size_t i = 0; i < n; ++i) {
    counts[i] = parts[i] + parts[n + i] + parts[2 * n + i] + parts[3 * n + i];
  }
}

// Counts table[a, b].
void count_pair(const Sample& sample, Var a, Var b, std::span<Count> table);

// Copies table[a, b] from the counts of pairs, which the sample must have.
void copy_pair(const Sample& sample, Var a, Var b, std::span<Count> table);

// Counts table[a, b, c] from the counts of pairs. `masks` and `mask_of` come from triple_masks.
void count_triple(const Sample& sample, Var a, Var b, Var c, std::span<const Word> masks,
                  std::span<const Count> mask_of, std::span<Count> counts, std::span<Count> table);

// Bitmaps of the cells of (a, b) that occur and do not follow by subtraction; mask_of has the number of
// the bitmap of every cell, or -1. Returns how many there are.
std::size_t triple_masks(const Sample& sample, Var a, Var b, Bitmaps& masks,
                         std::vector<Count>& mask_of);

// The cells of some variables that occur, each with a bitmap; room is kept from use to use.
struct Cells {
  Bitmaps masks;
  std::vector<Count> numbers;
  std::vector<Count> counts;
  std::size_t n = 0;

  std::span<const Word> mask(std::size_t i, std::size_t n_words) const {
    return std::span<const Word>(masks).subspan(i * n_words, n_words);
  }
};

// Finds the cells of `variables`, of which there may be `n_possible`.
void find_cells(const Sample& sample, VarSpan variables, std::size_t n_possible, Cells& cells);

// Counts table[cell, level] of `v` for these cells; the others stay as they are.
void count_by_bitmaps(const Sample& sample, const Cells& cells, Var v, std::span<Count> room,
                      std::span<Count> table);

// Numbers the cell of `variables` that every row is in; returns how many numbers there are. Once they
// could outnumber the rows, those that occur are numbered anew, so that no set of variables overflows.
// Rows in which a variable is missing have the number -1.
std::size_t number_rows(const Sample& sample, const Rows& rows, VarSpan variables,
                        std::vector<Count>& keys);

// keys[r] = -1 for every row in which v is missing.
template <class Code>
void leave_out_missing(const Sample& sample, Var v, std::span<const Code> codes,
                       std::span<Count> keys) {
  if (sample.is_complete(v)) return;
  const auto missing = static_cast<Code>(sample.card(v));
  for (std::size_t r = 0; r < keys.size(); ++r) keys[r] = codes[r] == missing ? -1 : keys[r];
}

// The samples that are complete in some variables, found when they are needed.
class CompleteSamples {
 public:
  CompleteSamples(const Sample& sample, const Rows& rows, VarSpan variables, Bitmaps& room)
      : sample_(sample), rows_(rows), variables_(variables), room_(room) {}

  // Whether at least so many samples are complete in the variables and in `v`.
  bool are_at_least(double n, Var v);

 private:
  std::size_t n_with(Var v);

  const Sample& sample_;
  const Rows& rows_;
  VarSpan variables_;
  Bitmaps& room_;
  bool is_found_ = false;
  std::size_t n_missing_ = 0;  // samples in which one of the variables is
};

// keys[r] = keys[r] * card + codes[r] for every row.
void extend(std::span<Count> keys, std::span<const std::uint8_t> codes, Count card);
void extend(std::span<Count> keys, std::span<const std::uint16_t> codes, Count card);

// Cells of no use at the end of a table, for rows that do not count: one row after the other has
// another, as adding to the same entry again would have to wait.
inline constexpr std::size_t n_spare_cells = 16;

// Adds the weights of the rows to table[key, code]. Keys and weights are those of `rows`, or of all rows
// where these are empty.
template <class Code>
void scatter(std::span<const Code> codes, std::span<const Count> keys,
             std::span<const Count> weights, std::size_t n_codes, std::span<Count> table,
             std::span<const Count> rows = {}) {
  const auto add_up = [&](auto code_of) {
    const auto entry = [keys = keys.data(), n_codes, code_of](std::size_t i) {
      return static_cast<std::size_t>(keys[i]) * n_codes + code_of(i);
    };
    std::size_t i = 0;
    if (weights.empty()) {
      // The places of eight rows first: a look at the next row need not wait for a count.
      std::array<std::size_t, 8> places;
      for (; i + places.size() <= keys.size(); i += places.size()) {
        for (std::size_t k = 0; k < places.size(); ++k) places[k] = entry(i + k);
        for (const std::size_t place : places) table[place] += 1;
      }
    }
    for (; i < keys.size(); ++i) table[entry(i)] += weights.empty() ? 1 : weights[i];
  };
  if (rows.empty()) {
    add_up([codes = codes.data()](std::size_t i) -> std::size_t { return codes[i]; });
  } else {
    add_up([codes = codes.data(), rows = rows.data()](std::size_t i) -> std::size_t {
      return codes[static_cast<std::size_t>(rows[i])];
    });
  }
}

// Makes table[cell, level] of table[cell, code], whose last code is that of missing cells.
inline void drop_missing(std::span<Count> table, std::size_t n_cells, std::size_t card) {
  for (std::size_t cell = 1; cell < n_cells; ++cell) {
    std::copy_n(&table[cell * (card + 1)], card, &table[cell * card]);
  }
}

// Number of combinations of levels of some variables; as a double, since it may be astronomical.
inline double n_combinations(const Sample& sample, VarSpan variables) {
  double n = 1.0;
  for (const Var v : variables) n *= sample.card(v);
  return n;
}

}  // namespace h2pc
