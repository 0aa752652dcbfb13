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

// Most rows for which it pays to merge them, before few tests about `variables`.
std::size_t rows_worth_merging(const Sample& sample, const Rows& rows, VarSpan variables);

}  // namespace h2pc
