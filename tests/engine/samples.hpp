// Random samples of several shapes: what each makes the engine count in its own way.
#pragma once

#include <memory>
#include <vector>

#include "check.hpp"
#include "sample.hpp"

namespace samples {

using h2pc::Count;
using h2pc::Sample;

struct Shape {
  std::size_t n_variables, n_rows;
  Count fewest_levels, most_levels;
  double share_of_zeros;  // of the level 0, beside what the neighbour says
  bool is_weighted = false;
  double share_missing = 0.0;  // of the cells, the last variable apart
};

// Every variable follows the one before it in a part of the rows.
inline std::shared_ptr<const Sample> made(const Shape& shape, check::Random& random) {
  const auto real = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<Count> cards(shape.n_variables);
  for (Count& card : cards) {
    const auto width = static_cast<std::uint64_t>(shape.most_levels - shape.fewest_levels + 1);
    card = shape.fewest_levels + static_cast<Count>(random() % width);
  }
  std::vector<std::uint16_t> codes(shape.n_variables * shape.n_rows);
  for (std::size_t v = 0; v < shape.n_variables; ++v) {
    for (std::size_t r = 0; r < shape.n_rows; ++r) {
      const auto card = static_cast<std::uint16_t>(cards[v]);
      std::uint16_t code = real() < shape.share_of_zeros
                               ? std::uint16_t{0}
                               : static_cast<std::uint16_t>(random() % card);
      if (v > 0 && real() < 0.4) {
        code = static_cast<std::uint16_t>(codes[(v - 1) * shape.n_rows + r] % card);
      }
      codes[v * shape.n_rows + r] = code;
    }
  }
  // After all levels: a variable follows those that are missing, too.
  for (std::size_t i = 0; shape.share_missing > 0.0 && i < codes.size() - shape.n_rows; ++i) {
    if (real() < shape.share_missing)
      codes[i] = static_cast<std::uint16_t>(cards[i / shape.n_rows]);
  }
  std::vector<Count> weights;
  for (std::size_t r = 0; shape.is_weighted && r < shape.n_rows; ++r) {
    weights.push_back(1 + static_cast<Count>(random() % 5));
  }
  if (shape.most_levels > 255) {  // and one code for missing cells
    return std::make_shared<const Sample>(std::move(codes), std::move(cards), std::move(weights));
  }
  std::vector<std::uint8_t> narrow(codes.begin(), codes.end());
  return std::make_shared<const Sample>(std::move(narrow), std::move(cards), std::move(weights));
}

inline const std::vector<Shape> shapes{
    {12, 700, 2, 2, 0.2},              // binary
    {40, 900, 2, 2, 0.95},             // sparse and binary
    {12, 600, 2, 4, 0.3},              // few levels
    {8, 2500, 3, 9, 0.1},              // tables larger than bitmaps pay for
    {6, 800, 250, 300, 0.9},           // codes of two bytes
    {10, 300, 2, 3, 0.3, true},        // merged rows
    {5, 1, 1, 3, 0.5},                 // a single row
    {12, 700, 2, 2, 0.2, false, 0.1},  // the same with missing cells
    {40, 900, 2, 2, 0.95, false, 0.02},
    {12, 600, 2, 4, 0.3, false, 0.3},
    {8, 2500, 3, 9, 0.1, false, 0.1},
    {6, 800, 250, 300, 0.9, false, 0.1},
    {10, 300, 2, 3, 0.3, true, 0.2},
    {5, 1, 1, 3, 0.5, false, 0.6},
    {6, 90, 2, 3, 0.3, false, 0.95},  // hardly a row is complete in two variables
};

}  // namespace samples
