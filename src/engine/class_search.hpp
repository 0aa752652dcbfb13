// A greedy search among equivalence classes: greedy equivalence search (Chickering, 2002) with turns
// (Hauser and Bühlmann, 2012), deletions before turns before insertions, and a second look at every
// edge (XGES: Nazaret and Blei, 2024).
#pragma once

#include <cstdint>

#include "scores.hpp"
#include "search.hpp"

namespace h2pc {

struct ClassSettings {
  // Whether each edge is tried without: it is deleted, and the search goes on without it.
  int tries_without = 1;
  Restarts restarts;
};

// The best class, as one of its members. The score should be equal for equivalent graphs. Edges have
// no direction here: a pair may be joined where one direction may come, and a required edge stays in
// one direction or the other.
Found class_search(const LocalScore& score, const SearchSpace& space, const ClassSettings& settings,
                   StopCheck stop);

}  // namespace h2pc
