// Compiled for AVX-512 with vector popcounts where the compiler can. Nothing of the standard library
// is instantiated here: see bits_avx2.cpp.
#include "bits.hpp"

#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)

#include <immintrin.h>

namespace h2pc {
namespace {

inline __m512i load(const std::uint64_t* p) { return _mm512_loadu_si512(p); }

inline __m512i added(__m512i total, __m512i bits) {
  return _mm512_add_epi64(total, _mm512_popcnt_epi64(bits));
}

// Not _mm512_reduce_add_epi64 or a plain extract, which make GCC 12 warn.
inline std::int64_t sum(__m512i v) {
  const __m256i half = _mm256_add_epi64(_mm512_maskz_extracti64x4_epi64(0xff, v, 0),
                                        _mm512_maskz_extracti64x4_epi64(0xff, v, 1));
  const __m128i quarter =
      _mm_add_epi64(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
  return _mm_cvtsi128_si64(quarter) + _mm_extract_epi64(quarter, 1);
}

// The sums of four vectors, written side by side.
inline void store_sums(__m512i a, __m512i b, __m512i c, __m512i d, std::int32_t* sums) {
  const __m512i ab = _mm512_add_epi64(_mm512_maskz_unpacklo_epi64(0xff, a, b),
                                      _mm512_maskz_unpackhi_epi64(0xff, a, b));
  const __m512i cd = _mm512_add_epi64(_mm512_maskz_unpacklo_epi64(0xff, c, d),
                                      _mm512_maskz_unpackhi_epi64(0xff, c, d));
  const __m512i halves = _mm512_add_epi64(_mm512_maskz_shuffle_i64x2(0xff, ab, cd, 0x88),
                                          _mm512_maskz_shuffle_i64x2(0xff, ab, cd, 0xdd));
  const __m512i both =
      _mm512_add_epi64(halves, _mm512_maskz_shuffle_i64x2(0xff, halves, halves, 0xb1));
  const __m256i narrow = _mm512_maskz_cvtepi64_epi32(0xff, both);  // a b a b c d c d
  const __m256i order = _mm256_setr_epi32(0, 1, 4, 5, 0, 1, 4, 5);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(sums),
                   _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(narrow, order)));
}

std::int64_t and_count(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
  __m512i total = _mm512_setzero_si512();
  for (std::size_t w = 0; w < n; w += 8) {
    total = added(total, _mm512_and_si512(load(a + w), load(b + w)));
  }
  return sum(total);
}

std::int64_t and_into(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out,
                      std::size_t n) {
  __m512i total = _mm512_setzero_si512();
  for (std::size_t w = 0; w < n; w += 8) {
    const __m512i both = _mm512_and_si512(load(a + w), load(b + w));
    _mm512_storeu_si512(out + w, both);
    total = added(total, both);
  }
  return sum(total);
}

void and_count_many(const std::uint64_t* masks, std::size_t n_masks, const std::uint64_t* b,
                    std::size_t n, std::int32_t* counts) {
  std::size_t i = 0;
  for (; i + 4 <= n_masks; i += 4) {
    const std::uint64_t* m = masks + i * n;
    __m512i t0 = _mm512_setzero_si512(), t1 = t0, t2 = t0, t3 = t0;
    for (std::size_t w = 0; w < n; w += 8) {
      const __m512i x = load(b + w);
      t0 = added(t0, _mm512_and_si512(load(m + w), x));
      t1 = added(t1, _mm512_and_si512(load(m + n + w), x));
      t2 = added(t2, _mm512_and_si512(load(m + 2 * n + w), x));
      t3 = added(t3, _mm512_and_si512(load(m + 3 * n + w), x));
    }
    store_sums(t0, t1, t2, t3, counts + i);
  }
  for (; i < n_masks; ++i) counts[i] = static_cast<std::int32_t>(and_count(masks + i * n, b, n));
}

inline __m256i load_eight(const std::int32_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

inline __m512i look_up(__m256i places, const std::int64_t* table) {
  return _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), 0xff, places, table, 8);
}

