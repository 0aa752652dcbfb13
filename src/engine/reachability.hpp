// A directed acyclic graph that changes, and what paths there are.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "types.hpp"
#include "variable_sets.hpp"

namespace h2pc {

// Keeps an order in which parents come before children (Pearce and Kelly, 2006). A path leads up in
// that order: most pairs need no search, and others one among the variables between the two. A detour
// is a path of two or more edges. The variables are not checked, but for add_edge and remove_edge.
// Searches share room: a thread needs a graph of its own.
class Reachability {
 public:
  explicit Reachability(std::size_t n_variables);

  std::size_t n_variables() const { return places_.size(); }
  bool has_edge(Var u, Var v) const { return contains(parents_[index(v)], u); }
  bool has_detour(Var u, Var v) const { return leads(u, v, false); }
  bool has_path(Var u, Var v) const { return leads(u, v, true); }
  // What paths lead from and to, the variable itself included; valid until the next call.
  const Vars& below(Var u) const { return reached(u, children_); }
  const Vars& above(Var u) const { return reached(u, parents_); }
  // Whether a variable is in the last of these.
  bool is_reached(Var v) const { return low_.has(v); }

  // Throws std::out_of_range where a number is not that of a variable.
  void check(Var u, Var v) const;

  // Adds u → v; throws std::invalid_argument where that closes a cycle.
  void add_edge(Var u, Var v);

  // Removes u → v; throws std::invalid_argument where there is no such edge.
  void remove_edge(Var u, Var v);

 private:
  static std::size_t index(Var v) { return static_cast<std::size_t>(v); }
  Var place(Var v) const { return places_[index(v)]; }
  bool leads(Var u, Var v, bool by_edge) const;
  const Vars& reached(Var u, const std::vector<Vars>& next) const;
  void move_behind(Var v, Var u);

  std::vector<Vars> parents_, children_;  // sorted
  Vars places_;                           // of every variable, in the order
  mutable Marks low_, high_;
  mutable Vars up_, down_;  // found, and the first of them looked at
};

}  // namespace h2pc
