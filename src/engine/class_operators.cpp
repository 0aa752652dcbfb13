#include "class_operators.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

namespace h2pc {
namespace {

constexpr double no_gain = -std::numeric_limits<double>::infinity();
// Of the neighbours of one variable, small ones first: no network of the library has more than a
// fraction, but the cliques of a clique are all its subsets.
constexpr std::size_t most_cliques = 4096;

Vars merged(const Vars& one, const Vars& two) {
  Vars both;
  both.reserve(one.size() + two.size());
  std::ranges::merge(one, two, std::back_inserter(both));
  return both;
}

// A variable, what joins its partners to it, its neighbours, and the cliques among them by size. Sets
// of neighbours have a bit for each, in their order.
class Surroundings {
 public:
  Surroundings(const Pdag& graph, const Pairs& pairs, Var child)
      : graph_(graph),
        pairs_(pairs),
        child_(child),
        near_(graph.neighbours(child)),
        n_words_((near_.size() + bits_of_word - 1) / bits_of_word),
        joins_(pairs.partners(child).size(), Join::nothing),
        common_(joins_.size() * n_words_, 0) {
    mark(graph.parents(child), Join::arrow);
    mark(graph.children(child), Join::arrow_back);
    mark(near_, Join::line);
    for (std::size_t i = 0; i < near_.size(); ++i) add_common(i);
    find_cliques();
  }

  const std::vector<Vars>& cliques() const { return cliques_; }
  // Join::arrow where the partner is a parent.
  Join join(std::size_t partner) const { return joins_[partner]; }

  // Whether all neighbours that are adjacent to the partner are in the clique.
  bool covers(std::size_t clique, std::size_t partner) const {
    const Word *in = set_of(clique), *near = common(partner);
    for (std::size_t w = 0; w < n_words_; ++w) {
      if ((near[w] & ~in[w]) != 0) return false;
    }
    return true;
  }

  // Whether the partner is adjacent to all of the clique.
  bool joins_all(std::size_t clique, std::size_t partner) const {
    const Word *in = set_of(clique), *near = common(partner);
    for (std::size_t w = 0; w < n_words_; ++w) {
      if ((in[w] & ~near[w]) != 0) return false;
    }
    return true;
  }

