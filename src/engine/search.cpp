#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "edge_keys.hpp"
#include "exact_sum.hpp"
#include "random.hpp"
#include "reachability.hpp"

namespace h2pc {
namespace {

constexpr double no_gain = -std::numeric_limits<double>::infinity();
constexpr std::size_t most_families = std::size_t{1} << 18;  // whose variants' scores are kept

// Gains of edges. The largest of every block of them is kept, and found anew where it has gone.
class Gains {
 public:
  explicit Gains(std::size_t n_edges)
      : gains_(n_edges, no_gain),
        largest_((n_edges + block - 1) / block, no_gain),
        is_stale_(largest_.size(), 0) {}

  std::size_t n_blocks() const { return largest_.size(); }
  std::size_t begin(std::size_t b) const { return b * block; }
  std::size_t end(std::size_t b) const { return std::min((b + 1) * block, gains_.size()); }
  double operator[](std::size_t e) const { return gains_[e]; }

  void set(std::size_t e, double gain) {
    const double before = std::exchange(gains_[e], gain);
    const std::size_t b = e / block;
    if (gain >= largest_[b]) {
      largest_[b] = gain;
    } else if (before == largest_[b]) {
      is_stale_[b] = 1;
    }
  }

  double largest(std::size_t b) {
    if (std::exchange(is_stale_[b], std::uint8_t{0}) != 0) {
      double largest = no_gain;
      for (std::size_t e = begin(b); e < end(b); ++e) largest = std::max(largest, gains_[e]);
      largest_[b] = largest;
    }
    return largest_[b];
  }

 private:
  static constexpr std::size_t block = 64;

  std::vector<double> gains_, largest_;
  std::vector<std::uint8_t> is_stale_;  // blocks whose largest gain is smaller than that
};

// The keys of the last graphs.
class TabuList {
 public:
  explicit TabuList(std::int64_t size)
      : size_(static_cast<std::size_t>(std::max<std::int64_t>(size, 0))) {}

  bool contains(const Key& key) const { return keys_.contains(key); }

  // Adds a key that is not in the list; the oldest makes room.
  void add(const Key& key) {
    order_.push_back(key);
    keys_.insert(key);
    if (order_.size() <= size_) return;
    keys_.erase(order_.front());
    order_.pop_front();
  }

 private:
  std::size_t size_;
  std::deque<Key> order_;
  std::unordered_set<Key, KeyHash> keys_;
};

// Whether a + b is rounded.
bool is_rounded(double a, double b, double sum) {
  if (std::abs(a) < std::abs(b)) std::swap(a, b);
  return b - (sum - a) != 0.0;
}

// The scores of families after one change, shared by all walks of a search.
class Memo {
 public:
  Memo(const LocalScore& score, StopCheck& stop) : score_(score), stop_(stop) {}

  // Scores are counted anew from here on, also those that are known.
  void begin() {
    epoch_ += 1;
    if (known_.size() >= most_families) known_.clear();
  }
  void count(std::size_t n) { n_scores_ += static_cast<std::int64_t>(n); }
  std::int64_t n_scores() const { return n_scores_; }

  // Scores after every change; `ask()` calls the score where they are not known. Valid until the next.
  template <class Ask>
  const std::vector<double>& changed(const Key& family, Ask&& ask) {
    const auto found = known_.find(family);
    if (found != known_.end()) {
      Entry& entry = found->second;
      if (entry.epoch != epoch_) count(entry.scores.size());
      entry.epoch = epoch_;
      return entry.scores;
    }
    stop_.look();
    std::vector<double> scores = ask(score_, stop_);
    count(scores.size());
    if (known_.size() < most_families) {
      return known_.try_emplace(family, Entry{std::move(scores), epoch_}).first->second.scores;
    }
    last_ = std::move(scores);
    return last_;
  }

 private:
  struct Entry {
    std::vector<double> scores;
    std::int64_t epoch;
  };

  const LocalScore& score_;
  StopCheck& stop_;
  std::int64_t epoch_ = 0;
  std::int64_t n_scores_ = 0;
  std::unordered_map<Key, Entry, KeyHash> known_;
  std::vector<double> last_;
};

// A graph: the edges of the space that are there, and the scores of its families.
struct Graph {
  std::vector<std::size_t> edges;  // their numbers, sorted
  std::vector<double> families;
};

struct Step {
  MoveKind kind = MoveKind::add;
  std::size_t edge = SearchSpace::none;
  double gain = no_gain;
};

// A graph that changes move by move, and what every legal move from it gains. Copies share the scores
// that are known.
class GainTable {
 public:
  GainTable(const SearchSpace& space, Memo& memo, Graph graph);

