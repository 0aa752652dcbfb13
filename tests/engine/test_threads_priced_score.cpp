// A score with prices against a plain sum, on the grid of its score, from any number of threads.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <vector>

#include "priced_score.hpp"
#include "samples.hpp"
#include "scores.hpp"

namespace {

using namespace h2pc;

PricedScore::Prices random_prices(Var n_variables, check::Random& random) {
  PricedScore::Prices prices(static_cast<std::size_t>(n_variables));
  for (auto& own : prices) {
    for (Var parent = n_variables; parent-- > 0;) {
      if (random() % 3 == 0) own.emplace_back(parent, static_cast<double>(random() % 1000) / 7.0);
    }
  }
  return prices;
}

Vars random_parents(Var child, Var n_variables, check::Random& random) {
  Vars parents;
  for (Var v = 0; v < n_variables; ++v) {
    if (v != child && parents.size() < 4 && random() % 4 == 0) parents.push_back(v);
  }
  return parents;
}

double given_price(const PricedScore::Prices& prices, double others, Var child, Var parent) {
  for (const auto& [u, price] : prices[static_cast<std::size_t>(child)]) {
    if (u == parent) return price;
  }
  return others;
}

void prices_are_subtracted(const samples::Shape& shape, ScoreKind kind, check::Random& random) {
  const auto sample = samples::made(shape, random);
  const auto score = std::make_shared<const TableScore>(sample, kind, 10.0);
  const Var n = sample->n_variables();
  const PricedScore::Prices prices = random_prices(n, random);
  const double others = 12.3, unit = std::ldexp(1.0, -score->n_fraction_bits());
  const PricedScore priced(score, prices, others);
  CHECK_EQUAL(priced.n_fraction_bits(), score->n_fraction_bits());

  for (Var child = 0; child < n; ++child) {
    const Vars parents = random_parents(child, n, random);
    double sum = 0.0;
    for (const Var parent : parents) {
      const double price = priced.price(child, parent);
      CHECK(std::abs(price - given_price(prices, others, child, parent)) <= 0.5 * unit);
      CHECK_EQUAL(std::ldexp(price, score->n_fraction_bits()),
                  std::nearbyint(std::ldexp(price, score->n_fraction_bits())));
      sum += price;
    }
    CHECK_EQUAL(priced.family(child, parents), score->family(child, parents) - sum);

    Vars all;
    for (Var v = 0; v < n; ++v) all.push_back(v);
    StopCheck never;
    const std::vector<double> found = priced.changed(child, parents, all, never);
    for (const Var x : all) {
      Vars variant = parents;
      if (std::erase(variant, x) == 0 && x != child) variant.push_back(x);
      CHECK_EQUAL(found[static_cast<std::size_t>(x)], priced.family(child, variant));
    }
  }
}

void threads_agree(check::Random& random) {
  const auto sample = samples::made(samples::shapes.front(), random);
  const auto score = std::make_shared<const TableScore>(sample, ScoreKind::bdeu, 10.0);
  const Var n = sample->n_variables();
  const PricedScore priced(score, random_prices(n, random), 3.0);
  const Vars parents{0, 1};
  std::vector<double> expected;
  for (Var v = 2; v < n; ++v) expected.push_back(priced.family(v, parents));
  std::vector<std::vector<double>> found(4);
  std::vector<std::thread> threads;
  for (auto& own : found) {
    threads.emplace_back([&] {
      for (Var v = 2; v < n; ++v) own.push_back(priced.family(v, parents));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& own : found) CHECK(own == expected);
}

void a_price_without_sense_is_refused(check::Random& random) {
  const auto sample = samples::made(samples::shapes.front(), random);
  const auto score = std::make_shared<const TableScore>(sample, ScoreKind::bic);
  const auto n = static_cast<std::size_t>(sample->n_variables());
  const auto with = [&](Var parent, double price) {
    PricedScore::Prices prices(n);
    prices[0].emplace_back(parent, price);
    return prices;
  };
  CHECK_THROWS(std::invalid_argument, PricedScore(nullptr, PricedScore::Prices(n), 0.0));
  CHECK_THROWS(std::invalid_argument, PricedScore(score, PricedScore::Prices(n - 1), 0.0));
  CHECK_THROWS(std::invalid_argument, PricedScore(score, PricedScore::Prices(n), -1.0));
  CHECK_THROWS(std::invalid_argument, PricedScore(score, with(1, std::nan("")), 0.0));
  CHECK_THROWS(std::out_of_range, PricedScore(score, with(static_cast<Var>(n), 1.0), 0.0));
  CHECK_THROWS(std::out_of_range, PricedScore(score, with(-1, 1.0), 0.0));
  PricedScore::Prices twice = with(1, 2.0);
  twice[0].emplace_back(1, 3.0);
  CHECK_THROWS(std::invalid_argument, PricedScore(score, twice, 0.0));
}

// However large it is, sums of a few stay exact.
void an_infinite_price_is_a_large_number(check::Random& random) {
  const auto sample = samples::made(samples::shapes.front(), random);
  const auto score = std::make_shared<const TableScore>(sample, ScoreKind::bdeu, 10.0);
  const auto n = static_cast<std::size_t>(sample->n_variables());
  const PricedScore priced(score, PricedScore::Prices(n), HUGE_VAL);
  const Vars parents{1, 2};
  CHECK_EQUAL(priced.family(0, parents) + priced.price(0, 1) + priced.price(0, 2),
              score->family(0, parents));
  CHECK(priced.price(0, 1) > std::abs(score->family(0, {})));
}

}  // namespace

int main() {
  check::Random random(20);
  for (std::size_t round = 0; round < check::rounds(2); ++round) {
    for (const samples::Shape& shape : samples::shapes) {
      for (const ScoreKind kind : {ScoreKind::bdeu, ScoreKind::bic, ScoreKind::qnml}) {
        prices_are_subtracted(shape, kind, random);
      }
    }
    threads_agree(random);
  }
  a_price_without_sense_is_refused(random);
  an_infinite_price_is_a_large_number(random);
  return 0;
}
