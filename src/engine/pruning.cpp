#include "pruning.hpp"

#include <algorithm>
#include <functional>
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
  answered(test, context, {target, {}, candidates}, Wanted::exact, false, log_p);
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
    for (std::size_t i = 0; i < others.size(); ++i) link.log_p = std::max(link.log_p, log_p[i]);
    links.insert(std::ranges::lower_bound(links, link), link);
  }
  for (const Link& link : links) found.kept.push_back(link.x);
  return found;
}

namespace {

// Pruning given one x, as far as it is known. At the turn of a candidate all stronger ones are still
// there, and those of the weaker ones that stayed. So nothing is tested about a candidate before its
// fate is needed, and fates of weaker ones are needed only where they would decide.
class PruningGiven {
 public:
  // `log_p(column)` is that of a candidate given x.
  template <class LogP>
  PruningGiven(Var x, VarSpan candidates, LogP&& log_p, const Test& test)
      : x_(x), places_of_columns_(candidates.size(), 0) {
    for (std::size_t column = 0; column < candidates.size(); ++column) {
      if (!test.is_independent(log_p(column))) columns_.push_back(column);
    }
    // From the last turn to the first: strongest link first, of ties the larger number.
    std::ranges::sort(columns_, [&](std::size_t a, std::size_t b) {
      const double p = log_p(a), q = log_p(b);
      return p != q ? p < q : candidates[a] > candidates[b];
    });
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      places_of_columns_[columns_[i]] = i;
      pool_.push_back(candidates[columns_[i]]);
    }
    fates_.assign(pool_.size(), Fate::unknown);
    tried_.assign(pool_.size(), 0);
  }

  // Finds the fate of a candidate, and of those that it depends on; returns the columns of those of
  // them that stay.
  std::span<const std::size_t> decide(const Test& test, Context& context, Var target,
                                      std::size_t column) {
    staying_.clear();
    std::vector<std::size_t> waiting;
    const std::size_t place = places_of_columns_[column];
    if (fates_[place] == Fate::unknown) waiting.push_back(place);
    while (!waiting.empty()) {
      const std::size_t i = waiting.back();
      if (fates_[i] == Fate::unknown) look_for_separator(test, context, target, i);
      const std::size_t separator = tried_[i];
      if (fates_[i] == Fate::stays) {
        staying_.push_back(columns_[i]);
        waiting.pop_back();
      } else if (separator < i || fates_[separator] == Fate::stays) {
        fates_[i] = Fate::goes;
        waiting.pop_back();
      } else if (fates_[separator] == Fate::goes) {
        fates_[i] = Fate::unknown;
      } else {
        waiting.push_back(separator);
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
    places_.clear();
    for (std::size_t j = std::max(tried_[i], i + 1); j < pool_.size(); ++j) {
      if (fates_[j] == Fate::goes) continue;
      others_.push_back(pool_[j]);
      places_.push_back(j);
    }
    const std::ptrdiff_t stop = first_separator(test, context, target, i, others_);
    tried_[i] = stop >= 0 ? places_[static_cast<std::size_t>(stop)] : pool_.size();
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
  std::vector<std::size_t> columns_, places_of_columns_;
  Vars pool_;
  std::vector<Fate> fates_;
  std::vector<std::size_t> tried_;  // how far the pool has been tried for each of it
  Vars others_;
  std::vector<std::size_t> places_, staying_;
  std::vector<double> answers_;
};

// Log p-values of target ⊥ candidate | z, x for every x (rows) and candidate (columns); 0 stands for
// independence, and where z contains x.
class Grid {
 public:
  Grid(const Test& test, Context& context, Var target, const std::vector<Separated>& groups,
       VarSpan xs)
      : test_(test), context_(context), target_(target) {
    for (const Separated& group : groups) n_columns_ += group.candidates.size();
    log_p_.assign(xs.size() * n_columns_, 0.0);
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
      group.candidates.size() < xs.size() ? fill_by_columns(group, start, given, rows)
                                          : fill_by_rows(group, start, given, rows);
      start += group.candidates.size();
    }
  }

  double at(std::size_t row, std::size_t column) const { return log_p_[row * n_columns_ + column]; }
  bool is_link(std::size_t row, std::size_t column) const {
    return !test_.is_independent(at(row, column));
  }

 private:
  // All candidates of a group given one x after the other.
  void fill_by_rows(const Separated& group, std::size_t start, VarSpan given,
                    std::span<const std::size_t> rows) {
    Vars z = group.z;
    z.push_back(-1);
    for (std::size_t i = 0; i < given.size(); ++i) {
      z.back() = given[i];
      const auto row =
          std::span(log_p_).subspan(rows[i] * n_columns_ + start, group.candidates.size());
      answered(test_, context_, {target_, z, group.candidates}, Wanted::links, false, row);
      for (double& log_p : row) log_p = test_.is_independent(log_p) ? 0.0 : log_p;
    }
  }

  // One candidate after the other, each given all xs: there are more of these.
  void fill_by_columns(const Separated& group, std::size_t start, VarSpan given,
                       std::span<const std::size_t> rows) {
    std::vector<double> answers(given.size());
    for (std::size_t j = 0; j < group.candidates.size(); ++j) {
      answered(test_, context_, {target_, group.z, given, group.candidates[j]}, Wanted::links,
               false, answers);
      for (std::size_t i = 0; i < given.size(); ++i) {
        log_p_[rows[i] * n_columns_ + start + j] =
            test_.is_independent(answers[i]) ? 0.0 : answers[i];
      }
    }
  }

  const Test& test_;
  Context& context_;
  Var target_;
  std::size_t n_columns_ = 0;
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
  const std::size_t n = candidates.size();
  const Grid grid(test, context, target, groups, xs);

  // Candidates whose strongest link is weak come first: nothing is tested again about those that go.
  std::vector<double> strongest(n, 0.0);
  std::vector<std::vector<std::size_t>> rows_of(n);  // given which it is a link
  for (std::size_t row = 0; row < xs.size(); ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      if (!grid.is_link(row, column)) continue;
      strongest[column] = std::min(strongest[column], grid.at(row, column));
      rows_of[column].push_back(row);
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t column = 0; column < n; ++column) {
    if (!rows_of[column].empty()) order.push_back(column);
  }
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t c) { return strongest[c]; });

  // A candidate is kept most likely given the x where its link is strongest, so that x comes first.
  std::vector<std::optional<PruningGiven>> prunings(xs.size());
  std::vector<char> is_kept(n, 0);
  for (const std::size_t column : order) {
    if (is_kept[column] != 0) continue;
    auto& rows = rows_of[column];
    std::ranges::sort(rows, {},
                      [&](std::size_t row) { return std::pair(grid.at(row, column), row); });
    for (const std::size_t row : rows) {
      if (is_kept[column] != 0) break;
      auto& pruning = prunings[row];
      if (!pruning) {
        pruning.emplace(xs[row], candidates, [&](std::size_t c) { return grid.at(row, c); }, test);
      }
      for (const std::size_t kept : pruning->decide(test, context, target, column)) {
        is_kept[kept] = 1;
      }
    }
  }
  Vars kept;
  for (std::size_t column = 0; column < n; ++column) {
    if (is_kept[column] != 0) kept.push_back(candidates[column]);
  }
  return kept;
}

}  // namespace h2pc
