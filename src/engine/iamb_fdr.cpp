#include "iamb_fdr.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "answer_cache.hpp"

namespace h2pc {
namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

// One round: outsiders, then members, with their log p-values.
struct Round {
  VarSpan tested;
  std::size_t n_outsiders;
  std::span<const double> log_p;
  std::span<const double> limits;
  Var newcomer;  // the member that entered in the round before
};

// Position of the member that leaves or of the outsider that enters, by the ranks of all that may be
// discoveries: by log p-value, then by position.
std::size_t chosen_by_rank(const Round& round) {
  const std::size_t m = round.tested.size();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < m; ++i) {
    if (round.log_p[i] <= round.limits[m - 1]) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return round.log_p[i]; });
  std::vector<char> is_discovery(m, 0);
  std::size_t entering = nobody;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t i = order[rank];
    is_discovery[i] = round.log_p[i] <= round.limits[rank];
    if (entering == nobody && is_discovery[i] != 0 && i < round.n_outsiders) entering = i;
  }
  std::size_t leaving = nobody;
  for (std::size_t i = round.n_outsiders; i < m; ++i) {
    if (is_discovery[i] != 0 || round.tested[i] == round.newcomer) continue;
    const bool is_weaker =
        leaving == nobody || round.log_p[i] > round.log_p[leaving] ||
        (round.log_p[i] == round.log_p[leaving] && round.tested[i] < round.tested[leaving]);
    if (is_weaker) leaving = i;
  }
  return leaving != nobody ? leaving : entering;
}

// The same. Below the first limit everyone is a discovery, whatever its rank, and above the last one
// nobody is: mostly this decides.
std::size_t chosen(const Round& round) {
  const std::size_t m = round.tested.size();
  if (m == 0) return nobody;
  const auto outside = round.log_p.first(round.n_outsiders);
  const auto inside = round.log_p.subspan(round.n_outsiders);
  const bool all_members_stay =
      std::ranges::all_of(inside, [&](double p) { return p <= round.limits[0]; });
  if (all_members_stay) {
    const auto strongest = std::ranges::min_element(outside);
    if (strongest == outside.end() || *strongest > round.limits[m - 1]) return nobody;
    if (*strongest <= round.limits[0]) return static_cast<std::size_t>(strongest - outside.begin());
  }
  return chosen_by_rank(round);
}

}  // namespace

std::vector<double> discovery_limits(std::size_t m, double log_alpha) {
  double harmonic = 0.0;
  for (std::size_t i = m; i > 0; --i) harmonic += 1.0 / static_cast<double>(i);
  std::vector<double> limits(m);
  for (std::size_t i = 0; i < m; ++i) {
    limits[i] =
        log_alpha + std::log(static_cast<double>(i + 1) / (static_cast<double>(m) * harmonic));
  }
  return limits;
}

Vars iamb_fdr(const Test& test, Context& context, Var target, VarSpan candidates, VarSpan start) {
  test.check(target);
  test.check(candidates);
  test.check(start);
  Vars members;
  for (const Var x : start) {
    const bool is_new = std::ranges::find(members, x) == members.end();
    if (is_new && x != target) members.push_back(x);
  }
  Vars everyone(candidates.begin(), candidates.end());
  everyone.insert(everyone.end(), members.begin(), members.end());
  std::ranges::sort(everyone);
  everyone.erase(std::ranges::unique(everyone).begin(), everyone.end());
  std::erase(everyone, target);

  const auto limits = discovery_limits(everyone.size(), test.log_alpha());
  const auto rounds = test.rounds(target, everyone, members, context);
  Vars outsiders = everyone;
  std::erase_if(outsiders, [&](Var x) { return std::ranges::find(members, x) != members.end(); });
  std::vector<Hash> seen{hash_of_set(members)};
  Vars tested;
  std::vector<double> log_p(everyone.size());
  Var newcomer = -1;
  const Constraints* known = context.has_constraints(target) ? context.constraints.get() : nullptr;
  while (true) {
    tested = outsiders;
    tested.insert(tested.end(), members.begin(), members.end());
    context.n_tests += static_cast<std::int64_t>(tested.size());
    rounds->answer(outsiders, members, std::span(log_p).first(tested.size()));
    for (std::size_t i = 0; known != nullptr && i < tested.size(); ++i) {
      log_p[i] = known->log_p(target, tested[i]).value_or(log_p[i]);
    }
    const std::size_t i =
        chosen({tested, outsiders.size(), std::span(log_p).first(tested.size()), limits, newcomer});
    if (i == nobody) {
      if (context.attempts) {
        const auto outside = std::span(log_p).first(outsiders.size());
        context.attempts->note_round(target, outsiders, members, outside, test.log_alpha());
      }
      return members;
    }
    const Var x = tested[i];
    newcomer = -1;
    if (i < outsiders.size()) {
      outsiders.erase(outsiders.begin() + static_cast<std::ptrdiff_t>(i));
      members.push_back(x);
      newcomer = x;
    } else {
      std::erase(members, x);
      outsiders.insert(std::ranges::lower_bound(outsiders, x), x);
    }
    if (std::ranges::find(seen, hash_of_set(members)) != seen.end()) {
      std::erase(members, x);
      std::erase(outsiders, x);
      newcomer = -1;
    }
    seen.push_back(hash_of_set(members));
  }
}

}  // namespace h2pc
