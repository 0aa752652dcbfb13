#include "pdag.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace h2pc {

Pdag::Pdag(std::size_t n_variables)
    : n_(n_variables),
      n_words_((n_variables + bits_of_word - 1) / bits_of_word),
      parents_(n_ * n_words_, 0),
      children_(n_ * n_words_, 0),
      neighbours_(n_ * n_words_, 0) {}

void Pdag::toggle(Bits& matrix, Var u, Var v) {
  const auto column = static_cast<std::size_t>(v);
  matrix[first(u) + column / bits_of_word] ^= Word{1} << (column % bits_of_word);
}

void Pdag::separate(Var u, Var v) {
  if (has_line(u, v)) {
    toggle(neighbours_, u, v);
    toggle(neighbours_, v, u);
  } else if (has_arrow(u, v)) {
    toggle(children_, u, v);
    toggle(parents_, v, u);
  } else if (has_arrow(v, u)) {
    toggle(children_, v, u);
    toggle(parents_, u, v);
  }
}

void Pdag::add_arrow(Var u, Var v) {
  separate(u, v);
  toggle(children_, u, v);
  toggle(parents_, v, u);
}

void Pdag::add_line(Var u, Var v) {
  separate(u, v);
  toggle(neighbours_, u, v);
  toggle(neighbours_, v, u);
}

Bits Pdag::reached(Var u, BitSpan closed) const {
  Bits found(n_words_, 0);
  set_bit(found, u);
  Vars open{u};
  while (!open.empty()) {
    const std::size_t from = first(open.back());
    open.pop_back();
    for (std::size_t i = 0; i < n_words_; ++i) {
      Word next = (children_[from + i] | neighbours_[from + i]) & ~(found[i] | closed[i]);
      found[i] |= next;
      for (; next != 0; next &= next - 1) {
        const auto place = static_cast<std::size_t>(std::countr_zero(next));
        open.push_back(static_cast<Var>(i * bits_of_word + place));
      }
    }
  }
  return found;
}

ClassEdit::ClassEdit(Pdag& graph, Var x, Var y) : graph_(graph) {
  Bits both = graph.reached(x, Bits(graph.n_words(), 0));
  const Bits more = graph.reached(y, Bits(graph.n_words(), 0));
  for (std::size_t i = 0; i < both.size(); ++i) both[i] |= more[i];
  visit_bits(both, [&](Var v) { region_.push_back(v); });
}

void ClassEdit::remember(Var u, Var v) {
  if (u > v) std::swap(u, v);
  log_.push_back({u, v, graph_.join(u, v), Join::nothing});
}

void ClassEdit::add_arrow(Var u, Var v) {
  remember(u, v);
  graph_.add_arrow(u, v);
}

void ClassEdit::add_line(Var u, Var v) {
  remember(u, v);
  graph_.add_line(u, v);
}

void ClassEdit::separate(Var u, Var v) {
  remember(u, v);
  graph_.separate(u, v);
}

// Makes lines of the arrows to v that have no part in a v-structure.
void ClassEdit::loosen(Var v) {
  Vars parents, loose;
  visit_bits(graph_.parents(v), [&](Var u) { parents.push_back(u); });
  for (const Var u : parents) {
    const auto meets = [&](Var w) { return w != u && !graph_.is_adjacent(u, w); };
    if (std::ranges::none_of(parents, meets)) loose.push_back(u);
  }
  for (const Var u : loose) add_line(u, v);
}

// Whether the line must be u → v: else there would be a new v-structure, or a cycle.
bool ClassEdit::is_compelled(Var u, Var v) const {
  Bits sides(graph_.n_words(), 0);  // lines from u to parents of v
  for (std::size_t i = 0; i < graph_.n_words(); ++i) {
    if ((graph_.parents(u)[i] & ~graph_.adjacent_word(v, i)) != 0) return true;
    if ((graph_.children(u)[i] & graph_.parents(v)[i]) != 0) return true;
    sides[i] = graph_.neighbours(u)[i] & graph_.parents(v)[i];
  }
  Vars both;
  visit_bits(sides, [&](Var w) { both.push_back(w); });
  for (std::size_t i = 0; i < both.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!graph_.is_adjacent(both[i], both[j])) return true;
    }
  }
  return false;
}

