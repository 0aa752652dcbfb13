// Searches for what separates two variables, through the subsets of a pool.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "test.hpp"

namespace h2pc {

struct Separation {
  std::optional<Vars> z;  // the first set that separates, without the base
  double log_p;           // of that set, or else the largest one that was met
  Vars weakest;           // given which the largest one of a link was met, without the base
  double largest = -std::numeric_limits<double>::infinity();  // that one
};

// First subset Z of `pool` with target ⊥ candidate | base ∪ Z. Subsets are tried by size, small first,
// and within a size in lexicographic order of the positions in the pool.
Separation first_separator(const Test& test, Context& context, Var target, Var candidate,
                           VarSpan base, VarSpan pool, std::size_t min_size, std::size_t max_size);

// The candidates that no subset of the others in `pool` separates from the target.
Vars inseparable(const Test& test, Context& context, Var target, VarSpan candidates, VarSpan pool);

// For every candidate the largest log p-value given `base` and any subset of `pool`; 0 where one of
// these sets separates it from the target.
std::vector<double> weakest_links(const Test& test, Context& context, Var target,
                                  VarSpan candidates, VarSpan base, VarSpan pool);

// The max-min heuristic of MMPC: candidates with their weakest links so far.
class MaxMin {
 public:
  MaxMin(const Test& test, Context& context, Var target, VarSpan candidates);

  // The candidate whose weakest link is the strongest, the first of several; none where none is left.
  std::optional<Var> strongest() const;

  // Takes a candidate into the conditioning sets; what some subset with it separates is dropped.
  void add(const Test& test, Context& context, Var x);

 private:
  Var target_;
  Vars candidates_, added_;
  std::vector<double> weakest_;  // of every candidate
  std::vector<Vars> given_;      // the set that each was met with
};

}  // namespace h2pc
