// Attempts to separate pairs of variables: the largest p-value among the tests that found a pair
// dependent, and the sets that separated it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "types.hpp"

namespace h2pc {

struct Attempts {
  std::optional<double> log_p;   // the largest that means dependence
  Vars given;                    // the first set where it was met
  std::vector<Vars> separators;  // sets given which the pair is independent, or not tested
};

// Attempts by pair. A step keeps its own, which are then merged into those of the run.
class AttemptRecord {
 public:
  // A test of x and y given z and w that found them dependent; of ties the first is kept.
  void note_link(Var x, Var y, double log_p, VarSpan z, VarSpan w = {});
  void note_separator(Var x, Var y, VarSpan z, VarSpan w = {});
  // The last round of IAMB-FDR: outsiders given the members. It counts for pairs of which something
  // is recorded besides.
  void note_round(Var target, VarSpan outsiders, VarSpan members, std::span<const double> log_p,
                  double log_alpha);

  void merge(AttemptRecord&& other);

  // The other variable and the attempts of every pair of the target, in no order.
  template <class Visit>
  void visit(Var target, Visit&& take) const {
    for (const auto& [pair, attempts] : pairs_) {
      if (pair.low == target) take(pair.high, attempts);
      if (pair.high == target) take(pair.low, attempts);
    }
  }

 private:
  struct Pair {
    Var low, high;
    bool operator==(const Pair&) const = default;
  };
  struct PairHash {
    std::size_t operator()(const Pair& pair) const;
  };
  struct Round {
    Var target;
    Vars outsiders, members;
    std::vector<double> log_p;
    double log_alpha;
  };

  static Pair pair_of(Var x, Var y) { return x < y ? Pair{x, y} : Pair{y, x}; }

  std::unordered_map<Pair, Attempts, PairHash> pairs_;
  std::vector<Round> rounds_;  // of a step; none is left in what is merged
};

}  // namespace h2pc
