// IAMB-FDR (Peña, 2008): a Markov boundary with a bounded rate of false discoveries.
#pragma once

#include <vector>

#include "test.hpp"

namespace h2pc {

// The members after one change a round, until nothing changes, in the order of entry. In every round
// the weakest member that is no discovery leaves; if there is none, the strongest outsider that is one
// enters. What brings back members that have been there before is taken out and barred for good.
Vars iamb_fdr(const Test& test, Context& context, Var target, VarSpan candidates, VarSpan start);

// The largest log p-value of a discovery by rank (Benjamini and Yekutieli, 2001):
// alpha · i / (m · (1 + 1/2 + … + 1/m)) for i = 1 … m.
std::vector<double> discovery_limits(std::size_t m, double log_alpha);

}  // namespace h2pc
