#include "separators.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "statistics.hpp"

namespace h2pc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Members of a pool from which on the subsets are so many that merging equal rows pays.
constexpr std::size_t pool_worth_merging = 3;

// Number of subsets of n that have k members; as a double, since it may be astronomical.
double n_subsets(std::size_t n, std::size_t k) {
  double count = 1.0;
  for (std::size_t i = 0; i < k; ++i) {
    count = count * static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return k > n ? 0.0 : count;
}

// Steps positions to the next combination in lexicographic order; false after the last.
bool next_combination(std::vector<std::size_t>& positions, std::size_t n_pool) {
  std::size_t i = positions.size();
  while (i > 0 && positions[i - 1] == n_pool - positions.size() + i - 1) --i;
  if (i == 0) return false;
  positions[i - 1] += 1;
  for (std::size_t j = i; j < positions.size(); ++j) positions[j] = positions[j - 1] + 1;
  return true;
}

// One search within the limits of the context. All subsets that differ in the last member only are
// tested at once.
class Search {
 public:
  Search(const Test& test, Context& context, Var target, Var candidate, VarSpan base, VarSpan pool,
         Wanted wanted)
      : test_(test),
        context_(context),
        target_(target),
        candidate_(candidate),
        base_(base),
        pool_(pool),
        wanted_(wanted),
        log_p_(pool.size() + 1) {
    if (wanted == Wanted::largest) least_links_.fill(infinity);
  }

  Separation run(std::size_t min_size, std::size_t max_size) {
    const std::size_t whole = std::min(max_size, pool_.size());
    std::size_t largest_size = whole;
    bool is_short = false;
    if (context_.max_conditioning != Context::no_limit) {
      const std::int64_t left = context_.max_conditioning - static_cast<std::int64_t>(base_.size());
      is_short = left < static_cast<std::int64_t>(whole);
      if (is_short) largest_size = static_cast<std::size_t>(std::max<std::int64_t>(left, 0));
      if (left < static_cast<std::int64_t>(min_size)) return cut_if(min_size <= whole);
    }
    left_ = context_.max_subset_tests;
    if (nothing_separates()) {  // counted as if it was tried
      double n = 0.0;
      for (std::size_t size = min_size; size <= largest_size; ++size) {
        n += n_subsets(pool_.size(), size);
      }
      const double most = static_cast<double>(left_);
      context_.n_tests += static_cast<std::int64_t>(std::min(n, most));
      return cut_if(n > most || (is_short && min_size <= whole));
    }
    for (std::size_t size = min_size; size <= largest_size; ++size) {
      if (left_ <= 0) return cut_if(true);
      if (auto z = of_size(size)) {
        return {std::move(z), log_p_of_z_, std::move(weakest_), largest_};
      }
      if (is_cut_) return cut_if(true);
    }
    return cut_if(is_short && min_size <= whole);
  }

 private:
  Separation cut_if(bool is_cut) {
    context_.n_cut += is_cut;
    return {std::nullopt, largest_, std::move(weakest_), largest_};
  }

  bool nothing_separates() const {
    if (context_.has_constraints(target_)) {
      if (const auto decided = context_.constraints->log_p(target_, candidate_)) {
        return !test_.is_independent(*decided);
      }
    }
    return !test_.may_separate(target_, candidate_, base_, pool_);
  }

  std::optional<Vars> of_size(std::size_t size) {
    const std::size_t n_prefix = size > 0 ? size - 1 : 0;
    prefix_.resize(n_prefix);
    std::iota(prefix_.begin(), prefix_.end(), std::size_t{0});
    z_.assign(base_.begin(), base_.end());
    z_.resize(base_.size() + n_prefix);
    do {
      for (std::size_t i = 0; i < n_prefix; ++i) z_[base_.size() + i] = pool_[prefix_[i]];
      Question question{target_, z_, std::span(&candidate_, 1)};
      if (wanted_ == Wanted::largest) question.least_links = least_links_;
      if (size > 0) {
        question.varying = pool_.subspan(n_prefix > 0 ? prefix_.back() + 1 : 0);
        question.candidate = candidate_;
      }
      if (static_cast<std::int64_t>(question.varying.size()) > left_) {
        question.varying = question.varying.first(static_cast<std::size_t>(left_));
        is_cut_ = true;
      }
      std::ptrdiff_t stop = answered(test_, context_, question, wanted_, size > 0, log_p_);
      if (size == 0) stop = test_.is_independent(log_p_[0]) ? 0 : -1;
      if (stop >= 0) {
        context_.n_tests += stop + 1;
        Vars found(z_.begin() + static_cast<std::ptrdiff_t>(base_.size()), z_.end());
        if (size > 0) found.push_back(question.varying[static_cast<std::size_t>(stop)]);
        log_p_of_z_ = log_p_[static_cast<std::size_t>(stop)];
        return found;
      }
      const auto n = static_cast<std::int64_t>(question.varying.size());
      for (std::size_t i = 0; i < question.varying.size(); ++i) {
        if (log_p_[i] <= largest_) continue;
        largest_ = log_p_[i];
        weakest_.assign(z_.begin() + static_cast<std::ptrdiff_t>(base_.size()), z_.end());
        if (size > 0) weakest_.push_back(question.varying[i]);
      }
      context_.n_tests += n;
      count(n);
      if (left_ != Context::no_limit) left_ -= n;
      if (is_cut_) return std::nullopt;
      if (left_ <= 0 && has_more(n_prefix)) {
        is_cut_ = true;
        return std::nullopt;
      }
    } while (n_prefix > 0 && next_combination(prefix_, pool_.size() - 1));
    return std::nullopt;
  }

  bool has_more(std::size_t n_prefix) const {
    std::vector<std::size_t> next = prefix_;
    return n_prefix > 0 && next_combination(next, pool_.size() - 1);
  }

  void count(std::int64_t n) {
    const bool was_short = n_tried_ <= context_.many_subsets;
    n_tried_ += n;
    if (was_short && n_tried_ > context_.many_subsets) context_.long_search = {target_, candidate_};
  }

  const Test& test_;
  Context& context_;
  Var target_, candidate_;
  VarSpan base_, pool_;
  Wanted wanted_;
  std::array<double, CriticalStatistics::n_df> least_links_;
  std::vector<double> log_p_;
  std::vector<std::size_t> prefix_;
  Vars z_;
  double largest_ = -infinity;
  Vars weakest_;  // given which the largest was met
  double log_p_of_z_ = 0.0;
  std::int64_t left_ = Context::no_limit;  // subsets that may still be tried
  std::int64_t n_tried_ = 0;
  bool is_cut_ = false;
};

Vars joined(VarSpan some, VarSpan others, std::initializer_list<Var> more) {
  Vars all(some.begin(), some.end());
  all.insert(all.end(), others.begin(), others.end());
  all.insert(all.end(), more);
  return all;
}

// Records what a search has found out about a pair.
void note(Context& context, Var target, Var candidate, VarSpan base, const Separation& found) {
  if (!context.attempts) return;
  if (found.largest > -infinity) {
    context.attempts->note_link(target, candidate, found.largest, base, found.weakest);
  }
  if (found.z) context.attempts->note_separator(target, candidate, base, *found.z);
}

Vars without_repetitions(Vars variables) {
  std::ranges::sort(variables);
  variables.erase(std::ranges::unique(variables).begin(), variables.end());
  return variables;
}

}  // namespace

