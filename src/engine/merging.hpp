// Equal rows of some variables, merged and weighted: once the universe is small, few are left.
#pragma once

#include <cstddef>
#include <optional>

#include "sample.hpp"
#include "types.hpp"

namespace h2pc {

// The distinct rows of `variables`, a missing cell being a value like others; nothing where there are
// more than `most`. With `firsts` they are in the order of their first occurrence, and it receives the
// first row of each.
std::optional<Rows> merged_rows(const Sample& sample, const Rows& rows, VarSpan variables,
                                std::size_t most, std::vector<std::size_t>* firsts = nullptr);

// How many rows are distinct among some, evenly spaced: the share of all rows is smaller.
struct DistinctRows {
  std::size_t n_rows, n_distinct;

  // Whether it is worth trying to merge all rows.
  bool are_few() const;
};
DistinctRows look_at_some(const Rows& rows, VarSpan variables);

// Most merged rows that are gone through faster than bitmaps of so many words.
std::size_t rows_without_bitmaps(std::size_t n_words);

// Most rows for which it pays to merge them, before few tests about `variables`.
std::size_t rows_worth_merging(const Sample& sample, const Rows& rows, VarSpan variables);

}  // namespace h2pc
