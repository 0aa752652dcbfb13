#include "class_search.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "class_operators.hpp"
#include "exact_sum.hpp"

namespace h2pc {
namespace {

constexpr Pair nobody{-1, -1};
constexpr std::array kinds{MoveKind::remove, MoveKind::reverse, MoveKind::add};

using Operators = std::vector<Operator>;

// A class, and for every child what gains. Copies share the operators.
struct State {
  Pdag graph;
  std::vector<std::shared_ptr<const Operators>> gainful;
  Pair fixed = nobody;
  double gained = 0.0;  // since the last best graph
};

// The variables that have other edges than before.
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

// The children whose operators may be others after an edge of u and v has come, gone or turned: those
// that have other edges, neighbours of u and v, and where x has other parents what could turn x → child.
Bits changed_children(const Pdag& before, const Pdag& after, Var u, Var v) {
  const Bits variables = changed_variables(before, after);
  Bits children = variables;
  const auto mark_all = [&](BitSpan bits) {
    for (std::size_t i = 0; i < bits.size(); ++i) children[i] |= bits[i];
  };
  visit_bits(variables, [&](Var x) {
    if (std::ranges::equal(before.parents(x), after.parents(x))) return;
    mark_all(after.parents(x));
    mark_all(after.neighbours(x));
  });
  mark_all(after.neighbours(u));
  mark_all(after.neighbours(v));
  return children;
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

class ClassSearch {
 public:
  ClassSearch(const LocalScore& score, const SearchSpace& space, StopCheck& stop)
      : score_(score),
        space_(space),
        stop_(stop),
        pairs_(space),
        families_(score, pairs_, stop),
        due_variables_(pairs_.n_variables(), 1),
        due_pairs_(pairs_.n_variables(), 1) {
    if (static_cast<std::size_t>(score.n_variables()) != space.n_variables()) {
      throw std::invalid_argument("the score and the space must have the same variables");
    }
    if (!consistent_extension(pairs_.start())) {
      throw std::invalid_argument("the edges at the start make a cycle");
    }
    improve(pairs_.start());
  }

  // The start, with all that gains.
  State start() {
    State state{completed(*consistent_extension(pairs_.start())), {}};
    state.gainful.resize(pairs_.n_variables());
    for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) refresh(state, v);
    return state;
  }

  // Makes the best operator until none gains; whether there is a new best graph.
  bool climb(State& state) {
    // A score that differs between equivalent graphs could lead in a circle.
    std::unordered_set<Key, KeyHash> visited;
    try {
      while (visited.insert(key_of(state.graph)).second) {
        stop_.look();
        const std::optional<Operator> op = best(state);
        if (!op) break;
        make(state, *op);
      }
    } catch (const Stopped&) {
      improve(state.graph);
      throw;
    }
    if (!(state.gained > 0.0) || !improve(state.graph)) return false;
    state.gained = 0.0;
    return true;
  }

  // Takes all edges of one variable after the other away and climbs again, as long as that is of use;
  // whether it was.
  bool try_variables(State& state) {
    bool is_better = false;
    while (std::ranges::find(due_variables_, std::uint8_t{1}) != due_variables_.end()) {
      for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
        if (std::exchange(due_variables_[static_cast<std::size_t>(v)], std::uint8_t{0}) == 0)
          continue;
        State trial = state;
        clear(trial, v);
        is_better |= climb(trial) && keep(std::move(trial), state);
      }
    }
    return is_better;
  }

  // Joins one pair after the other, the cheapest first, and climbs again; whether that was of use.
  bool try_pairs(State& state) {
    bool is_better = false;
    const std::vector<Operator> insertions = due_insertions(state);
    std::ranges::fill(due_pairs_, std::uint8_t{0});
    for (const Operator& cheapest : insertions) {
      const Pair pair{cheapest.parent, cheapest.child};
      const std::optional<Operator> op = best_of_pair(state, MoveKind::add, pair);
      if (!op) continue;
      State trial = state;
      trial.fixed = pair;
      make(trial, *op);
      if (!climb(trial)) continue;
      trial.fixed = nobody;
      refresh(trial, pair.first);
      refresh(trial, pair.second);
      climb(trial);
      is_better |= keep(std::move(trial), state);
    }
    return is_better;
  }

  Found found(bool was_stopped) {
    return {best_,      best_score_, std::move(trail_), n_moves_to_best_, families_.n_scores(),
            was_stopped};
  }

 private:
  void refresh(State& state, Var child) {
    families_.make_room();
    state.gainful[static_cast<std::size_t>(child)] = std::make_shared<const Operators>(
        operators_of(child, state.graph, pairs_, families_, state.fixed, false));
  }