  // The graph when `mark` was called last.
  Graph marked() const;
  void mark() { since_mark_.clear(); }
  double score() const { return score_; }
  const Key& key() const { return key_; }

  // The legal move of the largest gain to a graph that is not on the list, if there is one.
  std::optional<Step> best(const TabuList& visited);

  // A legal move, if there is one: the dice decide on its kind, then on its edge.
  std::optional<Step> random_step(MersenneTwister& dice);

  Move make(const Step& step);

 private:
  Var place(Var v) const { return space_->place(v); }
  const SearchSpace::Edge& edge(std::size_t e) const { return space_->edges()[e]; }
  double reversal_gain(std::size_t e) const {
    const std::size_t other = space_->opposite(e);
    return other == SearchSpace::none ? no_gain : change_[e] + change_[other];
  }
  bool has_opposite(std::size_t e) const {
    const std::size_t other = space_->opposite(e);
    return other != SearchSpace::none && is_there_[other] != 0;
  }
  // Whether adding the edge would close a cycle, or reversing it if it is there.
  bool closes_cycle(std::size_t e) {
    if (closed_at_[e] == n_removals_) return true;  // as long as no edge goes
    const Var u = place(edge(e).parent), v = place(edge(e).child);
    if (is_there_[e] != 0 ? !paths_.has_detour(u, v) : !paths_.has_path(v, u)) return false;
    closed_at_[e] = n_removals_;
    return true;
  }
  Key key_after_reversal(std::size_t e) const {
    const auto [parent, child] = edge(e);
    return key_ ^ word_of(parent, child) ^ word_of(child, parent);
  }

  Vars parents_of(Var child) const;
  void set_edge(std::size_t e, bool is_there);
  void toggle(std::size_t e);
  void refresh(Var child);
  void set_gain(std::size_t e, double gain);
  void add_up();
  void forget_cycles(Var parent);
  void find_cycles();

  const SearchSpace* space_;
  Memo* memo_;
  Graph graph_;
  double score_ = 0.0;
  bool score_is_exact_ = false;  // not rounded, so that a change can be added to it
  Key key_;
  Reachability paths_;
  std::vector<std::uint8_t> is_there_;
  std::uint32_t n_removals_ = 1;
  std::vector<std::uint32_t> closed_at_;  // the number of removals when the edge closed a cycle
  std::vector<double> change_;  // what the edge gains if it comes or goes; no_gain if it cannot
  Gains singles_;               // the same, but no_gain also if its opposite is there
  Gains turns_;                 // what the reversal of the edge gains; no_gain if it is not there
  std::vector<double> after_;   // the score of its family then
  std::vector<Key> family_keys_;
  std::vector<std::int64_t> n_parents_;

  struct Change {
    std::size_t edge;
    double family;  // the score before
  };
  std::vector<Change> since_mark_;

