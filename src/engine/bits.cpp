#include "bits.hpp"

#include <array>
#include <bit>

#if defined(__x86_64__) || defined(_M_X64)
#define H2PC_X86_64
#if defined(_MSC_VER)
#include <intrin.h>
#else
#include <cpuid.h>
#endif
#endif

namespace h2pc {

void remove_bits(std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
  for (std::size_t w = 0; w < n; ++w) a[w] &= ~b[w];
}

void level_bits(const std::uint8_t* codes, std::size_t n_words, std::uint8_t level,
                std::uint64_t* words) {
  for (std::size_t w = 0; w < n_words; ++w) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 64; ++i) {
      word |= static_cast<std::uint64_t>(codes[64 * w + i] == level) << i;
    }
    words[w] = word;
  }
}

void extend_keys(std::int32_t* keys, const std::uint8_t* codes, std::int32_t card, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) keys[i] = keys[i] * card + codes[i];
}

void add_half_g2(const std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
                 const std::int32_t* d, std::size_t n, const std::int64_t* x_log_x,
                 std::int64_t* values, std::int32_t* df) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t ab = a[i] + b[i], cd = c[i] + d[i], ac = a[i] + c[i], bd = b[i] + d[i];
    const std::int64_t inner = x_log_x[a[i]] + x_log_x[b[i]] + x_log_x[c[i]] + x_log_x[d[i]];
    const std::int64_t outer = x_log_x[ab] + x_log_x[cd] + x_log_x[ac] + x_log_x[bd];
    values[i] += inner - outer + x_log_x[ab + cd];
    df[i] += (ab > 0) & (cd > 0) & (ac > 0) & (bd > 0);
  }
}

void add_half_g2_in_stratum(const std::int32_t* a, const std::int32_t* b, std::int32_t n_a,
                            std::int32_t n_b, std::size_t n, const std::int64_t* x_log_x,
                            std::int64_t* values, std::int32_t* df) {
  const std::int32_t total = n_a + n_b;
  const std::int64_t own = x_log_x[total] - x_log_x[n_a] - x_log_x[n_b];
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t ab = a[i] + b[i];
    if (ab == 0) continue;  // all samples are at one level, as of most sparse variables
    values[i] += own + x_log_x[a[i]] + x_log_x[n_a - a[i]] + x_log_x[b[i]] + x_log_x[n_b - b[i]] -
                 x_log_x[ab] - x_log_x[total - ab];
    df[i] += ab < total;
  }
}

namespace {

std::int64_t and_count(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
  std::int64_t count = 0;
  for (std::size_t w = 0; w < n; ++w) count += std::popcount(a[w] & b[w]);
  return count;
}

std::int64_t and_into(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out,
                      std::size_t n) {
  std::int64_t count = 0;
  for (std::size_t w = 0; w < n; ++w) {
    out[w] = a[w] & b[w];
    count += std::popcount(out[w]);
  }
  return count;
}

void and_count_many(const std::uint64_t* masks, std::size_t n_masks, const std::uint64_t* b,
                    std::size_t n, std::int32_t* counts) {
  for (std::size_t i = 0; i < n_masks; ++i) {
    counts[i] = static_cast<std::int32_t>(and_count(masks + i * n, b, n));
  }
}

constexpr BitKernels plain{
    "plain",    0.6,         and_count,      and_into,    remove_bits,
    level_bits, extend_keys, and_count_many, add_half_g2, add_half_g2_in_stratum};

#if defined(H2PC_X86_64)

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers cpuid(unsigned leaf, unsigned subleaf) {
  Registers r;
#if defined(_MSC_VER)
  int out[4];
  __cpuidex(out, static_cast<int>(leaf), static_cast<int>(subleaf));
  r = {static_cast<unsigned>(out[0]), static_cast<unsigned>(out[1]), static_cast<unsigned>(out[2]),
       static_cast<unsigned>(out[3])};
#else
  __cpuid_count(leaf, subleaf, r.a, r.b, r.c, r.d);
#endif
  return r;
}

// Which registers the operating system saves: the low half of XCR0.
unsigned saved_registers() {
#if defined(_MSC_VER)
  return static_cast<unsigned>(_xgetbv(0));
#else
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
#endif
}

struct Processor {
  bool has_avx2 = false;
  bool has_avx512_popcount = false;
};

Processor processor() {
  Processor found;
  if (cpuid(0, 0).a < 7) return found;
  constexpr unsigned popcnt = 1u << 23, osxsave = 1u << 27;  // leaf 1, ecx
  constexpr unsigned avx2 = 1u << 5, avx512f = 1u << 16;     // leaf 7, ebx
  constexpr unsigned vpopcntdq = 1u << 14;                   // leaf 7, ecx
  constexpr unsigned ymm = 0x6, zmm = 0xe6;                  // XCR0
  const unsigned basic = cpuid(1, 0).c;
  if ((basic & osxsave) == 0 || (basic & popcnt) == 0) return found;
  const unsigned saved = saved_registers();
  const Registers more = cpuid(7, 0);
  found.has_avx2 = (saved & ymm) == ymm && (more.b & avx2) != 0;
  found.has_avx512_popcount =
      (saved & zmm) == zmm && (more.b & avx512f) != 0 && (more.c & vpopcntdq) != 0;
  return found;
}

#endif

constexpr std::size_t most_variants = 4;

// The variants that this processor has, from the slowest to the fastest; the rest are nullptr.
std::array<const BitKernels*, most_variants> variants() {
  std::array<const BitKernels*, most_variants> found{};
  std::size_t n = 0;
  found[n++] = &plain;
#if defined(H2PC_X86_64)
  const Processor here = processor();
  if (here.has_avx2 && avx2_bit_kernels() != nullptr) found[n++] = avx2_bit_kernels();
  if (here.has_avx512_popcount && avx512_bit_kernels() != nullptr)
    found[n++] = avx512_bit_kernels();
#endif
  if (neon_bit_kernels() != nullptr) found[n++] = neon_bit_kernels();
  return found;
}

const auto available = variants();

}  // namespace

const BitKernels* bit_kernels_variant(std::size_t i) {
  return i < available.size() ? available[i] : nullptr;
}

const BitKernels& bit_kernels() {
  static const BitKernels& fastest = []() -> const BitKernels& {
    const BitKernels* last = &plain;
    for (const BitKernels* variant : available) {
      if (variant != nullptr) last = variant;
    }
    return *last;
  }();
  return fastest;
}

}  // namespace h2pc
