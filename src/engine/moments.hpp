// Second moments of continuous variables, and of discrete ones by their indicator columns.
//
// A column is centred, scaled by a power of two, and rounded to integers u = high·2^s + low, so that
// every sum of products is a sum of integers: exact, and the same whatever the order of the rows, the
// number of threads, or the way of adding up (the slices of Ozaki, Ogita, Oishi and Rump, 2012). The
// sums are those of high·high', low·low' and (high + low)·(high' + low'); see data/moments.py.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "types.hpp"

namespace h2pc {

using Column = std::size_t;
using Columns = std::vector<Column>;

// Sums over rows for two columns u and v.
struct ProductSums {
  std::int64_t high = 0, low = 0, both = 0;
};

// What the moments are made from. Products are none where they are found when needed; then all rows are
// kept. Otherwise rows are kept only where something is missing in them. Missing cells are 0.
struct MomentParts {
  std::size_t n_samples = 0;
  int slice_bits = 0;
  std::vector<std::size_t> first;  // column of every variable, and the number of all
  std::vector<int> exponents;      // of two, by which u is multiplied to have the units of the data
  std::vector<double> correlations;
  std::vector<std::int64_t> high_products, low_products, both_products;
  std::vector<std::int64_t> sums;  // of u, for every column
  std::size_t n_kept = 0;
  std::vector<float> high, low;       // [column, kept row]
  std::vector<std::uint8_t> missing;  // [variable, kept row]; empty where none is
  std::vector<double> squares;        // of the deviations of u from its mean, for every column
};

// The moments of some columns over the rows that are complete in all of them.
struct MomentsOfSet {
  std::size_t n = 0;
  std::vector<double> correlations;  // k × k; a column that is constant there has zeros
  std::vector<double> squares;

  // Room to work in: the rows that are added up, or subtracted, and their slices.
  std::vector<std::size_t> rows;
  std::vector<float> high, low;
  std::vector<std::int64_t> sums;
};

// Immutable; any number of threads may use one.
class Moments {
 public:
  explicit Moments(MomentParts parts);
  ~Moments();
  Moments(const Moments&) = delete;
  Moments& operator=(const Moments&) = delete;

  Var n_variables() const { return static_cast<Var>(parts_.first.size() - 1); }
  std::size_t n_samples() const { return parts_.n_samples; }
  std::size_t n_columns() const { return parts_.first.back(); }
  std::size_t n_bytes() const;
  bool is_complete() const { return parts_.missing.empty(); }
  bool has_all() const { return !parts_.correlations.empty() || !parts_.high_products.empty(); }
  void check(VarSpan variables) const;

  // A variable that is constant has no column.
  Column first(Var v) const { return parts_.first[static_cast<std::size_t>(v)]; }
  Column end(Var v) const { return parts_.first[static_cast<std::size_t>(v) + 1]; }
  std::size_t width(Var v) const { return end(v) - first(v); }
  void append_columns(Var v, Columns& columns) const;
  std::size_t n_missing(Var v) const { return n_missing_[static_cast<std::size_t>(v)]; }

  // Of complete data.
  double correlation(Column i, Column j) const {
    const double* row = row_of(i);
    if (row != nullptr) return row[j];
    row = row_of(j);
    return row != nullptr ? row[i] : correlation_on_demand(i, j);
  }
  // Log of the variance in the units of the data, from the squares over n rows.
  double log_variance(Column i, double squares, std::size_t n) const;
  // What no log of a variance exceeds, in size.
  double largest_log_variance(Column i) const;

  // Finds the correlations of a column with all others, if they are not there and memory allows: to be
  // called before many of them are needed.
  void prepare(Column i) const;

  // The moments of the columns of some variables.
  void find(VarSpan variables, const Columns& columns, MomentsOfSet& found) const;

 private:
  const double* row_of(Column i) const {
    if (!parts_.correlations.empty()) return parts_.correlations.data() + i * n_columns();
    return rows_.empty() ? nullptr : rows_[i].load(std::memory_order_acquire);
  }
  std::span<const float> high(Column i) const {
    return std::span(parts_.high).subspan(i * parts_.n_kept, parts_.n_kept);
  }
  std::span<const float> low(Column i) const {
    return std::span(parts_.low).subspan(i * parts_.n_kept, parts_.n_kept);
  }
  double products(const ProductSums& sums) const;
  double deviations(const ProductSums& sums, std::int64_t sum_i, std::int64_t sum_j,
                    std::size_t n) const;
  double correlation_on_demand(Column i, Column j) const;
  void count_missing();
  void find_rows(VarSpan variables, MomentsOfSet& found) const;
  void gather(const Columns& columns, MomentsOfSet& found) const;

  MomentParts parts_;
  std::vector<std::size_t> n_missing_;
  std::vector<Word> incomplete_;  // bitmaps of the kept rows in which a variable is missing
  std::size_t n_words_ = 0;
  mutable std::vector<std::atomic<const double*>> rows_;  // of correlations, once they are needed
  mutable std::atomic<std::size_t> n_rows_ = 0;
};

}  // namespace h2pc
