// Classes whose score is close to that of a learned graph: where the data do not decide.
#pragma once

#include <cstddef>
#include <vector>

#include "class_climb.hpp"
#include "scores.hpp"
#include "search.hpp"

namespace h2pc {

struct Alternatives {
  std::vector<ScoredGraph> graphs;  // a member of every class, the best first
  bool was_stopped;
};

// The start of the space is the learned graph. For every pair, a class is looked for in which the two
// are joined otherwise: not at all, by another mark, or at all. The edge is deleted, turned or inserted,
// whatever that loses, and the search climbs from there without taking that back. Of the classes that
// lose at most `max_loss`, the `number` best are returned, and that which a climb from the learned graph
// leads to where it is no maximum. Each has a member with edges that the space allows.
Alternatives class_alternatives(const LocalScore& score, const SearchSpace& space,
                                std::size_t number, double max_loss, StopCheck stop);

}  // namespace h2pc
