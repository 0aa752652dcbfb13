// Candidates that separate each other from a target, and those that are left: DE-PCS and DE-SPS,
// Algorithms 3 and 4 of the paper.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "test.hpp"

namespace h2pc {

struct Pruned {
  Vars kept;                                   // from the strongest link to the weakest
  std::vector<std::pair<Var, Var>> separated;  // what another candidate separated, and which
};

// Drops every candidate x with target ⊥ x, or target ⊥ x | y for another y that is still there.
// Candidates are tried from the weakest link to the strongest, separators from the strongest to the
// weakest, by the largest log p-value that was seen for each so far; ties are broken by number.
Pruned pruned(const Test& test, Context& context, Var target, VarSpan candidates);

// Candidates with the same separating set.
struct Separated {
  Vars z;
  Vars candidates;
};

// The candidates by what separates them from the target: `dsep` has those that a set other than the
// empty one does. Groups are in the order of their sets, candidates in that of their numbers.
std::vector<Separated> by_separating_set(VarSpan candidates, const std::map<Var, Vars>& dsep);

// The candidates that pruning given some x keeps, in their order. Given x, the candidates are those that
// depend on the target given x and the set that separates them from it.
Vars kept_given_any(const Test& test, Context& context, Var target,
                    const std::vector<Separated>& groups, VarSpan xs);

}  // namespace h2pc
