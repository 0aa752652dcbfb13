// Sums of doubles without error.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace h2pc {

// A sum that is rounded once, as math.fsum: partial sums that do not overlap (Shewchuk, 1997).
class ExactSum {
 public:
  void add(double x) {
    if (!std::isfinite(x)) {
      special_ += x;
      is_special_ = true;
      return;
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < partials_.size(); ++i) {
      double y = partials_[i];
      if (std::abs(x) < std::abs(y)) std::swap(x, y);
      const double high = x + y;
      const double low = y - (high - x);
      if (low != 0.0) partials_[n++] = low;
      x = high;
    }
    partials_.resize(n);
    if (x != 0.0) partials_.push_back(x);
  }

  bool is_finite() const { return !is_special_; }
  bool is_exact() const { return !is_special_ && partials_.size() <= 1; }

  double rounded() const {
    if (is_special_) return special_;
    if (partials_.empty()) return 0.0;
    std::size_t n = partials_.size() - 1;
    double high = partials_[n], low = 0.0;
    while (n > 0 && low == 0.0) {
      const double x = high, y = partials_[--n];
      high = x + y;
      low = y - (high - x);
    }
    // Halfway between two doubles, what is left decides.
    if (n > 0 && low != 0.0 && (low < 0.0) == (partials_[n - 1] < 0.0)) {
      const double twice = low * 2.0, x = high + twice;
      if (twice == x - high) high = x;
    }
    return high;
  }

 private:
  std::vector<double> partials_;
  double special_ = 0.0;
  bool is_special_ = false;
};

}  // namespace h2pc
