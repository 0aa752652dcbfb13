#include "gaining_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>

#include "variable_sets.hpp"

namespace h2pc {
namespace {

// Pairs that are scored at once: a polling interval allows for so many, as far as the last ones tell.
// A score that is written elsewhere may take a while for each.
class Block {
 public:
  std::size_t size() const { return size_; }

  template <class Work>
  auto timed(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    auto found = work();
    const auto passed = std::chrono::steady_clock::now() - start;
    if (passed > longest) {
      size_ = std::max<std::size_t>(1, size_ / 2);
    } else if (2 * passed < longest) {
      size_ = std::min<std::size_t>(most, 2 * size_);
    }
    return found;
  }

 private:
  static constexpr std::chrono::milliseconds longest{20};
  static constexpr std::size_t most = 4096;

  std::size_t size_ = 16;
};

}  // namespace

GainingPairs gaining_pairs(const LocalScore& score, const Vars& children, const Vars& variables,
                           const std::optional<Vars>& near, StopCheck stop) {
  GainingPairs found{{}, false};
  Vars inside;
  if (near) std::ranges::set_intersection(*near, variables, std::back_inserter(inside));
  const auto others_of = [&](Var child) {
    const Vars& others = near && !contains(*near, child) ? inside : variables;
    return VarSpan(others.begin(), std::ranges::lower_bound(others, child));
  };
  for (const Var child : children)
    stop.progress.expected += static_cast<std::int64_t>(others_of(child).size());
  Block block;
  try {
    for (const Var child : children) {
      const VarSpan others = others_of(child);
      if (others.empty()) continue;
      const double alone = score.family(child, {});
      for (std::size_t first = 0; first < others.size();) {
        stop.look();
        const auto some = others.subspan(first, std::min(block.size(), others.size() - first));
        const std::vector<double> scores =
            block.timed([&] { return score.changed(child, {}, some, stop); });
        for (std::size_t i = 0; i < some.size(); ++i) {
          if (scores[i] > alone) found.pairs.emplace_back(some[i], child);
        }
        first += some.size();
        stop.progress.done += static_cast<std::int64_t>(some.size());
      }
    }
  } catch (const Stopped&) {
    found.was_stopped = true;
  }
  return found;
}

}  // namespace h2pc
