#include "pruning.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

namespace h2pc {
namespace {

struct Link {
  double log_p;
  Var x;
  auto operator<=>(const Link&) const = default;
};

}  // namespace

Pruned pruned(const Test& test, Context& context, Var target, VarSpan candidates) {
  test.check(target);
  test.check(candidates);
  std::vector<double> log_p(candidates.size());
  answered(test, context, {target, {}, candidates}, Wanted::links, false, log_p);
  context.n_tests += static_cast<std::int64_t>(candidates.size());
  std::vector<Link> links;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!test.is_independent(log_p[i])) links.push_back({log_p[i], candidates[i]});
  }
  std::ranges::sort(links);
  std::vector<Link> turns = links;
  std::ranges::sort(turns, [](const Link& a, const Link& b) {
    return a.log_p != b.log_p ? a.log_p > b.log_p : a.x < b.x;
  });

  Pruned found;
  Vars others;
  for (const Link& turn : turns) {
    links.erase(std::ranges::lower_bound(links, turn));
    others.clear();
    for (const Link& link : links) others.push_back(link.x);
    const std::ptrdiff_t stop =
        answered(test, context, {target, {}, others, turn.x}, Wanted::largest, true, log_p);
    if (stop >= 0) {
      context.n_tests += stop + 1;
      found.separated.emplace_back(turn.x, others[static_cast<std::size_t>(stop)]);
      continue;
    }
    context.n_tests += static_cast<std::int64_t>(others.size());
    Link link = turn;
    std::size_t weakest = others.size();
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (log_p[i] <= link.log_p) continue;
      link.log_p = log_p[i];
      weakest = i;
    }
    if (context.attempts) {
      const auto given = std::span(others).subspan(weakest, weakest < others.size() ? 1 : 0);
      context.attempts->note_link(target, link.x, link.log_p, given);
    }
    links.insert(std::ranges::lower_bound(links, link), link);
  }
  for (const Link& link : links) found.kept.push_back(link.x);
  return found;
}

namespace {

// A candidate that is linked to the target given some x, by its position among all candidates.
struct LinkGiven {
  double log_p;
  std::size_t candidate;
};
using LinksGiven = std::vector<LinkGiven>;

// Pruning given one x, as far as it is known. At the turn of a candidate all stronger ones are still
// there, and those of the weaker ones that stayed. So nothing is tested about a candidate before its
// fate is needed, and fates of weaker ones are needed only where they would decide.
class PruningGiven {
 public:
  PruningGiven(Var x, const LinksGiven& links, VarSpan candidates)
      : x_(x), places_(links.size()), fates_(links.size(), Fate::unknown), tried_(links.size(), 0) {
    // From the last turn to the first: strongest link first, of ties the larger number.
    std::vector<std::size_t> order(links.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      const LinkGiven &one = links[a], &other = links[b];
      return one.log_p != other.log_p ? one.log_p < other.log_p
                                      : candidates[one.candidate] > candidates[other.candidate];
    });
    positions_.reserve(links.size());
    pool_.reserve(links.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
      places_[order[place]] = place;
      positions_.push_back(links[order[place]].candidate);
      pool_.push_back(candidates[positions_.back()]);
    }
  }

  // Finds the fate of the i-th link, and of those that it depends on; returns the positions of those
  // of them that stay.
  std::span<const std::size_t> decide(const Test& test, Context& context, Var target,
                                      std::size_t link) {
    staying_.clear();
    waiting_.clear();
    const std::size_t place = places_[link];
    if (fates_[place] == Fate::unknown) waiting_.push_back(place);
    while (!waiting_.empty()) {
      const std::size_t i = waiting_.back();
      if (fates_[i] == Fate::unknown) look_for_separator(test, context, target, i);
      const std::size_t separator = tried_[i];
      if (fates_[i] == Fate::stays) {
        staying_.push_back(positions_[i]);
        waiting_.pop_back();
      } else if (separator < i || fates_[separator] == Fate::stays) {
        fates_[i] = Fate::goes;
        waiting_.pop_back();
      } else if (fates_[separator] == Fate::goes) {
        fates_[i] = Fate::unknown;
      } else {
        waiting_.push_back(separator);
      }
    }
    return staying_;
  }

