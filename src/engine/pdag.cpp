#include "pdag.hpp"

#include <algorithm>
#include <iterator>
#include <queue>
#include <utility>

namespace h2pc {

void Pdag::set_join(Var u, Var v, Join join) {
  const Join before = this->join(u, v);
  if (before == join) return;
  const auto edit = [&](Join which, auto&& change) {
    if (which == Join::line) {
      change(ends(u).neighbours, v);
      change(ends(v).neighbours, u);
    } else if (which != Join::nothing) {
      const auto [parent, child] = which == Join::arrow ? std::pair(u, v) : std::pair(v, u);
      change(ends(parent).children, child);
      change(ends(child).parents, parent);
    }
  };
  edit(before, erase);
  edit(join, insert);
}

void take_back(Pdag& graph, const std::vector<EdgeChange>& changes) {
  for (const EdgeChange& change : changes) graph.set_join(change.u, change.v, change.before);
}

void ClassEdit::change(Var u, Var v, Join join) {
  const Join before = graph_.join(u, v);
  if (before == join) return;
  graph_.set_join(u, v, join);
  if (u < v) {
    log_.push_back({u, v, before, join});
    return;
  }
  const auto back = [](Join of) {
    return of == Join::arrow ? Join::arrow_back : of == Join::arrow_back ? Join::arrow : of;
  };
  log_.push_back({v, u, back(before), back(join)});
}

// By Meek's rules, what compels a → b are arrows to parents of b, other arrows to b, and which of the
// ends of these are adjacent. So an arrow can become a line only where it leads to a common child of x
// and y, to a variable that has lost an arrow, or to a child of such a variable.
void ClassEdit::find_suspects() {
  const std::size_t n_edits = log_.size();
  room_.clear();
  suspect(x_);
  suspect(y_);
  for (const EdgeChange& edit : log_) {
    suspect(edit.u);
    suspect(edit.v);
  }
  const auto [few, many] = graph_.children(x_).size() < graph_.children(y_).size()
                               ? std::pair(x_, y_)
                               : std::pair(y_, x_);
  for (const Vars* near : {&graph_.children(few), &graph_.neighbours(few)}) {
    for (const Var v : *near) {
      if (graph_.has_arrow(many, v) || graph_.has_line(many, v)) suspect(v);
    }
  }
  for (std::size_t i = 0; i < suspects_.size(); ++i) {
    const Var v = suspects_[i];
    bool has_lost = loosen(v, n_edits);
    for (std::size_t e = 0; e < n_edits && !has_lost; ++e) {
      const EdgeChange& edit = log_[e];
      has_lost = (edit.u == v || edit.v == v) && edit.is_parent(edit.before, v);
    }
    if (!has_lost) continue;
    for (const Var child : graph_.children(v)) suspect(child);
  }
}

// Makes lines of the arrows to v that have no part in a v-structure; whether one of them was an arrow
// before the edits.
bool ClassEdit::loosen(Var v, std::size_t n_edits) {
  const Vars& parents = graph_.parents(v);
  Vars loose;
  for (const Var u : parents) {
    const auto meets = [&](Var w) { return w != u && !graph_.is_adjacent(u, w); };
    if (std::ranges::none_of(parents, meets)) loose.push_back(u);
  }
  bool has_lost = false;
  for (const Var u : loose) {
    const auto is_edited = [&](const EdgeChange& edit) {
      return edit.u == std::min(u, v) && edit.v == std::max(u, v);
    };
    const auto last = log_.begin() + static_cast<std::ptrdiff_t>(n_edits);
    has_lost |= std::find_if(log_.begin(), last, is_edited) == last;
    change(u, v, Join::line);
  }
  return has_lost;
}

// Whether the line must be u → v: else there would be a new v-structure, or a cycle.
bool ClassEdit::is_compelled(Var u, Var v) const {
  for (const Var w : graph_.parents(u)) {
    if (!graph_.is_adjacent(w, v)) return true;
  }
  const Vars& parents = graph_.parents(v);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (graph_.has_arrow(u, parents[i])) return true;
    if (!graph_.has_line(u, parents[i])) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (graph_.has_line(u, parents[j]) && !graph_.is_adjacent(parents[i], parents[j]))
        return true;
    }
  }
  return false;
}

void ClassEdit::orient() {
  Vars waiting = std::move(suspects_), near;
  while (!waiting.empty()) {
    const Var v = waiting.back();
    waiting.pop_back();
    near = graph_.neighbours(v);
    for (const Var u : near) {
      const bool leads_to_v = is_compelled(u, v);
      if (!leads_to_v && !is_compelled(v, u)) continue;
      leads_to_v ? add_arrow(u, v) : add_arrow(v, u);
      waiting.push_back(v);
      waiting.push_back(u);
    }
  }
}

