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

bool are_equal(BitSpan one, BitSpan two) { return std::ranges::equal(one, two); }

// The children whose operators differ in two classes, the edge between u and v apart: those that have
// other edges, or of whose neighbours one has. A change of the parents of x concerns the turns of its
// edges.
Bits changed_children(const Pdag& before, const Pdag& after, Var u, Var v) {
  Bits changed(after.n_words(), 0);
  const auto mark_all = [&](BitSpan bits) {
    for (std::size_t i = 0; i < bits.size(); ++i) changed[i] |= bits[i];
  };
  for (Var w = 0; w < static_cast<Var>(after.n_variables()); ++w) {
    const bool keeps_parents = are_equal(before.parents(w), after.parents(w));
    if (keeps_parents && are_equal(before.children(w), after.children(w)) &&
        are_equal(before.neighbours(w), after.neighbours(w))) {
      continue;
    }
    set_bit(changed, w);
    if (keeps_parents) continue;
    mark_all(after.parents(w));
    mark_all(after.neighbours(w));
  }
  for (const Var w : {u, v}) mark_all(after.neighbours(w));
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

class ClassSearch {
 public:
  ClassSearch(const LocalScore& score, const SearchSpace& space, StopCheck& stop)
      : score_(score), space_(space), stop_(stop), pairs_(space), families_(score, pairs_, stop) {
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

  // Tries every edge without, those first whose deletion costs least; whether that was of use.
  bool try_without(State& state) {
    bool is_better = false;
    Operators deletions = all_deletions(state);
    std::vector<Pair> seen;
    for (const Operator& op : deletions) {
      const Pair pair = std::minmax(op.parent, op.child);
      if (std::ranges::find(seen, pair) != seen.end()) continue;
      seen.push_back(pair);
      const std::optional<Operator> deletion = deletion_of(state, pair);
      if (!deletion) continue;
      State trial = state;
      trial.fixed = pair;
      make(trial, *deletion);
      if (!climb(trial)) continue;
      trial.fixed = nobody;
      refresh(trial, pair.first);
      refresh(trial, pair.second);
      climb(trial);
      state = std::move(trial);
      is_better = true;
    }
    return is_better;
  }

  bool try_with(State& state) {
    bool is_better = false;
    std::vector<std::pair<double, Pair>> losses;
    for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
      for (const auto& partner : pairs_.partners(v)) {
        if (partner.variable < v || !partner.may_join ||
            state.graph.is_adjacent(v, partner.variable))
          continue;
        if (const auto op = insertion_of(state, {v, partner.variable}))
          losses.emplace_back(-op->gain, Pair{v, partner.variable});
      }
    }
    std::ranges::sort(losses);
    for (const auto& [loss, pair] : losses) {
      if (state.graph.is_adjacent(pair.first, pair.second)) continue;
      const std::optional<Operator> insertion = insertion_of(state, pair);
      if (!insertion) continue;
      State trial = state;
      trial.fixed = pair;
      make(trial, *insertion);
      if (!climb(trial)) continue;
      trial.fixed = nobody;
      refresh(trial, pair.first);
      refresh(trial, pair.second);
      climb(trial);
      state = std::move(trial);
      is_better = true;
    }
    return is_better;
  }
  std::optional<Operator> insertion_of(const State& state, const Pair& pair) {
    std::optional<Operator> found;
    PathCheck paths(state.graph);
    const auto look = [&](Var x, Var y) {
      for (Operator& op : operators_of(y, state.graph, pairs_, families_, nobody, true)) {
        if (op.kind != MoveKind::add || op.parent != x) continue;
        if ((!found || op.precedes(*found)) && paths.is_open(op)) found = std::move(op);
      }
    };
    look(pair.first, pair.second);
    look(pair.second, pair.first);
    return found;
  }

  // Takes the edges of one variable after the other away, those of its neighbours as well if `wide`,
  // and climbs again; whether that was of use.
  bool try_anew(State& state, bool wide) {
    bool is_better = false;
    for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
      State trial = state;
      Vars some{v};
      if (wide) {
        visit_bits(state.graph.parents(v), [&](Var u) { some.push_back(u); });
        visit_bits(state.graph.neighbours(v), [&](Var u) { some.push_back(u); });
        visit_bits(state.graph.children(v), [&](Var u) { some.push_back(u); });
      }
      for (const Var w : some) clear(trial, w);
      if (trial.graph == state.graph || !climb(trial)) continue;
      state = std::move(trial);
      is_better = true;
    }
    return is_better;
  }

  // Deletes all edges of a variable that may go.
  void clear(State& state, Var v) {
    for (const Pairs::Partner& partner : pairs_.partners(v)) {
      if (!state.graph.is_adjacent(v, partner.variable)) continue;
      const auto op = deletion_of(state, std::minmax(v, partner.variable));
      if (op) make(state, *op);
    }
  }

  // Makes random operators.
  void perturb(State& state, std::int64_t n_moves, MersenneTwister& dice) {
    const std::size_t n = pairs_.n_variables();
    std::int64_t n_vain = 0;
    while (n_moves > 0 && n_vain < static_cast<std::int64_t>(n)) {
      stop_.look();
      const auto child = static_cast<Var>(dice.below(n));
      Operators all = operators_of(child, state.graph, pairs_, families_, nobody, true);
      std::array<Operators, kinds.size()> of_kind;
      for (Operator& op : all) of_kind[static_cast<std::size_t>(op.kind)].push_back(std::move(op));
      std::vector<const Operators*> options;
      for (const Operators& some : of_kind) {
        if (!some.empty()) options.push_back(&some);
      }
      if (options.empty()) {
        n_vain += 1;
        continue;
      }
      const Operators& some = *options[dice.below(options.size())];
      const Operator& op = some[dice.below(some.size())];
      if (!PathCheck(state.graph).is_open(op)) {
        n_vain += 1;
        continue;
      }
      make(state, op);
      n_vain = 0;
      n_moves -= 1;
    }
  }

  std::int64_t n_perturbations(const Restarts& restarts) const {
    std::size_t n_edges = 0;
    for (const Vars& parents : best_) n_edges += parents.size();
    return restarts.perturbations.value_or(
        std::max<std::int64_t>(10, static_cast<std::int64_t>(n_edges / 2)));
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

  Operators all_deletions(const State& state) {
    Operators found;
    for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
      for (Operator& op : operators_of(v, state.graph, pairs_, families_, nobody, true)) {
        if (op.kind == MoveKind::remove) found.push_back(std::move(op));
      }
    }
    std::ranges::sort(found, [](const Operator& a, const Operator& b) { return a.precedes(b); });
    return found;
  }

  // The best deletion of an edge, if it is there and may go.
  std::optional<Operator> deletion_of(const State& state, const Pair& pair) {
    std::optional<Operator> found;
    const auto look = [&](Var x, Var y) {
      for (Operator& op : operators_of(y, state.graph, pairs_, families_, nobody, true)) {
        if (op.kind != MoveKind::remove || op.parent != x) continue;
        if (!found || op.precedes(*found)) found = std::move(op);
      }
    };
    look(pair.first, pair.second);
    look(pair.second, pair.first);
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
};

}  // namespace

