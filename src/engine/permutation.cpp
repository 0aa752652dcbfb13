#include "permutation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>

#include "random.hpp"

namespace h2pc {
namespace {

// Statistics that are equal on paper may differ by rounding.
constexpr double same = 1e-9;

// Random fractions below 1: words of SplitMix64 in a row.
class Fractions {
 public:
  explicit Fractions(std::uint64_t seed) : state_(splitmix64(seed)) {}

  double next() {
    const std::uint64_t word = splitmix64(state_);
    state_ += 0x9E3779B97F4A7C15ULL;
    return static_cast<double>(word >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

// Log of n!: from a table, or by Stirling's series, whose next term is below 1e-27 there.
class LogFactorials {
 public:
  double at(Count n) const {
    const auto i = static_cast<std::size_t>(n);
    if (i < values_.size()) return values_[i];
    const double x = n;
    return (x + 0.5) * std::log(x) - x + 0.5 * std::log(2.0 * std::numbers::pi) + 1.0 / (12.0 * x) -
           1.0 / (360.0 * x * x * x);
  }
  static const LogFactorials& all() {
    static const LogFactorials made;
    return made;
  }

 private:
  LogFactorials() : values_(std::size_t{1} << 16, 0.0) {
    for (std::size_t i = 2; i < values_.size(); ++i) {
      values_[i] = values_[i - 1] + std::log(static_cast<double>(i));
    }
  }

  std::vector<double> values_;
};

// The margins of one stratum, without zeros, largest first.
struct Margins {
  std::vector<Count> rows, columns;
  Count total = 0;

  auto operator<=>(const Margins&) const = default;
};

// How many of `good` are among `draws` of `total`.
struct Hypergeometric {
  Count draws, good, total;

  double bad() const { return static_cast<double>(total) - good; }
  Count low() const { return std::max<Count>(0, draws - (total - good)); }
  Count high() const { return std::min(draws, good); }
  Count mode() const {
    const std::int64_t m = (std::int64_t{draws} + 1) * (std::int64_t{good} + 1) / (total + 2LL);
    return std::clamp(static_cast<Count>(m), low(), high());
  }
  double probability(Count n) const {
    const LogFactorials& log = LogFactorials::all();
    const auto at = [&log](Count k) { return log.at(k); };
    const Count rest = total - good;
    return std::exp(at(good) - at(n) - at(good - n) + at(rest) - at(draws - n) -
                    at(rest - draws + n) - at(total) + at(draws) + at(total - draws));
  }
  // Of n + 1 by that of n, and of n - 1.
  double up(Count n) const {
    return (static_cast<double>(good) - n) * (static_cast<double>(draws) - n) /
           ((n + 1.0) * (bad() - draws + n + 1.0));
  }
  double down(Count n) const {
    return n * (bad() - draws + n) /
           ((static_cast<double>(good) - n + 1.0) * (static_cast<double>(draws) - n + 1.0));
  }
};

// By inversion from the mode outwards, as Patefield (1981) does.
Count drawn(const Hypergeometric& law, Fractions& fractions) {
  const Count low = law.low(), high = law.high();
  if (low == high) return low;
  const Count mode = law.mode();
  Count above = mode, below = mode;
  double left = fractions.next(), p_above = law.probability(mode), p_below = p_above;
  left -= p_above;
  while (left >= 0.0 && (above < high || below > low)) {
    if (above < high) {
      p_above *= law.up(above++);
      left -= p_above;
      if (left < 0.0) return above;
    }
    if (below > low) {
      p_below *= law.down(below--);
      left -= p_below;
      if (left < 0.0) return below;
    }
  }
  return mode;  // also where rounding left something over
}

// The mean of n·ln n.
double mean_x_log_x(const Hypergeometric& law, std::span<const std::int64_t> f, double unit) {
  const Count mode = law.mode();
  const double p_mode = law.probability(mode);
  double total = p_mode;
  double sum = p_mode * static_cast<double>(f[static_cast<std::size_t>(mode)]);
  const auto add = [&](double p, Count n) {
    total += p;
    sum += p * static_cast<double>(f[static_cast<std::size_t>(n)]);
    return p > 1e-20 * p_mode;
  };
  double p = p_mode;
  for (Count n = mode; n < law.high();) {
    p *= law.up(n++);
    if (!add(p, n)) break;
  }
  p = p_mode;
  for (Count n = mode; n > law.low();) {
    p *= law.down(n--);
    if (!add(p, n)) break;
  }
  return sum / total * unit;
}

// The strata in which both variables vary, in an order that the order of levels does not change.
std::vector<Margins> margins_of(std::span<const Count> table, const Layout& layout) {
  std::vector<Margins> found;
  const auto clean = [](std::vector<Count>& sums) {
    std::erase(sums, 0);
    std::ranges::sort(sums, std::greater{});
  };
  const Count* cell = table.data();
  for (std::size_t stratum = 0; stratum < layout.n_strata; ++stratum) {
    Margins own{std::vector<Count>(layout.n_rows), std::vector<Count>(layout.n_columns)};
    for (Count& row : own.rows) {
      for (Count& column : own.columns) {
        row += *cell;
        column += *cell++;
      }
    }
    clean(own.rows);
    clean(own.columns);
    own.total = std::reduce(own.rows.begin(), own.rows.end());
    if (own.rows.size() > 1 && own.columns.size() > 1) found.push_back(std::move(own));
  }
  std::ranges::sort(found);
  return found;
}

// Draws the tables of all strata, and adds up half of the statistic in fixed point.
class PermutedTables {
 public:
  PermutedTables(std::vector<Margins> strata, StatisticKind kind, std::span<const std::int64_t> f,
                 int shift)
      : strata_(std::move(strata)),
        f_(f),
        unit_(std::ldexp(0.5, shift)),
        is_g2_(kind == StatisticKind::g2) {
    for (const Margins& own : strata_) outer_ += is_g2_ ? outer_of(own) : 0;
  }

  std::int64_t next(Fractions& fractions) {
    std::int64_t half = -outer_;
    for (const Margins& own : strata_) half += next_of(own, fractions);
    return half;
  }

  double mean(double one) const {
    double sum = is_g2_ ? -2.0 * static_cast<double>(outer_) / one : 0.0;
    for (const Margins& own : strata_) {
      if (!is_g2_) {
        const auto rows = static_cast<double>(own.rows.size());
        const auto columns = static_cast<double>(own.columns.size());
        sum += (rows - 1.0) * (columns - 1.0) * own.total / (own.total - 1.0);
        continue;
      }
      for (const Count row : own.rows) {
        for (const Count column : own.columns) {
          sum += mean_x_log_x({row, column, own.total}, f_, 2.0 / one);
        }
      }
    }
    return sum;
  }

 private:
  std::int64_t at(Count n) const { return f_[static_cast<std::size_t>(n)]; }

  // What the margins take from half of G².
  std::int64_t outer_of(const Margins& own) const {
    std::int64_t sum = -at(own.total);
    for (const Count n : own.rows) sum += at(n);
    for (const Count n : own.columns) sum += at(n);
    return sum;
  }

  std::int64_t term(Count n, Count row, Count column, Count total) const {
    if (is_g2_) return at(n);
    const double expected = static_cast<double>(row) * column / total;
    const double over = n - expected;
    return std::llrint(over * over / expected * unit_);
  }

  std::int64_t next_of(const Margins& own, Fractions& fractions) {
    left_.assign(own.columns.begin(), own.columns.end());
    const std::size_t last = left_.size() - 1;
    Count total = own.total;
    std::int64_t half = 0;
    for (std::size_t r = 0; r + 1 < own.rows.size(); ++r) {
      const Count row = own.rows[r];
      Count draws = row, pool = total;
      for (std::size_t c = 0; c < last; ++c) {
        const Count n = drawn({draws, left_[c], pool}, fractions);
        half += term(n, row, own.columns[c], own.total);
        pool -= left_[c];
        left_[c] -= n;
        draws -= n;
      }
      half += term(draws, row, own.columns[last], own.total);
      left_[last] -= draws;
      total -= row;
    }
    for (std::size_t c = 0; c <= last; ++c) {
      half += term(left_[c], own.rows.back(), own.columns[c], own.total);
    }
    return half;
  }

  std::vector<Margins> strata_;
  std::span<const std::int64_t> f_;
  double unit_;
  bool is_g2_;
  std::int64_t outer_ = 0;
  std::vector<Count> left_;
};

}  // namespace

PermutedStatistic permuted_statistic(std::span<const Count> table, const Layout& layout,
                                     StatisticKind kind, std::int64_t n_permutations,
                                     std::int64_t enough, std::uint64_t seed) {
  const auto n_samples =
      static_cast<std::size_t>(std::reduce(table.begin(), table.end(), std::int64_t{0}));
  const auto most_levels = static_cast<Count>(std::max(layout.n_rows, layout.n_columns));
  const bool is_g2 = kind == StatisticKind::g2;
  const std::shared_ptr<const XLogX> x_log_x = is_g2 ? XLogX::of(n_samples) : nullptr;
  const std::span<const std::int64_t> f =
      is_g2 ? x_log_x->values() : std::span<const std::int64_t>{};
  const int shift = is_g2 ? x_log_x->shift() : pearson_shift(n_samples, most_levels);
  std::vector<Count> columns(layout.n_columns);
  const Half half =
      is_g2 ? half_g2(table, layout, columns, f) : half_pearson(table, layout, columns, shift);
  const double one = std::ldexp(1.0, shift);
  const auto statistic_of = [one](std::int64_t value) {
    return std::max(0.0, 2.0 * static_cast<double>(value) / one);
  };

  PermutedStatistic found;
  found.statistic = statistic_of(half.value);
  PermutedTables tables(margins_of(table, layout), kind, f, shift);
  found.mean = std::max(0.0, tables.mean(one));
  const auto margin = static_cast<std::int64_t>(same * (std::max(one, std::abs(1.0 * half.value))));
  Fractions fractions(seed);
  std::int64_t largest = 0;
  while (found.n_drawn < n_permutations && found.n_reached < enough) {
    const std::int64_t value = tables.next(fractions);
    ++found.n_drawn;
    found.n_reached += value >= half.value - margin;
    largest = std::max(largest, value);
  }
  found.largest = statistic_of(largest);
  return found;
}

}  // namespace h2pc