std::vector<EdgeChange> ClassEdit::complete() {
  for (const Var v : region_) loosen(v);
  Vars waiting = region_;
  while (!waiting.empty()) {
    const Var v = waiting.back();
    waiting.pop_back();
    Vars near;
    visit_bits(graph_.neighbours(v), [&](Var u) { near.push_back(u); });
    for (const Var u : near) {
      const bool leads_to_v = is_compelled(u, v);
      if (!leads_to_v && !is_compelled(v, u)) continue;
      leads_to_v ? add_arrow(u, v) : add_arrow(v, u);
      waiting.push_back(v);
      waiting.push_back(u);
    }
  }
  std::ranges::stable_sort(log_, {}, [](const EdgeChange& c) { return std::pair(c.u, c.v); });
  const auto same = [](const EdgeChange& a, const EdgeChange& b) {
    return a.u == b.u && a.v == b.v;
  };
  log_.erase(std::ranges::unique(log_, same).begin(), log_.end());
  for (EdgeChange& change : log_) change.after = graph_.join(change.u, change.v);
  std::erase_if(log_, [](const EdgeChange& change) { return change.before == change.after; });
  return std::move(log_);
}

namespace {

// Whether all edges of v may come in without a new v-structure.
bool is_sink(const Pdag& left, Var v) {
  if (std::ranges::any_of(left.children(v), [](Word word) { return word != 0; })) return false;
  bool is_shielded = true;
  visit_bits(left.neighbours(v), [&](Var w) {
    for (std::size_t i = 0; is_shielded && i < left.n_words(); ++i) {
      Word others = left.adjacent_word(v, i) & ~left.adjacent_word(w, i);
      const auto place = static_cast<std::size_t>(w);
      if (i == place / bits_of_word) others &= ~(Word{1} << (place % bits_of_word));
      if (others != 0) is_shielded = false;
    }
  });
  return is_shielded;
}

}  // namespace

std::optional<Extension> consistent_extension(Pdag left) {
  const std::size_t n = left.n_variables();
  Extension found{Pdag(n), {}};
  std::vector<std::uint8_t> is_gone(n, 0);
  std::priority_queue<Var> sinks;
  for (Var v = 0; v < static_cast<Var>(n); ++v) {
    if (is_sink(left, v)) sinks.push(v);
  }
  Vars around;
  while (!sinks.empty()) {
    const Var v = sinks.top();
    sinks.pop();
    if (std::exchange(is_gone[static_cast<std::size_t>(v)], std::uint8_t{1}) != 0) continue;
    found.order.push_back(v);
    around.clear();
    visit_bits(left.parents(v), [&](Var w) { around.push_back(w); });
    visit_bits(left.neighbours(v), [&](Var w) { around.push_back(w); });
    for (const Var w : around) {
      left.separate(v, w);
      found.dag.add_arrow(w, v);
    }
    // A sink stays one when others go, and only what was adjacent to v can become one.
    for (const Var w : around) {
      if (is_sink(left, w)) sinks.push(w);
    }
  }
  if (found.order.size() < n) return std::nullopt;
  std::ranges::reverse(found.order);
  return found;
}

Pdag completed(const Extension& extension) {
  const auto& [dag, order] = extension;
  const std::size_t n_words = dag.n_words();
  std::vector<std::size_t> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[static_cast<std::size_t>(order[i])] = i;
  Bits compelled(dag.n_variables() * n_words, 0);
  Pdag found(dag.n_variables());
  for (const Var y : order) {
    // The last parent decides on all of them.
    Var x = -1;
    visit_bits(dag.parents(y), [&](Var u) {
      if (x < 0 || position[static_cast<std::size_t>(u)] > position[static_cast<std::size_t>(x)])
        x = u;
    });
    if (x < 0) continue;
    const std::size_t row_x = static_cast<std::size_t>(x) * n_words;
    const std::size_t row_y = static_cast<std::size_t>(y) * n_words;
    bool are_all = false;
    for (std::size_t i = 0; i < n_words; ++i) {
      const Word own = dag.parents(y)[i];
      Word unshielded = own & ~dag.parents(x)[i];
      const auto place = static_cast<std::size_t>(x);
      if (i == place / bits_of_word) unshielded &= ~(Word{1} << (place % bits_of_word));
      are_all |= unshielded != 0 || (compelled[row_x + i] & ~own) != 0;
    }
    for (std::size_t i = 0; i < n_words; ++i) {
      compelled[row_y + i] = are_all ? dag.parents(y)[i] : compelled[row_x + i];
    }
    visit_bits(dag.parents(y), [&](Var u) {
      if (has_bit(BitSpan(compelled).subspan(row_y, n_words), u)) {
        found.add_arrow(u, y);
      } else {
        found.add_line(u, y);
      }
    });
  }
  return found;
}

}  // namespace h2pc