Found class_search(const LocalScore& score, const SearchSpace& space, const ClassSettings& settings,
                   StopCheck stop) {
  ClassSearch search(score, space, stop);
  try {
    State summit = search.start();
    search.climb(summit);
    const auto try_all = [&](State& state) {
      for (bool again = true; again;) {
        again = false;
        if (settings.tries_without & 1) while (search.try_without(state)) again=true;
        if (settings.tries_without & 2) while (search.try_anew(state,false)) again=true;
        if (settings.tries_without & 4) while (search.try_anew(state,true)) again=true;
        if (settings.tries_without & 8) while (search.try_with(state)) again=true;
        if ((settings.tries_without) == 8 || (settings.tries_without & 7) == 1 || (settings.tries_without & 7) == 2 ||(settings.tries_without & 7) == 4) again=false;
      }
    };
    try_all(summit);
    MersenneTwister dice(settings.restarts.seed);
    for (std::int64_t i = 0; i < settings.restarts.number; ++i) {
      State state = summit;
      search.perturb(state, search.n_perturbations(settings.restarts), dice);
      if (!search.climb(state)) continue;
      summit = std::move(state);
      try_all(summit);
    }
  } catch (const Stopped&) {
    return search.found(true);
  }
  return search.found(false);
}

}  // namespace h2pc
