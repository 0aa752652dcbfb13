#include "regret.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace h2pc {
namespace {

constexpr double negligible = 0x1p-60;  // of a sum
constexpr double from_series = 16.0;    // where five terms of Stirling's series have all digits

// ln x! less (x + ½) ln x - x + ½ ln 2π, for x ≥ 1.
double beyond_stirling(double x) {
  if (x >= from_series) {
    const double y = 1.0 / (x * x);
    return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / x;
  }
  double log_factorial = 0.0;  // of ⌊x⌋; x is whole where it is small
  for (double i = 2.0; i <= x; i += 1.0) log_factorial += std::log(i);
  return log_factorial - (x + 0.5) * std::log(x) + x - 0.5 * std::log(2.0 * std::numbers::pi);
}

// ln of binomial(k + j, j) for j ≥ 1 and k ≥ 1, without a difference of large numbers.
double log_binomial(double k, double j) {
  const double large = (k + 0.5) * std::log1p(j / k) + (j + 0.5) * std::log1p(k / j);
  const double small = beyond_stirling(k + j) - beyond_stirling(k) - beyond_stirling(j);
  return large - 0.5 * (std::log(k + j) + std::log(2.0 * std::numbers::pi)) + small;
}

// ln of n! / ((n - j)! n^j).
double log_falling(double n, double j) {
  const double left = n - j;
  if (left == 0.0) {
    return 0.5 * std::log(2.0 * std::numbers::pi * n) - n + beyond_stirling(n);
  }
  return -(left + 0.5) * std::log1p(-j / n) - j + beyond_stirling(n) - beyond_stirling(left);
}

}  // namespace

// By Lagrange inversion of the generating function of Kontkanen and Myllymäki (2007) the sum is that
// over j = 0 … n of n! / ((n - j)! n^j) · binomial(k - 2 + j, j) (Mononen and Myllymäki, 2008). Terms
// are positive and rise to a single peak, so that those far from it are left out.
double log_regret(Count n_samples, double k) {
  if (n_samples == 0 || k <= 1.0) return 0.0;
  const auto n = static_cast<double>(n_samples);
  const double m = k - 2.0;
  double peak = 0.0, log_peak = 0.0;
  if (m >= 1.0) {
    const double b = (m - 1.0) / m;
    peak = std::floor(2.0 * (n + 1.0) / (b + std::sqrt(b * b + 4.0 * (n + 1.0) / m)));
    peak = std::clamp(peak, 1.0, n);
    log_peak = log_binomial(m, peak) + log_falling(n, peak);
  }
  double sum = 1.0, term = 1.0;
  for (double j = peak; j < n && term > negligible * sum; j += 1.0) {
    term *= (1.0 - j / n) * ((m + j + 1.0) / (j + 1.0));
    sum += term;
  }
  term = 1.0;
  for (double j = peak; j > 0.0 && term > negligible * sum; j -= 1.0) {
    term *= j / ((1.0 - (j - 1.0) / n) * (m + j));
    sum += term;
  }
  return log_peak + std::log(sum);
}

}  // namespace h2pc
