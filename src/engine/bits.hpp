// The innermost loops, in the variant that suits the processor. All variants give the same integers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace h2pc {

// Words of every bitmap are a multiple of this; what lies beyond the last sample is 0.
inline constexpr std::size_t words_per_block = 8;

struct BitKernels {
  const char* name;

  // Nanoseconds to AND two words and count the bits, for the choice among ways of counting.
  double cost_of_word;

  // Number of bits that `a` and `b`, of `n` words each, have in common.
  std::int64_t (*and_count)(const std::uint64_t* a, const std::uint64_t* b, std::size_t n);

  // Writes `a & b` to `out`, and returns the number of its bits.
  std::int64_t (*and_into)(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out,
                           std::size_t n);

  // Clears the bits of `a` that `b` has.
  void (*remove_bits)(std::uint64_t* a, const std::uint64_t* b, std::size_t n);

  // words[w] has a bit for each of 64 codes that is this level, from codes[64 * w] on.
  void (*level_bits)(const std::uint8_t* codes, std::size_t n_words, std::uint8_t level,
                     std::uint64_t* words);

  // keys[i] = keys[i] * card + codes[i]: the number of a cell with one more variable.
  void (*extend_keys)(std::int32_t* keys, const std::uint8_t* codes, std::int32_t card,
                      std::size_t n);

  // counts[i] = the bits that `b` has in common with the i-th of `n_masks` bitmaps, which lie one
  // after the other.
  void (*and_count_many)(const std::uint64_t* masks, std::size_t n_masks, const std::uint64_t* b,
                         std::size_t n, std::int32_t* counts);

  // For `n` tables of two rows and two columns, a multiple of 8: the i-th has the cells a[i], b[i] and
  // c[i], d[i]. Adds half of G² in fixed point to values[i], and 1 to df[i] where nothing is constant;
  // x_log_x[k] is k·ln k.
  void (*add_half_g2)(const std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
                      const std::int32_t* d, std::size_t n, const std::int64_t* x_log_x,
                      std::int64_t* values, std::int32_t* df);

  // The same where the sums of the rows are those of one stratum, n_a and n_b, both above 0: the
  // i-th table has the cells a[i], n_a - a[i] and b[i], n_b - b[i].
  void (*add_half_g2_in_stratum)(const std::int32_t* a, const std::int32_t* b, std::int32_t n_a,
                                 std::int32_t n_b, std::size_t n, const std::int64_t* x_log_x,
                                 std::int64_t* values, std::int32_t* df);
};

// Plain forms, for variants that have no better ones.
void remove_bits(std::uint64_t* a, const std::uint64_t* b, std::size_t n);
void level_bits(const std::uint8_t* codes, std::size_t n_words, std::uint8_t level,
                std::uint64_t* words);
void extend_keys(std::int32_t* keys, const std::uint8_t* codes, std::int32_t card, std::size_t n);
void add_half_g2(const std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
                 const std::int32_t* d, std::size_t n, const std::int64_t* x_log_x,
                 std::int64_t* values, std::int32_t* df);
void add_half_g2_in_stratum(const std::int32_t* a, const std::int32_t* b, std::int32_t n_a,
                            std::int32_t n_b, std::size_t n, const std::int64_t* x_log_x,
                            std::int64_t* values, std::int32_t* df);

// The fastest variant that this processor has.
const BitKernels& bit_kernels();

// The i-th variant that this processor has, the plain one first; nullptr after the last.
const BitKernels* bit_kernels_variant(std::size_t i);

// Variants in files of their own, compiled for their instructions; nullptr where they were not.
const BitKernels* avx2_bit_kernels();
const BitKernels* avx512_bit_kernels();
const BitKernels* neon_bit_kernels();

}  // namespace h2pc
