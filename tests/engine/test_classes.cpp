// Operators on classes against their definition: every one changes an edge of a member of the class,
// gains what the score says, and leads to the graph of a class; and every such class is reached.
#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "class_alternatives.hpp"
#include "class_climb.hpp"
#include "class_operators.hpp"
#include "class_search.hpp"
#include "samples.hpp"

namespace {

using namespace h2pc;

SearchSpace everything(std::size_t n, std::int64_t max_parents) {
  std::vector<Vars> candidates(n), none(n);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t u = 0; u < n; ++u) {
      if (u != v) candidates[v].push_back(static_cast<Var>(u));
    }
  }
  return SearchSpace(candidates, none, none, max_parents);
}

// The edges as a number for every ordered pair: what identifies a graph.
using Code = std::vector<int>;

Code code_of(const Pdag& graph) {
  Code code;
  const auto n = static_cast<Var>(graph.n_variables());
  for (Var u = 0; u < n; ++u) {
    for (Var v = 0; v < n; ++v) {
      code.push_back(graph.has_arrow(u, v) ? 1 : graph.has_line(u, v) ? 2 : 0);
    }
  }
  return code;
}

Pdag random_dag(std::size_t n, double density, check::Random& random) {
  Vars order;
  for (std::size_t v = 0; v < n; ++v) {
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(random() % (v + 1)),
                 static_cast<Var>(v));
  }
  Pdag dag(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (static_cast<double>(random() >> 11) * 0x1p-53 < density)
        dag.add_arrow(order[j], order[i]);
    }
  }
  return dag;
}

Pdag dag_of(const Extension& extension) {
  Pdag dag(extension.order.size());
  for (const Var v : extension.order) {
    for (const Var u : extension.parents[static_cast<std::size_t>(v)]) dag.add_arrow(u, v);
  }
  return dag;
}

// Every directed graph whose class has this graph.
std::vector<Pdag> members(const Pdag& graph) {
  std::vector<Pair> lines;
  const auto n = static_cast<Var>(graph.n_variables());
  for (Var u = 0; u < n; ++u) {
    for (const Var v : graph.neighbours(u)) {
      if (u < v) lines.emplace_back(u, v);
    }
  }
  std::vector<Pdag> found;
  for (std::size_t choice = 0; choice < (std::size_t{1} << lines.size()); ++choice) {
    Pdag dag = graph;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto [u, v] = lines[i];
      if (((choice >> i) & 1) != 0) {
        dag.add_arrow(u, v);
      } else {
        dag.add_arrow(v, u);
      }
    }
    const auto extension = consistent_extension(dag);
    if (extension && completed(*extension) == graph) found.push_back(dag);
  }
  return found;
}

double total(const LocalScore& score, const Pdag& dag) {
  double sum = 0.0;
  for (Var v = 0; v < static_cast<Var>(dag.n_variables()); ++v)
    sum += score.family(v, dag.parents(v));
  return sum;
}

// The graph that an operator leads to.
Pdag applied(const Operator& op, Pdag graph) {
  Marks room(graph.n_variables());
  apply(op, graph, room);
  return graph;
}

std::size_t most_parents(const Pdag& dag) {
  std::size_t most = 0;
  for (Var v = 0; v < static_cast<Var>(dag.n_variables()); ++v) {
    most = std::max(most, dag.parents(v).size());
  }
  return most;
}

using Reached = std::set<std::tuple<MoveKind, Var, Var, Code>>;  // by an edge of the two variables

// What one change of a member leads to, other than the class itself.
Reached by_definition(const Pdag& graph, std::size_t max_parents) {
  Reached found;
  const auto n = static_cast<Var>(graph.n_variables());
  for (const Pdag& member : members(graph)) {
    for (Var u = 0; u < n; ++u) {
      for (Var v = 0; v < n; ++v) {
        if (u == v || member.has_arrow(v, u)) continue;
        const auto look = [&](MoveKind kind, const Pdag& after) {
          const auto extension = consistent_extension(after);
          if (!extension || most_parents(after) > max_parents) return;
          const Pdag reached = completed(*extension);
          if (reached != graph)
            found.emplace(kind, std::min(u, v), std::max(u, v), code_of(reached));
        };
        Pdag after = member;
        if (member.has_arrow(u, v)) {
          after.separate(u, v);
          look(MoveKind::remove, after);
          after.add_arrow(v, u);
          look(MoveKind::reverse, after);
        } else {
          after.add_arrow(u, v);
          look(MoveKind::add, after);
        }
      }
    }
  }
  return found;
}

