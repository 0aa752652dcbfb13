// Permutation tests: x is permuted within the strata of z. That is to draw tables with the margins of
// every stratum, all of which permutations are equally likely.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "statistics.hpp"
#include "table_test.hpp"
#include "types.hpp"

namespace h2pc {

struct PermutedStatistic {
  double statistic = 0.0;      // of the table itself
  double mean = 0.0;           // over all permutations, exactly: not over those that were drawn
  std::int64_t n_drawn = 0;    // permutations
  std::int64_t n_reached = 0;  // of them with a statistic as large, or larger
  double largest = 0.0;        // statistic of a permutation
};

// Draws `n_permutations`, or fewer once `enough` of them reach the statistic. Permutations depend on
// the seed and on the margins, whatever the order of levels and strata. `table` has no inner tables.
PermutedStatistic permuted_statistic(std::span<const Count> table, const Layout& layout,
                                     StatisticKind kind, std::int64_t n_permutations,
                                     std::int64_t enough, std::uint64_t seed);

}  // namespace h2pc