Separation first_separator(const Test& test, Context& context, Var target, Var candidate,
                           VarSpan base, VarSpan pool, std::size_t min_size, std::size_t max_size) {
  const Vars everyone = without_repetitions(joined(base, pool, {target, candidate}));
  test.check(everyone);
  const bool is_many = pool.size() >= pool_worth_merging && max_size > 1;
  const auto ready = is_many ? test.ready_for_subsets(everyone) : nullptr;
  Separation found =
      Search(ready ? *ready : test, context, target, candidate, base, pool, Wanted::exact)
          .run(min_size, max_size);
  note(context, target, candidate, base, found);
  return found;
}

Vars inseparable(const Test& test, Context& context, Var target, VarSpan candidates, VarSpan pool) {
  const Vars everyone = without_repetitions(joined(pool, candidates, {target}));
  test.check(everyone);
  const bool is_many = pool.size() > pool_worth_merging;
  const auto ready = is_many ? test.ready_for_subsets(everyone) : nullptr;
  const Wanted wanted = context.attempts ? Wanted::largest : Wanted::verdicts;
  Vars kept;
  for (const Var x : candidates) {
    Vars others(pool.begin(), pool.end());
    std::erase(others, x);
    Search search(ready ? *ready : test, context, target, x, {}, others, wanted);
    const Separation found = search.run(0, others.size());
    note(context, target, x, {}, found);
    if (!found.z) kept.push_back(x);
  }
  return kept;
}

