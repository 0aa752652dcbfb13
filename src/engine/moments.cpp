#include "moments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace h2pc {
namespace {

// Sums of products of so many rows are integers below 2^53 in doubles.
constexpr std::size_t rows_at_once = 512;
constexpr std::size_t n_lanes = 32;  // so many that compilers keep them in memory, as vectors
constexpr std::size_t bytes_for_rows = std::size_t{1} << 28;
// A column is constant in some rows where its variance there is a smaller share of its mean square.
constexpr double constant = 1e-12;

using Lanes = std::array<double, n_lanes>;

std::int64_t total(Lanes& lanes) {
  for (std::size_t width = n_lanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return static_cast<std::int64_t>(lanes[0]);
}

// The sums over rows of the products of two columns.
ProductSums sums_of_products(std::span<const float> high_i, std::span<const float> low_i,
                             std::span<const float> high_j, std::span<const float> low_j) {
  ProductSums sums;
  const std::size_t n = high_i.size();
  for (std::size_t start = 0; start < n; start += rows_at_once) {
    const std::size_t end = std::min(start + rows_at_once, n);
    Lanes high{}, low{}, both{};
    for (std::size_t r = start; r < end; r += n_lanes) {
      const float *hi = high_i.data() + r, *li = low_i.data() + r;
      const float *hj = high_j.data() + r, *lj = low_j.data() + r;
      const auto add = [&](std::size_t lane) {
        const double h = hi[lane], l = li[lane], other_h = hj[lane], other_l = lj[lane];
        high[lane] += h * other_h;
        low[lane] += l * other_l;
        both[lane] += (h + l) * (other_h + other_l);
      };
      if (end - r >= n_lanes) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane) add(lane);
      } else {
        for (std::size_t lane = 0; lane < end - r; ++lane) add(lane);
      }
    }
    sums.high += total(high);
    sums.low += total(low);
    sums.both += total(both);
  }
  return sums;
}

double correlation_of(double deviations, double squares_i, double squares_j) {
  const double r = deviations / (std::sqrt(squares_i) * std::sqrt(squares_j));
  return std::clamp(r, -1.0, 1.0);
}

}  // namespace

Moments::Moments(MomentParts parts) : parts_(std::move(parts)) {
  if (parts_.first.empty() || parts_.exponents.size() != n_columns() ||
      parts_.squares.size() != n_columns() || parts_.sums.size() != n_columns()) {
    throw std::invalid_argument("moments need numbers for every column");
  }
  const std::size_t all = n_columns() * n_columns(), cells = n_columns() * parts_.n_kept;
  const auto fits = [](std::size_t n, std::size_t expected) { return n == 0 || n == expected; };
  if (!fits(parts_.correlations.size(), all) || !fits(parts_.high_products.size(), all) ||
      parts_.low_products.size() != parts_.high_products.size() ||
      parts_.both_products.size() != parts_.high_products.size() || parts_.high.size() != cells ||
      parts_.low.size() != cells ||
      !fits(parts_.missing.size(), static_cast<std::size_t>(n_variables()) * parts_.n_kept)) {
    throw std::invalid_argument("the parts of the moments do not fit together");
  }
  if (!has_all() && n_columns() > 0 && parts_.n_kept != parts_.n_samples) {
    throw std::invalid_argument("moments that are found when needed have to keep all rows");
  }
  if (!has_all() && is_complete()) {
    rows_ = std::vector<std::atomic<const double*>>(n_columns());
  }
  count_missing();
}

Moments::~Moments() {
  for (auto& row : rows_) delete[] row.load();
}

std::size_t Moments::n_bytes() const {
  return 8 * (parts_.correlations.size() + 3 * parts_.high_products.size() + parts_.high.size() +
              incomplete_.size());
}

void Moments::count_missing() {
  n_missing_.assign(static_cast<std::size_t>(n_variables()), 0);
  if (is_complete()) return;
  n_words_ = (parts_.n_kept + 63) / 64;
  incomplete_.assign(n_words_ * n_missing_.size(), 0);
  for (std::size_t v = 0; v < n_missing_.size(); ++v) {
    for (std::size_t r = 0; r < parts_.n_kept; ++r) {
      if (parts_.missing[v * parts_.n_kept + r] == 0) continue;
      n_missing_[v] += 1;
      incomplete_[v * n_words_ + r / 64] |= Word{1} << (r % 64);
    }
  }
}

void Moments::check(VarSpan variables) const {
  for (const Var v : variables) {
    if (v < 0 || v >= n_variables()) throw std::out_of_range("a variable number is out of range");
  }
}

void Moments::append_columns(Var v, Columns& columns) const {
  for (Column i = first(v); i < end(v); ++i) columns.push_back(i);
}

// Σ u·v of u = high·2^s + low, as the nearest double or next to it.
double Moments::products(const ProductSums& sums) const {
  const double unit = std::ldexp(1.0, parts_.slice_bits);
  const std::int64_t cross = sums.both - sums.high - sums.low;
  return (static_cast<double>(sums.high) * unit + static_cast<double>(cross)) * unit +
         static_cast<double>(sums.low);
}

double Moments::deviations(const ProductSums& sums, std::int64_t sum_i, std::int64_t sum_j,
                           std::size_t n) const {
  return products(sums) -
         static_cast<double>(sum_i) * static_cast<double>(sum_j) / static_cast<double>(n);
}

