// Tests of conditional independence by partial correlations: Fisher's z for continuous variables, and
// the likelihood ratio of the degenerate Gaussian model, in which a discrete variable has indicator
// columns (Andrews, Ramsey and Cooper, 2019).
//
// The conditions are taken in the order of their numbers and the pair likewise: x ⊥ y | z has the same
// bits whoever asks, and in which order. A column that the ones before it determine is left out.
#pragma once

#include <memory>

#include "moments.hpp"
#include "statistics.hpp"
#include "test.hpp"

namespace h2pc {

enum class GaussianKind {
  fisher,  // (n - |z| - 3)·atanh(r)², for variables of a single column
  wilks,   // -ln Λ with the factor of Bartlett (1938)
};

class GaussianTest final : public Test {
 public:
  GaussianTest(std::shared_ptr<const Moments> moments, GaussianKind kind, double log_alpha);

  const Moments& moments() const { return *moments_; }

  Outcome outcome(Var x, Var y, VarSpan z) const;
  // Whether there are enough samples for the test.
  bool performs(Var x, Var y, VarSpan z) const;
  // The partial correlation of two variables of a single column; 0 where one of them does not vary
  // given z.
  double correlation(Var x, Var y, VarSpan z) const;

  std::ptrdiff_t answer(const Question& question, Wanted wanted, bool first_independence,
                        Context& context, std::span<double> log_p) const override;

 private:
  struct Room;
  struct Ratio;
  template <class Correlation>
  class Given;

  // Log p-value of a ratio; `least` is the least statistic of a link so far.
  double log_p_of(const Ratio& ratio, Wanted wanted, double& least) const;
  double statistic_of(const Ratio& ratio) const;
  Ratio ratio_of(Var x, Var y, VarSpan z) const;
  double cost_of(const Question& question) const;

  std::shared_ptr<const Moments> moments_;
  GaussianKind kind_;
  CriticalStatistics critical_;
};

}  // namespace h2pc
