// Pairs of variables whose edge gains by itself.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "scores.hpp"
#include "types.hpp"

namespace h2pc {

struct GainingPairs {
  std::vector<std::pair<Var, Var>>
      pairs;         // of every child in turn, the smaller number first, sorted
  bool was_stopped;  // some are missing
};

// Pairs of each child with the smaller ones of some sorted variables. Where there are variables that
// have to be near, one of the two is such a one; both lists are sorted.
GainingPairs gaining_pairs(const LocalScore& score, const Vars& children, const Vars& variables,
                           const std::optional<Vars>& near, StopCheck stop);

}  // namespace h2pc