std::vector<EdgeChange> ClassEdit::changes() {
  std::ranges::stable_sort(log_, {}, [](const EdgeChange& c) { return std::pair(c.u, c.v); });
  const auto same = [](const EdgeChange& a, const EdgeChange& b) {
    return a.u == b.u && a.v == b.v;
  };
  log_.erase(std::ranges::unique(log_, same).begin(), log_.end());
  for (EdgeChange& change : log_) change.after = graph_.join(change.u, change.v);
  std::erase_if(log_, [](const EdgeChange& change) { return change.before == change.after; });
  return std::move(log_);
}

std::vector<EdgeChange> ClassEdit::complete() {
  find_suspects();
  orient();
  return changes();
}

namespace {

// A graph that loses one variable after the other.
class Shrinking {
 public:
  explicit Shrinking(const Pdag& graph) : graph_(graph), is_gone_(graph.n_variables(), 0) {
    for (Var v = 0; v < static_cast<Var>(graph.n_variables()); ++v)
      n_children_.push_back(graph.children(v).size());
  }

  bool is_gone(Var v) const { return is_gone_[static_cast<std::size_t>(v)] != 0; }

  // Whether all edges of v may come in without a new v-structure.
  bool is_sink(Var v) const {
    if (n_children_[static_cast<std::size_t>(v)] > 0) return false;
    const Vars &parents = graph_.parents(v), &near = graph_.neighbours(v);
    return std::ranges::all_of(near, [&](Var w) {
      const auto is_shielded = [&](Var u) {
        return u == w || is_gone(u) || graph_.is_adjacent(u, w);
      };
      return is_gone(w) ||
             (std::ranges::all_of(parents, is_shielded) && std::ranges::all_of(near, is_shielded));
    });
  }

  // Takes a sink out; returns what was left around it, sorted.
  Vars take(Var v) {
    is_gone_[static_cast<std::size_t>(v)] = 1;
    Vars near, around;
    for (const Var u : graph_.neighbours(v)) {
      if (!is_gone(u)) near.push_back(u);
    }
    for (const Var u : graph_.parents(v)) n_children_[static_cast<std::size_t>(u)] -= 1;
    around.reserve(near.size() + graph_.parents(v).size());
    std::ranges::merge(near, graph_.parents(v), std::back_inserter(around));
    return around;
  }

 private:
  const Pdag& graph_;
  std::vector<std::uint8_t> is_gone_;
  std::vector<std::size_t> n_children_;
};

}  // namespace

std::optional<Extension> consistent_extension(const Pdag& pdag) {
  const std::size_t n = pdag.n_variables();
  Extension found{std::vector<Vars>(n), {}};
  Shrinking left(pdag);
  std::priority_queue<Var> sinks;
  for (Var v = 0; v < static_cast<Var>(n); ++v) {
    if (left.is_sink(v)) sinks.push(v);
  }
  while (!sinks.empty()) {
    const Var v = sinks.top();
    sinks.pop();
    if (left.is_gone(v)) continue;
    found.order.push_back(v);
    Vars& around = found.parents[static_cast<std::size_t>(v)];
    around = left.take(v);
    // A sink stays one when others go, and only what was adjacent to v can become one.
    for (const Var w : around) {
      if (left.is_sink(w)) sinks.push(w);
    }
  }
  if (found.order.size() < n) return std::nullopt;
  std::ranges::reverse(found.order);
  return found;
}

Pdag completed(const Extension& extension) {
  const auto& [parents, order] = extension;
  std::vector<std::size_t> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[static_cast<std::size_t>(order[i])] = i;
  std::vector<Vars> compelled(order.size());  // parents whose edges are
  Pdag found(order.size());
  for (const Var y : order) {
    const Vars& own = parents[static_cast<std::size_t>(y)];
    if (own.empty()) continue;
    // The last parent decides on all of them.
    const Var x = *std::ranges::max_element(
        own, {}, [&](Var u) { return position[static_cast<std::size_t>(u)]; });
    const Vars& above = parents[static_cast<std::size_t>(x)];
    const Vars& kept = compelled[static_cast<std::size_t>(x)];
    const bool are_all =
        std::ranges::any_of(own, [&](Var u) { return u != x && !contains(above, u); }) ||
        std::ranges::any_of(kept, [&](Var u) { return !contains(own, u); });
    compelled[static_cast<std::size_t>(y)] = are_all ? own : kept;
    for (const Var u : own) {
      if (are_all || contains(kept, u)) {
        found.add_arrow(u, y);
      } else {
        found.add_line(u, y);
      }
    }
  }
  return found;
}

}  // namespace h2pc
