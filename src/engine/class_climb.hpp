// Climbing among equivalence classes: what the search and the look for alternatives share.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "class_operators.hpp"
#include "exact_sum.hpp"
#include "pdag.hpp"
#include "scores.hpp"
#include "search.hpp"

namespace h2pc {

constexpr Pair nobody{-1, -1};

using Operators = std::vector<Operator>;

// The first operators of all children, the best of them on top: a tree, each of whose nodes has the
// better one of two others.
class Ranking {
 public:
  explicit Ranking(std::size_t n_variables = 0);

  void set(Var child, const Operator* first);
  // The first in order that `is_open`, among these and those that follow them; null if none is.
  template <class IsOpen>
  const Operator* first(const std::vector<Operators>& gainful, IsOpen&& is_open) const;

 private:
  static const Operator* better(const Operator* a, const Operator* b) {
    if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
    return b->precedes(*a) ? b : a;
  }

  std::size_t n_leaves_ = 1;
  std::vector<const Operator*>
      nodes_;  // the root is the first, the children of i are 2i and 2i + 1
};

// A class, and for every child what gains.
class State {
 public:
  // The class must have the edges of the key, and none of its operators gains yet.
  State(Pdag graph, const Key& key);
  State(State&&) = default;

  const Pdag& graph() const { return graph_; }
  const Key& key() const { return key_; }  // what tells classes apart

  Pair fixed = nobody;  // is neither joined nor separated
  double gained = 0.0;

 private:
  friend class Climber;
  friend class Trial;

  void replace(Var child, Operators&& gainful);

  // What a trial has changed.
  struct Journal {
    std::vector<EdgeChange> edges;
    std::vector<std::pair<Var, Operators>> gainful;  // of children, before
  };

  Pdag graph_;
  Key key_;
  std::vector<Operators> gainful_;
  std::array<Ranking, 3> rankings_;  // of every kind of move
  std::optional<Journal> journal_;
  Marks in_journal_;  // children whose operators it has
};

// A change of a state that may be taken back.
class Trial {
 public:
  explicit Trial(State& state);
  ~Trial() { state_.journal_.reset(); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // The variables that have other edges than before, sorted.
  Vars changed_variables() const;
  void take_back();

 private:
  State& state_;
  Key key_;
  Pair fixed_;
  double gained_;
};

// The parents of every variable of the space, and their score.
struct ScoredGraph {
  std::vector<Vars> parent_sets;
  double score;
};

// Whether a climb may go to a class; without a function it may go to any.
using Allowed = std::function<bool(const Pdag&)>;

class Climber {
 public:
  // Throws std::invalid_argument where the start has a cycle or other variables than the score.
  Climber(const LocalScore& score, const SearchSpace& space, StopCheck& stop);

  // The class of the start, with all that gains.
  State start();
  // From here on, moves are no steps of the run by themselves.
  void stop_counting() { is_counted_ = false; }
  // Makes the best operator until none gains. May throw Stopped.
  void climb(State& state, const Allowed& allowed = {});
  void make(State& state, const Operator& op);
  void refresh(State& state, Var child);
  // Looks at the class that an operator leads to, and takes it back.
  template <class Look>
  auto look_at(State& state, const Operator& op, Look&& look) {
    const std::vector<EdgeChange> changes = apply(op, state.graph_, room_);
    const auto found = look(state.graph_, state.key_ ^ key_of(changes));
    h2pc::take_back(state.graph_, changes);
    return found;
  }

  // The open operators of a kind between two variables, the best first.
  Operators operators_of_pair(const State& state, MoveKind kind, const Pair& pair);
  // The best of them, if there is one.
  std::optional<Operator> best_of_pair(const State& state, MoveKind kind, const Pair& pair);
  // All operators of a child in a class, those that lose included.
  Operators operators(const State& state, Var child) {
    families_.make_room();
    return operators_of(child, state.graph(), pairs_, families_, nobody, true);
  }
  bool is_open(const State& state, const Operator& op) { return paths_.is_open(op, state.graph()); }

  // The score of a graph, of which those after each other share most families.
  double score_of(const Extension& dag);
  ScoredGraph scored(const Extension& dag);

  const Pairs& pairs() const { return pairs_; }
  const std::vector<Move>& trail() const { return trail_; }
  std::int64_t n_scores() const { return families_.n_scores(); }

 private:
  static Key key_of(const std::vector<EdgeChange>& changes);
  std::optional<Operator> best(State& state, const Allowed& allowed);

  const LocalScore& score_;
  std::size_t n_variables_;  // of the space
  StopCheck& stop_;
  bool is_counted_ = true;
  Pairs pairs_;
  Families families_;
  PathCheck paths_;
  Marks room_;
  std::vector<Move> trail_;
  std::vector<Vars> last_parents_;  // of the graph that was scored last
  std::vector<double> last_scores_;
  ExactSum last_sum_;
};

}  // namespace h2pc