  // For random steps: whether each edge would close a cycle, and the children that need a new look.
  std::vector<std::uint8_t> closes_;
  std::vector<std::uint8_t> is_stale_;
  Vars stale_;
};

GainTable::GainTable(const SearchSpace& space, Memo& memo, Graph graph)
    : space_(&space),
      memo_(&memo),
      graph_(std::move(graph)),
      paths_(space.n_places()),
      is_there_(space.edges().size(), 0),
      closed_at_(space.edges().size(), 0),
      change_(space.edges().size(), no_gain),
      singles_(space.edges().size()),
      turns_(space.edges().size()),
      after_(space.edges().size(), no_gain) {
  const auto n = static_cast<Var>(space.n_variables());
  memo_->begin();
  memo_->count(space.n_variables());
  for (Var v = 0; v < n; ++v) {
    for (const Var parent : space.required(v)) paths_.add_edge(place(parent), place(v));
    family_keys_.push_back(word_of(v, v));  // no edge
    n_parents_.push_back(static_cast<std::int64_t>(space.required(v).size()));
  }
  for (const std::size_t e : graph_.edges) {
    paths_.add_edge(place(edge(e).parent), place(edge(e).child));
    set_edge(e, true);
  }
  add_up();
  for (Var v = 0; v < n; ++v) refresh(v);
}

std::optional<Step> GainTable::best(const TabuList& visited) {
  Step best;
  for (std::size_t b = 0; b < singles_.n_blocks(); ++b) {
    if (!(singles_.largest(b) > best.gain)) continue;
    for (std::size_t e = singles_.begin(b); e < singles_.end(b); ++e) {
      if (!(singles_[e] > best.gain)) continue;
      if (is_there_[e] == 0 && closes_cycle(e)) continue;
      if (visited.contains(key_ ^ word_of(edge(e).parent, edge(e).child))) continue;
      best = {is_there_[e] != 0 ? MoveKind::remove : MoveKind::add, e, singles_[e]};
    }
  }
  for (std::size_t b = 0; b < turns_.n_blocks(); ++b) {
    const double largest = turns_.largest(b);
    if (!(largest >= best.gain && largest > no_gain)) continue;
    for (std::size_t e = turns_.begin(b); e < turns_.end(b); ++e) {
      const double gain = turns_[e];
      if (!(gain > best.gain || (gain == best.gain && e < best.edge && gain > no_gain))) continue;
      if (closes_cycle(e) || visited.contains(key_after_reversal(e))) continue;
      best = {MoveKind::reverse, e, gain};
    }
  }
  if (best.edge == SearchSpace::none) return std::nullopt;
  return best;
}

std::optional<Step> GainTable::random_step(MersenneTwister& dice) {
  find_cycles();
  std::vector<std::size_t> additions, reversals;
  for (std::size_t e = 0; e < change_.size(); ++e) {
    if (is_there_[e] == 0 && change_[e] > no_gain && closes_[e] == 0) additions.push_back(e);
  }
  std::vector<std::size_t> deletions;
  for (const std::size_t e : graph_.edges) {
    if (change_[e] > no_gain) deletions.push_back(e);
    if (reversal_gain(e) > no_gain && !closes_cycle(e)) reversals.push_back(e);
  }
  std::vector<std::pair<MoveKind, const std::vector<std::size_t>*>> options;
  if (!additions.empty()) options.emplace_back(MoveKind::add, &additions);
  if (!deletions.empty()) options.emplace_back(MoveKind::remove, &deletions);
  if (!reversals.empty()) options.emplace_back(MoveKind::reverse, &reversals);
  if (options.empty()) return std::nullopt;
  const auto& [kind, edges] = options[dice.below(options.size())];
  return Step{kind, (*edges)[dice.below(edges->size())], 0.0};
}

Move GainTable::make(const Step& step) {
  const auto [parent, child] = edge(step.edge);
  toggle(step.edge);
  if (step.kind == MoveKind::reverse) toggle(space_->opposite(step.edge));
  refresh(child);
  if (step.kind == MoveKind::reverse) refresh(parent);
  return {step.kind, parent, child};
}

// The parents of a variable now, sorted.
Vars GainTable::parents_of(Var child) const {
  Vars parents = space_->required(child);
  for (const std::size_t e : space_->into(child)) {
    if (is_there_[e] != 0) parents.push_back(edge(e).parent);
  }
  std::ranges::sort(parents);
  return parents;
}

Graph GainTable::marked() const {
  Graph graph = graph_;
  for (auto change = since_mark_.rbegin(); change != since_mark_.rend(); ++change) {
    const auto found = std::ranges::lower_bound(graph.edges, change->edge);
    if (found != graph.edges.end() && *found == change->edge) {
      graph.edges.erase(found);
    } else {
      graph.edges.insert(found, change->edge);
    }
    graph.families[static_cast<std::size_t>(edge(change->edge).child)] = change->family;
  }
  return graph;
}

// A random step needs to know of all edges whether they close a cycle: what leads to `parent` leads
// to more or less now.
void GainTable::forget_cycles(Var parent) {
  if (closes_.empty()) return;
  for (const Var v : paths_.above(place(parent))) {
    if (std::exchange(is_stale_[static_cast<std::size_t>(v)], std::uint8_t{1}) == 0)
      stale_.push_back(v);
  }
}

void GainTable::find_cycles() {
  if (closes_.empty()) {
    closes_.assign(is_there_.size(), 0);
    is_stale_.assign(space_->n_places(), 1);
    for (Var v = 0; v < static_cast<Var>(space_->n_places()); ++v) stale_.push_back(v);
  }
  for (const Var v : stale_) {
    is_stale_[static_cast<std::size_t>(v)] = 0;
    paths_.below(v);
    for (const std::size_t e : space_->into(space_->at_place(v)))
      closes_[e] = paths_.is_reached(place(edge(e).parent)) ? 1 : 0;
  }
  stale_.clear();
}

void GainTable::set_edge(std::size_t e, bool is_there) {
  const auto [parent, child] = edge(e);
  const Key word = word_of(parent, child);
  is_there_[e] = is_there ? 1 : 0;
  key_ = key_ ^ word;
  Key& family = family_keys_[static_cast<std::size_t>(child)];
  family = family ^ word;
  n_parents_[static_cast<std::size_t>(child)] += is_there ? 1 : -1;
  if (!is_there) turns_.set(e, no_gain);
  const std::size_t other = space_->opposite(e);
  if (other != SearchSpace::none) singles_.set(other, is_there ? no_gain : change_[other]);
}

// Removes an edge if it is there, and adds it if it is not.
void GainTable::toggle(std::size_t e) {
  const auto [parent, child] = edge(e);
  const auto found = std::ranges::lower_bound(graph_.edges, e);
  const bool comes = is_there_[e] == 0;
  if (comes) {
    paths_.add_edge(place(parent), place(child));
    graph_.edges.insert(found, e);
  } else {
    paths_.remove_edge(place(parent), place(child));
    n_removals_ += 1;
    graph_.edges.erase(found);
  }
  forget_cycles(parent);
  set_edge(e, comes);
  // Not by adding the gain up: one from or to an astronomical penalty is rounded.
  double& family = graph_.families[static_cast<std::size_t>(child)];
  const double before = family;
  since_mark_.push_back({e, before});
  family = after_[e];
  const double without = score_ - before, with = without + family;
  const bool is_exact = score_is_exact_ && std::isfinite(with) &&
                        !is_rounded(score_, -before, without) && !is_rounded(without, family, with);
  if (is_exact) {
    score_ = with;
  } else {
    add_up();
  }
}

void GainTable::add_up() {
  ExactSum sum;
  for (const double family : graph_.families) sum.add(family);
  score_ = sum.rounded();
  score_is_exact_ = sum.is_exact();
}

// Finds what a change of the parents of `child` gains now.
void GainTable::refresh(Var child) {
  const auto v = static_cast<std::size_t>(child);
  const auto& numbers = space_->into(child);
  const bool is_full = n_parents_[v] >= space_->max_parents();
  const auto is_open = [&](std::size_t e) {
    return is_there_[e] != 0 || (!is_full && space_->may_come(e));
  };
  if (std::ranges::none_of(numbers, is_open)) {
    for (const std::size_t e : numbers) set_gain(e, no_gain);
    return;
  }
  const auto& scores =
      memo_->changed(family_keys_[v], [&](const LocalScore& score, StopCheck& stop) {
        Vars others;
        for (const std::size_t e : numbers) {
          if (is_open(e)) others.push_back(edge(e).parent);
        }
        return score.changed(child, parents_of(child), others, stop);
      });
  const double now = graph_.families[v];
  std::size_t i = 0;
  for (const std::size_t e : numbers) {
    if (is_open(e)) {
      after_[e] = scores[i++];
      set_gain(e, after_[e] - now);
    } else {
      set_gain(e, no_gain);
    }
  }
}

// What the edge gains if it comes or goes; the reversals that it has a part in gain more or less.
void GainTable::set_gain(std::size_t e, double gain) {
  change_[e] = gain;
  if (is_there_[e] != 0) {
    singles_.set(e, gain);
    turns_.set(e, reversal_gain(e));
  } else if (has_opposite(e)) {
    singles_.set(e, no_gain);
    turns_.set(space_->opposite(e), reversal_gain(space_->opposite(e)));
  } else {
    singles_.set(e, gain);
  }
}

// When a walk ends.
struct Rules {
  std::int64_t list_size = 0;
  bool only_uphill = true;
  std::int64_t patience = std::numeric_limits<std::int64_t>::max();
  std::optional<std::int64_t> max_moves;
};

// The walks of a search: the moves so far, and the best graph that they came to.
class Walks {
 public:
  Walks(const LocalScore& score, const SearchSpace& space, StopCheck& stop)
      : space_(space), stop_(stop), memo_(score, stop) {
    if (static_cast<std::size_t>(score.n_variables()) != space.n_variables()) {
      throw std::invalid_argument("the score and the space must have the same variables");
    }
    best_.edges = space.start();
    ExactSum sum;
    const std::vector<Vars> sets = parent_sets(best_);
    for (std::size_t v = 0; v < sets.size(); ++v) {
      best_.families.push_back(score.family(static_cast<Var>(v), sets[v]));
      sum.add(best_.families.back());
    }
    best_score_ = sum.rounded();
    // Few pairs are joined twice.
    for (std::size_t e = 0; e < space.edges().size(); ++e)
      stop_.progress.expected += space.opposite(e) > e ? 1 : 0;
  }