// An operator in place says of every pair that is joined otherwise how it was and is, and of no other.
void check_changes(const Operator& op, const Pdag& before, const Pdag& after) {
  Pdag graph = before;
  Marks room(graph.n_variables());
  std::set<std::tuple<Var, Var, Join, Join>> found, expected;
  for (const EdgeChange& change : apply(op, graph, room)) {
    CHECK(found.emplace(change.u, change.v, change.before, change.after).second);
  }
  const auto n = static_cast<Var>(graph.n_variables());
  for (Var v = 0; v < n; ++v) {
    for (Var u = 0; u < v; ++u) {
      if (before.join(u, v) != after.join(u, v)) {
        expected.emplace(u, v, before.join(u, v), after.join(u, v));
      }
    }
  }
  CHECK(graph == after);
  CHECK(found == expected);
}

void operators_are_all_changes_of_all_members() {
  check::Random random(11);
  for (std::size_t round = 0; round < check::rounds(1) * 60; ++round) {
    const std::size_t n = 2 + random() % 4;
    const auto sample = samples::made({n, 40 + random() % 200, 2, 3, 0.1}, random);
    const TableScore score(sample, round % 2 == 0 ? ScoreKind::bdeu : ScoreKind::bic, 10.0);
    const Pdag dag = random_dag(n, 0.1 * static_cast<double>(1 + random() % 9), random);
    const std::size_t max_parents =
        round % 3 == 0 ? std::max<std::size_t>(most_parents(dag), 1) : n;
    const SearchSpace space = everything(n, static_cast<std::int64_t>(max_parents));
    const Pairs pairs(space);
    StopCheck never;
    Families families(score, pairs, never);
    const auto extension = consistent_extension(dag);
    CHECK(extension.has_value());
    const Pdag graph = completed(*extension);

    Reached reached;
    PathCheck paths(n);
    for (Var child = 0; child < static_cast<Var>(n); ++child) {
      for (const Operator& op : operators_of(child, graph, pairs, families, nobody, true)) {
        if (!paths.is_open(op, graph)) continue;
        const Pdag after = applied(op, graph);
        const auto member = consistent_extension(after);
        CHECK(member.has_value());
        CHECK(completed(*member) == after);
        check_changes(op, graph, after);
        CHECK_EQUAL(op.gain, total(score, dag_of(*member)) - total(score, dag));
        reached.emplace(op.kind, std::min(op.parent, op.child), std::max(op.parent, op.child),
                        code_of(after));
      }
    }
    CHECK(reached == by_definition(graph, max_parents));
  }
}

// Larger graphs, in which most of what there is lies outside of what an operator may change.
void operators_lead_to_the_graph_of_a_class() {
  check::Random random(17);
  for (std::size_t round = 0; round < check::rounds(1) * 20; ++round) {
    const std::size_t n = 70 + random() % 10;
    const auto sample = samples::made({n, 60, 2, 3, 0.1}, random);
    const TableScore score(sample, ScoreKind::bic);
    const Pdag dag = random_dag(n, 0.03, random);
    const SearchSpace space = everything(n, static_cast<std::int64_t>(n));
    const Pairs pairs(space);
    StopCheck never;
    Families families(score, pairs, never);
    const Pdag graph = completed(*consistent_extension(dag));
    PathCheck paths(n);
    for (Var child = 0; child < static_cast<Var>(n); child += 9) {
      for (const Operator& op : operators_of(child, graph, pairs, families, nobody, true)) {
        if (!paths.is_open(op, graph)) continue;
        const Pdag after = applied(op, graph);
        const auto member = consistent_extension(after);
        CHECK(member.has_value());
        CHECK(completed(*member) == after);
      }
    }
  }
}

