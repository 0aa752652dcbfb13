// Every variant of the loops over bitmaps counts what the plain one counts.
#include <vector>

#include "bits.hpp"
#include "check.hpp"

namespace {

using h2pc::BitKernels;

std::vector<std::uint64_t> random_words(std::size_t n, check::Random& random) {
  std::vector<std::uint64_t> words(n);
  for (std::uint64_t& word : words) {
    word = random();
    if (random() % 8 == 0) word = 0;
    if (random() % 8 == 0) word = ~std::uint64_t{0};
  }
  return words;
}

// Buffers are exactly as long as they have to be: a sanitizer sees every word too many.
void agree(const BitKernels& variant, const BitKernels& plain, std::size_t n, std::size_t n_masks,
           check::Random& random) {
  const auto a = random_words(n, random), b = random_words(n, random);
  CHECK_EQUAL(variant.and_count(a.data(), b.data(), n), plain.and_count(a.data(), b.data(), n));

  std::vector<std::uint64_t> out(n), expected_out(n);
  const auto count = variant.and_into(a.data(), b.data(), out.data(), n);
  CHECK_EQUAL(count, plain.and_into(a.data(), b.data(), expected_out.data(), n));
  CHECK_EQUAL(out, expected_out);

  auto left = a, expected_left = a;
  variant.remove_bits(left.data(), b.data(), n);
  plain.remove_bits(expected_left.data(), b.data(), n);
  CHECK_EQUAL(left, expected_left);

  std::vector<std::int32_t> keys(n + n_masks), expected_keys(n + n_masks);
  std::vector<std::uint8_t> codes(n + n_masks);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = expected_keys[i] = static_cast<std::int32_t>(random() % 1000);
    codes[i] = static_cast<std::uint8_t>(random());
  }
  variant.extend_keys(keys.data(), codes.data(), 256, keys.size());
  plain.extend_keys(expected_keys.data(), codes.data(), 256, keys.size());
  CHECK_EQUAL(keys, expected_keys);

  std::vector<std::uint8_t> levels(64 * n);
  for (std::uint8_t& level : levels) level = static_cast<std::uint8_t>(random() % 3 * 100);
  std::vector<std::uint64_t> bits(n), expected_bits(n);
  variant.level_bits(levels.data(), n, 200, bits.data());
  plain.level_bits(levels.data(), n, 200, expected_bits.data());
  CHECK_EQUAL(bits, expected_bits);

  const auto masks = random_words(n_masks * n, random);
  std::vector<std::int32_t> counts(n_masks, -1), expected_counts(n_masks, -2);
  variant.and_count_many(masks.data(), n_masks, b.data(), n, counts.data());
  plain.and_count_many(masks.data(), n_masks, b.data(), n, expected_counts.data());
  CHECK_EQUAL(counts, expected_counts);
}

void agree_on_tables(const BitKernels& variant, const BitKernels& plain, std::size_t n,
                     check::Random& random) {
  std::vector<std::int64_t> x_log_x(101);
  for (std::int64_t& value : x_log_x) value = static_cast<std::int64_t>(random() >> 8);
  x_log_x[0] = 0;
  std::vector<std::vector<std::int32_t>> cells(4, std::vector<std::int32_t>(n));
  for (auto& own : cells) {
    for (std::int32_t& cell : own) cell = static_cast<std::int32_t>(random() % 26);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (auto& own : cells) own[i] = random() % 3 == 0 ? 0 : own[i];  // rows and columns of zeros
  }
  std::vector<std::int64_t> values(n, 7), expected_values(n, 7);
  std::vector<std::int32_t> df(n, 3), expected_df(n, 3);
  variant.add_half_g2(cells[0].data(), cells[1].data(), cells[2].data(), cells[3].data(), n,
                      x_log_x.data(), values.data(), df.data());
  plain.add_half_g2(cells[0].data(), cells[1].data(), cells[2].data(), cells[3].data(), n,
                    x_log_x.data(), expected_values.data(), expected_df.data());
  CHECK_EQUAL(values, expected_values);
  CHECK_EQUAL(df, expected_df);

  // A stratum of 25 and 30 samples: what is not in the first two cells is in the other two.
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_constant = i % 64 < 16;  // two blocks of variables that are at one level
    cells[0][i] = is_constant ? 0 : cells[0][i];
    cells[2][i] = is_constant ? 0 : cells[2][i];
    cells[1][i] = 25 - cells[0][i];
    cells[3][i] = 30 - cells[2][i];
  }
  variant.add_half_g2_in_stratum(cells[0].data(), cells[2].data(), 25, 30, n, x_log_x.data(),
                                 values.data(), df.data());
  plain.add_half_g2(cells[0].data(), cells[1].data(), cells[2].data(), cells[3].data(), n,
                    x_log_x.data(), expected_values.data(), expected_df.data());
  CHECK_EQUAL(values, expected_values);
  CHECK_EQUAL(df, expected_df);
}

void plain_counts_the_bits(const BitKernels& plain) {
  const std::vector<std::uint64_t> a{0b1011, 0, ~std::uint64_t{0}, 1, 0, 0, 0, 0};
  const std::vector<std::uint64_t> b{0b0110, 7, ~std::uint64_t{0}, 3, 0, 0, 0, 0};
  CHECK_EQUAL(plain.and_count(a.data(), b.data(), a.size()), 1 + 0 + 64 + 1);
}

}  // namespace

int main() {
  const BitKernels* plain = h2pc::bit_kernels_variant(0);
  CHECK(plain != nullptr);
  plain_counts_the_bits(*plain);

  check::Random random(1);
  const BitKernels* fastest = plain;
  for (std::size_t i = 0; const BitKernels* variant = h2pc::bit_kernels_variant(i); ++i) {
    std::cout << variant->name << '\n';
    for (std::size_t round = 0; round < check::rounds(4); ++round) {
      for (std::size_t n = 0; n <= 200; n += h2pc::words_per_block) {
        for (std::size_t n_masks = 0; n_masks <= 9; ++n_masks) {
          agree(*variant, *plain, n, n_masks, random);
        }
        agree_on_tables(*variant, *plain, n, random);
      }
    }
    fastest = variant;
  }
  CHECK(&h2pc::bit_kernels() == fastest);
}
