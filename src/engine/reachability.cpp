#include "reachability.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace h2pc {

Reachability::Reachability(std::size_t n_variables)
    : n_(n_variables),
      n_words_((n_variables + 63) / 64),
      edges_(n_ * n_words_, Word{0}),
      detours_(n_ * n_words_, Word{0}) {}

void Reachability::check(Var u, Var v) const {
  for (const Var x : {u, v}) {
    if (x < 0 || static_cast<std::size_t>(x) >= n_) {
      throw std::out_of_range("a variable number is out of range");
    }
  }
}

// Gives `u`, who leads to `v`, detours to all that `v` leads to.
void Reachability::take_over(Var u, Var v) {
  const auto from = row(v), to = row(u);
  for (std::size_t w = 0; w < n_words_; ++w)
    detours_[to + w] |= edges_[from + w] | detours_[from + w];
}

void Reachability::add_edge(Var u, Var v) {
  check(u, v);
  if (u == v || has_path(v, u)) throw std::invalid_argument("the edge would close a cycle");
  const bool was_path = has_path(u, v);
  const auto column = static_cast<std::size_t>(v);
  edges_[row(u) + column / 64] |= Word{1} << (column % 64);
  if (was_path) return;  // and nobody gets farther by it
  take_over(u, v);
  const auto n = static_cast<Var>(n_);
  for (Var a = 0; a < n; ++a) {
    if (has_path(a, u)) take_over(a, u);
  }
}

void Reachability::remove_edge(Var u, Var v) {
  check(u, v);
  if (!has_edge(u, v)) throw std::invalid_argument("there is no such edge");
  const auto column = static_cast<std::size_t>(v);
  edges_[row(u) + column / 64] &= ~(Word{1} << (column % 64));
  if (has_detour(u, v)) return;  // a detour leads the same way

  // Who leads to another leads to more: in the order of these numbers, children come first.
  std::vector<std::pair<int, Var>> above{{0, u}};
  const auto n = static_cast<Var>(n_);
  for (Var a = 0; a < n; ++a) {
    if (!has_path(a, u)) continue;
    int n_below = 1;
    for (std::size_t w = 0; w < n_words_; ++w) {
      n_below += std::popcount(edges_[row(a) + w] | detours_[row(a) + w]);
    }
    above.emplace_back(n_below, a);
  }
  std::ranges::sort(above);
  for (const auto& [_, a] : above) {
    std::ranges::fill(std::span(detours_).subspan(row(a), n_words_), Word{0});
    for (std::size_t w = 0; w < n_words_; ++w) {
      for (Word word = edges_[row(a) + w]; word != 0; word &= word - 1) {
        take_over(a, static_cast<Var>(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
  }
}

}  // namespace h2pc