 private:
  enum class Fate : char { unknown, stays, goes, depends };  // the last on that of its separator

  // Stronger candidates come first, all of which are there, then the weaker ones that may be.
  void look_for_separator(const Test& test, Context& context, Var target, std::size_t i) {
    fates_[i] = Fate::depends;
    if (tried_[i] < i) {
      const auto stronger = std::span(pool_).subspan(tried_[i], i - tried_[i]);
      const std::ptrdiff_t stop = first_separator(test, context, target, i, stronger);
      if (stop >= 0) {
        tried_[i] += static_cast<std::size_t>(stop);
        return;
      }
    }
    others_.clear();
    places_of_others_.clear();
    for (std::size_t j = std::max(tried_[i], i + 1); j < pool_.size(); ++j) {
      if (fates_[j] == Fate::goes) continue;
      others_.push_back(pool_[j]);
      places_of_others_.push_back(j);
    }
    const std::ptrdiff_t stop = first_separator(test, context, target, i, others_);
    tried_[i] = stop >= 0 ? places_of_others_[static_cast<std::size_t>(stop)] : pool_.size();
    if (stop < 0) fates_[i] = Fate::stays;
  }

  std::ptrdiff_t first_separator(const Test& test, Context& context, Var target, std::size_t i,
                                 VarSpan others) {
    answers_.resize(std::max(answers_.size(), others.size()));
    const std::ptrdiff_t stop =
        answered(test, context, {target, std::span(&x_, 1), others, pool_[i]}, Wanted::verdicts,
                 true, answers_);
    context.n_tests += stop >= 0 ? stop + 1 : static_cast<std::int64_t>(others.size());
    return stop;
  }

  Var x_;
  std::vector<std::size_t> places_;  // of links in the pool
  Vars pool_;
  std::vector<std::size_t> positions_;  // of the pool among all candidates
  std::vector<Fate> fates_;
  std::vector<std::size_t> tried_;  // how far the pool has been tried for each of it
  Vars others_;
  std::vector<std::size_t> places_of_others_, staying_, waiting_;
  std::vector<double> answers_;
};

// The candidates that are not independent of the target given their separating set and x, for every
// x, in the order of their positions. Sets that contain x are left out.
class Links {
 public:
  Links(const Test& test, Context& context, Var target, const std::vector<Separated>& groups,
        VarSpan xs)
      : test_(test), context_(context), target_(target), links_(xs.size()) {
    std::size_t start = 0;
    for (const Separated& group : groups) {
      Vars given;
      std::vector<std::size_t> rows;
      for (std::size_t row = 0; row < xs.size(); ++row) {
        if (std::ranges::find(group.z, xs[row]) == group.z.end()) {
          given.push_back(xs[row]);
          rows.push_back(row);
        }
      }
      context.n_tests += static_cast<std::int64_t>(given.size() * group.candidates.size());
      group.candidates.size() < xs.size() ? test_by_candidate(group, start, given, rows)
                                          : test_by_condition(group, start, given, rows);
      start += group.candidates.size();
    }
  }

  const LinksGiven& given(std::size_t x) const { return links_[x]; }

 private:
  // All candidates of a group given one x after the other.
  void test_by_condition(const Separated& group, std::size_t start, VarSpan given,
                         std::span<const std::size_t> rows) {
    Vars z = group.z;
    z.push_back(-1);
    log_p_.resize(group.candidates.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      z.back() = given[i];
      answered(test_, context_, {target_, z, group.candidates}, Wanted::links, false, log_p_);
      for (std::size_t j = 0; j < group.candidates.size(); ++j) keep(rows[i], start + j, log_p_[j]);
    }
  }

