#include "class_alternatives.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace h2pc {
namespace {

// What a climb may win back after an insertion: with three times as much, the ten best alternatives to
// twelve graphs learned from samples of five networks are the same.
constexpr double most_won_back = 20.0;
// Insertions that are tried, the cheapest first: all pairs of 63 variables.
constexpr std::size_t most_insertions = 2000;
// Operators of a kind that a pair is tried with. They differ in the directions of other edges.
constexpr std::size_t most_ways = 4;

// The directions that a space allows.
class Directions {
 public:
  explicit Directions(const SearchSpace& space) : allowed_(space.n_places()) {
    const auto allow = [&](Var parent, Var child) {
      const Var u = space.place(parent), v = space.place(child);
      if (allowed_.has_arrow(v, u)) {
        allowed_.add_line(u, v);
      } else if (!allowed_.has_line(u, v)) {
        allowed_.add_arrow(u, v);
      }
    };
    for (std::size_t e = 0; e < space.edges().size(); ++e) {
      if (space.may_come(e)) allow(space.edges()[e].parent, space.edges()[e].child);
    }
    for (const std::size_t e : space.start())
      allow(space.edges()[e].parent, space.edges()[e].child);
    for (Var v = 0; v < static_cast<Var>(space.n_variables()); ++v) {
      for (const Var parent : space.required(v))
        allowed_.add_arrow(space.place(parent), space.place(v));
    }
    for (Var v = 0; v < static_cast<Var>(allowed_.n_variables()); ++v)
      are_free_ &= allowed_.parents(v).empty();
  }

  // A member of the class whose edges are all allowed, if there is one.
  std::optional<Extension> member(const Pdag& graph) const {
    if (are_free_) return consistent_extension(graph);
    Pdag directed = graph;
    for (Var v = 0; v < static_cast<Var>(graph.n_variables()); ++v) {
      bool is_allowed = true;
      for (const Var u : graph.parents(v)) is_allowed &= allows(u, v);
      for (const Var u : graph.neighbours(v)) {
        if (!allows(v, u)) directed.add_arrow(u, v);
        is_allowed &= allows(u, v) || allows(v, u);
      }
      if (!is_allowed) return std::nullopt;
    }
    std::optional<Extension> found = consistent_extension(directed);
    // The directions may have made a new v-structure.
    if (found && completed(*found) != graph) found.reset();
    return found;
  }

  bool are_free() const { return are_free_; }

 private:
  bool allows(Var u, Var v) const { return allowed_.has_line(u, v) || allowed_.has_arrow(u, v); }

  Pdag allowed_;  // a line where both directions are
  bool are_free_ = true;
};

// An alternative, and the pair and the kind of move that it was found by.
struct Candidate {
  ScoredGraph graph;
  Pair pair;
  MoveKind kind;

  bool precedes(const Candidate& other) const {
    if (graph.score != other.graph.score) return graph.score > other.graph.score;
    return std::tie(pair, kind) < std::tie(other.pair, other.kind);
  }
};

class AlternativeSearch {
 public:
  AlternativeSearch(const LocalScore& score, const SearchSpace& space, std::size_t number,
                    double max_loss, StopCheck& stop)
      : climber_(score, space, stop),
        directions_(space),
        number_(number),
        least_(climber_.score_of(*consistent_extension(climber_.pairs().start())) - max_loss) {}

  void run() {
    State best = climber_.start();
    seen_.insert(best.key());
    climber_.climb(best, allowed_among_all());
    keep(best, nobody, MoveKind::add);
    const double score = climber_.score_of(*directions_.member(best.graph()));
    for (Var v = 0; v < static_cast<Var>(climber_.pairs().n_variables()); ++v) {
      for (const Pairs::Partner& partner : climber_.pairs().partners(v)) {
        if (partner.variable < v) continue;
        look_at(best, {v, partner.variable}, MoveKind::remove);
        look_at(best, {v, partner.variable}, MoveKind::reverse);
      }
    }
    for (const Operator& op : insertions(best)) {
      if (score + op.gain + most_won_back < least_to_keep()) break;
      look_at(best, std::minmax(op.parent, op.child), MoveKind::add);
    }
  }