  // The table of the best graph so far.
  GainTable summit() { return GainTable(space_, memo_, best_); }

  // Makes the best legal moves to graphs that are not on the list; whether there is a new best graph.
  bool walk(GainTable& table, const Rules& rules) {
    bool is_better = improve(table);
    try {
      go(table, rules, is_better);
    } catch (const Stopped&) {
      if (is_better) best_ = table.marked();
      throw;
    }
    if (is_better) best_ = table.marked();
    return is_better;
  }

  // Makes random legal moves.
  void perturb(GainTable& table, std::int64_t n_moves, MersenneTwister& dice) {
    for (std::int64_t i = 0; i < n_moves; ++i) {
      stop_.look();
      const std::optional<Step> step = table.random_step(dice);
      if (!step) return;
      make(table, *step);
    }
  }

  std::int64_t n_perturbations(const Restarts& restarts) const {
    const auto n_edges = static_cast<std::int64_t>(best_.edges.size() + space_.n_required());
    return restarts.perturbations.value_or(std::max<std::int64_t>(10, n_edges / 2));
  }

  Found found(bool was_stopped) {
    return {parent_sets(best_), best_score_,      std::move(trail_),
            n_moves_to_best_,   memo_.n_scores(), was_stopped};
  }

 private:
  void go(GainTable& table, const Rules& rules, bool& is_better) {
    TabuList visited(rules.list_size);
    double highest = table.score();
    std::int64_t n_vain = 0, n_moves = 0;
    while (n_vain < rules.patience && n_moves != rules.max_moves) {
      stop_.look();
      visited.add(table.key());
      const std::optional<Step> step = table.best(visited);
      if (!step || (rules.only_uphill && step->gain <= 0.0)) break;
      make(table, *step);
      n_moves += 1;
      if (table.score() > highest) {
        highest = table.score();
        n_vain = 0;
        is_better |= improve(table);
      } else {
        n_vain += 1;
      }
    }
  }

