// The moves between equivalence classes: an edge is inserted, deleted or turned.
//
// Each changes one member D of the class: in D, the parents of `child` are its parents in the graph of
// the class, and a clique C of its neighbours. Insertions and deletions are those of Chickering (2002),
// where C is NA ∪ T or NA \ H; turns are those of Hauser and Bühlmann (2012).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "edge_keys.hpp"
#include "pdag.hpp"
#include "scores.hpp"
#include "search.hpp"
#include "types.hpp"

namespace h2pc {

// The pairs of a search space, whatever their direction. Variables without any are left out, the
// others are numbered anew in the same order.
class Pairs {
 public:
  explicit Pairs(const SearchSpace& space);

  std::size_t n_variables() const { return variables_.size(); }
  std::size_t max_parents() const { return max_parents_; }
  // The number of pairs that may be joined.
  std::size_t n_joinable() const { return n_joinable_; }
  // The number of a variable in the space.
  Var in_space(Var v) const { return variables_[index(v)]; }
  Vars in_space(const Vars& variables) const;

  struct Partner {
    Var variable;
    bool may_join;   // in one direction or the other
    bool must_stay;  // as the edge is required
  };
  // What is or may be joined to a variable, sorted.
  const std::vector<Partner>& partners(Var v) const { return partners_[index(v)]; }
  std::size_t place(Var v, Var partner) const;

  const Pdag& start() const { return start_; }

 private:
  static std::size_t index(Var v) { return static_cast<std::size_t>(v); }
  void add(Var parent, Var child, bool may_come, bool is_required);

  std::size_t max_parents_, n_joinable_ = 0;
  Vars variables_;
  std::vector<std::vector<Partner>> partners_;
  Pdag start_;
};

// The scores of families and of their variants, computed once.
class Families {
 public:
  Families(const LocalScore& score, const Pairs& pairs, StopCheck& stop)
      : score_(score), pairs_(pairs), stop_(stop) {}

  struct Variants {
    double score;
    std::vector<double> after;  // with each partner in or out; -inf where the family is full
  };
  // Valid until the next `make_room`.
  const Variants& of(Var child, const Vars& parents);
  double gain(Var child, const Vars& parents, Var change);
  // The score of a family, whether its variants are known or not.
  double score(Var child, const Vars& parents) const;

  void make_room() {
    if (known_.size() >= most_families) known_.clear();
  }
  std::int64_t n_scores() const { return n_scores_; }

 private:
  static constexpr std::size_t most_families = std::size_t{1} << 17;

  const LocalScore& score_;
  const Pairs& pairs_;
  StopCheck& stop_;
  std::int64_t n_scores_ = 0;
  std::unordered_map<Key, Variants, KeyHash> known_;
};

struct Operator {
  double gain;
  MoveKind kind;
  Var parent, child;  // of the edge that comes or goes; a turn makes it of its opposite
  Vars clique;        // of neighbours of the child that are its parents, sorted

  // Whether this one is made first: by its gain, or else by numbers.
  bool precedes(const Operator& other) const;
};

using Pair = std::pair<Var, Var>;

// The operators of a child, those of a kind together and sorted; without `all` those that gain. The
// edge of `fixed` is neither inserted nor deleted. Paths are left to PathCheck.
std::vector<Operator> operators_of(Var child, const Pdag& graph, const Pairs& pairs,
                                   Families& families, const Pair& fixed, bool all);

// Whether no path closes a cycle with the new edge of an operator. A search goes from both ends in
// turn, and ends where either comes to no more.
class PathCheck {
 public:
  explicit PathCheck(std::size_t n_variables)
      : closed_(n_variables), below_(n_variables), above_(n_variables) {}

  bool is_open(const Operator& op, const Pdag& graph);

 private:
  bool leads(const Pdag& graph, Var from, const Vars& to);

  Marks closed_, below_, above_;
  Vars down_, up_;  // found, and the first of them looked at
};

// Leads to the graph of the class that an open operator makes; returns what is changed. `room` has
// place for all variables.
std::vector<EdgeChange> apply(const Operator& op, Pdag& graph, Marks& room);

}  // namespace h2pc