void a_fixed_pair_neither_comes_nor_goes() {
  check::Random random(12);
  const auto sample = samples::made({5, 200, 2, 3, 0.1}, random);
  const TableScore score(sample, ScoreKind::bic);
  const SearchSpace space = everything(5, 5);
  const Pairs pairs(space);
  StopCheck never;
  Families families(score, pairs, never);
  for (std::size_t round = 0; round < 20; ++round) {
    const Pdag graph = completed(*consistent_extension(random_dag(5, 0.4, random)));
    std::size_t n_fixed = 0, n_free = 0;
    const auto is_of_pair = [](const Operator& op) {
      return op.kind != MoveKind::reverse && std::min(op.parent, op.child) == 1 &&
             std::max(op.parent, op.child) == 3;
    };
    for (Var child = 0; child < 5; ++child) {
      for (const Operator& op : operators_of(child, graph, pairs, families, {1, 3}, true))
        n_fixed += is_of_pair(op) ? 1 : 0;
      for (const Operator& op : operators_of(child, graph, pairs, families, nobody, true))
        n_free += is_of_pair(op) ? 1 : 0;
    }
    CHECK_EQUAL(n_fixed, std::size_t{0});
    CHECK(n_free > 0);
  }
}

// Trials of any kind, taken back, between the moves of a climb: it goes on as if they had not been.
void what_is_taken_back_leaves_no_trace() {
  check::Random random(18);
  for (std::size_t round = 0; round < check::rounds(1) * 20; ++round) {
    const std::size_t n = 4 + random() % 20;
    const auto sample = samples::made({n, 100 + random() % 200, 2, 3, 0.1}, random);
    const TableScore score(sample, round % 2 == 0 ? ScoreKind::bic : ScoreKind::k2);
    const SearchSpace space = everything(n, 4);
    StopCheck never;
    Climber climber(score, space, never), other(score, space, never);
    State state = climber.start(), untouched = other.start();
    const Key first = state.key();
    for (std::size_t i = 0; i < 4; ++i) {
      Trial trial(state);
      state.fixed = {0, 1};
      for (std::size_t j = 0; j < 6; ++j) {
        const auto child = static_cast<Var>(random() % n);
        Operators open;
        for (const Operator& op : climber.operators(state, child)) {
          if (climber.is_open(state, op)) open.push_back(op);
        }
        if (!open.empty()) climber.make(state, open[random() % open.size()]);
      }
      if (i % 2 == 0) climber.climb(state);
      trial.take_back();
      CHECK(state.graph() == untouched.graph());
      CHECK(state.key() == first);
      CHECK(state.fixed == nobody);
    }
    const std::size_t n_trial_moves = climber.trail().size();
    climber.climb(state);
    other.climb(untouched);
    CHECK(state.graph() == untouched.graph());
    CHECK(state.key() == untouched.key());
    CHECK_EQUAL(state.gained, untouched.gained);
    CHECK_EQUAL(climber.trail().size() - n_trial_moves, other.trail().size());
  }
}

// Every pair that a trial has joined otherwise, and no other, is of variables that have changed.
void changed_variables_are_those_of_other_edges() {
  check::Random random(19);
  for (std::size_t round = 0; round < check::rounds(1) * 20; ++round) {
    const std::size_t n = 4 + random() % 10;
    const auto sample = samples::made({n, 200, 2, 3, 0.1}, random);
    const TableScore score(sample, ScoreKind::bic);
    const SearchSpace space = everything(n, 4);
    StopCheck never;
    Climber climber(score, space, never);
    State state = climber.start();
    if (round % 2 == 0) climber.climb(state);
    const Pdag before = state.graph();
    const Trial trial(state);
    for (std::size_t i = 0; i < 5; ++i) {
      const auto child = static_cast<Var>(random() % n);
      for (const Operator& op : climber.operators(state, child)) {
        if (!climber.is_open(state, op)) continue;
        climber.make(state, op);
        break;
      }
    }
    std::set<Var> expected;
    for (Var v = 0; v < static_cast<Var>(n); ++v) {
      for (Var u = 0; u < v; ++u) {
        if (before.join(u, v) != state.graph().join(u, v)) expected.insert({u, v});
      }
    }
    CHECK(trial.changed_variables() == Vars(expected.begin(), expected.end()));
  }
}

