// Compiled for AVX2 where the compiler can. Nothing of the standard library is instantiated here:
// the linker might take such a copy for all files, and older processors could not run it.
#include "bits.hpp"

#if defined(__AVX2__)

#include <immintrin.h>

namespace h2pc {
namespace {

// Bits of every byte: two look-ups of four bits each.
inline __m256i bits_of_bytes(__m256i v) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                         0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(0x0f);
  const __m256i first = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
  const __m256i second = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
  return _mm256_add_epi8(first, second);
}

inline __m256i load(const std::uint64_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

inline std::int64_t sum(__m256i v) {
  const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  return _mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1);
}

// Adds the bytes of two blocks' counts up to sums of 64 bits.
inline __m256i added(__m256i total, __m256i one, __m256i other) {
  const __m256i bytes = _mm256_add_epi8(bits_of_bytes(one), bits_of_bytes(other));
  return _mm256_add_epi64(total, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
}

std::int64_t and_count(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
  __m256i total = _mm256_setzero_si256();
  for (std::size_t w = 0; w < n; w += 8) {
    total = added(total, _mm256_and_si256(load(a + w), load(b + w)),
                  _mm256_and_si256(load(a + w + 4), load(b + w + 4)));
  }
  return sum(total);
}

std::int64_t and_into(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out,
                      std::size_t n) {
  __m256i total = _mm256_setzero_si256();
  for (std::size_t w = 0; w < n; w += 8) {
    const __m256i one = _mm256_and_si256(load(a + w), load(b + w));
    const __m256i other = _mm256_and_si256(load(a + w + 4), load(b + w + 4));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + w), one);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + w + 4), other);
    total = added(total, one, other);
  }
  return sum(total);
}

void and_count_many(const std::uint64_t* masks, std::size_t n_masks, const std::uint64_t* b,
                    std::size_t n, std::int32_t* counts) {
  std::size_t i = 0;
  for (; i + 2 <= n_masks; i += 2) {
    const std::uint64_t* one = masks + i * n;
    const std::uint64_t* other = one + n;
    __m256i first = _mm256_setzero_si256(), second = _mm256_setzero_si256();
    for (std::size_t w = 0; w < n; w += 8) {
      const __m256i x = load(b + w), y = load(b + w + 4);
      first =
          added(first, _mm256_and_si256(load(one + w), x), _mm256_and_si256(load(one + w + 4), y));
      second = added(second, _mm256_and_si256(load(other + w), x),
                     _mm256_and_si256(load(other + w + 4), y));
    }
    counts[i] = static_cast<std::int32_t>(sum(first));
    counts[i + 1] = static_cast<std::int32_t>(sum(second));
  }
  if (i < n_masks) counts[i] = static_cast<std::int32_t>(and_count(masks + i * n, b, n));
}

void remove_bits_by_fours(std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
  for (std::size_t w = 0; w < n; w += 4) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(a + w),
                        _mm256_andnot_si256(load(b + w), load(a + w)));
  }
}

void extend_keys_by_eights(std::int32_t* keys, const std::uint8_t* codes, std::int32_t card,
                           std::size_t n) {
  const __m256i factor = _mm256_set1_epi32(card);
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes + i));
    __m256i* place = reinterpret_cast<__m256i*>(keys + i);
    const __m256i scaled = _mm256_mullo_epi32(_mm256_loadu_si256(place), factor);
    _mm256_storeu_si256(place, _mm256_add_epi32(scaled, _mm256_cvtepu8_epi32(bytes)));
  }
  for (; i < n; ++i) keys[i] = keys[i] * card + codes[i];
}

// 32 codes are compared at a time.
void level_bits_by_halves(const std::uint8_t* codes, std::size_t n_words, std::uint8_t level,
                          std::uint64_t* words) {
  const __m256i wanted = _mm256_set1_epi8(static_cast<char>(level));
  const auto bits = [wanted](const std::uint8_t* p) {
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(some, wanted)));
  };
  for (std::size_t w = 0; w < n_words; ++w) {
    const std::uint64_t high = bits(codes + 64 * w + 32);
    words[w] = high << 32 | bits(codes + 64 * w);
  }
}

constexpr BitKernels kernels{"avx2",
                             0.2,
                             and_count,
                             and_into,
                             remove_bits_by_fours,
                             level_bits_by_halves,
                             extend_keys_by_eights,
                             and_count_many,
                             add_half_g2,
                             add_half_g2_in_stratum};

}  // namespace

const BitKernels* avx2_bit_kernels() { return &kernels; }

}  // namespace h2pc

#else

const h2pc::BitKernels* h2pc::avx2_bit_kernels() { return nullptr; }

#endif