  void make(GainTable& table, const Step& step) {
    trail_.push_back(table.make(step));
    Progress& progress = stop_.progress;
    progress.expected = std::max(progress.expected, ++progress.done);
  }

  // Marks a new best graph, which the table keeps until the end of the walk.
  bool improve(GainTable& table) {
    if (!(table.score() > best_score_)) return false;
    table.mark();
    best_score_ = table.score();
    n_moves_to_best_ = trail_.size();
    return true;
  }

  std::vector<Vars> parent_sets(const Graph& graph) const {
    std::vector<Vars> sets;
    for (Var v = 0; v < static_cast<Var>(space_.n_variables()); ++v)
      sets.push_back(space_.required(v));
    for (const std::size_t e : graph.edges) {
      const auto [parent, child] = space_.edges()[e];
      sets[static_cast<std::size_t>(child)].push_back(parent);
    }
    for (Vars& parents : sets) std::ranges::sort(parents);
    return sets;
  }

  const SearchSpace& space_;
  StopCheck& stop_;
  Memo memo_;
  std::vector<Move> trail_;
  Graph best_;
  double best_score_ = no_gain;
  std::size_t n_moves_to_best_ = 0;
};

}  // namespace

SearchSpace::SearchSpace(std::vector<Vars> candidates, std::vector<Vars> required,
                         std::vector<Vars> start, std::int64_t max_parents)
    : required_(std::move(required)), max_parents_(max_parents) {
  if (candidates.size() != required_.size() || start.size() != required_.size()) {
    throw std::invalid_argument(
        "a search needs candidates, required parents and a start of every variable");
  }
  for (const auto* sets : {&candidates, &required_, &start}) {
    for (std::size_t v = 0; v < sets->size(); ++v) {
      for (const Var u : (*sets)[v]) {
        if (u < 0 || index(u) >= n_variables()) {
          throw std::out_of_range("a variable number is out of range");
        }
        if (index(u) == v) throw std::invalid_argument("a variable cannot be its own parent");
      }
    }
  }
  for (Vars& parents : required_) {
    std::ranges::sort(parents);
    n_required_ += parents.size();
  }
  number_edges(candidates, start);

  std::vector<std::uint8_t> is_used(n_variables(), 0);
  const auto use = [&](Var parent, Var child) {
    is_used[index(parent)] = is_used[index(child)] = 1;
  };
  for (const auto& [parent, child] : edges_) use(parent, child);
  for (std::size_t v = 0; v < n_variables(); ++v) {
    for (const Var parent : required_[v]) use(parent, static_cast<Var>(v));
  }
  for (std::size_t v = 0; v < n_variables(); ++v) {
    places_.push_back(static_cast<Var>(at_places_.size()));
    if (is_used[v] != 0) at_places_.push_back(static_cast<Var>(v));
  }
}

void SearchSpace::number_edges(const std::vector<Vars>& candidates,
                               const std::vector<Vars>& start) {
  const std::size_t n = n_variables();
  std::vector<Vars> sources(n);  // parents that can come or go, sorted
  std::vector<std::size_t> first(n + 1, 0);
  for (std::size_t v = 0; v < n; ++v) {
    Vars& own = sources[v];
    own = candidates[v];
    own.insert(own.end(), start[v].begin(), start[v].end());
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
    std::erase_if(own, [&](Var u) { return std::ranges::binary_search(required_[v], u); });
    for (const Var u : own) first[index(u) + 1] += 1;
  }
  std::partial_sum(first.begin(), first.end(), first.begin());

  edges_.resize(first.back());
  may_come_.assign(edges_.size(), 0);
  into_.resize(n);
  std::vector<std::size_t> next = first;
  for (std::size_t v = 0; v < n; ++v) {
    Vars sorted = candidates[v], there = start[v];
    std::ranges::sort(sorted);
    std::ranges::sort(there);
    for (const Var u : sources[v]) {
      const std::size_t e = next[index(u)]++;
      edges_[e] = {u, static_cast<Var>(v)};
      into_[v].push_back(e);
      may_come_[e] = std::ranges::binary_search(sorted, u) ? 1 : 0;
      if (std::ranges::binary_search(there, u)) start_.push_back(e);
    }
  }
  std::ranges::sort(start_);

  // The edges of v are met in the order of their children, those of other parents meanwhile.
  opposite_.assign(edges_.size(), none);
  std::vector<std::size_t> cursor = first;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const auto [u, v] = edges_[e];
    std::size_t& other = cursor[index(v)];
    while (other < first[index(v) + 1] && edges_[other].child < u) ++other;
    if (other < first[index(v) + 1] && edges_[other].child == u) opposite_[e] = other;
  }
}

