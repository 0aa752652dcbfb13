// Test statistics from tables of counts, and the tail of the chi-square distribution.
//
// Half of a statistic is held as a 64-bit integer with some fractional bits. Sums of integers do not
// depend on their order: permuting rows or levels, swapping the two variables, or counting in another
// way gives the same bits.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "types.hpp"

namespace h2pc {

// n·ln n in fixed point for n = 0 … n_samples.
class XLogX {
 public:
  explicit XLogX(std::size_t n_samples);
  // The same, kept for the next sample: folds and bootstrap samples have as many rows as the last one.
  static std::shared_ptr<const XLogX> of(std::size_t n_samples);

  std::span<const std::int64_t> values() const { return values_; }
  int shift() const { return shift_; }

 private:
  int shift_;
  std::vector<std::int64_t> values_;
};

// Fractional bits that leave room for half of Pearson's statistic.
int pearson_shift(std::size_t n_samples, Count most_levels);

struct Half {
  std::int64_t value = 0;  // half of the statistic, in fixed point
  std::int64_t df = 0;     // adjusted: rows and columns of zeros do not count

  Half& operator+=(const Half& other) {
    value += other.value;
    df += other.df;
    return *this;
  }
};

// Of a table of two rows and two columns.
inline Half half_g2_of_four(Count a, Count b, Count c, Count d, std::span<const std::int64_t> f) {
  const auto at = [f](Count n) { return f[static_cast<std::size_t>(n)]; };
  const std::int64_t inner = at(a) + at(b) + at(c) + at(d);
  const std::int64_t outer = at(a + b) + at(c + d) + at(a + c) + at(b + d);
  const bool varies = (a + b > 0) & (c + d > 0) & (a + c > 0) & (b + d > 0);
  return {inner - outer + at(a + b + c + d), varies};
}

// Where a table of counts lies: `n_strata` × `inner` tables of `n_rows` × `n_columns`, as
// table[stratum, row, column, inner].
struct Layout {
  std::size_t n_strata, n_rows, n_columns, inner;
};

// Sums over all tables; `columns` is room for the sums of columns.
Half half_g2(std::span<const Count> table, const Layout& layout, std::span<Count> columns,
             std::span<const std::int64_t> x_log_x);
Half half_pearson(std::span<const Count> table, const Layout& layout, std::span<Count> columns,
                  int shift);

// Log of P(chi-square with df > statistic); 0 where df is 0. It never underflows.
double log_chi_square_tail(double statistic, std::int64_t df);
// The same for degrees of freedom that are no whole number.
double log_chi_square_tail_of_fraction(double statistic, double df);

// The largest statistic that does not reject independence, for each of the first degrees of freedom.
// Found when first needed.
class CriticalStatistics {
 public:
  static constexpr std::size_t n_df = 65;

  explicit CriticalStatistics(double log_alpha);
  double at(std::size_t df) const;

 private:
  double log_alpha_;
  mutable std::array<std::atomic<double>, n_df> values_;  // NaN where not known
};

}  // namespace h2pc
