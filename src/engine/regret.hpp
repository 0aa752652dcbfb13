// The regret of a multinomial: what the best fit to a sample overstates.
#pragma once

#include "types.hpp"

namespace h2pc {

// ln of the sum, over all samples of n, of their largest likelihood under a multinomial of k ≥ 1 cells:
// the parametric complexity of normalized maximum likelihood. It is 0 where n = 0 or k = 1. Any finite k
// goes; the time is of the order of √n.
double log_regret(Count n, double k);

}  // namespace h2pc
