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
