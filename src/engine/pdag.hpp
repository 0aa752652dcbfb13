// Partially directed graphs, and the classes of equivalent directed ones that they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "types.hpp"
#include "variable_sets.hpp"

namespace h2pc {

// What joins two variables u and v.
enum class Join : std::uint8_t { nothing, arrow, arrow_back, line };

// A graph of arrows and lines that changes. The variables are not checked.
class Pdag {
 public:
  explicit Pdag(std::size_t n_variables = 0) : ends_(n_variables) {}

  std::size_t n_variables() const { return ends_.size(); }

  // Sorted, and valid until an edge of v changes.
  const Vars& parents(Var v) const { return ends(v).parents; }
  const Vars& children(Var v) const { return ends(v).children; }
  const Vars& neighbours(Var v) const { return ends(v).neighbours; }

  // Not by the children: they may be many.
  bool has_arrow(Var u, Var v) const { return contains(parents(v), u); }
  bool has_line(Var u, Var v) const {
    const Vars &one = neighbours(u), &other = neighbours(v);
    return one.size() < other.size() ? contains(one, v) : contains(other, u);
  }
  bool is_adjacent(Var u, Var v) const {
    return has_arrow(u, v) || has_arrow(v, u) || has_line(u, v);
  }

  Join join(Var u, Var v) const {
    if (has_line(u, v)) return Join::line;
    return has_arrow(u, v) ? Join::arrow : has_arrow(v, u) ? Join::arrow_back : Join::nothing;
  }

  // These replace what joins the two.
  void set_join(Var u, Var v, Join join);
  void add_arrow(Var u, Var v) { set_join(u, v, Join::arrow); }
  void add_line(Var u, Var v) { set_join(u, v, Join::line); }
  void separate(Var u, Var v) { set_join(u, v, Join::nothing); }

  bool operator==(const Pdag&) const = default;

 private:
  struct Ends {
    Vars parents, children, neighbours;

    bool operator==(const Ends&) const = default;
  };

  const Ends& ends(Var v) const { return ends_[static_cast<std::size_t>(v)]; }
  Ends& ends(Var v) { return ends_[static_cast<std::size_t>(v)]; }

  std::vector<Ends> ends_;
};

// Two variables, u < v, that are joined otherwise than before.
struct EdgeChange {
  Var u, v;
  Join before, after;

  bool is_parent(Join join, Var x) const {  // whether the other one is a parent of x
    return join == (x == v ? Join::arrow : Join::arrow_back);
  }
};

// Takes changes back.
void take_back(Pdag& graph, const std::vector<EdgeChange>& changes);

// Edits the graph of a class to that of another one, and keeps what is changed. Only arrows that may
// have lost what compels them are looked at, and lines that may be compelled now.
class ClassEdit {
 public:
  // An edge of x and y will be changed, and lines of these two; `room` has place for all variables.
  ClassEdit(Pdag& graph, Var x, Var y, Marks& room) : graph_(graph), x_(x), y_(y), room_(room) {}

  void add_arrow(Var u, Var v) { change(u, v, Join::arrow); }
  void separate(Var u, Var v) { change(u, v, Join::nothing); }

  // Makes arrows of all edges that all graphs with these v-structures agree on, and lines of the others
  // (Meek, 1995). Returns what is changed in the end.
  std::vector<EdgeChange> complete();

 private:
  void change(Var u, Var v, Join join);
  void find_suspects();
  void suspect(Var v) {
    if (room_.insert(v)) suspects_.push_back(v);
  }
  bool loosen(Var v, std::size_t n_edits);
  void orient();
  bool is_compelled(Var u, Var v) const;
  std::vector<EdgeChange> changes();

  Pdag& graph_;
  Var x_, y_;
  Marks& room_;
  std::vector<EdgeChange> log_;  // what joined them before is that of their first entry
  Vars suspects_;                // variables whose edges may be others now
};

// A directed graph as the parents of every variable, and its variables with parents before children.
struct Extension {
  std::vector<Vars> parents;
  Vars order;
};

// The directed graph with the same edges and v-structures, if there is one. Among variables that may
// come last, the largest number does, as in h2pc.graphs (Dor and Tarsi, 1992).
std::optional<Extension> consistent_extension(const Pdag& pdag);

// The graph of the class: an edge is an arrow where all equivalent graphs agree on it (Chickering, 1995).
Pdag completed(const Extension& extension);

}  // namespace h2pc
