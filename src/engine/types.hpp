// The vocabulary of the engine. Variables are numbered in the order of their names, so a tie that a
// number breaks is broken by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace h2pc {

using Var = std::int32_t;              // a variable
using Vars = std::vector<Var>;         // variables, in an order that matters to the caller
using VarSpan = std::span<const Var>;  // the same, borrowed
using Count = std::int32_t;            // of samples
using Word = std::uint64_t;            // 64 samples of a bitmap

}  // namespace h2pc
