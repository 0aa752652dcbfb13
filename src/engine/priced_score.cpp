#include "priced_score.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace h2pc {
namespace {

// In units of the grid: more than an edge gains by any score, and some of them still add up exactly.
constexpr double largest_price = 0x1p50;

using Price = std::pair<Var, double>;

double rounded(double price, int n_fraction_bits) {
  if (!(price >= 0.0)) throw std::invalid_argument("a price must be a number from 0 on");
  const double units = std::nearbyint(std::ldexp(price, n_fraction_bits));
  return std::ldexp(std::min(units, largest_price), -n_fraction_bits);
}

}  // namespace

PricedScore::PricedScore(std::shared_ptr<const LocalScore> score, Prices own, double others,
                         std::vector<std::int64_t> levels, double max_cells)
    : score_(std::move(score)),
      own_(std::move(own)),
      levels_(std::move(levels)),
      max_cells_(max_cells) {
  if (!score_) throw std::invalid_argument("prices need a score");
  if (own_.size() != static_cast<std::size_t>(score_->n_variables())) {
    throw std::invalid_argument("there must be prices of the parents of every variable");
  }
  if (!levels_.empty() && levels_.size() != own_.size()) {
    throw std::invalid_argument("there must be a number of levels of every variable");
  }
  others_ = rounded(others, n_fraction_bits());
  too_large_ = levels_.empty() ? 0.0 : std::ldexp(largest_price, -n_fraction_bits());
  for (auto& prices : own_) {
    std::ranges::sort(prices, {}, &Price::first);
    if (std::ranges::adjacent_find(prices, {}, &Price::first) != prices.end()) {
      throw std::invalid_argument("a parent must have one price");
    }
    for (auto& [parent, price] : prices) {
      if (parent < 0 || parent >= n_variables()) throw std::out_of_range("variable out of range");
      price = rounded(price, n_fraction_bits());
    }
  }
}

double PricedScore::price(Var child, Var parent) const {
  const auto& prices = own_.at(static_cast<std::size_t>(child));
  const auto found = std::ranges::lower_bound(prices, parent, {}, &Price::first);
  return found != prices.end() && found->first == parent ? found->second : others_;
}

double PricedScore::price_of(Var child, VarSpan parents) const {
  double sum = 0.0;
  for (const Var parent : parents) sum += price(child, parent);
  return sum;
}

double PricedScore::n_cells(Var child, VarSpan parents) const {
  if (levels_.empty()) return 0.0;
  auto cells = static_cast<double>(levels_.at(static_cast<std::size_t>(child)));
  for (const Var parent : parents) {
    cells *= static_cast<double>(levels_.at(static_cast<std::size_t>(parent)));
  }
  return cells;
}

double PricedScore::family(Var child, VarSpan parents) const {
  return score_->family(child, parents) - price_of(child, parents) -
         price_of_size(n_cells(child, parents));
}

std::vector<double> PricedScore::changed(Var child, VarSpan parents, VarSpan others,
                                         StopCheck& stop) const {
  std::vector<double> scores = score_->changed(child, parents, others, stop);
  const double now = price_of(child, parents), cells = n_cells(child, parents);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const Var x = others[i];
    const bool is_parent = std::ranges::find(parents, x) != parents.end();
    const double change = x == child ? 0.0 : price(child, x);
    scores[i] -= is_parent ? now - change : now + change;
    if (levels_.empty()) continue;
    const auto n_levels = static_cast<double>(levels_[static_cast<std::size_t>(x)]);
    scores[i] -= price_of_size(x == child  ? cells
                               : is_parent ? cells / n_levels
                                           : cells * n_levels);
  }
  return scores;
}

}  // namespace h2pc
