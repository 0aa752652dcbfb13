// The steps on samples of many shapes: no index is out of bounds, mistakes throw, and merged rows and
// caches change no answer.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "iamb_fdr.hpp"
#include "pruning.hpp"
#include "samples.hpp"
#include "scores.hpp"
#include "search.hpp"
#include "separators.hpp"
#include "table_test.hpp"

namespace {

using namespace h2pc;

Vars everyone(const Sample& sample) {
  Vars all;
  for (Var v = 0; v < sample.n_variables(); ++v) all.push_back(v);
  return all;
}

TableTestSettings with(double power_rule, std::size_t n_answers) {
  TableTestSettings settings;
  settings.log_alpha = std::log(0.05);
  settings.power_rule = power_rule;
  settings.n_answers = n_answers;
  settings.bytes_for_rounds = 1 << 20;
  return settings;
}

// What HPC does, without its short cuts.
std::vector<Vars> steps(const Test& test, const Sample& sample, Var target) {
  Context context;
  const Vars all = everyone(sample);
  Vars others = all;
  std::erase(others, target);
  const Pruned found = pruned(test, context, target, others);
  std::map<Var, Vars> dsep;
  for (const auto& [x, y] : found.separated) dsep[x] = {y};
  Vars outside = others;
  std::erase_if(outside,
                [&](Var x) { return std::ranges::find(found.kept, x) != found.kept.end(); });
  const auto groups = by_separating_set(outside, dsep);
  const Vars spouses = kept_given_any(test, context, target, groups, found.kept);
  const Vars boundary = iamb_fdr(test, context, target, all, {});
  Vars few(boundary.begin(), boundary.begin() + std::min<std::ptrdiff_t>(6, std::ssize(boundary)));
  const Vars neighbours = inseparable(test, context, target, few, few);
  const auto weakest = weakest_links(test, context, target, others, {}, {});
  CHECK_EQUAL(weakest.size(), others.size());
  return {found.kept, spouses, boundary, neighbours};
}

void answers_do_not_depend_on_caches_and_merged_rows() {
  check::Random random(2);
  for (std::size_t round = 0; round < check::rounds(1); ++round) {
    for (const auto& shape : samples::shapes) {
      const auto sample = samples::made(shape, random);
      for (const double power_rule : {5.0, 0.0}) {
        const TableTest plain(sample, with(power_rule, 0));
        const TableTest cached(sample, with(power_rule, 1 << 10));
        for (Var target = 0; target < std::min<Var>(sample->n_variables(), 6); ++target) {
          const auto expected = steps(plain, *sample, target);
          CHECK_EQUAL(steps(cached, *sample, target), expected);
          CHECK_EQUAL(steps(cached, *sample, target), expected);
          const Vars all = everyone(*sample);
          if (const auto merged = plain.ready_for_subsets(all)) {
            CHECK_EQUAL(steps(*merged, *sample, target), expected);
          }
        }
      }
    }
  }
}

void scores_and_searches_stay_inside_their_tables() {
  check::Random random(3);
  for (const auto& shape : samples::shapes) {
    const auto sample = samples::made(shape, random);
    const auto n = static_cast<std::size_t>(sample->n_variables());
    std::vector<Vars> candidates(n), none(n);
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t u = 0; u < std::min<std::size_t>(n, 8); ++u) {
        if (u != v) candidates[v].push_back(static_cast<Var>(u));
      }
    }
    const SearchSpace space(candidates, none, none, 3);
    for (const ScoreKind kind : {ScoreKind::bdeu, ScoreKind::bds, ScoreKind::bic, ScoreKind::k2,
                                 ScoreKind::qnml, ScoreKind::fnml}) {
      const TableScore score(sample, kind, 10.0);
      TabuSettings settings;
      settings.restarts.number = 2;
      const Found found = tabu_search(score, space, settings, {});
      double total = 0.0;
      for (std::size_t v = 0; v < n; ++v) {
        total += score.family(static_cast<Var>(v), found.parent_sets[v]);
      }
      CHECK_EQUAL(found.score, total);
    }
  }
}

