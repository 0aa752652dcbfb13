#include "class_search.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "class_climb.hpp"

namespace h2pc {
namespace {

// With 1,000 instead, distances to 20 networks were nearly the same, for up to twice the time.
constexpr std::size_t most_pairs = 100;
// Moves of trials: so many for every move before them, and some more. Trials of five networks need at
// most 10 for every move; where variables follow a few hidden ones they would need 45, and a minute.
constexpr std::size_t moves_for_each = 10, moves_in_any_case = 2000;

class ClassSearch {
 public:
  ClassSearch(const LocalScore& score, const SearchSpace& space, StopCheck& stop)
      : climber_(score, space, stop),
        pairs_(climber_.pairs()),
        stop_(stop),
        n_due_(pairs_.n_variables()),
        due_variables_(n_due_, 1),
        due_pairs_(n_due_, 1) {
    improve(*consistent_extension(pairs_.start()));
  }

  State start() { return climber_.start(); }

  // Climbs to where nothing gains; whether there is a new best graph.
  bool climb(State& state) {
    try {
      climber_.climb(state);
    } catch (const Stopped&) {
      improve(*consistent_extension(state.graph()));
      throw;
    }
    // With other parents of the same class, a score that is not equal for them may seem to gain.
    if (!(state.gained > 0.0) || state.key() == best_key_) return false;
    if (!improve(*consistent_extension(state.graph()))) return false;
    best_key_ = state.key();
    state.gained = 0.0;
    return true;
  }

  // From here on, moves are those of trials, and their number is limited.
  void limit_moves() {
    climber_.stop_counting();
    most_moves_ = (moves_for_each + 1) * climber_.trail().size() + moves_in_any_case;
  }

  // Takes all edges of one variable after the other away and climbs again, as long as that is of use;
  // whether it was.
  bool try_variables(State& state) {
    bool is_better = false;
    expect(n_due_);
    while (n_due_ > 0) {
      for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
        if (std::exchange(due_variables_[static_cast<std::size_t>(v)], std::uint8_t{0}) == 0)
          continue;
        n_due_ -= 1;
        stop_.progress.done += 1;
        if (climber_.trail().size() >= most_moves_) return is_better;
        Trial trial(state);
        clear(state, v);
        if (climb(state)) {
          keep(trial, state);
          expect(n_due_);
          is_better = true;
        } else {
          trial.take_back();
        }
      }
    }
    return is_better;
  }

  // Joins one pair after the other, the cheapest first, and climbs again; whether that was of use.
  bool try_pairs(State& state) {
    bool is_better = false;
    std::vector<Operator> insertions = due_insertions(state);
    if (insertions.size() > most_pairs) insertions.resize(most_pairs);
    std::ranges::fill(due_pairs_, std::uint8_t{0});
    expect(insertions.size());
    for (const Operator& cheapest : insertions) {
      stop_.progress.done += 1;
      const Pair pair{cheapest.parent, cheapest.child};
      const std::optional<Operator> op = climber_.best_of_pair(state, MoveKind::add, pair);
      if (!op) continue;
      if (climber_.trail().size() >= most_moves_) return false;
      Trial trial(state);
      state.fixed = pair;
      climber_.make(state, *op);
      if (!climb(state)) {
        trial.take_back();
        continue;
      }
      state.fixed = nobody;
      climber_.refresh(state, pair.first);
      climber_.refresh(state, pair.second);
      climb(state);
      keep(trial, state);
      is_better = true;
    }
    return is_better;
  }

  Found found(bool was_stopped) {
    return {best_.parent_sets, best_.score,         climber_.trail(),
            n_moves_to_best_,  climber_.n_scores(), was_stopped};
  }

 private:
  // So many steps are left, as far as is known.
  void expect(std::size_t n_steps) {
    stop_.progress.expected = stop_.progress.done + static_cast<std::int64_t>(n_steps);
  }

  // Deletes all edges of a variable that may go.
  void clear(State& state, Var v) {
    for (const Pairs::Partner& partner : pairs_.partners(v)) {
      const auto op = climber_.best_of_pair(state, MoveKind::remove, {v, partner.variable});
      if (op) climber_.make(state, *op);
    }
  }

  // Goes on from a better graph; what differs, and what is adjacent to that, is due for a trial.
  void keep(const Trial& trial, const State& state) {
    const Vars changed = trial.changed_variables();
    const Pdag& graph = state.graph();
    const auto are_due = [&](const Vars& variables) {
      for (const Var v : variables) {
        const auto i = static_cast<std::size_t>(v);
        n_due_ += due_variables_[i] == 0 ? 1 : 0;
        due_variables_[i] = due_pairs_[i] = 1;
      }
    };
    are_due(changed);
    for (const Var v : changed) {
      are_due(graph.parents(v));
      are_due(graph.children(v));
      are_due(graph.neighbours(v));
    }
  }

  // The cheapest insertion of every pair that is due, sorted.
  Operators due_insertions(const State& state) {
    std::map<Pair, Operator> cheapest;
    for (Var v = 0; v < static_cast<Var>(pairs_.n_variables()); ++v) {
      if (!is_due(v)) continue;
      for (Operator& op : climber_.operators(state, v)) {
        if (op.kind != MoveKind::add || (!is_due_pair(v) && !is_due_pair(op.parent))) continue;
        const auto found = cheapest.find(std::minmax(op.parent, v));
        if (found != cheapest.end() && found->second.precedes(op)) continue;
        if (climber_.is_open(state, op))
          cheapest.insert_or_assign(std::minmax(op.parent, v), std::move(op));
      }
    }
    Operators found;
    for (auto& [pair, op] : cheapest) found.push_back(std::move(op));
    std::ranges::sort(found, [](const Operator& a, const Operator& b) { return a.precedes(b); });
    return found;
  }

  bool is_due_pair(Var v) const { return due_pairs_[static_cast<std::size_t>(v)] != 0; }
  // Whether a variable is in a pair that is due.
  bool is_due(Var v) const {
    return is_due_pair(v) || std::ranges::any_of(pairs_.partners(v), [&](const auto& partner) {
             return is_due_pair(partner.variable);
           });
  }

  bool improve(const Extension& dag) {
    if (!(climber_.score_of(dag) > best_.score)) return false;
    best_ = climber_.scored(dag);
    n_moves_to_best_ = climber_.trail().size();
    return true;
  }

  Climber climber_;
  const Pairs& pairs_;
  StopCheck& stop_;
  std::optional<Key> best_key_;  // of the class of the best graph, unless that is the start
  ScoredGraph best_{{}, -std::numeric_limits<double>::infinity()};
  std::size_t n_moves_to_best_ = 0, most_moves_ = 0;
  std::size_t n_due_;                                    // variables
  std::vector<std::uint8_t> due_variables_, due_pairs_;  // for a trial, as others have changed
};

}  // namespace

Found class_search(const LocalScore& score, const SearchSpace& space, Trials trials,
                   StopCheck stop) {
  ClassSearch search(score, space, stop);
  try {
    State state = search.start();
    search.climb(state);
    search.limit_moves();
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
