// Asserts for tests: what does not hold is printed, with its line, and ends the program.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>

#define CHECK(condition) ::check::that(static_cast<bool>(condition), #condition, __FILE__, __LINE__)

#define CHECK_EQUAL(found, expected) \
  ::check::equal((found), (expected), #found " == " #expected, __FILE__, __LINE__)

#define CHECK_THROWS(exception, expression)                                       \
  do {                                                                            \
    bool thrown = false;                                                          \
    try {                                                                         \
      static_cast<void>(expression);                                              \
    } catch (const exception&) {                                                  \
      thrown = true;                                                              \
    }                                                                             \
    ::check::that(thrown, #expression " throws " #exception, __FILE__, __LINE__); \
  } while (false)

namespace check {

[[noreturn]] inline void fail() {
  std::cerr.flush();
  std::abort();
}

inline void that(bool holds, const char* text, const char* file, int line) {
  if (holds) return;
  std::cerr << file << ':' << line << ": not so: " << text << '\n';
  fail();
}

template <class Found, class Expected>
void equal(const Found& found, const Expected& expected, const char* text, const char* file,
           int line) {
  if (found == expected) return;
  std::cerr << file << ':' << line << ": not so: " << text;
  if constexpr (requires { std::cerr << found << expected; }) {
    std::cerr << ", but " << found << " and " << expected;
  }
  std::cerr << '\n';
  fail();
}

// The same random numbers on every machine.
using Random = std::mt19937_64;

// `few`, or as many times more as H2PC_TEST_ROUNDS says: `make sanitize` tries more examples.
inline std::size_t rounds(std::size_t few) {
  const char* factor = std::getenv("H2PC_TEST_ROUNDS");
  return factor == nullptr ? few : few * std::strtoul(factor, nullptr, 10);
}

}  // namespace check