// Eight tables at a time: the look-ups take most of the time.
void add_half_g2_by_eights(const std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
                           const std::int32_t* d, std::size_t n, const std::int64_t* x_log_x,
                           std::int64_t* values, std::int32_t* df) {
  for (std::size_t i = 0; i < n; i += 8) {
    const __m256i p = load_eight(a + i), q = load_eight(b + i);
    const __m256i r = load_eight(c + i), s = load_eight(d + i);
    const __m256i top = _mm256_add_epi32(p, q), bottom = _mm256_add_epi32(r, s);
    const __m256i left = _mm256_add_epi32(p, r), right = _mm256_add_epi32(q, s);
    const __m512i inner =
        _mm512_add_epi64(_mm512_add_epi64(look_up(p, x_log_x), look_up(q, x_log_x)),
                         _mm512_add_epi64(look_up(r, x_log_x), look_up(s, x_log_x)));
    const __m512i outer =
        _mm512_add_epi64(_mm512_add_epi64(look_up(top, x_log_x), look_up(bottom, x_log_x)),
                         _mm512_add_epi64(look_up(left, x_log_x), look_up(right, x_log_x)));
    const __m512i all = look_up(_mm256_add_epi32(top, bottom), x_log_x);
    const __m512i half = _mm512_add_epi64(_mm512_sub_epi64(inner, outer), all);
    _mm512_storeu_si512(values + i, _mm512_add_epi64(_mm512_loadu_si512(values + i), half));
    const __m256i least =
        _mm256_min_epi32(_mm256_min_epi32(top, bottom), _mm256_min_epi32(left, right));
    const __m256i varies = _mm256_cmpgt_epi32(least, _mm256_setzero_si256());  // -1 where it does
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(df + i),
                        _mm256_sub_epi32(load_eight(df + i), varies));
  }
}

void add_half_g2_in_stratum_by_eights(const std::int32_t* a, const std::int32_t* b,
                                      std::int32_t n_a, std::int32_t n_b, std::size_t n,
                                      const std::int64_t* x_log_x, std::int64_t* values,
                                      std::int32_t* df) {
  const std::int32_t total = n_a + n_b;
  const __m512i own = _mm512_set1_epi64(x_log_x[total] - x_log_x[n_a] - x_log_x[n_b]);
  const __m256i all_a = _mm256_set1_epi32(n_a), all_b = _mm256_set1_epi32(n_b);
  const __m256i all = _mm256_set1_epi32(total), zero = _mm256_setzero_si256();
  for (std::size_t i = 0; i < n; i += 8) {
    const __m256i p = load_eight(a + i), q = load_eight(b + i);
    const __m256i some = _mm256_add_epi32(p, q);
    if (_mm256_testz_si256(some, some) != 0) continue;
    const __m256i rest = _mm256_sub_epi32(all, some);
    const __m512i inner = _mm512_add_epi64(
        _mm512_add_epi64(look_up(p, x_log_x), look_up(_mm256_sub_epi32(all_a, p), x_log_x)),
        _mm512_add_epi64(look_up(q, x_log_x), look_up(_mm256_sub_epi32(all_b, q), x_log_x)));
    const __m512i outer = _mm512_add_epi64(look_up(some, x_log_x), look_up(rest, x_log_x));
    const __m512i half = _mm512_add_epi64(_mm512_sub_epi64(inner, outer), own);
    _mm512_storeu_si512(values + i, _mm512_add_epi64(_mm512_loadu_si512(values + i), half));
    const __m256i varies = _mm256_cmpgt_epi32(_mm256_min_epi32(some, rest), zero);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(df + i),
                        _mm256_sub_epi32(load_eight(df + i), varies));
  }
}

void remove_bits_by_eights(std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
  for (std::size_t w = 0; w < n; w += 8) {
    _mm512_storeu_si512(a + w, _mm512_maskz_andnot_epi64(0xff, load(b + w), load(a + w)));
  }
}

void extend_keys_by_sixteens(std::int32_t* keys, const std::uint8_t* codes, std::int32_t card,
                             std::size_t n) {
  const __m512i factor = _mm512_set1_epi32(card);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + i));
    const __m512i scaled = _mm512_mullo_epi32(_mm512_loadu_si512(keys + i), factor);
    const __m512i added = _mm512_add_epi32(scaled, _mm512_maskz_cvtepu8_epi32(0xffff, bytes));
    _mm512_storeu_si512(keys + i, added);
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

constexpr BitKernels kernels{"avx512",
                             0.075,
                             and_count,
                             and_into,
                             remove_bits_by_eights,
                             level_bits_by_halves,
                             extend_keys_by_sixteens,
                             and_count_many,
                             add_half_g2_by_eights,
                             add_half_g2_in_stratum_by_eights};

}  // namespace

const BitKernels* avx512_bit_kernels() { return &kernels; }

}  // namespace h2pc

#else

const h2pc::BitKernels* h2pc::avx512_bit_kernels() { return nullptr; }

#endif
