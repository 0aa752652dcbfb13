#include "class_operators.hpp"

#include <algorithm>
#include <limits>

namespace h2pc {
namespace {

constexpr double no_gain = -std::numeric_limits<double>::infinity();
// Of the neighbours of one variable, small ones first: no network of the library has more than a
// fraction, but the cliques of a clique are all its subsets.
constexpr std::size_t most_cliques = 4096;

Vars members(BitSpan bits) {
  Vars found;
  visit_bits(bits, [&](Var v) { found.push_back(v); });
  return found;
}

Bits bits_of(const Vars& variables, std::size_t n_words) {
  Bits bits(n_words, 0);
  for (const Var v : variables) set_bit(bits, v);
  return bits;
}

Vars merged(const Vars& one, const Vars& two) {
  Vars both;
  std::ranges::merge(one, two, std::back_inserter(both));
  return both;
}

// The neighbours of a variable, and all cliques among them by size.
struct Surroundings {
  Surroundings(const Pdag& graph, Var child, std::size_t largest)
      : graph(graph), parents(members(graph.parents(child))), near(graph.neighbours(child)) {
    cliques.emplace_back();
    if (parents.size() >= largest) return;
    const Vars neighbours = members(near);
    for (std::size_t i = 0; i < cliques.size() && cliques.size() < most_cliques; ++i) {
      const Vars clique = cliques[i];
      if (parents.size() + clique.size() >= largest) break;
      for (const Var v : neighbours) {
        if (!clique.empty() && v <= clique.back()) continue;
        const auto joins = [&](Var u) { return graph.is_adjacent(u, v); };
        if (!std::ranges::all_of(clique, joins)) continue;
        cliques.push_back(clique);
        cliques.back().push_back(v);
      }
    }
  }

  // Whether all neighbours that are adjacent to x are in the clique.
  bool covers(BitSpan clique, Var x) const {
    for (std::size_t i = 0; i < near.size(); ++i) {
      if ((near[i] & graph.adjacent_word(x, i) & ~clique[i]) != 0) return false;
    }
    return true;
  }

  // Whether the clique has no path to other neighbours of x, among all neighbours, but through
  // members adjacent to x.
  bool is_separated(BitSpan clique, Var x) const {
    Bits seen(near.size(), 0), goal(near.size(), 0);
    Vars open;
    for (std::size_t i = 0; i < near.size(); ++i) {
      const Word common = near[i] & graph.adjacent_word(x, i);
      seen[i] = clique[i];
      goal[i] = common & ~clique[i];
    }
    visit_bits(clique, [&](Var v) {
      if (!graph.is_adjacent(v, x)) open.push_back(v);
    });
    while (!open.empty()) {
      const Var v = open.back();
      open.pop_back();
      Bits next(near.size(), 0);
      for (std::size_t i = 0; i < near.size(); ++i) {
        next[i] = near[i] & graph.adjacent_word(v, i) & ~seen[i];
        if ((next[i] & goal[i]) != 0) return false;
        seen[i] |= next[i];
      }
      visit_bits(next, [&](Var w) { open.push_back(w); });
    }
    return true;
  }

  const Pdag& graph;
  Vars parents;
  BitSpan near;
  std::vector<Vars> cliques;
};

// The operators of one child.
class Enumeration {
 public:
  Enumeration(Var child, const Pdag& graph, const Pairs& pairs, Families& families,
              const Pair& fixed, bool all)
      : child_(child),
        graph_(graph),
        pairs_(pairs),
        families_(families),
        fixed_(fixed),
        least_(all ? no_gain : 0.0),
        around_(graph, child, pairs.max_parents()) {}

  std::vector<Operator> operators() {
    for (const Vars& clique : around_.cliques) look_at(clique);
    std::ranges::sort(found_, [](const Operator& a, const Operator& b) {
      return a.kind != b.kind ? a.kind < b.kind : a.precedes(b);
    });
    return std::move(found_);
  }

