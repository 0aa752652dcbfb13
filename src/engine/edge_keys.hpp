// Keys of graphs and of families.
#pragma once

#include <cstddef>
#include <cstdint>

#include "random.hpp"
#include "types.hpp"

namespace h2pc {

// What tells graphs and families apart: the words of their edges, combined by exclusive or (Zobrist,
// 1970). A move changes it by a word or two; 128 bits leave no room for chance.
struct Key {
  std::uint64_t high = 0, low = 0;

  Key operator^(const Key& other) const { return {high ^ other.high, low ^ other.low}; }
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.low); }
};

inline Key word_of(Var parent, Var child) {
  const auto edge = (static_cast<std::uint64_t>(parent) << 32) | static_cast<std::uint64_t>(child);
  const std::uint64_t low = splitmix64(edge);
  return {splitmix64(~edge ^ low), low};
}

}  // namespace h2pc
