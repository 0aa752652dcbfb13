// Random numbers that are the same everywhere, and the same as Python's.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace h2pc {

// One step of SplitMix64 (Steele, Lea and Flood, 2014): a well mixed word for every number.
constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// The Mersenne Twister (Matsumoto and Nishimura, 1998), seeded and drawn from as random.Random does.
class MersenneTwister {
 public:
  // `key` has the 32-bit digits of the absolute seed, the lowest first; none is the same as a 0.
  explicit MersenneTwister(std::span<const std::uint32_t> key) {
    constexpr std::array<std::uint32_t, 1> zero{0};
    if (key.empty()) key = zero;
    fill(19650218u);
    std::size_t i = 1, j = 0;
    for (std::size_t k = n > key.size() ? n : key.size(); k > 0; --k) {
      state_[i] = (state_[i] ^ (mixed(i) * 1664525u)) + key[j] + static_cast<std::uint32_t>(j);
      next_place(i);
      if (++j == key.size()) j = 0;
    }
    for (std::size_t k = n - 1; k > 0; --k) {
      state_[i] = (state_[i] ^ (mixed(i) * 1566083941u)) - static_cast<std::uint32_t>(i);
      next_place(i);
    }
    state_[0] = 0x80000000u;
  }

  // A number below `n_choices`, all equally likely: the place that random.choice takes.
  std::size_t below(std::size_t n_choices) {
    const auto n_bits = static_cast<unsigned>(std::bit_width(n_choices));
    if (n_bits == 0) return 0;
    std::size_t drawn = bits(n_bits);
    while (drawn >= n_choices) drawn = bits(n_bits);
    return drawn;
  }

 private:
  static constexpr std::size_t n = 624, m = 397;

  void fill(std::uint32_t seed) {
    state_[0] = seed;
    for (std::size_t i = 1; i < n; ++i) {
      state_[i] =
          1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + static_cast<std::uint32_t>(i);
    }
  }
  std::uint32_t mixed(std::size_t i) const { return state_[i - 1] ^ (state_[i - 1] >> 30); }
  void next_place(std::size_t& i) {
    if (++i < n) return;
    state_[0] = state_[n - 1];
    i = 1;
  }

  // `n_bits` random bits, as random.getrandbits: words from the lowest on, the last one cut.
  std::size_t bits(unsigned n_bits) {
    std::uint64_t drawn = 0;
    for (unsigned place = 0; place < n_bits; place += 32) {
      const unsigned wanted = n_bits - place < 32 ? n_bits - place : 32;
      drawn |= std::uint64_t{next() >> (32 - wanted)} << place;
    }
    return static_cast<std::size_t>(drawn);
  }

  std::uint32_t next() {
    if (place_ == n) twist();
    std::uint32_t y = state_[place_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
  }

  void twist() {
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t y = (state_[k] & 0x80000000u) | (state_[(k + 1) % n] & 0x7fffffffu);
      state_[k] = state_[(k + m) % n] ^ (y >> 1) ^ ((y & 1u) != 0 ? 0x9908b0dfu : 0u);
    }
    place_ = 0;
  }

  std::array<std::uint32_t, n> state_{};
  std::size_t place_ = n;
};

}  // namespace h2pc
