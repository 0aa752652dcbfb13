// Answers kept for other targets and threads: x ⊥ y | z and y ⊥ x | z are one test.
//
// A table of fixed size: an answer goes to the slot that the hash of its test names, over what was
// there. Threads share it without locks: a slot holds the two halves of a 128-bit hash, each XORed
// with the answer, and the answer; whatever two threads leave there between them does not check out
// unless it is one whole entry (the lockless hashing of Hyatt and Mann, 2002). An answer is the same
// whoever found it, so no result depends on what is kept.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "types.hpp"

namespace h2pc {

struct Hash {
  std::uint64_t first = 0, second = 0;

  Hash& operator+=(const Hash& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
  bool operator==(const Hash&) const = default;
};

// The finaliser of SplitMix64.
inline std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

enum class Role : std::uint64_t { pair = 0, condition = 2 };

// Hashes of variables are added up, so that no order of them matters.
inline Hash hash_of(Var v, Role role) {
  const std::uint64_t number = static_cast<std::uint64_t>(v) * 4 + static_cast<std::uint64_t>(role);
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;
  return {scrambled(number * golden), scrambled((number + 1) * golden)};
}

inline Hash hash_of_set(VarSpan variables) {
  Hash hash;
  for (const Var v : variables) hash += hash_of(v, Role::condition);
  return hash;
}

class AnswerCache {
 public:
  // Room for `n` answers, a power of two or 0. Pages are taken when they are written to.
  explicit AnswerCache(std::size_t n) : n_(n) {
    if (n == 0) return;
    slots_.reset(static_cast<Slot*>(std::calloc(n, sizeof(Slot))));
    if (!slots_) throw std::bad_alloc();
  }

  std::size_t size() const { return n_; }

  std::optional<double> find(const Hash& hash) const {
    const Slot& slot = at(hash);
    const std::uint64_t value = slot.value.load(std::memory_order_relaxed);
    if ((slot.first.load(std::memory_order_relaxed) ^ value) != hash.first) return std::nullopt;
    if ((slot.second.load(std::memory_order_relaxed) ^ value) != hash.second) return std::nullopt;
    return std::bit_cast<double>(value);
  }

  void keep(const Hash& hash, double log_p) const {
    Slot& slot = at(hash);
    const auto value = std::bit_cast<std::uint64_t>(log_p);
    slot.first.store(hash.first ^ value, std::memory_order_relaxed);
    slot.second.store(hash.second ^ value, std::memory_order_relaxed);
    slot.value.store(value, std::memory_order_relaxed);
  }

 private:
  struct Slot {
    std::atomic<std::uint64_t> first, second, value, unused;
  };
  struct Free {
    void operator()(Slot* p) const { std::free(p); }
  };

  Slot& at(const Hash& hash) const {
    return std::span(slots_.get(), n_)[scrambled(hash.first) & (n_ - 1)];
  }

  std::size_t n_;
  std::unique_ptr<Slot[], Free> slots_;
};

}  // namespace h2pc