namespace {

// The search for what separates every candidate from the target, from the base to all of the pool; 0
// is the log p-value of those that a set separates.
std::vector<Separation> searches(const Test& test, Context& context, Var target, VarSpan candidates,
                                 VarSpan base, VarSpan pool) {
  const Vars given = joined(base, pool, {target});
  test.check(given);
  test.check(candidates);
  std::vector<double> log_p(candidates.size());
  answered(test, context, {target, base, candidates}, Wanted::links, false, log_p);
  context.n_tests += static_cast<std::int64_t>(candidates.size());
  std::vector<Separation> all(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Separation& own = all[i];
    if (test.is_independent(log_p[i])) {
      own.z.emplace();
      own.log_p = 0.0;
      continue;
    }
    own.log_p = own.largest = log_p[i];
    if (pool.empty()) continue;
    const Vars everyone = without_repetitions(joined(given, {}, {candidates[i]}));
    const auto ready =
        pool.size() >= pool_worth_merging ? test.ready_for_subsets(everyone) : nullptr;
    Search search(ready ? *ready : test, context, target, candidates[i], base, pool,
                  Wanted::largest);
    Separation found = search.run(1, pool.size());
    if (found.largest > own.largest) {
      own.largest = found.largest;
      own.weakest = std::move(found.weakest);
    }
    own.log_p = found.z ? 0.0 : own.largest;
    own.z = std::move(found.z);
  }
  return all;
}

}  // namespace

std::vector<double> weakest_links(const Test& test, Context& context, Var target,
                                  VarSpan candidates, VarSpan base, VarSpan pool) {
  std::vector<double> log_p;
  for (const Separation& found : searches(test, context, target, candidates, base, pool)) {
    log_p.push_back(found.log_p);
  }
  return log_p;
}

MaxMin::MaxMin(const Test& test, Context& context, Var target, VarSpan candidates)
    : target_(target) {
  const auto found = searches(test, context, target, candidates, {}, {});
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (found[i].z) continue;
    candidates_.push_back(candidates[i]);
    weakest_.push_back(found[i].log_p);
  }
  given_.resize(candidates_.size());
}

std::optional<Var> MaxMin::strongest() const {
  const auto found = std::ranges::min_element(weakest_);
  if (found == weakest_.end()) return std::nullopt;
  return candidates_[static_cast<std::size_t>(found - weakest_.begin())];
}

void MaxMin::add(const Test& test, Context& context, Var x) {
  const auto place = std::ranges::find(candidates_, x);
  if (place == candidates_.end()) throw std::invalid_argument("only a candidate can be added");
  const auto i = place - candidates_.begin();
  if (context.attempts) {
    const auto own = static_cast<std::size_t>(i);
    context.attempts->note_link(target_, x, weakest_[own], given_[own]);
  }
  candidates_.erase(place);
  weakest_.erase(weakest_.begin() + i);
  given_.erase(given_.begin() + i);
  // Subsets without the new one were tried before.
  auto found = searches(test, context, target_, candidates_, std::span(&x, 1), added_);
  std::size_t n_kept = 0;
  for (std::size_t j = 0; j < candidates_.size(); ++j) {
    if (found[j].z) {
      if (context.attempts) {
        context.attempts->note_separator(target_, candidates_[j], std::span(&x, 1), *found[j].z);
      }
      continue;
    }
    if (found[j].log_p > weakest_[j]) {
      weakest_[j] = found[j].log_p;
      given_[j] = std::move(found[j].weakest);
      given_[j].push_back(x);
    }
    candidates_[n_kept] = candidates_[j];
    weakest_[n_kept] = weakest_[j];
    std::swap(given_[n_kept], given_[j]);
    ++n_kept;
  }
  candidates_.resize(n_kept);
  weakest_.resize(n_kept);
  given_.resize(n_kept);
  added_.push_back(x);
}

}  // namespace h2pc
