#include "class_climb.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <unordered_set>

namespace h2pc {
namespace {

constexpr std::array kinds{MoveKind::remove, MoveKind::reverse, MoveKind::add};

// The children whose operators may be others after an edge of u and v has come, gone or turned: those
// that have other edges, neighbours of u and v, and where x has other parents what could turn x → child.
Vars changed_children(const std::vector<EdgeChange>& changes, const Pdag& after, Var u, Var v) {
  Vars children;
  const auto take = [&](const Vars& some) {
    children.insert(children.end(), some.begin(), some.end());
  };
  for (const EdgeChange& change : changes) {
    for (const Var x : {change.u, change.v}) {
      children.push_back(x);
      if (change.is_parent(change.before, x) == change.is_parent(change.after, x)) continue;
      take(after.parents(x));
      take(after.neighbours(x));
    }
  }
  take(after.neighbours(u));
  take(after.neighbours(v));
  std::ranges::sort(children);
  children.erase(std::ranges::unique(children).begin(), children.end());
  return children;
}

// Of an edge: a word for every variable that it leads to, both words for a line, as nothing else has.
Key key_of_join(Var u, Var v, Join join) {
  Key key;
  if (join == Join::arrow || join == Join::line) key = key ^ word_of(u, v);
  if (join == Join::arrow_back || join == Join::line) key = key ^ word_of(v, u);
  return key;
}

Key key_of_graph(const Pdag& graph) {
  Key key;
  for (Var v = 0; v < static_cast<Var>(graph.n_variables()); ++v) {
    for (const Var u : graph.parents(v)) key = key ^ word_of(u, v);
    for (const Var u : graph.neighbours(v)) key = key ^ word_of(u, v);
  }
  return key;
}

}  // namespace

Ranking::Ranking(std::size_t n_variables)
    : n_leaves_(std::bit_ceil(std::max<std::size_t>(n_variables, 1))),
      nodes_(2 * n_leaves_, nullptr) {}

void Ranking::set(Var child, const Operator* first) {
  std::size_t i = n_leaves_ + static_cast<std::size_t>(child);
  if (nodes_[i] == nullptr && first == nullptr) return;
  nodes_[i] = first;
  for (i /= 2; i > 0; i /= 2) {
    const Operator* best = better(nodes_[2 * i], nodes_[2 * i + 1]);
    // Another child's; an operator of this child may lie where one that is gone did.
    if (best == nodes_[i] && best != nullptr && best->child != child) return;
    nodes_[i] = best;
  }
}

template <class IsOpen>
const Operator* Ranking::first(const std::vector<Operators>& gainful, IsOpen&& is_open) const {
  if (nodes_[1] == nullptr) return nullptr;
  struct Open {
    const Operator* op;
    std::size_t node;  // 0 where it follows another one of its child
  };
  std::vector<Open> open{{nodes_[1], 1}};
  const auto follows = [](const Open& a, const Open& b) { return b.op->precedes(*a.op); };
  const auto add = [&](const Operator* op, std::size_t node) {
    open.push_back({op, node});
    std::ranges::push_heap(open, follows);
  };
  while (!open.empty()) {
    std::ranges::pop_heap(open, follows);
    const auto [op, node] = open.back();
    open.pop_back();
    if (is_open(*op)) return op;
    for (std::size_t i = node; i > 0 && i < n_leaves_;) {
      const std::size_t left = 2 * i, right = left + 1;
      i = nodes_[left] == op ? left : right;
      const std::size_t other = i == left ? right : left;
      if (nodes_[other] != nullptr) add(nodes_[other], other);
    }
    const Operators& own = gainful[static_cast<std::size_t>(op->child)];
    if (op != &own.back() && (op + 1)->kind == op->kind) add(op + 1, 0);
  }
  return nullptr;
}

State::State(Pdag graph, const Key& key)
    : graph_(std::move(graph)),
      key_(key),
      gainful_(graph_.n_variables()),
      in_journal_(graph_.n_variables()) {
  rankings_.fill(Ranking(graph_.n_variables()));
}

void State::replace(Var child, Operators&& gainful) {
  Operators& own = gainful_[static_cast<std::size_t>(child)];
  if (journal_ && in_journal_.insert(child)) journal_->gainful.emplace_back(child, std::move(own));
  own = std::move(gainful);
  std::array<const Operator*, 3> first{};  // those of a kind are together
  for (const Operator& op : own) {
    const Operator*& of_kind = first[static_cast<std::size_t>(op.kind)];
    if (of_kind == nullptr) of_kind = &op;
  }
  for (std::size_t kind = 0; kind < first.size(); ++kind) rankings_[kind].set(child, first[kind]);
}

Trial::Trial(State& state)
    : state_(state), key_(state.key_), fixed_(state.fixed), gained_(state.gained) {
  state_.journal_.emplace();
  state_.in_journal_.clear();
}

Vars Trial::changed_variables() const {
  std::vector<EdgeChange> first = state_.journal_->edges;
  std::ranges::stable_sort(first, {}, [](const EdgeChange& c) { return std::pair(c.u, c.v); });
  Vars changed;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto& [u, v, before, after] = first[i];
    if (i > 0 && first[i - 1].u == u && first[i - 1].v == v) continue;
    if (state_.graph_.join(u, v) != before) changed.insert(changed.end(), {u, v});
  }
  std::ranges::sort(changed);
  changed.erase(std::ranges::unique(changed).begin(), changed.end());
  return changed;
}

void Trial::take_back() {
  State::Journal journal = std::move(*state_.journal_);
  state_.journal_.reset();
  std::ranges::reverse(journal.edges);
  h2pc::take_back(state_.graph_, journal.edges);
  for (auto& [child, gainful] : journal.gainful) state_.replace(child, std::move(gainful));
  state_.key_ = key_;
  state_.fixed = fixed_;
  state_.gained = gained_;
}