void tests_of_a_sample_are_those_of_its_complete_rows() {
  check::Random random(5);
  const samples::Shape shape{4, 300, 2, 4, 0.3, false, 0.2};
  const auto sample = samples::made(shape, random);
  const std::size_t n_rows = sample->rows().n_rows();
  std::vector<Count> cards;
  std::vector<std::uint8_t> kept;
  sample->rows().visit([&](auto codes_of) {
    std::vector<bool> is_complete(n_rows, true);
    for (Var v = 0; v < 4; ++v) {
      for (std::size_t r = 0; r < n_rows; ++r) {
        if (static_cast<Count>(codes_of(v)[r]) == sample->card(v)) is_complete[r] = false;
      }
    }
    for (Var v = 0; v < 4; ++v) {
      cards.push_back(sample->card(v));
      for (std::size_t r = 0; r < n_rows; ++r) {
        if (is_complete[r]) kept.push_back(static_cast<std::uint8_t>(codes_of(v)[r]));
      }
    }
  });
  const auto dropped = std::make_shared<const Sample>(kept, cards, std::vector<Count>{});
  CHECK(!sample->is_complete());
  CHECK(dropped->is_complete());
  const TableTest available(sample, with(1.0, 0)), complete(dropped, with(1.0, 0));
  const Vars z{0, 3};
  const Outcome found = available.outcome(1, 2, z), expected = complete.outcome(1, 2, z);
  CHECK_EQUAL(found.statistic, expected.statistic);
  CHECK_EQUAL(found.df, expected.df);
  CHECK_EQUAL(found.log_p, expected.log_p);
  CHECK(found.is_performed && expected.is_performed);
}

void mistakes_throw() {
  using Codes = std::vector<std::uint8_t>;
  using Counts = std::vector<Count>;
  CHECK_THROWS(std::invalid_argument, Sample(Codes{}, Counts{}, Counts{}));
  CHECK_THROWS(std::invalid_argument, Sample(Codes{0, 1, 2}, Counts{2, 2}, Counts{}));
  CHECK_THROWS(std::invalid_argument, Sample(Codes{0, 3}, Counts{2}, Counts{}));
  CHECK_THROWS(std::invalid_argument, Sample(Codes{0, 1}, Counts{2}, Counts{1}));
  CHECK_THROWS(std::invalid_argument, Sample(Codes{0, 1}, Counts{2}, Counts{1, 0}));
  CHECK_THROWS(std::invalid_argument, Sample(Codes{0, 1}, Counts{0}, Counts{}));
  check::Random random(4);
  const auto sample = samples::made(samples::shapes[0], random);
  const TableTest test(sample, with(5.0, 0));
  Context context;
  const Vars wrong{0, 99}, negative{-1};
  CHECK_THROWS(std::out_of_range, pruned(test, context, 0, wrong));
  CHECK_THROWS(std::out_of_range, pruned(test, context, 99, negative));
  CHECK_THROWS(std::out_of_range, iamb_fdr(test, context, 0, negative, {}));
  CHECK_THROWS(std::out_of_range, inseparable(test, context, 0, wrong, {}));
  CHECK_THROWS(std::out_of_range, first_separator(test, context, 0, 99, {}, {}, 0, 0));
  const TableScore score(sample, ScoreKind::bic);
  CHECK_THROWS(std::out_of_range, score.family(99, {}));
  CHECK_THROWS(std::out_of_range, score.family(0, negative));
}

void fixed_point_tables_hold_what_they_say() {
  const XLogX table(1000);
  for (std::size_t n = 1; n <= 1000; ++n) {
    const double exact = static_cast<double>(n) * std::log(static_cast<double>(n));
    const double found = std::ldexp(static_cast<double>(table.values()[n]), -table.shift());
    CHECK(std::abs(found - exact) <= 1e-11 * std::max(1.0, exact));
  }
  CHECK_EQUAL(table.values()[0], 0);
}

void a_run_stops_where_poll_throws() {
  struct Enough {};
  check::Random random(5);
  const auto sample = samples::made({200, 3000, 3, 4, 0.1}, random);
  const TableTest test(sample, with(0.0, 0));
  Context context;
  std::size_t n_polls = 0;
  context.poll = [&](Context&) {
    if (++n_polls == 2) throw Enough{};
  };
  const Vars all = everyone(*sample);
  const auto endless = [&] {
    while (true) pruned(test, context, 0, all);
  };
  CHECK_THROWS(Enough, endless());
}

}  // namespace

int main() {
  answers_do_not_depend_on_caches_and_merged_rows();
  scores_and_searches_stay_inside_their_tables();
  tests_of_a_sample_are_those_of_its_complete_rows();
  mistakes_throw();
  fixed_point_tables_hold_what_they_say();
  a_run_stops_where_poll_throws();
}
