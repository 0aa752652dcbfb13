#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

namespace h2pc {
namespace {

constexpr int most_shift =
    49;  // differences of n·ln n stay below 2^5, and a double carries 53 bits
constexpr std::size_t most_kept = std::size_t{1} << 16;  // samples
constexpr std::int64_t finite_sum_df = 64;
constexpr double erfc_underflows = 600.0;

int shift_for(double largest) {
  return std::min(most_shift, 61 - static_cast<int>(std::ceil(std::log2(largest + 1.0))));
}

double log_gamma(double x) {
#if defined(_MSC_VER)
  return std::lgamma(x);
#else
  int sign = 0;  // std::lgamma writes the sign to a global variable
  return ::lgamma_r(x, &sign);
#endif
}

// Of tables without inner ones between their cells; the number of columns is known to the compiler.
template <std::size_t n_columns>
Half half_g2_of_narrow(std::span<const Count> table, const Layout& layout,
                       std::span<const std::int64_t> f) {
  const auto at = [f](Count n) { return f[static_cast<std::size_t>(n)]; };
  Half sum;
  const Count* cell = table.data();
  for (std::size_t stratum = 0; stratum < layout.n_strata; ++stratum) {
    std::int64_t half = 0, rows = 0, occupied = 0;
    Count total = 0;
    std::array<Count, n_columns> columns{};
    for (std::size_t r = 0; r < layout.n_rows; ++r) {
      Count row_sum = 0;
      for (Count& column : columns) {
        const Count n = *cell++;
        half += at(n);
        row_sum += n;
        column += n;
      }
      half -= at(row_sum);
      total += row_sum;
      rows += row_sum > 0;
    }
    for (const Count n : columns) {
      half -= at(n);
      occupied += n > 0;
    }
    if (rows > 1 && occupied > 1) sum += {half + at(total), (rows - 1) * (occupied - 1)};
  }
  return sum;
}

Half half_g2_of_one(std::span<const Count> table, std::size_t base, const Layout& layout,
                    std::span<Count> columns, std::span<const std::int64_t> f) {
  const auto at = [f](Count n) { return f[static_cast<std::size_t>(n)]; };
  std::int64_t half = 0, rows = 0, occupied = 0;
  Count total = 0;
  std::ranges::fill(columns.first(layout.n_columns), 0);
  for (std::size_t r = 0; r < layout.n_rows; ++r) {
    Count row_sum = 0;
    for (std::size_t c = 0; c < layout.n_columns; ++c) {
      const Count n = table[base];
      half += at(n);
      row_sum += n;
      columns[c] += n;
      base += layout.inner;
    }
    half -= at(row_sum);
    total += row_sum;
    rows += row_sum > 0;
  }
  for (std::size_t c = 0; c < layout.n_columns; ++c) {
    half -= at(columns[c]);
    occupied += columns[c] > 0;
  }
  if (rows < 2 || occupied < 2) return {};
  return {half + at(total), (rows - 1) * (occupied - 1)};
}

// Σ (n - expected)² / expected: every term is rounded to the fixed point by itself.
Half half_pearson_of_one(std::span<const Count> table, std::size_t base, const Layout& layout,
                         std::span<Count> columns, int shift) {
  const auto n_at = [&](std::size_t r, std::size_t c) {
    return table[base + (r * layout.n_columns + c) * layout.inner];
  };
  std::ranges::fill(columns.first(layout.n_columns), 0);
  std::int64_t rows = 0, occupied = 0;
  Count total = 0;
  for (std::size_t r = 0; r < layout.n_rows; ++r) {
    Count row_sum = 0;
    for (std::size_t c = 0; c < layout.n_columns; ++c) {
      row_sum += n_at(r, c);
      columns[c] += n_at(r, c);
    }
    total += row_sum;
    rows += row_sum > 0;
  }
  for (std::size_t c = 0; c < layout.n_columns; ++c) occupied += columns[c] > 0;
  if (rows < 2 || occupied < 2) return {};
  const double unit = std::ldexp(0.5, shift);
  std::int64_t half = 0;
  for (std::size_t r = 0; r < layout.n_rows; ++r) {
    Count row_sum = 0;
    for (std::size_t c = 0; c < layout.n_columns; ++c) row_sum += n_at(r, c);
    if (row_sum == 0) continue;
    for (std::size_t c = 0; c < layout.n_columns; ++c) {
      if (columns[c] == 0) continue;
      const double expected = static_cast<double>(row_sum) * columns[c] / total;
      const double over = n_at(r, c) - expected;
      half += std::llrint(over * over / expected * unit);
    }
  }
  return {half, (rows - 1) * (occupied - 1)};
}

// e^h erfc(√h) for large h (Abramowitz and Stegun 7.1.23); 1e-12 relative from 600 on.
double scaled_erfc_of_root(double h) {
  const double r = 0.5 / h;
  const double series = 1.0 - r * (1.0 - 3.0 * r * (1.0 - 5.0 * r * (1.0 - 7.0 * r)));
  return series / std::sqrt(std::numbers::pi * h);
}

double log_erfc_of_root(double h) {
  if (h < erfc_underflows) return std::log(std::erfc(std::sqrt(h)));
  return -h + std::log(scaled_erfc_of_root(h));
}

// Log of e^-h Σ_{k<a} h^k / k!, for a = df / 2 whole and small.
double log_tail_even(double h, std::int64_t a) {
  double total = 1.0;
  for (std::int64_t k = a - 1; k > 0; --k) total = 1.0 + total * h / static_cast<double>(k);
  return std::log(total) - h;
}

// Log of erfc(√h) + e^-h Σ_{k≤a} h^(k-1/2) / Γ(k+1/2), for a = (df - 1) / 2 whole and small.
double log_tail_odd(double h, std::int64_t a) {
  double total = 0.0;
  if (a > 0) {
    total = 1.0;
    for (std::int64_t k = a - 1; k > 0; --k) {
      total = 1.0 + total * h / (static_cast<double>(k) + 0.5);
    }
    total *= 2.0 * std::sqrt(h / std::numbers::pi);
  }
  if (h < erfc_underflows) return std::log(std::erfc(std::sqrt(h)) + std::exp(-h) * total);
  return std::log(scaled_erfc_of_root(h) + total) - h;
}

// Log of 1 - P(a, h), P by its power series: for h below a + 1.
double log_tail_by_lower_series(double h, double a) {
  double term = 1.0, total = 1.0, k = a;
  while (term > 1e-17 * total) {
    k += 1.0;
    term *= h / k;
    total += term;
  }
  const double log_p = -h + a * std::log(h) - log_gamma(a + 1.0) + std::log(total);
  return log_p < 0.0 ? std::log1p(-std::exp(log_p)) : -std::numeric_limits<double>::infinity();
}

// Log of Q(a, h) by the falling sum from its largest term: for h from a + 1 on.
double log_tail_by_upper_sum(double h, double a) {
  const double log_first = -h + (a - 1.0) * std::log(h) - log_gamma(a);
  double term = 1.0, total = 1.0, k = a - 1.0;
  while (k > 0.75 && term > 1e-17 * total) {
    term *= k / h;
    total += term;
    k -= 1.0;
  }
  if (k == 0.5) total += std::exp(log_erfc_of_root(h) - log_first);  // a sum over half-integers
  return log_first + std::log(total);
}

// Log of Q(a, h) by its continued fraction (Abramowitz and Stegun 6.5.31), evaluated as Lentz (1976)
// does: for h from a + 1 on.
double log_tail_by_fraction(double h, double a) {
  double b = h + 1.0 - a, c = std::numeric_limits<double>::infinity(), d = 1.0 / b, value = d;
  for (double k = 1.0;; k += 1.0) {
    const double term = k * (a - k);
    b += 2.0;
    d = 1.0 / (term * d + b);
    c = b + term / c;
    const double factor = c * d;
    value *= factor;
    if (!(std::abs(factor - 1.0) > 1e-15)) break;
  }
  return -h + a * std::log(h) - log_gamma(a) + std::log(value);
}

}  // namespace

XLogX::XLogX(std::size_t n_samples)
    : shift_(shift_for(static_cast<double>(n_samples) *
                       std::log(static_cast<double>(n_samples) + 1.0))),
      values_(n_samples + 1, 0) {
  const double one = std::ldexp(1.0, shift_);
  // Summed up from the differences of neighbours, which a double holds to 1e-15, while n·ln n itself
  // would be rounded at 1e-11 for n = 50,000.
  for (std::size_t i = 2; i <= n_samples; ++i) {
    const double n = static_cast<double>(i - 1);
    const double step = std::log(n + 1.0) + n * std::log1p(1.0 / n);
    values_[i] = values_[i - 1] + std::llrint(step * one);
  }
}

std::shared_ptr<const XLogX> XLogX::of(std::size_t n_samples) {
  static std::mutex lock;
  static std::shared_ptr<const XLogX> last;
  {
    const std::lock_guard guard(lock);
    if (last && last->values_.size() == n_samples + 1) return last;
  }
  auto made = std::make_shared<const XLogX>(n_samples);
  const std::lock_guard guard(lock);
  if (n_samples <= most_kept) last = made;
  return made;
}

int pearson_shift(std::size_t n_samples, Count most_levels) {
  return shift_for(static_cast<double>(n_samples) * most_levels);
}

Half half_g2(std::span<const Count> table, const Layout& layout, std::span<Count> columns,
             std::span<const std::int64_t> x_log_x) {
  if (layout.inner == 1 && layout.n_columns == 3) {
    return half_g2_of_narrow<3>(table, layout, x_log_x);
  }
  if (layout.inner == 1 && layout.n_columns == 4) {
    return half_g2_of_narrow<4>(table, layout, x_log_x);
  }
  Half sum;
  const std::size_t inner = layout.inner, size = layout.n_rows * layout.n_columns * inner;
  for (std::size_t stratum = 0; stratum < layout.n_strata; ++stratum) {
    for (std::size_t level = 0; level < inner; ++level) {
      const std::size_t base = stratum * size + level;
      if (layout.n_rows == 2 && layout.n_columns == 2) {
        sum += half_g2_of_four(table[base], table[base + inner], table[base + 2 * inner],
                               table[base + 3 * inner], x_log_x);
      } else {
        sum += half_g2_of_one(table, base, layout, columns, x_log_x);
      }
    }
  }
  return sum;
}

Half half_pearson(std::span<const Count> table, const Layout& layout, std::span<Count> columns,
                  int shift) {
  Half sum;
  const std::size_t size = layout.n_rows * layout.n_columns * layout.inner;
  for (std::size_t stratum = 0; stratum < layout.n_strata; ++stratum) {
    for (std::size_t level = 0; level < layout.inner; ++level) {
      sum += half_pearson_of_one(table, stratum * size + level, layout, columns, shift);
    }
  }
  return sum;
}

double log_chi_square_tail(double statistic, std::int64_t df) {
  const double h = 0.5 * statistic;
  if (df <= 0 || h <= 0.0) return 0.0;
  if (df <= finite_sum_df) {
    return std::min(0.0, df % 2 == 0 ? log_tail_even(h, df / 2) : log_tail_odd(h, df / 2));
  }
  const double a = 0.5 * static_cast<double>(df);
  return h < a + 1.0 ? log_tail_by_lower_series(h, a) : log_tail_by_upper_sum(h, a);
}

double log_chi_square_tail_of_fraction(double statistic, double df) {
  const double h = 0.5 * statistic, a = 0.5 * df;
  if (!(a > 0.0) || !(h > 0.0)) return 0.0;
  return std::min(0.0, h < a + 1.0 ? log_tail_by_lower_series(h, a) : log_tail_by_fraction(h, a));
}

CriticalStatistics::CriticalStatistics(double log_alpha) : log_alpha_(log_alpha) {
  for (auto& value : values_) value.store(std::numeric_limits<double>::quiet_NaN());
  values_[0].store(std::numeric_limits<double>::infinity());  // nothing varies
}

double CriticalStatistics::at(std::size_t df) const {
  const double known = values_[df].load(std::memory_order_relaxed);
  if (!std::isnan(known)) return known;
  double low = 0.0, high = 2.0 * n_df - 4.0 * log_alpha_;
  for (int i = 0; i < 52; ++i) {
    const double middle = 0.5 * (low + high);
    const double log_p = log_chi_square_tail(middle, static_cast<std::int64_t>(df));
    (log_p > log_alpha_ ? low : high) = middle;
  }
  values_[df].store(low, std::memory_order_relaxed);  // whoever finds it finds the same
  return low;
}

}  // namespace h2pc