  // The open operator of the largest gain, of the first kind that has one.
  std::optional<Operator> best(const State& state) const {
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
        if (paths.is_open(*op)) return *op;
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

  void make(State& state, const Operator& op) {
    Pdag after = applied(op, state.graph);
    const Bits changed = changed_children(state.graph, after, op.parent, op.child);
    state.graph = std::move(after);
    state.gained += op.gain;
    const bool is_turn = op.kind == MoveKind::reverse;
    const Var parent = pairs_.in_space(op.parent), child = pairs_.in_space(op.child);
    trail_.push_back({op.kind, is_turn ? child : parent, is_turn ? parent : child});
    visit_bits(changed, [&](Var v) { refresh(state, v); });
  }

  // Deletes all edges of a variable that may go.
  void clear(State& state, Var v) {
    for (const Pairs::Partner& partner : pairs_.partners(v)) {
      const auto op = best_of_pair(state, MoveKind::remove, {v, partner.variable});
      if (op) make(state, *op);
    }
  }

  // Goes on from a better graph; what differs, and what is adjacent to that, is due for a trial.
  bool keep(State&& better, State& state) {
    const Bits changed = changed_variables(state.graph, better.graph);
    visit_bits(changed, [&](Var v) {
      for (const BitSpan bits : {BitSpan(changed), better.graph.parents(v),
                                 better.graph.children(v), better.graph.neighbours(v)}) {
        visit_bits(bits, [&](Var w) {
          due_variables_[static_cast<std::size_t>(w)] = due_pairs_[static_cast<std::size_t>(w)] = 1;
        });
      }
    });
    state = std::move(better);
    return true;
  }

  // The cheapest insertion of every pair that is due, sorted.
  Operators due_insertions(const State& state) {
    Operators found;
    for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
      for (const Pairs::Partner& partner : pairs_.partners(v)) {
        const Var w = partner.variable;
        const bool is_due = due_pairs_[static_cast<std::size_t>(v)] != 0 ||
                            due_pairs_[static_cast<std::size_t>(w)] != 0;
        if (w < v || !is_due) continue;
        if (auto op = best_of_pair(state, MoveKind::add, {v, w})) found.push_back(std::move(*op));
      }
    }
    std::ranges::sort(found, [](const Operator& a, const Operator& b) { return a.precedes(b); });
    return found;
  }

  // The best open operator of a kind between two variables, if there is one.
  std::optional<Operator> best_of_pair(const State& state, MoveKind kind, const Pair& pair) {
    if (state.graph.is_adjacent(pair.first, pair.second) == (kind == MoveKind::add)) return {};
    std::optional<Operator> found;
    PathCheck paths(state.graph);
    for (const auto& [x, y] : {pair, Pair{pair.second, pair.first}}) {
      for (Operator& op : operators_of(y, state.graph, pairs_, families_, nobody, true)) {
        if (op.kind != kind || op.parent != x || (found && !op.precedes(*found))) continue;
        if (paths.is_open(op)) found = std::move(op);
      }
    }
    return found;
  }

  bool improve(const Pdag& graph) {
    const auto extension = consistent_extension(graph);
    std::vector<Vars> sets(space_.n_variables());
    for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
      visit_bits(extension->dag.parents(v), [&](Var u) {
        sets[static_cast<std::size_t>(pairs_.in_space(v))].push_back(pairs_.in_space(u));
      });
    }
    ExactSum sum;
    for (std::size_t v = 0; v < sets.size(); ++v)
      sum.add(score_.family(static_cast<Var>(v), sets[v]));
    if (!(sum.rounded() > best_score_)) return false;
    best_ = std::move(sets);
    best_score_ = sum.rounded();
    n_moves_to_best_ = trail_.size();
    return true;
  }

  const LocalScore& score_;
  const SearchSpace& space_;
  StopCheck& stop_;
  Pairs pairs_;
  Families families_;
  std::vector<Move> trail_;
  std::vector<Vars> best_;
  double best_score_ = -std::numeric_limits<double>::infinity();
  std::size_t n_moves_to_best_ = 0;
  std::vector<std::uint8_t> due_variables_, due_pairs_;  // for a trial, as others have changed
};

}  // namespace

Found class_search(const LocalScore& score, const SearchSpace& space, Trials trials,
                   StopCheck stop) {
  ClassSearch search(score, space, stop);
  try {
    State state = search.start();
    search.climb(state);
    if (trials == Trials::variables) search.try_variables(state);
    if (trials == Trials::variables_and_pairs) {
      do search.try_variables(state);
      while (search.try_pairs(state));
    }
  } catch (const Stopped&) {
    return search.found(true);
  }
  return search.found(false);
}

}  // namespace h2pc
