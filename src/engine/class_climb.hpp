// Climbing among equivalence classes: what the search and the look for alternatives share.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "class_operators.hpp"
#include "pdag.hpp"
#include "scores.hpp"
#include "search.hpp"

namespace h2pc {

constexpr Pair nobody{-1, -1};

using Operators = std::vector<Operator>;

// A class, and for every child what gains. Copies share the operators.
struct State {
  Pdag graph;
  std::vector<std::shared_ptr<const Operators>> gainful;
  Pair fixed = nobody;  // is neither joined nor separated
  double gained = 0.0;
};

// The parents of every variable of the space, and their score.
struct ScoredGraph {
  std::vector<Vars> parent_sets;
  double score;
};

// Whether a climb may go to a class; without a function it may go to any.
using Allowed = std::function<bool(const Pdag&)>;

// The variables that have other edges than before.
Bits changed_variables(const Pdag& before, const Pdag& after);

// What tells classes apart.
Key key_of(const Pdag& graph);

class Climber {
 public:
  // Throws std::invalid_argument where the start has a cycle or other variables than the score.
  Climber(const LocalScore& score, const SearchSpace& space, StopCheck& stop);

  // The class of the start, with all that gains.
  State start();
  // Makes the best operator until none gains. May throw Stopped.
  void climb(State& state, const Allowed& allowed = {});
  std::vector<EdgeChange> make(State& state, const Operator& op);
  void refresh(State& state, Var child);

  // The open operators of a kind between two variables, the best first.
  Operators operators_of_pair(const State& state, MoveKind kind, const Pair& pair);
  // The best of them, if there is one.
  std::optional<Operator> best_of_pair(const State& state, MoveKind kind, const Pair& pair);
  // All operators of a child in a class, those that lose included.
  Operators operators(const State& state, Var child) {
    families_.make_room();
    return operators_of(child, state.graph, pairs_, families_, nobody, true);
  }
  ScoredGraph scored(const Pdag& dag);

  const Pairs& pairs() const { return pairs_; }
  const std::vector<Move>& trail() const { return trail_; }
  std::int64_t n_scores() const { return families_.n_scores(); }

 private:
  std::optional<Operator> best(const State& state, const Allowed& allowed) const;

  const LocalScore& score_;
  std::size_t n_variables_;  // of the space
  StopCheck& stop_;
  Pairs pairs_;
  Families families_;
  std::vector<Move> trail_;
  struct Family {
    Vars parents;
    double score;
  };
  std::vector<Family> last_scored_;  // of every variable of the space
};

}  // namespace h2pc