  // One candidate after the other, each given all xs: there are more of these.
  void test_by_candidate(const Separated& group, std::size_t start, VarSpan given,
                         std::span<const std::size_t> rows) {
    log_p_.resize(given.size());
    for (std::size_t j = 0; j < group.candidates.size(); ++j) {
      answered(test_, context_, {target_, group.z, given, group.candidates[j]}, Wanted::links,
               false, log_p_);
      for (std::size_t i = 0; i < given.size(); ++i) keep(rows[i], start + j, log_p_[i]);
    }
  }

  void keep(std::size_t row, std::size_t candidate, double log_p) {
    if (!test_.is_independent(log_p)) links_[row].push_back({log_p, candidate});
  }

  const Test& test_;
  Context& context_;
  Var target_;
  std::vector<LinksGiven> links_;
  std::vector<double> log_p_;
};

}  // namespace

std::vector<Separated> by_separating_set(VarSpan candidates, const std::map<Var, Vars>& dsep) {
  Vars sorted(candidates.begin(), candidates.end());
  std::ranges::sort(sorted);
  std::map<Vars, Vars> groups;
  for (const Var x : sorted) {
    const auto found = dsep.find(x);
    groups[found == dsep.end() ? Vars{} : found->second].push_back(x);
  }
  std::vector<Separated> all;
  for (auto& [z, members] : groups) all.push_back({z, std::move(members)});
  return all;
}

Vars kept_given_any(const Test& test, Context& context, Var target,
                    const std::vector<Separated>& groups, VarSpan xs) {
  test.check(target);
  test.check(xs);
  Vars candidates;
  for (const Separated& group : groups) {
    test.check(group.z);
    test.check(group.candidates);
    candidates.insert(candidates.end(), group.candidates.begin(), group.candidates.end());
  }
  const Links links(test, context, target, groups, xs);

  // Candidates whose strongest link is weak come first: nothing is tested again about those that go.
  struct Place {
    double log_p;
    std::size_t x, link;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<std::size_t> ends(candidates.size() + 1, 0);
  for (std::size_t x = 0; x < xs.size(); ++x) {
    for (const LinkGiven& link : links.given(x)) ends[link.candidate + 1] += 1;
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  const std::vector<std::size_t> starts = ends;
  std::vector<Place> places(ends.back());
  for (std::size_t x = 0; x < xs.size(); ++x) {
    const LinksGiven& own = links.given(x);
    for (std::size_t i = 0; i < own.size(); ++i) {
      places[ends[own[i].candidate]++] = {own[i].log_p, x, i};
    }
  }
  const auto places_of = [&](std::size_t candidate) {
    return std::span(places).subspan(starts[candidate], starts[candidate + 1] - starts[candidate]);
  };
  std::vector<std::size_t> order;
  for (std::size_t candidate = 0; candidate < candidates.size(); ++candidate) {
    if (places_of(candidate).empty()) continue;
    // A candidate is kept most likely given the x where its link is strongest, so that x comes first.
    std::ranges::sort(places_of(candidate));
    order.push_back(candidate);
  }
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t candidate) { return places_of(candidate)[0].log_p; });

  std::vector<std::optional<PruningGiven>> prunings(xs.size());
  std::vector<char> is_kept(candidates.size(), 0);
  for (const std::size_t candidate : order) {
    for (const Place& place : places_of(candidate)) {
      if (is_kept[candidate] != 0) break;
      auto& pruning = prunings[place.x];
      if (!pruning) pruning.emplace(xs[place.x], links.given(place.x), candidates);
      for (const std::size_t kept : pruning->decide(test, context, target, place.link)) {
        is_kept[kept] = 1;
      }
    }
  }
  Vars kept;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (is_kept[i] != 0) kept.push_back(candidates[i]);
  }
  return kept;
}

}  // namespace h2pc
