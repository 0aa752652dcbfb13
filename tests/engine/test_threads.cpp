// Threads that share a sample, a test and a score find what one thread finds.
#include <cmath>
#include <thread>

#include "iamb_fdr.hpp"
#include "pruning.hpp"
#include "samples.hpp"
#include "scores.hpp"
#include "separators.hpp"
#include "table_test.hpp"

namespace {

using namespace h2pc;

constexpr std::size_t n_threads = 4;

struct Outcome {
  Vars kept, boundary, neighbours;
  double score;
  bool operator==(const Outcome&) const = default;
};

Outcome learned(const Test& test, const LocalScore& score, const Vars& all, Var target) {
  Context context;
  Vars others = all;
  std::erase(others, target);
  Outcome found;
  found.kept = pruned(test, context, target, others).kept;
  found.boundary = iamb_fdr(test, context, target, all, {});
  found.neighbours = inseparable(test, context, target, found.boundary, found.boundary);
  found.score = score.family(target, found.boundary);
  return found;
}

void threads_agree(const samples::Shape& shape, check::Random& random) {
  const auto sample = samples::made(shape, random);
  TableTestSettings settings;
  settings.log_alpha = std::log(0.05);
  settings.n_answers = 1 << 8;  // so few that threads write over each other's answers
  settings.bytes_for_rounds = 1 << 18;
  const TableTest alone(sample, settings), shared(sample, settings);
  const TableScore score(sample, ScoreKind::bdeu, 10.0),
      shared_score(sample, ScoreKind::bdeu, 10.0);
  Vars all;
  for (Var v = 0; v < std::min<Var>(sample->n_variables(), 12); ++v) all.push_back(v);

  std::vector<std::vector<Outcome>> found(n_threads, std::vector<Outcome>(all.size()));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < n_threads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t target = (i + t) % all.size();
        found[t][target] = learned(shared, shared_score, all, static_cast<Var>(target));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Var target : all) {
    const Outcome expected = learned(alone, score, all, target);
    for (const auto& own : found) CHECK(own[static_cast<std::size_t>(target)] == expected);
  }
}

}  // namespace

int main() {
  check::Random random(6);
  for (std::size_t round = 0; round < check::rounds(1); ++round) {
    for (const auto& shape : samples::shapes) threads_agree(shape, random);
  }
}
