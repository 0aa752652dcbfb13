#include "class_climb.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "exact_sum.hpp"

namespace h2pc {
namespace {

constexpr std::array kinds{MoveKind::remove, MoveKind::reverse, MoveKind::add};

// The children whose operators may be others after an edge of u and v has come, gone or turned: those
// that have other edges, neighbours of u and v, and where x has other parents what could turn x → child.
Bits changed_children(const std::vector<EdgeChange>& changes, const Pdag& after, Var u, Var v) {
  Bits children(after.n_words(), 0);
  const auto mark_all = [&](BitSpan bits) {
    for (std::size_t i = 0; i < bits.size(); ++i) children[i] |= bits[i];
  };
  for (const EdgeChange& change : changes) {
    for (const Var x : {change.u, change.v}) {
      set_bit(children, x);
      if (change.is_parent(change.before, x) == change.is_parent(change.after, x)) continue;
      mark_all(after.parents(x));
      mark_all(after.neighbours(x));
    }
  }
  mark_all(after.neighbours(u));
  mark_all(after.neighbours(v));
  return children;
}

// Of an edge: a word for every variable that it leads to, both words for a line, as nothing else has.
Key key_of_join(Var u, Var v, Join join) {
  Key key;
  if (join == Join::arrow || join == Join::line) key = key ^ word_of(u, v);
  if (join == Join::arrow_back || join == Join::line) key = key ^ word_of(v, u);
  return key;
}

}  // namespace

Bits changed_variables(const Pdag& before, const Pdag& after) {
  Bits changed(after.n_words(), 0);
  for (Var v = 0; v < static_cast<Var>(after.n_variables()); ++v) {
    if (!std::ranges::equal(before.parents(v), after.parents(v)) ||
        !std::ranges::equal(before.children(v), after.children(v)) ||
        !std::ranges::equal(before.neighbours(v), after.neighbours(v))) {
      set_bit(changed, v);
    }
  }
  return changed;
}

Key key_of(const Pdag& graph) {
  Key key;
  for (Var v = 0; v < static_cast<Var>(graph.n_variables()); ++v) {
    visit_bits(graph.parents(v), [&](Var u) { key = key ^ word_of(u, v); });
    // Both words of a line, as nothing else has.
    visit_bits(graph.neighbours(v), [&](Var u) { key = key ^ word_of(u, v); });
  }
  return key;
}

Climber::Climber(const LocalScore& score, const SearchSpace& space, StopCheck& stop)
    : score_(score),
      n_variables_(space.n_variables()),
      stop_(stop),
      pairs_(space),
      families_(score, pairs_, stop) {
  if (static_cast<std::size_t>(score.n_variables()) != space.n_variables()) {
    throw std::invalid_argument("the score and the space must have the same variables");
  }
  if (!consistent_extension(pairs_.start())) {
    throw std::invalid_argument("the edges at the start make a cycle");
  }
}

State Climber::start() {
  State state{completed(*consistent_extension(pairs_.start())), {}};
  state.gainful.resize(pairs_.n_variables());
  for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) refresh(state, v);
  return state;
}

void Climber::climb(State& state, const Allowed& allowed) {
  // A score that differs between equivalent graphs could lead in a circle.
  std::unordered_set<Key, KeyHash> visited;
  Key key = key_of(state.graph);
  while (visited.insert(key).second) {
    stop_.look();
    const std::optional<Operator> op = best(state, allowed);
    if (!op) break;
    for (const auto& [u, v, before, after] : make(state, *op)) {
      key = key ^ key_of_join(u, v, before) ^ key_of_join(u, v, after);
    }
  }
}

std::vector<EdgeChange> Climber::make(State& state, const Operator& op) {
  const std::vector<EdgeChange> changes = apply(op, state.graph);
  const Bits changed = changed_children(changes, state.graph, op.parent, op.child);
  state.gained += op.gain;
  const bool is_turn = op.kind == MoveKind::reverse;
  const Var parent = pairs_.in_space(op.parent), child = pairs_.in_space(op.child);
  trail_.push_back({op.kind, is_turn ? child : parent, is_turn ? parent : child});
  visit_bits(changed, [&](Var v) { refresh(state, v); });
  return changes;
}

void Climber::refresh(State& state, Var child) {
  families_.make_room();
  state.gainful[static_cast<std::size_t>(child)] = std::make_shared<const Operators>(
      operators_of(child, state.graph, pairs_, families_, state.fixed, false));
}

Operators Climber::operators_of_pair(const State& state, MoveKind kind, const Pair& pair) {
  Operators found;
  if (state.graph.is_adjacent(pair.first, pair.second) == (kind == MoveKind::add)) return found;
  PathCheck paths(state.graph);
  for (const auto& [x, y] : {pair, Pair{pair.second, pair.first}}) {
    for (Operator& op : operators(state, y)) {
      if (op.kind == kind && op.parent == x && paths.is_open(op)) found.push_back(std::move(op));
    }
  }
  std::ranges::sort(found, [](const Operator& a, const Operator& b) { return a.precedes(b); });
  return found;
}

std::optional<Operator> Climber::best_of_pair(const State& state, MoveKind kind, const Pair& pair) {
  Operators found = operators_of_pair(state, kind, pair);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

ScoredGraph Climber::scored(const Pdag& dag) {
  ScoredGraph found{std::vector<Vars>(n_variables_), 0.0};
  for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
    visit_bits(dag.parents(v), [&](Var u) {
      found.parent_sets[static_cast<std::size_t>(pairs_.in_space(v))].push_back(pairs_.in_space(u));
    });
  }
  ExactSum sum;
  const bool is_first = last_scored_.empty();
  last_scored_.resize(n_variables_);
  for (std::size_t v = 0; v < n_variables_; ++v) {
    const Vars& parents = found.parent_sets[v];
    if (is_first || parents != last_scored_[v].parents)
      last_scored_[v] = {parents, score_.family(static_cast<Var>(v), parents)};
    sum.add(last_scored_[v].score);
  }
  found.score = sum.rounded();
  return found;
}

// The open operator of the largest gain, of the first kind that has one.
std::optional<Operator> Climber::best(const State& state, const Allowed& allowed) const {
  PathCheck paths(state.graph);
  const auto follows = [](const Operator* a, const Operator* b) { return b->precedes(*a); };
  for (const MoveKind kind : kinds) {
    std::vector<const Operator*> first;  // of every child
    for (const auto& own : state.gainful) {
      const auto found = std::ranges::find(*own, kind, &Operator::kind);
      if (found != own->end()) first.push_back(&*found);
    }
    std::ranges::make_heap(first, follows);
    while (!first.empty()) {
      std::ranges::pop_heap(first, follows);
      const Operator* op = first.back();
      if (paths.is_open(*op) && (!allowed || allowed(applied(*op, state.graph)))) return *op;
      const Operators& own = *state.gainful[static_cast<std::size_t>(op->child)];
      if (op == &own.back() || (op + 1)->kind != kind) {
        first.pop_back();
      } else {
        first.back() = op + 1;
        std::ranges::push_heap(first, follows);
      }
    }
  }
  return std::nullopt;
}

}  // namespace h2pc
