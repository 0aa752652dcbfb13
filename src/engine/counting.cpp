#include "counting.hpp"

#include <algorithm>

#include "bits.hpp"

namespace h2pc {
namespace {

constexpr std::size_t renumber_by_table = std::size_t{1} << 22;  // numbers

std::size_t card_of(const Sample& sample, Var v) {
  return static_cast<std::size_t>(sample.card(v));
}
// The level that follows by subtraction: the most frequent one, or none where cells are missing.
std::size_t mode_of(const Sample& sample, Var v) {
  return static_cast<std::size_t>(sample.is_complete(v) ? sample.mode(v) : sample.card(v));
}

void count_pair_by_bitmaps(const Sample& sample, Var a, Var b, std::span<Count> table) {
  const BitKernels& bits = bit_kernels();
  const std::size_t n_a = card_of(sample, a), n_b = card_of(sample, b);
  const std::size_t mode_a = mode_of(sample, a), mode_b = mode_of(sample, b);
  for (std::size_t i = 0; i < n_a; ++i) {
    if (i == mode_a) continue;
    const std::size_t level = sample.first_level(a) + i;
    Count rest = sample.level_count(level);
    for (std::size_t j = 0; j < n_b; ++j) {
      if (j == mode_b) continue;
      Count n = 0;
      if (rest > 0) {
        const Word* other = sample.bitmap(sample.first_level(b) + j).data();
        n = static_cast<Count>(
            bits.and_count(sample.bitmap(level).data(), other, sample.n_words()));
      }
      table[i * n_b + j] = n;
      rest -= n;
    }
    if (mode_b < n_b) table[i * n_b + mode_b] = rest;
  }
  for (std::size_t j = 0; j < n_b && mode_a < n_a; ++j) {
    Count rest = sample.level_count(sample.first_level(b) + j);
    for (std::size_t i = 0; i < n_a; ++i) {
      if (i != mode_a) rest -= table[i * n_b + j];
    }
    table[mode_a * n_b + j] = rest;
  }
}

void count_pair_by_scatter(const Sample& sample, Var a, Var b, std::span<Count> table) {
  const Rows& rows = sample.rows();
  const std::size_t n_a = card_of(sample, a), n_b = card_of(sample, b);
  const bool may_miss = !sample.is_complete(a) || !sample.is_complete(b);
  std::ranges::fill(table.first(n_a * n_b), 0);
  rows.visit([&](auto codes_of) {
    const auto first = codes_of(a), second = codes_of(b);
    for (std::size_t r = 0; r < rows.n_rows(); ++r) {
      if (may_miss && (first[r] == n_a || second[r] == n_b)) continue;
      table[first[r] * n_b + second[r]] += rows.is_weighted() ? rows.weights()[r] : 1;
    }
  });
}

// Splits every cell by the levels of `v`: one part of a cell stays in its place, the others go to the
// end. Cells that do not occur are left out.
void split_cells(const Sample& sample, Var v, Cells& cells) {
  const BitKernels& bits = bit_kernels();
  const std::size_t n_words = sample.n_words(), card = card_of(sample, v);
  std::size_t n_after = cells.n;
  for (std::size_t cell = 0; cell < cells.n; ++cell) {
    Count rest = cells.counts[cell];
    Word* own = &cells.masks[cell * n_words];
    const Count base = cells.numbers[cell] * static_cast<Count>(card);
    std::size_t remaining = card - 1;
    for (std::size_t level = 0; level + 1 < card; ++level) {
      Word* part = &cells.masks[n_after * n_words];
      const Word* map = sample.bitmap(sample.first_level(v) + level).data();
      const auto n = static_cast<Count>(bits.and_into(own, map, part, n_words));
      if (n == rest) {
        remaining = level;
        break;
      }
      if (n > 0) {
        bits.remove_bits(own, part, n_words);
        cells.numbers[n_after] = base + static_cast<Count>(level);
        cells.counts[n_after] = n;
        n_after += 1;
        rest -= n;
      }
    }
    cells.numbers[cell] = base + static_cast<Count>(remaining);
    cells.counts[cell] = rest;
  }
  cells.n = n_after;
}

// Numbers keys * card + code anew, from 0 on, in the order in which they occur; returns how many.
template <class Code>
std::size_t renumber(std::span<const Code> codes, std::size_t card, std::size_t n_numbers,
                     std::vector<Count>& keys) {
  const std::size_t n_rows = keys.size();
  const bool by_table = n_numbers * card <= renumber_by_table;
  const std::size_t n_slots = by_table ? n_numbers * card : std::bit_ceil(2 * n_rows);
  std::vector<Count> slots(n_slots, -1);
  std::vector<std::size_t> numbers;
  numbers.reserve(std::min(n_rows, n_slots));
  for (std::size_t r = 0; r < n_rows; ++r) {
    const std::size_t number = static_cast<std::size_t>(keys[r]) * card + codes[r];
    std::size_t slot = number;
    if (!by_table) {
      slot = (number * 0x9E3779B97F4A7C15ULL) >> 20 & (n_slots - 1);
      while (slots[slot] >= 0 && numbers[static_cast<std::size_t>(slots[slot])] != number) {
        slot = (slot + 1) & (n_slots - 1);
      }
    }
    if (slots[slot] < 0) {
      slots[slot] = static_cast<Count>(numbers.size());
      numbers.push_back(number);
    }
    keys[r] = slots[slot];
  }
  return numbers.size();
}

}  // namespace

void count_pair(const Sample& sample, Var a, Var b, std::span<Count> table) {
  const double n_counted = static_cast<double>(sample.n_counted(a)) * sample.n_counted(b);
  const double by_bitmaps =
      n_counted * static_cast<double>(sample.n_words()) * bit_kernels().cost_of_word;
  const double by_rows = static_cast<double>(sample.rows().n_rows()) * cost::row;
  if (sample.has_bitmaps() && by_bitmaps <= by_rows) {
    count_pair_by_bitmaps(sample, a, b, table);
  } else {
    count_pair_by_scatter(sample, a, b, table);
  }
}

void copy_pair(const Sample& sample, Var a, Var b, std::span<Count> table) {
  const std::size_t n_a = card_of(sample, a), n_b = card_of(sample, b);
  for (std::size_t i = 0; i < n_a; ++i) {
    std::ranges::copy(sample.pairs(sample.first_level(a) + i, b), &table[i * n_b]);
  }
}

std::size_t triple_masks(const Sample& sample, Var a, Var b, Bitmaps& masks,
                         std::vector<Count>& mask_of) {
  const std::size_t n_a = card_of(sample, a), n_b = card_of(sample, b), n_words = sample.n_words();
  masks.resize(static_cast<std::size_t>(sample.n_counted(a)) *
               static_cast<std::size_t>(sample.n_counted(b)) * n_words);
  mask_of.assign(n_a * n_b, -1);
  std::size_t n = 0;
  for (std::size_t i = 0; i < n_a; ++i) {
    for (std::size_t j = 0; j < n_b; ++j) {
      const std::size_t level = sample.first_level(a) + i, other = sample.first_level(b) + j;
      if (i == mode_of(sample, a) || j == mode_of(sample, b)) continue;
      if (sample.pair(level, other) == 0) continue;
      const auto one = sample.bitmap(level), two = sample.bitmap(other);
      for (std::size_t w = 0; w < n_words; ++w) masks[n * n_words + w] = one[w] & two[w];
      mask_of[i * n_b + j] = static_cast<Count>(n);
      n += 1;
    }
  }
  return n;
}

void count_triple(const Sample& sample, Var a, Var b, Var c, std::span<const Word> masks,
                  std::span<const Count> mask_of, std::span<Count> counts, std::span<Count> table) {
  const std::size_t n_a = card_of(sample, a), n_b = card_of(sample, b), n_c = card_of(sample, c);
  const std::size_t mode_a = mode_of(sample, a), mode_b = mode_of(sample, b);
  const std::size_t mode_c = mode_of(sample, c), n_words = sample.n_words();
  const std::size_t first_a = sample.first_level(a), first_b = sample.first_level(b);
  const std::size_t n_masks = n_words > 0 ? masks.size() / n_words : 0;
  // The cells of levels that follow by subtraction are not counted; along a complete variable, the
  // counts of pairs are those of all samples that count.
  for (std::size_t k = 0; k < n_c; ++k) {
    if (k == mode_c) continue;
    const std::size_t level = sample.first_level(c) + k;
    bit_kernels().and_count_many(masks.data(), n_masks, sample.bitmap(level).data(), n_words,
                                 counts.data());
    for (std::size_t i = 0; i < n_a; ++i) {
      if (i == mode_a) continue;
      Count rest = sample.pair(first_a + i, level);
      for (std::size_t j = 0; j < n_b; ++j) {
        if (j == mode_b) continue;
        const Count mask = mask_of[i * n_b + j];
        const Count n = mask < 0 ? 0 : counts[static_cast<std::size_t>(mask)];
        table[(i * n_b + j) * n_c + k] = n;
        rest -= n;
      }
      if (mode_b < n_b) table[(i * n_b + mode_b) * n_c + k] = rest;
    }
    for (std::size_t j = 0; j < n_b && mode_a < n_a; ++j) {
      Count rest = sample.pair(first_b + j, level);
      for (std::size_t i = 0; i < n_a; ++i) {
        if (i != mode_a) rest -= table[(i * n_b + j) * n_c + k];
      }
      table[(mode_a * n_b + j) * n_c + k] = rest;
    }
  }
  for (std::size_t i = 0; i < n_a && mode_c < n_c; ++i) {
    for (std::size_t j = 0; j < n_b; ++j) {
      Count rest = sample.pair(first_a + i, first_b + j);
      const auto own = table.subspan((i * n_b + j) * n_c, n_c);
      for (std::size_t k = 0; k < n_c; ++k) {
        if (k != mode_c) rest -= own[k];
      }
      own[mode_c] = rest;
    }
  }
}

void find_cells(const Sample& sample, VarSpan variables, std::size_t n_possible, Cells& cells) {
  const std::size_t n_words = sample.n_words(), room = n_possible + 1;  // one more to work in
  if (cells.masks.size() < room * n_words) cells.masks.resize(room * n_words);
  if (cells.numbers.size() < room) {
    cells.numbers.resize(room);
    cells.counts.resize(room);
  }
  cells.n = 0;
  const BitKernels& bits = bit_kernels();
  const Var first = variables.front();
  const bool is_complete = sample.is_complete(variables.subspan(1));
  for (std::size_t level = 0; level < card_of(sample, first); ++level) {
    const std::size_t row = sample.first_level(first) + level;
    if (sample.level_count(row) == 0) continue;
    Word* mask = &cells.masks[cells.n * n_words];
    std::ranges::copy(sample.bitmap(row), mask);
    Count n = sample.level_count(row);
    if (!is_complete) {
      for (const Var v : variables.subspan(1)) {
        if (!sample.is_complete(v)) bits.remove_bits(mask, sample.missing(v).data(), n_words);
      }
      n = static_cast<Count>(bits.and_count(mask, mask, n_words));
      if (n == 0) continue;
    }
    cells.numbers[cells.n] = static_cast<Count>(level);
    cells.counts[cells.n] = n;
    cells.n += 1;
  }
  for (const Var v : variables.subspan(1)) split_cells(sample, v, cells);
}

void count_by_bitmaps(const Sample& sample, const Cells& cells, Var v, std::span<Count> room,
                      std::span<Count> table) {
  const BitKernels& bits = bit_kernels();
  const std::size_t card = card_of(sample, v), mode = mode_of(sample, v);
  for (std::size_t c = 0; c < cells.n && mode < card; ++c) {
    table[static_cast<std::size_t>(cells.numbers[c]) * card + mode] = cells.counts[c];
  }
  for (std::size_t level = 0; level < card; ++level) {
    if (level == mode) continue;
    bits.and_count_many(cells.masks.data(), cells.n,
                        sample.bitmap(sample.first_level(v) + level).data(), sample.n_words(),
                        room.data());
    for (std::size_t c = 0; c < cells.n; ++c) {
      Count* own = &table[static_cast<std::size_t>(cells.numbers[c]) * card];
      own[level] = room[c];
      if (mode < card) own[mode] -= room[c];
    }
  }
}

void extend(std::span<Count> keys, std::span<const std::uint8_t> codes, Count card) {
  bit_kernels().extend_keys(keys.data(), codes.data(), card, keys.size());
}

void extend(std::span<Count> keys, std::span<const std::uint16_t> codes, Count card) {
  for (std::size_t r = 0; r < keys.size(); ++r) keys[r] = keys[r] * card + codes[r];
}

std::size_t number_rows(const Sample& sample, const Rows& rows, VarSpan variables,
                        std::vector<Count>& keys) {
  keys.assign(rows.n_rows(), 0);
  std::size_t n_numbers = 1;
  rows.visit([&](auto codes_of) {
    for (const Var v : variables) {
      const auto codes = codes_of(v);
      const auto n_codes = static_cast<std::size_t>(sample.n_codes(v));
      if (n_numbers * n_codes > rows.n_rows()) {
        n_numbers = renumber(codes, n_codes, n_numbers, keys);
        continue;
      }
      extend(keys, codes, static_cast<Count>(n_codes));
      n_numbers *= n_codes;
    }
    for (const Var v : variables) leave_out_missing(sample, v, codes_of(v), keys);
  });
  return n_numbers;
}

bool CompleteSamples::are_at_least(double n, Var v) {
  double most = static_cast<double>(sample_.n_samples()) - sample_.n_missing(v), fewest = most;
  for (const Var other : variables_) fewest -= sample_.n_missing(other);
  if (n <= fewest) return true;
  return n <= most && n <= static_cast<double>(n_with(v));
}

std::size_t CompleteSamples::n_with(Var v) {
  if (!sample_.has_bitmaps()) {
    Vars all(variables_.begin(), variables_.end());
    all.push_back(v);
    std::vector<Count> keys;
    number_rows(sample_, rows_, all, keys);
    std::size_t n = 0;
    for (std::size_t r = 0; r < keys.size(); ++r) {
      if (keys[r] >= 0) n += static_cast<std::size_t>(rows_.is_weighted() ? rows_.weights()[r] : 1);
    }
    return n;
  }
  // As a bitmap of the samples in which a variable is missing.
  const std::size_t n_words = sample_.n_words();
  const BitKernels& bits = bit_kernels();
  if (!is_found_) {
    room_.assign(n_words, Word{0});
    for (const Var other : variables_) {
      if (sample_.is_complete(other)) continue;
      const auto missing = sample_.missing(other);
      for (std::size_t w = 0; w < n_words; ++w) room_[w] |= missing[w];
    }
    n_missing_ = static_cast<std::size_t>(bits.and_count(room_.data(), room_.data(), n_words));
    is_found_ = true;
  }
  std::size_t n = sample_.n_samples() - n_missing_;
  if (!sample_.is_complete(v)) {
    const Word* own = sample_.missing(v).data();
    n -=
        static_cast<std::size_t>(sample_.n_missing(v) - bits.and_count(room_.data(), own, n_words));
  }
  return n;
}

}  // namespace h2pc