 private:
  void look_at(const Vars& clique) {
    const Vars family = merged(around_.parents, clique);
    const Bits bits = bits_of(clique, graph_.n_words());
    const Families::Variants& variants = families_.of(child_, family);
    const auto& partners = pairs_.partners(child_);
    const bool is_full = family.size() >= pairs_.max_parents();
    for (std::size_t i = 0; i < partners.size(); ++i) {
      const Var x = partners[i].variable;
      const bool may_go = !partners[i].must_stay && !is_fixed(x);
      const double change = variants.after[i] - variants.score;
      if (graph_.has_arrow(x, child_)) {
        if (may_go && are_adjacent(clique, x)) add(change, MoveKind::remove, x, clique);
      } else if (has_bit(bits, x) || is_full) {
        continue;
      } else if (graph_.has_line(x, child_)) {
        look_at_line(clique, bits, x, change, may_go);
      } else if (graph_.has_arrow(child_, x)) {
        if (!around_.covers(bits, x)) continue;
        const double other = families_.gain(x, members(graph_.parents(x)), child_);
        add(change + other, MoveKind::reverse, x, clique);
      } else if (partners[i].may_join && change > least_ && !is_fixed(x)) {
        if (around_.covers(bits, x)) add(change, MoveKind::add, x, clique);
      }
    }
  }

  void look_at_line(const Vars& clique, const Bits& bits, Var x, double change, bool may_go) {
    if (are_adjacent(clique, x)) {
      if (may_go) add(-change, MoveKind::remove, x, clique);
    } else if (around_.is_separated(bits, x)) {
      Vars common = clique;
      std::erase_if(common, [&](Var v) { return !graph_.is_adjacent(v, x); });
      const Vars family = merged(members(graph_.parents(x)), common);
      add(change - families_.gain(x, family, child_), MoveKind::reverse, x, clique);
    }
  }

  bool are_adjacent(const Vars& clique, Var x) const {
    return std::ranges::all_of(clique, [&](Var v) { return graph_.is_adjacent(v, x); });
  }
  bool is_fixed(Var x) const { return fixed_ == Pair{x, child_} || fixed_ == Pair{child_, x}; }
  void add(double gain, MoveKind kind, Var x, const Vars& clique) {
    if (gain > least_) found_.push_back({gain, kind, x, child_, clique});
  }

  Var child_;
  const Pdag& graph_;
  const Pairs& pairs_;
  Families& families_;
  Pair fixed_;
  double least_;
  Surroundings around_;
  std::vector<Operator> found_;
};

}  // namespace

Pairs::Pairs(const SearchSpace& space)
    : max_parents_(static_cast<std::size_t>(std::max<std::int64_t>(space.max_parents(), 0))) {
  variables_.resize(space.n_places());
  partners_.resize(space.n_places());
  start_ = Pdag(space.n_places());
  for (std::size_t e = 0; e < space.edges().size(); ++e) {
    const auto [parent, child] = space.edges()[e];
    variables_[index(space.place(parent))] = parent;
    variables_[index(space.place(child))] = child;
    add(space.place(parent), space.place(child), space.may_come(e), false);
  }
  for (Var v = 0; v < static_cast<Var>(space.n_variables()); ++v) {
    for (const Var parent : space.required(v)) {
      variables_[index(space.place(parent))] = parent;
      variables_[index(space.place(v))] = v;
      add(space.place(parent), space.place(v), false, true);
      start_.add_arrow(space.place(parent), space.place(v));
    }
  }
  for (const std::size_t e : space.start()) {
    const auto [parent, child] = space.edges()[e];
    start_.add_arrow(space.place(parent), space.place(child));
  }
  for (auto& own : partners_) std::ranges::sort(own, {}, &Partner::variable);
}

void Pairs::add(Var parent, Var child, bool may_come, bool is_required) {
  for (const auto& [u, v] : {Pair{parent, child}, Pair{child, parent}}) {
    auto& own = partners_[index(u)];
    auto found = std::ranges::find(own, v, &Partner::variable);
    if (found == own.end()) found = own.insert(own.end(), {v, false, false});
    found->may_join |= may_come;
    found->must_stay |= is_required;
  }
}

Vars Pairs::in_space(const Vars& variables) const {
  Vars found;
  for (const Var v : variables) found.push_back(in_space(v));
  return found;
}

std::size_t Pairs::place(Var v, Var partner) const {
  const auto& own = partners_[index(v)];
  const auto found = std::ranges::lower_bound(own, partner, {}, &Partner::variable);
  return static_cast<std::size_t>(found - own.begin());
}

const Families::Variants& Families::of(Var child, const Vars& parents) {
  Key key = word_of(child, child);
  for (const Var u : parents) key = key ^ word_of(u, child);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  stop_.look();
  const bool is_full = parents.size() >= pairs_.max_parents();
  const auto& partners = pairs_.partners(child);
  Vars others;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    if (is_full && !std::ranges::binary_search(parents, partners[i].variable)) continue;
    others.push_back(pairs_.in_space(partners[i].variable));
    places.push_back(i);
  }
  const Vars family = pairs_.in_space(parents);
  const Var v = pairs_.in_space(child);
  Variants variants{score_.family(v, family), std::vector<double>(partners.size(), no_gain)};
  const std::vector<double> scores = score_.changed(v, family, others, stop_);
  for (std::size_t i = 0; i < places.size(); ++i) variants.after[places[i]] = scores[i];
  n_scores_ += static_cast<std::int64_t>(scores.size()) + 1;
  return known_.try_emplace(key, std::move(variants)).first->second;
}

