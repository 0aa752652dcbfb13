// The regret of a multinomial is that of its definition and of the linear recurrence.
#include <cmath>

#include "check.hpp"
#include "regret.hpp"

namespace {

using namespace h2pc;

constexpr double same = 1e-12;  // relative

bool close(double found, long double expected) {
  return std::abs(found - expected) <= same * std::abs(expected);
}

// The sum of the largest likelihoods of n samples in k cells; `fixed` has what the cells before have.
long double largest_likelihoods(Count n, int k, Count left, long double fixed) {
  const auto power = [n](Count i) {
    return std::pow(static_cast<long double>(i) / n, static_cast<long double>(i)) /
           std::tgamma(static_cast<long double>(i) + 1.0L);
  };
  if (k == 1) return fixed * power(left);
  long double sum = 0.0L;
  for (Count i = 0; i <= left; ++i)
    sum += largest_likelihoods(n, k - 1, left - i, fixed * power(i));
  return sum;
}

void small_tables_have_the_regret_of_the_definition() {
  for (Count n = 1; n <= 12; ++n) {
    for (int k = 2; k <= 5; ++k) {
      const long double all = std::tgamma(static_cast<long double>(n) + 1.0L);
      CHECK(close(log_regret(n, k), std::log(all * largest_likelihoods(n, k, n, 1.0L))));
    }
  }
}

// C(n, k + 2) = C(n, k + 1) + n / k · C(n, k) (Kontkanen and Myllymäki, 2007).
void larger_tables_have_the_regret_of_the_recurrence() {
  constexpr int most_cells = 20'000;
  constexpr long double large = 1e200L;
  for (const Count n : {1, 2, 3, 15, 16, 17, 100, 999, 4096, 100'000, 2'000'000}) {
    long double before = 1.0L, sum = 1.0L, term = 1.0L, log_scale = 0.0L;
    for (Count j = 0; j < n && term > 0.0L; ++j) {
      term *= static_cast<long double>(n - j) / n;
      sum += term;
    }
    CHECK(close(log_regret(n, 2), std::log(sum)));
    for (int k = 1; k + 2 <= most_cells; ++k) {
      const long double next = sum + static_cast<long double>(n) / k * before;
      before = sum;
      sum = next;
      if (sum > large) {
        sum /= large;
        before /= large;
        log_scale += std::log(large);
      }
      if (k < 50 || k % 97 == 0) CHECK(close(log_regret(n, k + 2), std::log(sum) + log_scale));
    }
  }
}

void regrets_rise_with_samples_and_cells() {
  check::Random random(7);
  for (std::size_t i = 0; i < check::rounds(300); ++i) {
    const auto n = static_cast<Count>(1 + random() % 100'000);
    const double k = std::floor(std::exp2(static_cast<double>(random() % 960) / 16.0)) + 1.0;
    const double here = log_regret(n, k);
    CHECK(here > 0.0);
    CHECK(here <= n * std::log(k) * (1.0 + same));
    CHECK(log_regret(n + 1, k) > here);
    CHECK(log_regret(n, 1.01 * k + 1.0) > here);
  }
}

void extreme_tables_have_finite_regrets() {
  CHECK_EQUAL(log_regret(0, 5.0), 0.0);
  CHECK_EQUAL(log_regret(1000, 1.0), 0.0);
  for (const double k : {2.0, 1e6, 1e12, 1e100, 0x1p1000}) {
    CHECK(close(log_regret(1, k), std::log(static_cast<long double>(k))));
    CHECK(std::isfinite(log_regret(2'147'483'647, k)));
  }
  // Almost every sample has no cell twice, and is n^-n likely at best.
  const long double n = 1000.0L;
  CHECK(close(log_regret(1000, 0x1p1000), n * (1000.0L * std::log(2.0L) - std::log(n))));
}

}  // namespace

int main() {
  small_tables_have_the_regret_of_the_definition();
  larger_tables_have_the_regret_of_the_recurrence();
  regrets_rise_with_samples_and_cells();
  extreme_tables_have_finite_regrets();
}
