// Partially directed graphs, and the classes of equivalent directed ones that they stand for.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "types.hpp"

namespace h2pc {

using Bits = std::vector<Word>;           // a set of variables
using BitSpan = std::span<const Word>;    // the same, borrowed
constexpr std::size_t bits_of_word = 64;  // variables of a word

inline bool has_bit(BitSpan bits, Var v) {
  const auto i = static_cast<std::size_t>(v);
  return ((bits[i / bits_of_word] >> (i % bits_of_word)) & 1) != 0;
}

inline void set_bit(std::span<Word> bits, Var v) {
  const auto i = static_cast<std::size_t>(v);
  bits[i / bits_of_word] |= Word{1} << (i % bits_of_word);
}

// Calls `visit(v)` for every variable of the set, in their order.
template <class Visit>
void visit_bits(BitSpan bits, Visit&& visit) {
  for (std::size_t i = 0; i < bits.size(); ++i) {
    for (Word word = bits[i]; word != 0; word &= word - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(word));
      visit(static_cast<Var>(i * bits_of_word + place));
    }
  }
}

// What joins two variables u and v.
enum class Join : std::uint8_t { nothing, arrow, arrow_back, line };

// A graph of arrows and lines that changes. The variables are not checked.
class Pdag {
 public:
  explicit Pdag(std::size_t n_variables = 0);

  std::size_t n_variables() const { return n_; }
  std::size_t n_words() const { return n_words_; }

  BitSpan parents(Var v) const { return row(parents_, v); }
  BitSpan children(Var v) const { return row(children_, v); }
  BitSpan neighbours(Var v) const { return row(neighbours_, v); }
  Word adjacent_word(Var v, std::size_t i) const {
    const std::size_t place = first(v) + i;
    return parents_[place] | children_[place] | neighbours_[place];
  }
  bool has_arrow(Var u, Var v) const { return has_bit(children(u), v); }
  bool has_line(Var u, Var v) const { return has_bit(neighbours(u), v); }
  bool is_adjacent(Var u, Var v) const {
    return has_line(u, v) || has_arrow(u, v) || has_arrow(v, u);
  }

  Join join(Var u, Var v) const {
    if (has_line(u, v)) return Join::line;
    return has_arrow(u, v) ? Join::arrow : has_arrow(v, u) ? Join::arrow_back : Join::nothing;
  }

  // These replace what joins the two.
  void add_arrow(Var u, Var v);
  void add_line(Var u, Var v);
  void separate(Var u, Var v);

  // Where arrows and lines lead from u, through none of `closed`, itself included.
  Bits reached(Var u, BitSpan closed) const;

  bool operator==(const Pdag&) const = default;

 private:
  std::size_t first(Var v) const { return static_cast<std::size_t>(v) * n_words_; }
  BitSpan row(const Bits& matrix, Var v) const {
    return BitSpan(matrix).subspan(first(v), n_words_);
  }
  void toggle(Bits& matrix, Var u, Var v);

  std::size_t n_;
  std::size_t n_words_;
  Bits parents_, children_, neighbours_;  // a row of bits for every variable
};

// Two variables, u < v, that are joined otherwise than before.
struct EdgeChange {
  Var u, v;
  Join before, after;

  bool is_parent(Join join, Var x) const {  // whether the other one is a parent of x
    return join == (x == v ? Join::arrow : Join::arrow_back);
  }
};

// Edits the graph of a class to that of another one, and keeps what is changed. Nothing but the edges of
// what arrows and lines lead to is looked at: whether all graphs of a class agree on an edge into v
// depends on the ancestors of v alone.
class ClassEdit {
 public:
  // Edges of x and y alone will be changed, and lines of these two.
  ClassEdit(Pdag& graph, Var x, Var y);

  void add_arrow(Var u, Var v);
  void separate(Var u, Var v);

  // Makes arrows of all edges that all graphs with these v-structures agree on, and lines of the others
  // (Meek, 1995). Returns what is changed in the end.
  std::vector<EdgeChange> complete();

 private:
  void remember(Var u, Var v);
  void add_line(Var u, Var v);
  void loosen(Var v);
  bool is_compelled(Var u, Var v) const;

  Pdag& graph_;
  Vars region_;
  std::vector<EdgeChange> log_;  // what joined them before is that of their first entry
};

// A directed graph, and its variables with parents before children.
struct Extension {
  Pdag dag;
  Vars order;
};

// The directed graph with the same edges and v-structures, if there is one. Among variables that may
// come last, the largest number does, as in h2pc.graphs (Dor and Tarsi, 1992).
std::optional<Extension> consistent_extension(Pdag pdag);

// The graph of the class: an edge is an arrow where all equivalent graphs agree on it (Chickering, 1995).
Pdag completed(const Extension& extension);

}  // namespace h2pc
