// Sets of variables: sorted ones, and one that is used again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.hpp"

namespace h2pc {

// Whether a sorted set has a variable; most sets are so small that a scan is quicker than bisection.
inline bool contains(const Vars& sorted, Var v) {
  constexpr std::size_t few = 16;
  if (sorted.size() > few) return std::ranges::binary_search(sorted, v);
  for (const Var u : sorted) {
    if (u == v) return true;
  }
  return false;
}

// Puts in a variable that is not in the set.
inline void insert(Vars& sorted, Var v) { sorted.insert(std::ranges::lower_bound(sorted, v), v); }

// Takes out a variable that is in the set.
inline void erase(Vars& sorted, Var v) { sorted.erase(std::ranges::lower_bound(sorted, v)); }

// A set that is emptied at no cost.
class Marks {
 public:
  explicit Marks(std::size_t n_variables = 0) : stamps_(n_variables, 0) {}

  bool has(Var v) const { return stamps_[static_cast<std::size_t>(v)] == now_; }
  // Whether it is new.
  bool insert(Var v) {
    std::uint32_t& stamp = stamps_[static_cast<std::size_t>(v)];
    if (stamp == now_) return false;
    stamp = now_;
    return true;
  }
  void clear() {
    if (++now_ != 0) return;
    std::ranges::fill(stamps_, 0);
    now_ = 1;
  }

 private:
  std::vector<std::uint32_t> stamps_;
  std::uint32_t now_ = 1;
};

}  // namespace h2pc