double Families::gain(Var child, const Vars& parents, Var change) {
  const Variants& variants = of(child, parents);
  return variants.after[pairs_.place(child, change)] - variants.score;
}

bool Operator::precedes(const Operator& other) const {
  if (gain != other.gain) return gain > other.gain;
  if (parent != other.parent) return parent < other.parent;
  if (child != other.child) return child < other.child;
  if (kind != other.kind) return kind > other.kind;
  if (clique.size() != other.clique.size()) return clique.size() < other.clique.size();
  return clique < other.clique;
}

std::vector<Operator> operators_of(Var child, const Pdag& graph, const Pairs& pairs,
                                   Families& families, const Pair& fixed, bool all) {
  return Enumeration(child, graph, pairs, families, fixed, all).operators();
}

bool PathCheck::is_open(const Operator& op) {
  if (op.kind == MoveKind::remove) return true;
  if (op.kind == MoveKind::reverse) return is_turn_open(op);
  Reached& last = last_[op.child];
  if (last.bits.empty() || last.clique != op.clique) {
    last = {op.clique, graph_.reached(op.child, bits_of(op.clique, graph_.n_words()))};
  }
  return !has_bit(last.bits, op.parent);
}

// Whether the turned arrow was the only way from the child to the parent, whose neighbours become its
// children.
bool PathCheck::is_turn_open(const Operator& op) const {
  if (graph_.has_line(op.parent, op.child)) return true;
  Bits closed = bits_of(op.clique, graph_.n_words());
  visit_bits(graph_.neighbours(op.parent), [&](Var v) { set_bit(closed, v); });
  set_bit(closed, op.parent);
  const Bits reached = graph_.reached(op.child, closed);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    Word above = graph_.parents(op.parent)[i] & reached[i];
    const auto place = static_cast<std::size_t>(op.child);
    if (i == place / bits_of_word) above &= ~(Word{1} << (place % bits_of_word));
    if (above != 0) return false;
  }
  return true;
}

std::vector<EdgeChange> apply(const Operator& op, Pdag& graph) {
  const auto [x, y] = Pair{op.parent, op.child};
  const auto is_in_clique = [&](Var v) { return std::ranges::binary_search(op.clique, v); };
  const bool was_line = graph.has_line(x, y), was_adjacent = graph.is_adjacent(x, y);
  const Vars near_x = members(graph.neighbours(x)), near_y = members(graph.neighbours(y));
  ClassEdit edit(graph, x, y);
  for (const Var v : near_y) {
    if (v != x && is_in_clique(v)) edit.add_arrow(v, y);
    if (v != x && !is_in_clique(v)) edit.add_arrow(y, v);
  }
  for (const Var v : near_x) {
    if (v == y || !was_adjacent) continue;
    const bool is_near_y = std::ranges::binary_search(near_y, v);
    if (op.kind == MoveKind::remove) {
      if (is_near_y && !is_in_clique(v)) edit.add_arrow(x, v);
    } else if (was_line && is_near_y && is_in_clique(v)) {
      edit.add_arrow(v, x);
    } else {
      edit.add_arrow(x, v);
    }
  }
  if (op.kind == MoveKind::remove) {
    edit.separate(x, y);
  } else {
    edit.add_arrow(x, y);
  }
  return edit.complete();
}

Pdag applied(const Operator& op, Pdag graph) {
  apply(op, graph);
  return graph;
}

}  // namespace h2pc
