// A score less a price for every edge, and for tables that are too large: a prior over graphs, in nats.
#pragma once

#include <cstdint>
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
  // Families of more than `max_cells` cells, the product of the `levels` of child and parents, cost more
  // than any edge gains; without levels there is no limit.
  PricedScore(std::shared_ptr<const LocalScore> score, Prices own, double others,
              std::vector<std::int64_t> levels = {}, double max_cells = 0.0);

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
  double n_cells(Var child, VarSpan parents) const;
  double price_of_size(double n_cells) const { return n_cells > max_cells_ ? too_large_ : 0.0; }

  std::shared_ptr<const LocalScore> score_;
  Prices own_;  // sorted
  double others_;
  std::vector<std::int64_t> levels_;
  double max_cells_, too_large_;
};

}  // namespace h2pc
