// Permuted tables: their share is that of all permutations, their mean is exact, no order matters.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "permutation.hpp"

namespace {

using namespace h2pc;

PermutedStatistic permuted(const std::vector<Count>& table, const Layout& layout,
                           StatisticKind kind, std::int64_t n, std::uint64_t seed = 1) {
  return permuted_statistic(table, layout, kind, n, n, seed);
}

void a_table_of_four_has_the_share_of_fisher() {
  // 4 of 5 against 1 of 5: 52 of the 252 ways are as far from the middle.
  for (const auto kind : {StatisticKind::g2, StatisticKind::pearson}) {
    const auto found = permuted({4, 1, 1, 4}, {1, 2, 2, 1}, kind, 100'000);
    CHECK_EQUAL(found.n_drawn, 100'000);
    CHECK(std::abs(static_cast<double>(found.n_reached) / 100'000 - 52.0 / 252.0) < 0.006);
  }
}

void the_mean_of_pearsons_statistic_is_known() {
  const auto found = permuted({9, 4, 1, 2, 7, 7}, {1, 2, 3, 1}, StatisticKind::pearson, 0);
  CHECK(std::abs(found.mean - 2.0 * 30.0 / 29.0) < 1e-12);
}

void the_mean_of_g2_is_that_of_many_permutations() {
  const std::vector<Count> table{9, 4, 1, 2, 7, 7, 3, 3, 0, 8, 1, 5};
  const Layout layout{2, 2, 3, 1};
  double sum = 0.0;
  const int n = 20'000;
  for (int seed = 0; seed < n; ++seed) {
    sum += permuted(table, layout, StatisticKind::g2, 1, static_cast<std::uint64_t>(seed)).largest;
  }
  CHECK(std::abs(sum / n - permuted(table, layout, StatisticKind::g2, 0).mean) < 0.1);
}

void no_order_of_levels_and_strata_matters() {
  const auto same = [](const PermutedStatistic& a, const PermutedStatistic& b) {
    return a.statistic == b.statistic && a.mean == b.mean && a.n_reached == b.n_reached &&
           a.largest == b.largest;
  };
  for (const auto kind : {StatisticKind::g2, StatisticKind::pearson}) {
    const auto one = permuted({9, 4, 2, 7, 3, 3, 8, 1}, {2, 2, 2, 1}, kind, 500);
    CHECK(same(permuted({8, 1, 3, 3, 9, 4, 2, 7}, {2, 2, 2, 1}, kind, 500), one));
    CHECK(same(permuted({4, 9, 7, 2, 3, 3, 1, 8}, {2, 2, 2, 1}, kind, 500), one));
    // A level and a stratum without samples.
    CHECK(same(
        permuted({9, 4, 0, 2, 7, 0, 0, 0, 0, 0, 0, 0, 3, 3, 0, 8, 1, 0}, {3, 2, 3, 1}, kind, 500),
        one));
  }
}

void a_constant_has_no_permutations() {
  const auto found = permuted({5, 0, 7, 0}, {1, 2, 2, 1}, StatisticKind::g2, 10);
  CHECK_EQUAL(found.statistic, 0.0);
  CHECK_EQUAL(found.mean, 0.0);
  CHECK_EQUAL(found.n_reached, 10);
}

void drawing_ends_once_enough_reach_the_statistic() {
  const auto found = permuted_statistic(std::vector<Count>{5, 5, 5, 5}, {1, 2, 2, 1},
                                        StatisticKind::g2, 999, 7, 1);
  CHECK_EQUAL(found.n_drawn, 7);
  CHECK_EQUAL(found.n_reached, 7);
}

void large_counts_do_not_overflow() {
  const Count n = 400'000'000;
  const auto found = permuted({n, n - 9, n - 9, n}, {1, 2, 2, 1}, StatisticKind::pearson, 20);
  CHECK(found.largest > 0.0);
  CHECK(found.largest < 40.0);
}

}  // namespace

int main() {
  a_table_of_four_has_the_share_of_fisher();
  the_mean_of_pearsons_statistic_is_known();
  the_mean_of_g2_is_that_of_many_permutations();
  no_order_of_levels_and_strata_matters();
  a_constant_has_no_permutations();
  drawing_ends_once_enough_reach_the_statistic();
  large_counts_do_not_overflow();
}
