// A greedy search among equivalence classes: greedy equivalence search (Chickering, 2002) with turns
// (Hauser and Bühlmann, 2012), and deletions before turns before insertions (XGES: Nazaret and Blei,
// 2024). Where nothing gains any more, parts of the graph are tried anew, without any chance.
#pragma once

#include "scores.hpp"
#include "search.hpp"

namespace h2pc {

// What is tried where nothing gains any more: the search goes on from a graph in which one variable has
// lost all its edges, and from one in which a pair is joined whatever that costs, the cheapest hundred
// of them. The moves of trials are limited to some multiple of those before.
enum class Trials { none, variables, variables_and_pairs };

// The best class, as one of its members. The score should be equal for equivalent graphs. Edges have
// no direction here: a pair may be joined where one direction may come, and a required edge stays in
// one direction or the other. The limit of parents holds for all members of a class or for none.
Found class_search(const LocalScore& score, const SearchSpace& space, Trials trials,
                   StopCheck stop);

}  // namespace h2pc