  std::vector<ScoredGraph> found() {
    std::vector<ScoredGraph> graphs;
    for (Candidate& candidate : kept_) graphs.push_back(std::move(candidate.graph));
    return graphs;
  }

 private:
  Allowed allowed_among_all() const {
    if (directions_.are_free()) return {};
    return [this](const Pdag& graph) { return directions_.member(graph).has_value(); };
  }

  // Changes what joins a pair, and climbs without taking that back; the state is the same in the end.
  void look_at(State& best, const Pair& pair, MoveKind kind) {
    Allowed allowed = allowed_among_all();
    if (kind == MoveKind::reverse) {
      const auto [u, v] = pair;
      const bool leads_to_v = best.graph().has_arrow(u, v),
                 leads_to_u = best.graph().has_arrow(v, u);
      allowed = [u, v, leads_to_u, leads_to_v, legal = std::move(allowed)](const Pdag& graph) {
        const bool is_turned =
            graph.has_arrow(u, v) != leads_to_v || graph.has_arrow(v, u) != leads_to_u;
        return is_turned && (!legal || legal(graph));
      };
    }
    std::unordered_set<Key, KeyHash> tried;
    for (const Operator& op : climber_.operators_of_pair(best, kind, pair)) {
      if (tried.size() >= most_ways) break;
      const bool is_of_use = climber_.look_at(best, op, [&](const Pdag& after, const Key& key) {
        return tried.insert(key).second && (!allowed || allowed(after));
      });
      if (!is_of_use) continue;
      Trial trial(best);
      best.fixed = pair;
      climber_.make(best, op);
      climber_.climb(best, allowed);
      keep(best, pair, kind);
      trial.take_back();
    }
  }

  // Every insertion that is open, that of the largest gain first, and every pair once.
  Operators insertions(const State& state) {
    Operators found;
    Marks have(state.graph().n_variables());
    for (Var child = 0; child < static_cast<Var>(state.graph().n_variables()); ++child) {
      have.clear();
      for (Operator& op : climber_.operators(state, child)) {
        if (op.kind != MoveKind::add || have.has(op.parent) || !climber_.is_open(state, op))
          continue;
        have.insert(op.parent);
        found.push_back(std::move(op));
      }
    }
    std::ranges::sort(found, [](const Operator& a, const Operator& b) { return a.precedes(b); });
    std::set<Pair> pairs;
    std::erase_if(found, [&](const Operator& op) {
      return !pairs.insert(std::minmax(op.parent, op.child)).second;
    });
    if (found.size() > most_insertions) found.erase(found.begin() + most_insertions, found.end());
    return found;
  }

  double least_to_keep() const {
    return kept_.size() < number_ ? least_ : std::max(least_, kept_.back().graph.score);
  }

  void keep(const State& state, const Pair& pair, MoveKind kind) {
    if (!seen_.insert(state.key()).second) return;
    const Extension dag = *directions_.member(state.graph());
    if (climber_.score_of(dag) < least_) return;
    Candidate candidate{climber_.scored(dag), pair, kind};
    const auto place = std::ranges::upper_bound(
        kept_, candidate, [](const Candidate& a, const Candidate& b) { return a.precedes(b); });
    kept_.insert(place, std::move(candidate));
    if (kept_.size() > number_) kept_.pop_back();
  }

  Climber climber_;
  Directions directions_;
  std::size_t number_;
  double least_;  // score of an alternative
  std::unordered_set<Key, KeyHash> seen_;
  std::vector<Candidate> kept_;  // sorted
};

}  // namespace

Alternatives class_alternatives(const LocalScore& score, const SearchSpace& space,
                                std::size_t number, double max_loss, StopCheck stop) {
  AlternativeSearch search(score, space, number, max_loss, stop);
  bool was_stopped = false;
  try {
    if (number > 0) search.run();
  } catch (const Stopped&) {
    was_stopped = true;
  }
  return {search.found(), was_stopped};
}

}  // namespace h2pc
