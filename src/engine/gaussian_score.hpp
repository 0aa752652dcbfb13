// Scores of linear Gaussian families, those of discrete variables by indicator columns included.
//
// The score of a family is F(parents and child) - F(parents), F being a function of a set of variables:
// the log likelihood or the log marginal likelihood of their columns. F is found in the order of the
// numbers and rounded once to a multiple of a power of two, coarse enough for any sum over a graph to be
// exact. So graphs with the same independences score the same in every bit. Where cells are missing, a
// family has the average score of its complete samples, as in scores.hpp.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "moments.hpp"
#include "scores.hpp"

namespace h2pc {

enum class GaussianScoreKind { log_likelihood, aic, bic, bge };

class GaussianScore final : public LocalScore {
 public:
  // The weights are those of the prior of BGe, in samples: that of the mean, and that of the precision
  // matrix, which has to exceed the number of columns by more than one. Others make no use of them.
  GaussianScore(std::shared_ptr<const Moments> moments, GaussianScoreKind kind,
                double prior_mean_weight = 1.0, double prior_weight = 0.0);

  Var n_variables() const override { return moments_->n_variables(); }
  double family(Var child, VarSpan parents) const override;
  // The child among `others` stands for no change.
  std::vector<double> changed(Var child, VarSpan parents, VarSpan others,
                              StopCheck& stop) const override;

  int n_fraction_bits() const override { return shift_; }

 private:
  struct Room;

  double in_units(double nats) const;
  double log_determinant(const MomentsOfSet& set, std::span<const std::size_t> places, double scale,
                         double ridge, Room& room) const;
  double of_set(const MomentsOfSet& set, std::span<const std::size_t> places, Room& room) const;
  double of_family(Var child, const Vars& sorted, Room& room) const;
  double chance_of(Var child, const Vars& sorted) const;

  std::shared_ptr<const Moments> moments_;
  GaussianScoreKind kind_;
  double penalty_ = 0.0;  // of a parameter, in nats
  double mean_weight_, weight_;
  int shift_ = 0;
};

}  // namespace h2pc
