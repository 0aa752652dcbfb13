// A score less a price for every edge: a prior over graphs, in nats.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "scores.hpp"
#include "types.hpp"

namespace h2pc {

// Prices are rounded to the grid of the score, so that its sums stay exact. Any number of threads may
// use one, as far as they may use the score.
class PricedScore final : public LocalScore {
 public:
  // For every child, the parents that have a price of their own, in any order; `others` is that of all
  // other parents. Throws std::invalid_argument where a price is negative or no number, or a parent has
  // two, and std::out_of_range where a parent is no variable.
  using Prices = std::vector<std::vector<std::pair<Var, double>>>;
  PricedScore(std::shared_ptr<const LocalScore> score, Prices own, double others);

  Var n_variables() const override { return score_->n_variables(); }
  int n_fraction_bits() const override { return score_->n_fraction_bits(); }
  double family(Var child, VarSpan parents) const override;
  // The child among `others` stands for no change.
  std::vector<double> changed(Var child, VarSpan parents, VarSpan others,
                              StopCheck& stop) const override;

  // Of one edge, as it was rounded.
  double price(Var child, Var parent) const;

 private:
  double price_of(Var child, VarSpan parents) const;

  std::shared_ptr<const LocalScore> score_;
  Prices own_;  // sorted
  double others_;
};

}  // namespace h2pc
