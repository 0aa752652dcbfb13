// A directed acyclic graph that changes, with its transitive closure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "types.hpp"

namespace h2pc {

// Whether an edge would close a cycle is one look at a bit; the work is done where an edge is added or
// removed. A detour is a path of two or more edges. The variables are not checked, but for add_edge
// and remove_edge.
class Reachability {
 public:
  explicit Reachability(std::size_t n_variables);

  std::size_t n_variables() const { return n_; }
  bool has_edge(Var u, Var v) const { return bit(edges_, u, v); }
  bool has_detour(Var u, Var v) const { return bit(detours_, u, v); }
  bool has_path(Var u, Var v) const { return has_edge(u, v) || has_detour(u, v); }

  // Throws std::out_of_range where a number is not that of a variable.
  void check(Var u, Var v) const;

  // Adds u → v; throws std::invalid_argument where that closes a cycle.
  void add_edge(Var u, Var v);

  // Removes u → v; throws std::invalid_argument where there is no such edge.
  void remove_edge(Var u, Var v);

 private:
  using Matrix = std::vector<Word>;  // a row of bits for every variable: where its paths lead

  bool bit(const Matrix& matrix, Var u, Var v) const {
    const auto column = static_cast<std::size_t>(v);
    return ((matrix[static_cast<std::size_t>(u) * n_words_ + column / 64] >> (column % 64)) & 1) !=
           0;
  }
  std::size_t row(Var u) const { return static_cast<std::size_t>(u) * n_words_; }
  void take_over(Var u, Var v);

  std::size_t n_;
  std::size_t n_words_;
  Matrix edges_;
  Matrix detours_;
};

}  // namespace h2pc
