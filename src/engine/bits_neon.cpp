// NEON is part of every 64-bit ARM processor: no choice at run time.
#include "bits.hpp"

#if defined(__aarch64__) || defined(_M_ARM64)

#include <arm_neon.h>

namespace h2pc {
namespace {

inline uint8x16_t bits_of_bytes(const std::uint64_t* a, const std::uint64_t* b) {
  return vcntq_u8(vreinterpretq_u8_u64(vandq_u64(vld1q_u64(a), vld1q_u64(b))));
}

// Counts of four pairs of words: at most 32 in a byte.
inline std::int64_t of_block(const std::uint64_t* a, const std::uint64_t* b) {
  const uint8x16_t bytes =
      vaddq_u8(vaddq_u8(bits_of_bytes(a, b), bits_of_bytes(a + 2, b + 2)),
               vaddq_u8(bits_of_bytes(a + 4, b + 4), bits_of_bytes(a + 6, b + 6)));
  return vaddlvq_u8(bytes);
}

std::int64_t and_count(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
  std::int64_t count = 0;
  for (std::size_t w = 0; w < n; w += 8) count += of_block(a + w, b + w);
  return count;
}

std::int64_t and_into(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out,
                      std::size_t n) {
  for (std::size_t w = 0; w < n; w += 2) {
    vst1q_u64(out + w, vandq_u64(vld1q_u64(a + w), vld1q_u64(b + w)));
  }
  return and_count(out, out, n);
}

void and_count_many(const std::uint64_t* masks, std::size_t n_masks, const std::uint64_t* b,
                    std::size_t n, std::int32_t* counts) {
  for (std::size_t i = 0; i < n_masks; ++i) {
    counts[i] = static_cast<std::int32_t>(and_count(masks + i * n, b, n));
  }
}

constexpr BitKernels kernels{
    "neon",     0.2,         and_count,      and_into,    remove_bits,
    level_bits, extend_keys, and_count_many, add_half_g2, add_half_g2_in_stratum};

}  // namespace

const BitKernels* neon_bit_kernels() { return &kernels; }

}  // namespace h2pc

#else

const h2pc::BitKernels* h2pc::neon_bit_kernels() { return nullptr; }

#endif
