#include "gaussian_score.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace h2pc {
namespace {

constexpr double least_pivot = 1e-9;      // share of the variance of a column that is left
constexpr double many_columns = 256;      // of a family; what more parameters cost may be rounded
constexpr double weight_of_chance = 0.2;  // of an edge; see docs/missing_values.md
const double log_pi = std::log(std::numbers::pi);

// ln Γ(x) for x > 0. The common function also writes to a global variable.
double log_gamma(double x) {
#if defined(_MSC_VER)
  return std::lgamma(x);
#else
  int sign = 0;
  return ::lgamma_r(x, &sign);
#endif
}

Vars with_change(Var child, VarSpan parents, Var other) {
  Vars sorted(parents.begin(), parents.end());
  if (std::erase(sorted, other) == 0 && other != child) sorted.push_back(other);
  sorted.push_back(child);
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace

struct GaussianScore::Room {
  Columns columns;
  MomentsOfSet set, alone;
  std::vector<std::size_t> all, of_parents, of_child;  // places of columns in the set
  std::vector<double> lower;
};

GaussianScore::GaussianScore(std::shared_ptr<const Moments> moments, GaussianScoreKind kind,
                             double prior_mean_weight, double prior_weight)
    : moments_(std::move(moments)),
      kind_(kind),
      mean_weight_(prior_mean_weight),
      weight_(prior_weight) {
  if (!moments_) throw std::invalid_argument("a score needs moments");
  const auto n = static_cast<double>(moments_->n_samples());
  const auto n_columns = static_cast<double>(moments_->n_columns());
  double per_column = n * (0.5 * std::log(1.0 / least_pivot) + 2.0);
  if (kind == GaussianScoreKind::bge) {
    const bool is_prior = std::isfinite(mean_weight_) && mean_weight_ > 0.0 &&
                          std::isfinite(weight_) && weight_ > n_columns + 1.0;
    if (!is_prior) {
      throw std::invalid_argument("the prior weights must be above 0, and above columns + 1");
    }
    const double weight = n + weight_ + mean_weight_ + many_columns;
    per_column = weight * (2.0 * std::log(weight) + std::abs(std::log(mean_weight_)) +
                           std::abs(std::log(weight_ - n_columns - 1.0)) + 5.0);
  }
  double total = n_columns * per_column + 1.0;
  for (Column i = 0; kind != GaussianScoreKind::bge && i < moments_->n_columns(); ++i) {
    total += 0.5 * n * moments_->largest_log_variance(i);
  }
  if (kind == GaussianScoreKind::aic) penalty_ = 1.0;
  if (kind == GaussianScoreKind::bic) penalty_ = 0.5 * std::log(n);
  total += penalty_ * n_columns * many_columns;
  shift_ = 51 - static_cast<int>(std::ceil(std::log2(total)));
}

double GaussianScore::in_units(double nats) const {
  return std::nearbyint(std::ldexp(nats, shift_));
}

// Log of the determinant of `scale` times the correlations, with `ridge` added to the diagonal; pivots
// are at least a share of the diagonal.
double GaussianScore::log_determinant(const MomentsOfSet& set, std::span<const std::size_t> places,
                                      double scale, double ridge, Room& room) const {
  const std::size_t k = places.size(), width = set.squares.size();
  if (room.lower.size() < k * k) room.lower.resize(k * k);
  double* lower = room.lower.data();
  double sum = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    double* row = lower + i * k;
    double left = scale + ridge;
    for (std::size_t j = 0; j < i; ++j) {
      double rest = scale * set.correlations[places[i] * width + places[j]];
      const double* other = lower + j * k;
      for (std::size_t l = 0; l < j; ++l) rest -= row[l] * other[l];
      row[j] = rest / other[j];
      left -= row[j] * row[j];
    }
    left = std::max(left, least_pivot * scale + ridge * (1.0 - least_pivot));
    row[i] = std::sqrt(left);
    sum += std::log(left);
  }
  return sum;
}

// F of the columns at some places of a set, in nats.
double GaussianScore::of_set(const MomentsOfSet& set, std::span<const std::size_t> places,
                             Room& room) const {
  const auto k = static_cast<double>(places.size()), n = static_cast<double>(set.n);
  if (places.empty()) return 0.0;
  if (kind_ != GaussianScoreKind::bge) {
    double twice = log_determinant(set, places, 1.0, 0.0, room);
    for (const std::size_t place : places) {
      if (set.squares[place] == 0.0) continue;  // constant in these samples
      twice += moments_->log_variance(room.columns[place], set.squares[place], set.n);
    }
    twice += k * (1.0 + std::log(2.0) + log_pi);
    return -0.5 * n * twice - penalty_ * 0.5 * k * (k + 3.0);
  }
  // Kuipers, Moffa and Heckerman (2014), equations 3, 4, A.20; columns have mean 0 and variance 1.
  const double rest = weight_ - static_cast<double>(moments_->n_columns());
  const double t = mean_weight_ * (rest - 1.0) / (mean_weight_ + 1.0);
  double sum = 0.5 * k * (std::log(mean_weight_ / (n + mean_weight_)) - n * log_pi);
  for (std::size_t i = 1; i <= places.size(); ++i) {
    const auto more = static_cast<double>(i);
    sum += log_gamma(0.5 * (n + rest + more)) - log_gamma(0.5 * (rest + more));
  }
  sum += 0.5 * (rest + k) * k * std::log(t);
  return sum - 0.5 * (n + rest + k) * log_determinant(set, places, n, t, room);
}

// What edges to a child may gain by chance; see TableScore::chance_of.
double GaussianScore::chance_of(Var child, const Vars& sorted) const {
  if (kind_ == GaussianScoreKind::log_likelihood) return 0.0;
  const auto n = static_cast<double>(moments_->n_samples());
  const auto odds = [&](Var v) {
    const auto n_missing = static_cast<double>(moments_->n_missing(v));
    return n_missing / std::max(1.0, n - n_missing);
  };
  double units = 0.0;
  for (const Var parent : sorted) {
    if (parent == child) continue;
    const double mean = 0.5 * (odds(child) + odds(parent));
    units += in_units(weight_of_chance * std::sqrt(mean * n * std::log(n)));
  }
  return units;
}

// In units; `sorted` has the parents and the child.
double GaussianScore::of_family(Var child, const Vars& sorted, Room& room) const {
  const Moments& moments = *moments_;
  room.columns.clear();
  room.all.clear();
  room.of_parents.clear();
  room.of_child.clear();
  for (const Var v : sorted) {
    for (Column c = moments.first(v); c < moments.end(v); ++c) {
      const std::size_t place = room.columns.size();
      room.columns.push_back(c);
      room.all.push_back(place);
      (v == child ? room.of_child : room.of_parents).push_back(place);
    }
  }
  moments.find(sorted, room.columns, room.set);
  if (moments.is_complete()) {
    return in_units(of_set(room.set, room.all, room)) -
           in_units(of_set(room.set, room.of_parents, room));
  }
  const auto n = static_cast<double>(moments.n_samples());
  double gain = 0.0;
  if (room.set.n >= 2 && !room.of_parents.empty()) {
    gain = in_units(of_set(room.set, room.all, room)) -
           in_units(of_set(room.set, room.of_parents, room)) -
           in_units(of_set(room.set, room.of_child, room));
    gain *= n / static_cast<double>(room.set.n);
  }
  room.columns.clear();
  moments.append_columns(child, room.columns);
  moments.find(VarSpan(&child, 1), room.columns, room.alone);
  for (std::size_t i = 0; i < room.of_child.size(); ++i) room.of_child[i] = i;
  double own = 0.0;
  if (room.alone.n >= 2) {
    own =
        in_units(of_set(room.alone, room.of_child, room)) * (n / static_cast<double>(room.alone.n));
  }
  return std::nearbyint(own + gain) - chance_of(child, sorted);
}

double GaussianScore::family(Var child, VarSpan parents) const {
  StopCheck never;
  return changed(child, parents, VarSpan(&child, 1), never).front();
}

std::vector<double> GaussianScore::changed(Var child, VarSpan parents, VarSpan others,
                                           StopCheck& stop) const {
  moments_->check(VarSpan(&child, 1));
  moments_->check(parents);
  moments_->check(others);
  Room room;
  std::vector<double> scores;
  scores.reserve(others.size());
  for (const Var other : others) {
    stop.look();
    const Vars sorted = with_change(child, parents, other);
    scores.push_back(std::ldexp(of_family(child, sorted, room), -shift_));
  }
  return scores;
}

}  // namespace h2pc
