#include "context.hpp"

#include <algorithm>

namespace h2pc {

Constraints::Constraints(std::vector<std::vector<Pair>> pairs) : pairs_(std::move(pairs)) {
  for (auto& own : pairs_) std::ranges::sort(own, {}, &Pair::other);
}

std::optional<double> Constraints::log_p(Var x, Var y) const {
  if (!has_any(x)) return std::nullopt;
  const auto& own = pairs_[static_cast<std::size_t>(x)];
  const auto found = std::ranges::lower_bound(own, y, {}, &Pair::other);
  if (found == own.end() || found->other != y) return std::nullopt;
  return found->is_linked ? -std::numeric_limits<double>::infinity() : 0.0;
}

Context Context::for_step() const {
  Context step = *this;
  step.n_tests = step.n_cut = 0;
  if (attempts) step.attempts = std::make_shared<AttemptRecord>();
  return step;
}

void Context::take_over(const Context& step) {
  n_tests += step.n_tests;
  n_cut += step.n_cut;
  if (attempts) attempts->merge(std::move(*step.attempts));
  long_search = step.long_search;
  spent_ = step.spent_;
  next_poll_ = step.next_poll_;
}

void Context::look() {
  spent_ = 0.0;
  if (!poll) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_poll_) return;
  next_poll_ = now + std::chrono::milliseconds(20);
  poll(*this);
}

}  // namespace h2pc