Climber::Climber(const LocalScore& score, const SearchSpace& space, StopCheck& stop)
    : score_(score),
      n_variables_(space.n_variables()),
      stop_(stop),
      pairs_(space),
      families_(score, pairs_, stop),
      paths_(pairs_.n_variables()),
      room_(pairs_.n_variables()) {
  if (static_cast<std::size_t>(score.n_variables()) != space.n_variables()) {
    throw std::invalid_argument("the score and the space must have the same variables");
  }
  if (!consistent_extension(pairs_.start())) {
    throw std::invalid_argument("the edges at the start make a cycle");
  }
  // As many moves as there are pairs: most need fewer.
  stop_.progress.expected = static_cast<std::int64_t>(pairs_.n_joinable());
}

State Climber::start() {
  Pdag graph = completed(*consistent_extension(pairs_.start()));
  const Key key = key_of_graph(graph);
  State state(std::move(graph), key);
  for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) refresh(state, v);
  return state;
}

void Climber::climb(State& state, const Allowed& allowed) {
  // A score that differs between equivalent graphs could lead in a circle.
  std::unordered_set<Key, KeyHash> visited;
  while (visited.insert(state.key_).second) {
    stop_.look();
    const std::optional<Operator> op = best(state, allowed);
    if (!op) break;
    make(state, *op);
  }
}

Key Climber::key_of(const std::vector<EdgeChange>& changes) {
  Key key;
  for (const auto& [u, v, before, after] : changes)
    key = key ^ key_of_join(u, v, before) ^ key_of_join(u, v, after);
  return key;
}

void Climber::make(State& state, const Operator& op) {
  const std::vector<EdgeChange> changes = apply(op, state.graph_, room_);
  state.key_ = state.key_ ^ key_of(changes);
  if (state.journal_) {
    auto& edges = state.journal_->edges;
    edges.insert(edges.end(), changes.begin(), changes.end());
  }
  state.gained += op.gain;
  const bool is_turn = op.kind == MoveKind::reverse;
  const Var parent = pairs_.in_space(op.parent), child = pairs_.in_space(op.child);
  trail_.push_back({op.kind, is_turn ? child : parent, is_turn ? parent : child});
  if (is_counted_) {
    Progress& progress = stop_.progress;
    progress.expected = std::max(progress.expected, ++progress.done);
  }
  for (const Var v : changed_children(changes, state.graph_, op.parent, op.child))
    refresh(state, v);
}

void Climber::refresh(State& state, Var child) {
  families_.make_room();
  state.replace(child, operators_of(child, state.graph_, pairs_, families_, state.fixed, false));
}

Operators Climber::operators_of_pair(const State& state, MoveKind kind, const Pair& pair) {
  Operators found;
  if (state.graph().is_adjacent(pair.first, pair.second) == (kind == MoveKind::add)) return found;
  for (const auto& [x, y] : {pair, Pair{pair.second, pair.first}}) {
    for (Operator& op : operators(state, y)) {
      if (op.kind == kind && op.parent == x && is_open(state, op)) found.push_back(std::move(op));
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

double Climber::score_of(const Extension& dag) {
  const std::size_t n = pairs_.n_variables();
  if (last_scores_.empty()) {  // variables without pairs have no parents
    std::vector<std::uint8_t> has_place(n_variables_, 0);
    for (std::size_t v = 0; v < n; ++v)
      has_place[static_cast<std::size_t>(pairs_.in_space(static_cast<Var>(v)))] = 1;
    for (std::size_t v = 0; v < n_variables_; ++v) {
      if (has_place[v] == 0) last_scores_.push_back(score_.family(static_cast<Var>(v), {}));
    }
    last_parents_ = dag.parents;
    for (std::size_t v = 0; v < n; ++v)
      last_scores_.push_back(families_.score(static_cast<Var>(v), dag.parents[v]));
    for (const double score : last_scores_) last_sum_.add(score);
    return last_sum_.rounded();
  }
  const std::size_t first = last_scores_.size() - n;
  for (std::size_t v = 0; v < n; ++v) {
    if (dag.parents[v] == last_parents_[v]) continue;
    double& last = last_scores_[first + v];
    last_sum_.add(-last);
    last = families_.score(static_cast<Var>(v), dag.parents[v]);
    last_sum_.add(last);
    last_parents_[v] = dag.parents[v];
  }
  if (!last_sum_.is_finite()) {  // what is infinite does not go away
    last_sum_ = {};
    for (const double score : last_scores_) last_sum_.add(score);
  }
  return last_sum_.rounded();
}

ScoredGraph Climber::scored(const Extension& dag) {
  ScoredGraph found{std::vector<Vars>(n_variables_), score_of(dag)};
  for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
    found.parent_sets[static_cast<std::size_t>(pairs_.in_space(v))] =
        pairs_.in_space(dag.parents[static_cast<std::size_t>(v)]);
  }
  return found;
}

// The open operator of the largest gain, of the first kind that has one.
std::optional<Operator> Climber::best(State& state, const Allowed& allowed) {
  const auto may_be_made = [&](const Operator& op) {
    if (!is_open(state, op)) return false;
    return !allowed ||
           look_at(state, op, [&](const Pdag& graph, const Key&) { return allowed(graph); });
  };
  for (const MoveKind kind : kinds) {
    const Ranking& ranking = state.rankings_[static_cast<std::size_t>(kind)];
    const Operator* op = ranking.first(state.gainful_, may_be_made);
    if (op != nullptr) return *op;
  }
  return std::nullopt;
}

}  // namespace h2pc
