// What cuts across all steps: constraints on the edges, limits of the searches, the number of tests,
// the attempts to separate pairs, and a look now and then at whether the run has to stop. One value,
// which every step is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "attempts.hpp"
#include "types.hpp"

namespace h2pc {

// Pairs about which nothing is tested: they are linked, or separated, for sure.
class Constraints {
 public:
  struct Pair {
    Var other;
    bool is_linked;
  };

  // `pairs[v]` has those of the variable v; both ends must have a pair.
  explicit Constraints(std::vector<std::vector<Pair>> pairs);

  // The log p-value that is known for a pair: -inf for a link, 0 for independence.
  std::optional<double> log_p(Var x, Var y) const;
  bool has_any(Var x) const {
    return static_cast<std::size_t>(x) < pairs_.size() &&
           !pairs_[static_cast<std::size_t>(x)].empty();
  }

 private:
  std::vector<std::vector<Pair>> pairs_;  // sorted
};

class Context {
 public:
  static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

  std::shared_ptr<const Constraints> constraints;  // none where null
  std::int64_t max_conditioning = no_limit;        // of a search for a separating set
  std::int64_t max_subset_tests = no_limit;
  std::int64_t many_subsets = 10'000'000;  // of one search, after which it is reported
  std::function<void(Context&)> poll;      // throws where the run has to stop

  std::int64_t n_tests = 0;
  std::int64_t n_cut = 0;                          // searches that a limit cut short
  std::optional<std::pair<Var, Var>> long_search;  // that has tried many subsets and goes on

  std::shared_ptr<AttemptRecord> attempts;  // none are recorded where null

  // A copy for one step, with nothing counted or recorded.
  Context for_step() const;
  // Adds what a copy has counted and recorded, and goes on from its last look.
  void take_over(const Context& step);

  bool has_constraints(Var target) const { return constraints && constraints->has_any(target); }

  // To be called with the time that the work ahead takes, about; polls every 20 ms or so.
  void spend(double nanoseconds) {
    spent_ += nanoseconds;
    if (spent_ >= nanoseconds_between_looks) look();
  }

 private:
  static constexpr double nanoseconds_between_looks = 1e6;
  void look();

  double spent_ = 0.0;
  std::chrono::steady_clock::time_point next_poll_{};
};

}  // namespace h2pc