double Moments::correlation_on_demand(Column i, Column j) const {
  if (i == j) return 1.0;
  const ProductSums sums = sums_of_products(high(i), low(i), high(j), low(j));
  return correlation_of(deviations(sums, parts_.sums[i], parts_.sums[j], n_samples()),
                        parts_.squares[i], parts_.squares[j]);
}

void Moments::prepare(Column i) const {
  if (rows_.empty() || rows_[i].load(std::memory_order_acquire) != nullptr) return;
  if (n_rows_.load() * n_columns() * sizeof(double) >= bytes_for_rows) return;
  auto row = std::make_unique<double[]>(n_columns());
  for (Column j = 0; j < n_columns(); ++j) row[j] = correlation_on_demand(i, j);
  const double* none = nullptr;
  if (rows_[i].compare_exchange_strong(none, row.get(), std::memory_order_acq_rel)) {
    row.release();  // freed with the moments
    n_rows_ += 1;
  }
}

double Moments::log_variance(Column i, double squares, std::size_t n) const {
  return std::log(squares / static_cast<double>(n)) +
         2.0 * std::numbers::ln2 * static_cast<double>(parts_.exponents[i]);
}

// Values of u reach 2^(2s - 1), so that their variance is between that of one of them and its square.
double Moments::largest_log_variance(Column i) const {
  const int most = std::abs(parts_.exponents[i]) + 2 * parts_.slice_bits + 1;
  return 2.0 * std::numbers::ln2 * most + std::log(static_cast<double>(n_samples()));
}

// The rows to add up, or to subtract from the sums of all rows.
void Moments::find_rows(VarSpan variables, MomentsOfSet& found) const {
  found.rows.clear();
  std::size_t n_incomplete = 0;
  for (std::size_t word = 0; word < n_words_; ++word) {
    Word some = 0;
    for (const Var v : variables) {
      some |= incomplete_[static_cast<std::size_t>(v) * n_words_ + word];
    }
    n_incomplete += static_cast<std::size_t>(std::popcount(some));
    const std::size_t left = parts_.n_kept - word * 64;
    if (!has_all()) some = ~some & (left < 64 ? (Word{1} << left) - 1 : ~Word{0});
    for (; some != 0; some &= some - 1) {
      found.rows.push_back(word * 64 + static_cast<std::size_t>(std::countr_zero(some)));
    }
  }
  found.n = n_samples() - n_incomplete;
}

// The slices of these rows, and the sums of the complete ones.
void Moments::gather(const Columns& columns, MomentsOfSet& found) const {
  const std::size_t n_rows = found.rows.size();
  found.high.resize(columns.size() * n_rows);
  found.low.resize(columns.size() * n_rows);
  found.sums.resize(columns.size());
  const std::int64_t unit = std::int64_t{1} << parts_.slice_bits;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    const auto all_high = high(columns[a]), all_low = low(columns[a]);
    const auto own_high = std::span(found.high).subspan(a * n_rows, n_rows);
    const auto own_low = std::span(found.low).subspan(a * n_rows, n_rows);
    std::int64_t of_high = 0, of_low = 0;
    for (std::size_t r = 0; r < n_rows; ++r) {
      own_high[r] = all_high[found.rows[r]];
      own_low[r] = all_low[found.rows[r]];
      of_high += static_cast<std::int64_t>(own_high[r]);
      of_low += static_cast<std::int64_t>(own_low[r]);
    }
    const std::int64_t sum = of_high * unit + of_low;
    found.sums[a] = has_all() ? parts_.sums[columns[a]] - sum : sum;
  }
}

void Moments::find(VarSpan variables, const Columns& columns, MomentsOfSet& found) const {
  const std::size_t k = columns.size();
  found.correlations.assign(k * k, 0.0);
  found.squares.assign(k, 0.0);
  const auto put = [&](std::size_t a, std::size_t b, double r) {
    found.correlations[a * k + b] = found.correlations[b * k + a] = r;
  };
  if (is_complete()) {
    found.n = n_samples();
    for (std::size_t a = 0; a < k; ++a) {
      found.squares[a] = parts_.squares[columns[a]];
      for (std::size_t b = 0; b <= a; ++b) put(a, b, correlation(columns[a], columns[b]));
    }
    return;
  }

  find_rows(variables, found);
  if (found.n < 2) return;
  gather(columns, found);
  const std::size_t n_rows = found.rows.size();
  const auto slices = [&](const std::vector<float>& of, std::size_t a) {
    return std::span(of).subspan(a * n_rows, n_rows);
  };
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = a + 1; b-- > 0;) {
      ProductSums some = sums_of_products(slices(found.high, a), slices(found.low, a),
                                          slices(found.high, b), slices(found.low, b));
      if (has_all()) {
        const std::size_t place = columns[a] * n_columns() + columns[b];
        some = {parts_.high_products[place] - some.high, parts_.low_products[place] - some.low,
                parts_.both_products[place] - some.both};
      }
      const double of_pair = deviations(some, found.sums[a], found.sums[b], found.n);
      if (a == b) {
        if (of_pair <= constant * products(some)) break;  // constant in these rows
        found.squares[a] = of_pair;
        put(a, a, 1.0);
      } else if (found.squares[b] > 0.0) {
        put(a, b, correlation_of(of_pair, found.squares[a], found.squares[b]));
      }
    }
  }
}

}  // namespace h2pc