void searches_end_with_every_score() {
  check::Random random(13);
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
    for (const ScoreKind kind : {ScoreKind::bdeu, ScoreKind::bds, ScoreKind::bic, ScoreKind::k2}) {
      const TableScore score(sample, kind, 10.0);
      double last = -std::numeric_limits<double>::infinity();
      for (const Trials trials : {Trials::none, Trials::variables, Trials::variables_and_pairs}) {
        const Found found = class_search(score, space, trials, {});
        double sum = 0.0;
        for (std::size_t v = 0; v < n; ++v) {
          CHECK(found.parent_sets[v].size() <= 3);
          sum += score.family(static_cast<Var>(v), found.parent_sets[v]);
        }
        CHECK_EQUAL(found.score, sum);
        CHECK(found.score >= last);
        last = found.score;
      }
    }
  }
}

void alternatives_are_allowed_and_sorted() {
  check::Random random(15);
  for (std::size_t round = 0; round < check::rounds(1) * 20; ++round) {
    const std::size_t n = 3 + random() % 4;
    const auto sample = samples::made({n, 60 + random() % 200, 2, 3, 0.1}, random);
    const TableScore score(sample, round % 2 == 0 ? ScoreKind::bdeu : ScoreKind::bic, 10.0);
    std::vector<Vars> candidates(n), required(n), start(n);
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t u = 0; u < n; ++u) {
        if (u != v && (u < v || random() % 2 == 0)) candidates[v].push_back(static_cast<Var>(u));
      }
    }
    std::erase(candidates[0], 1);
    std::erase(candidates[1], 0);
    required[1] = start[1] = {0};
    const SearchSpace space(candidates, required, start, static_cast<std::int64_t>(n) - 1);
    const Alternatives found = class_alternatives(score, space, 6, 1e9, {});
    CHECK(!found.was_stopped);
    CHECK(!found.graphs.empty() && found.graphs.size() <= 6);
    std::set<Code> classes;
    for (std::size_t i = 0; i < found.graphs.size(); ++i) {
      const ScoredGraph& graph = found.graphs[i];
      Pdag dag(n);
      double sum = 0.0;
      for (std::size_t v = 0; v < n; ++v) {
        for (const Var u : graph.parent_sets[v]) {
          CHECK(std::ranges::count(candidates[v], u) + std::ranges::count(required[v], u) == 1);
          dag.add_arrow(u, static_cast<Var>(v));
        }
        sum += score.family(static_cast<Var>(v), graph.parent_sets[v]);
      }
      CHECK(dag.has_arrow(0, 1));
      CHECK_EQUAL(graph.score, sum);
      CHECK(i == 0 || graph.score <= found.graphs[i - 1].score);
      CHECK(classes.insert(code_of(completed(*consistent_extension(dag)))).second);
    }
  }
}

void mistakes_throw() {
  check::Random random(14);
  const auto sample = samples::made({3, 50, 2, 2, 0.1}, random);
  const TableScore score(sample, ScoreKind::bic);
  const SearchSpace circle({{}, {}, {}}, {{}, {}, {}}, {{2}, {0}, {1}}, 3);
  CHECK_THROWS(std::invalid_argument, class_search(score, circle, Trials::none, {}));
  CHECK_THROWS(std::invalid_argument, class_search(score, everything(4, 3), Trials::none, {}));
}

}  // namespace

int main() {
  operators_are_all_changes_of_all_members();
  operators_lead_to_the_graph_of_a_class();
  a_fixed_pair_neither_comes_nor_goes();
  what_is_taken_back_leaves_no_trace();
  changed_variables_are_those_of_other_edges();
  searches_end_with_every_score();
  alternatives_are_allowed_and_sorted();
  mistakes_throw();
}