Found tabu_search(const LocalScore& score, const SearchSpace& space, const TabuSettings& settings,
                  StopCheck stop) {
  const Rules rules{settings.list_size, settings.patience == 0,
                    std::max<std::int64_t>(settings.patience, 1), settings.max_moves};
  const Restarts& restarts = settings.restarts;
  Walks walks(score, space, stop);
  try {
    GainTable first = walks.summit();
    walks.walk(first, rules);
    MersenneTwister dice(restarts.seed);
    std::optional<GainTable> summit;
    for (std::int64_t i = 0; i < restarts.number; ++i) {
      if (!summit) summit = walks.summit();
      GainTable table = *summit;
      walks.perturb(table, walks.n_perturbations(restarts), dice);
      if (walks.walk(table, rules)) summit.reset();
    }
  } catch (const Stopped&) {
    return walks.found(true);
  }
  return walks.found(false);
}

Found hill_climbing(const LocalScore& score, const SearchSpace& space, const Restarts& restarts,
                    StopCheck stop) {
  Walks walks(score, space, stop);
  try {
    GainTable summit = walks.summit();
    walks.walk(summit, Rules{});
    MersenneTwister dice(restarts.seed);
    for (std::int64_t i = 0; i < restarts.number; ++i) {
      GainTable table = summit;
      walks.perturb(table, walks.n_perturbations(restarts), dice);
      if (walks.walk(table, Rules{})) summit = std::move(table);
    }
  } catch (const Stopped&) {
    return walks.found(true);
  }
  return walks.found(false);
}

}  // namespace h2pc