  // Whether the clique has no path to other neighbours of the partner, among all neighbours, but
  // through members adjacent to it.
  bool is_separated(std::size_t clique, std::size_t partner) const {
    const Word *in = set_of(clique), *near = common(partner);
    std::vector<Word> seen(in, in + n_words_), open(n_words_);
    for (std::size_t w = 0; w < n_words_; ++w) open[w] = in[w] & ~near[w];
    for (std::size_t i = first(open); i < near_.size(); i = first(open)) {
      open[i / bits_of_word] &= open[i / bits_of_word] - 1;
      const Word* next = common(place_of_near(i));
      for (std::size_t w = 0; w < n_words_; ++w) {
        const Word more = next[w] & ~seen[w];
        if ((more & near[w] & ~in[w]) != 0) return false;
        seen[w] |= more;
        open[w] |= more;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t bits_of_word = 64;
  static std::size_t index(Var v) { return static_cast<std::size_t>(v); }

  const Word* common(std::size_t partner) const { return common_.data() + partner * n_words_; }
  const Word* set_of(std::size_t clique) const { return sets_.data() + clique * n_words_; }
  std::size_t place_of_near(std::size_t i) const { return pairs_.place(child_, near_[i]); }
  std::size_t first(const std::vector<Word>& set) const {
    for (std::size_t w = 0; w < set.size(); ++w) {
      if (set[w] != 0) return w * bits_of_word + static_cast<std::size_t>(std::countr_zero(set[w]));
    }
    return near_.size();
  }

  void mark(const Vars& variables, Join join) {
    for (const Var v : variables) joins_[pairs_.place(child_, v)] = join;
  }

  // Notes of which partners the i-th neighbour is a neighbour, parent or child.
  void add_common(std::size_t i) {
    const auto& partners = pairs_.partners(child_);
    const Var v = near_[i];
    const auto note = [&](std::size_t partner) {
      common_[partner * n_words_ + i / bits_of_word] |= Word{1} << (i % bits_of_word);
    };
    const std::size_t n_adjacent =
        graph_.parents(v).size() + graph_.children(v).size() + graph_.neighbours(v).size();
    if (n_adjacent > partners.size()) {
      for (std::size_t x = 0; x < partners.size(); ++x) {
        if (graph_.is_adjacent(partners[x].variable, v)) note(x);
      }
      return;
    }
    for (const Vars* adjacent : {&graph_.parents(v), &graph_.children(v), &graph_.neighbours(v)}) {
      for (const Var u : *adjacent) {
        const std::size_t x = pairs_.place(child_, u);
        if (x < partners.size() && partners[x].variable == u) note(x);
      }
    }
  }

  void find_cliques() {
    cliques_.emplace_back();
    sets_.assign(n_words_, 0);
    const std::size_t n_parents = graph_.parents(child_).size(), largest = pairs_.max_parents();
    if (n_parents >= largest) return;
    std::vector<std::size_t> last{0};  // of every clique, the place after its last member
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < near_.size(); ++i) places.push_back(place_of_near(i));
    for (std::size_t c = 0; c < cliques_.size() && cliques_.size() < most_cliques; ++c) {
      if (n_parents + cliques_[c].size() >= largest) break;
      for (std::size_t i = last[c]; i < near_.size(); ++i) {
        if (!joins_all(c, places[i])) continue;
        Vars larger = cliques_[c];
        larger.push_back(near_[i]);
        cliques_.push_back(std::move(larger));
        last.push_back(i + 1);
        for (std::size_t w = 0; w < n_words_; ++w) sets_.push_back(sets_[c * n_words_ + w]);
        sets_[sets_.size() - n_words_ + i / bits_of_word] |= Word{1} << (i % bits_of_word);
      }
    }
  }

  const Pdag& graph_;
  const Pairs& pairs_;
  Var child_;
  const Vars& near_;
  std::size_t n_words_;
  std::vector<Join> joins_;   // of every partner
  std::vector<Word> common_;  // of every partner, the neighbours adjacent to it
  std::vector<Vars> cliques_;
  std::vector<Word> sets_;  // the same as bits
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
        around_(graph, pairs, child) {}

  std::vector<Operator> operators() {
    for (std::size_t c = 0; c < around_.cliques().size(); ++c) look_at(c);
    std::ranges::sort(found_, [](const Operator& a, const Operator& b) {
      return a.kind != b.kind ? a.kind < b.kind : a.precedes(b);
    });
    return std::move(found_);
  }

 private:
  void look_at(std::size_t c) {
    const Vars& clique = around_.cliques()[c];
    const Vars family = merged(graph_.parents(child_), clique);
    const Families::Variants& variants = families_.of(child_, family);
    const auto& partners = pairs_.partners(child_);
    const bool is_full = family.size() >= pairs_.max_parents();
    for (std::size_t i = 0; i < partners.size(); ++i) {
      const Var x = partners[i].variable;
      const bool may_go = !partners[i].must_stay && !is_fixed(x);
      const double change = variants.after[i] - variants.score;
      const Join join = around_.join(i);
      if (join == Join::arrow) {
        if (may_go && around_.joins_all(c, i)) add(change, MoveKind::remove, x, clique);
      } else if (is_full || (join == Join::line && contains(clique, x))) {
        continue;
      } else if (join == Join::line) {
        look_at_line(c, i, change, may_go);
      } else if (join == Join::arrow_back) {
        if (!around_.covers(c, i)) continue;
        const double other = families_.gain(x, graph_.parents(x), child_);
        add(change + other, MoveKind::reverse, x, clique);
      } else if (partners[i].may_join && change > least_ && !is_fixed(x)) {
        if (around_.covers(c, i)) add(change, MoveKind::add, x, clique);
      }
    }
  }

  void look_at_line(std::size_t c, std::size_t i, double change, bool may_go) {
    const Vars& clique = around_.cliques()[c];
    const Var x = pairs_.partners(child_)[i].variable;
    if (around_.joins_all(c, i)) {
      if (may_go) add(-change, MoveKind::remove, x, clique);
    } else if (around_.is_separated(c, i)) {
      Vars common = clique;
      std::erase_if(common, [&](Var v) { return !graph_.is_adjacent(v, x); });
      const Vars family = merged(graph_.parents(x), common);
      add(change - families_.gain(x, family, child_), MoveKind::reverse, x, clique);
    }
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

Key key_of(Var child, const Vars& parents) {
  Key key = word_of(child, child);
  for (const Var u : parents) key = key ^ word_of(u, child);
  return key;
}

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
  for (auto& own : partners_) {
    std::ranges::sort(own, {}, &Partner::variable);
    std::size_t n = 0;
    for (const Partner& next : own) {
      if (n == 0 || own[n - 1].variable != next.variable) {
        own[n++] = next;
      } else {
        own[n - 1].may_join |= next.may_join;
        own[n - 1].must_stay |= next.must_stay;
      }
    }
    own.resize(n);
    own.shrink_to_fit();
    n_joinable_ += static_cast<std::size_t>(std::ranges::count(own, true, &Partner::may_join));
  }
  n_joinable_ /= 2;
}

// As often as there are edges of the two.
void Pairs::add(Var parent, Var child, bool may_come, bool is_required) {
  partners_[index(parent)].push_back({child, may_come, is_required});
  partners_[index(child)].push_back({parent, may_come, is_required});
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
  const Key key = key_of(child, parents);
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

double Families::score(Var child, const Vars& parents) const {
  const auto found = known_.find(key_of(child, parents));
  if (found != known_.end()) return found->second.score;
  return score_.family(pairs_.in_space(child), pairs_.in_space(parents));
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

bool PathCheck::is_open(const Operator& op, const Pdag& graph) {
  if (op.kind == MoveKind::remove) return true;
  closed_.clear();
  for (const Var v : op.clique) closed_.insert(v);
  if (op.kind == MoveKind::add) return !leads(graph, op.child, {op.parent});
  // Whether the turned arrow was the only way from the child to the parent, whose neighbours become
  // its children.
  if (graph.has_line(op.parent, op.child)) return true;
  for (const Var v : graph.neighbours(op.parent)) closed_.insert(v);
  closed_.insert(op.parent);
  Vars above = graph.parents(op.parent);
  std::erase(above, op.child);
  return !leads(graph, op.child, above);
}

// Whether arrows and lines lead from a variable to one of some others, through none that is closed.
bool PathCheck::leads(const Pdag& graph, Var from, const Vars& to) {
  below_.clear();
  above_.clear();
  down_.assign(1, from);
  below_.insert(from);
  up_.clear();
  for (const Var v : to) {
    if (!closed_.has(v) && above_.insert(v)) up_.push_back(v);
  }
  // Whether the two meet among these.
  const auto go = [&](const Vars& next, Marks& own, const Marks& others, Vars& found) {
    for (const Var v : next) {
      if (closed_.has(v)) continue;
      if (others.has(v)) return true;
      if (own.insert(v)) found.push_back(v);
    }
    return false;
  };
  for (std::size_t i = 0; i < down_.size() && i < up_.size(); ++i) {
    const Var low = down_[i], high = up_[i];
    if (go(graph.children(low), below_, above_, down_) ||
        go(graph.neighbours(low), below_, above_, down_) ||
        go(graph.parents(high), above_, below_, up_) ||
        go(graph.neighbours(high), above_, below_, up_)) {
      return true;
    }
  }
  return false;
}

std::vector<EdgeChange> apply(const Operator& op, Pdag& graph, Marks& room) {
  const auto [x, y] = Pair{op.parent, op.child};
  const bool was_line = graph.has_line(x, y), was_adjacent = graph.is_adjacent(x, y);
  const Vars near_x = graph.neighbours(x), near_y = graph.neighbours(y);
  ClassEdit edit(graph, x, y, room);
  for (const Var v : near_y) {
    if (v == x) continue;
    if (contains(op.clique, v)) {
      edit.add_arrow(v, y);
    } else {
      edit.add_arrow(y, v);
    }
  }
  for (const Var v : near_x) {
    if (v == y || !was_adjacent) continue;
    const bool is_near_y = contains(near_y, v), is_in_clique = contains(op.clique, v);
    if (op.kind == MoveKind::remove) {
      if (is_near_y && !is_in_clique) edit.add_arrow(x, v);
    } else if (was_line && is_near_y && is_in_clique) {
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

}  // namespace h2pc
