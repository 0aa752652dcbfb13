// Moments of random columns, by each of the ways to find them: the same bits, no index out of bounds,
// and mistakes throw.
#include <cmath>
#include <thread>

#include "check.hpp"
#include "gaussian_score.hpp"
#include "gaussian_test.hpp"
#include "iamb_fdr.hpp"
#include "pruning.hpp"

namespace {

using namespace h2pc;

struct Shape {
  std::vector<std::size_t> widths;  // of variables, in columns
  std::size_t n_rows;
  double share_missing;
};

const std::vector<Shape> shapes{
    {{1, 1, 1, 1, 1, 1, 1, 1}, 700, 0.0}, {{1, 2, 0, 3, 1, 1}, 300, 0.0}, {{1, 1, 1, 1}, 5, 0.0},
    {{1, 1, 1, 1, 1, 1}, 700, 0.1},       {{1, 2, 0, 3, 1, 1}, 90, 0.2},  {{1, 1, 1}, 70, 0.9},
};

enum class Way { all, on_demand };

std::int64_t integer(float x) { return static_cast<std::int64_t>(x); }

// Integers of 2·s bits in two slices; every column follows the one before it.
MomentParts columns(const Shape& shape, check::Random& random) {
  MomentParts parts;
  parts.n_samples = parts.n_kept = shape.n_rows;
  parts.slice_bits = 20;
  parts.first = {0};
  for (const std::size_t width : shape.widths) parts.first.push_back(parts.first.back() + width);
  const std::size_t n = parts.first.back();
  parts.exponents.assign(n, -40);
  parts.high.assign(n * shape.n_rows, 0.0F);
  parts.low.assign(n * shape.n_rows, 0.0F);
  const auto slice = [&] { return static_cast<double>(random() >> 44) - 0x1p19; };
  for (std::size_t i = 0; i < parts.high.size(); ++i) {
    const double before = i < shape.n_rows ? 0.0 : parts.high[i - shape.n_rows];
    parts.high[i] = static_cast<float>(std::rint(0.5 * (slice() + before)));
    parts.low[i] = static_cast<float>(slice());
  }
  if (shape.share_missing > 0.0) {
    parts.missing.assign(shape.widths.size() * shape.n_rows, 0);
    for (std::size_t v = 0; v < shape.widths.size(); ++v) {
      for (std::size_t r = 0; r < shape.n_rows; ++r) {
        if (static_cast<double>(random() >> 11) * 0x1p-53 >= shape.share_missing) continue;
        parts.missing[v * shape.n_rows + r] = 1;
        for (std::size_t c = parts.first[v]; c < parts.first[v + 1]; ++c) {
          parts.high[c * shape.n_rows + r] = parts.low[c * shape.n_rows + r] = 0.0F;
        }
      }
    }
  }
  return parts;
}

// Sums in plain loops over the rows.
MomentParts with_sums(MomentParts parts, Way way) {
  const std::size_t n = parts.first.back(), n_rows = parts.n_samples;
  const std::int64_t unit = std::int64_t{1} << parts.slice_bits;
  std::vector<std::int64_t> high(n * n), low(n * n), both(n * n);
  parts.sums.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < n_rows; ++r) {
      const auto hi = integer(parts.high[i * n_rows + r]), li = integer(parts.low[i * n_rows + r]);
      parts.sums[i] += hi * unit + li;
      for (std::size_t j = 0; j < n; ++j) {
        const auto hj = integer(parts.high[j * n_rows + r]);
        const auto lj = integer(parts.low[j * n_rows + r]);
        high[i * n + j] += hi * hj;
        low[i * n + j] += li * lj;
        both[i * n + j] += (hi + li) * (hj + lj);
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = i * n + i;
    const double scale = static_cast<double>(unit), sum = static_cast<double>(parts.sums[i]);
    const double cross = static_cast<double>(both[at] - high[at] - low[at]);
    const double squares = (static_cast<double>(high[at]) * scale + cross) * scale;
    parts.squares.push_back(squares + static_cast<double>(low[at]) -
                            sum * sum / static_cast<double>(n_rows));
  }
  if (way == Way::all && !parts.missing.empty()) {
    parts.high_products = high;
    parts.low_products = low;
    parts.both_products = both;
  }
  return parts;
}

std::shared_ptr<const Moments> moments(const MomentParts& parts, Way way) {
  return std::make_shared<const Moments>(with_sums(parts, way));
}

std::vector<double> answers(const GaussianTest& test, const Moments& moments) {
  std::vector<double> found;
  Context context;
  for (Var target = 0; target < moments.n_variables(); ++target) {
    Vars others;
    for (Var v = 0; v < moments.n_variables(); ++v) {
      if (v != target) others.push_back(v);
    }
    std::vector<double> log_p(others.size());
    test.answer({target, {}, others}, Wanted::exact, false, context, log_p);
    found.insert(found.end(), log_p.begin(), log_p.end());
    for (const Var v : pruned(test, context, target, others).kept) found.push_back(v);
    for (const Var v : iamb_fdr(test, context, target, others, {})) found.push_back(v);
    const VarSpan z = VarSpan(others).subspan(2);
    found.push_back(test.outcome(target, others[1], z).log_p);
  }
  return found;
}

void every_way_gives_the_same_bits() {
  check::Random random(1);
  for (std::size_t round = 0; round < check::rounds(1); ++round) {
    for (const Shape& shape : shapes) {
      const MomentParts parts = columns(shape, random);
      const auto all = moments(parts, Way::all), on_demand = moments(parts, Way::on_demand);
      const GaussianTest one(all, GaussianKind::wilks, std::log(0.05));
      const GaussianTest other(on_demand, GaussianKind::wilks, std::log(0.05));
      const auto found = answers(one, *all);
      CHECK(found == answers(other, *on_demand));
      for (const double log_p : found) CHECK(!std::isnan(log_p));
      for (const auto kind : {GaussianScoreKind::bic, GaussianScoreKind::bge}) {
        const double weight = static_cast<double>(all->n_columns()) + 2.0;
        const GaussianScore score(all, kind, 1.0, weight), same(on_demand, kind, 1.0, weight);
        StopCheck never;
        const Vars parents{1}, others{0, 1, 2};
        CHECK(score.changed(0, parents, others, never) == same.changed(0, parents, others, never));
        CHECK(std::isfinite(score.family(0, parents)));
      }
    }
  }
}

void threads_share_rows_of_correlations() {
  check::Random random(2);
  const auto shared = moments(columns(shapes[0], random), Way::on_demand);
  const GaussianTest test(shared, GaussianKind::fisher, std::log(0.05));
  const auto expected = answers(test, *shared);
  std::vector<std::thread> threads;
  const auto fresh = moments(columns(shapes[0], random), Way::on_demand);
  const GaussianTest other(fresh, GaussianKind::fisher, std::log(0.05));
  std::vector<std::vector<double>> found(4);
  for (auto& own : found) threads.emplace_back([&] { own = answers(other, *fresh); });
  for (auto& thread : threads) thread.join();
  for (const auto& own : found) CHECK(own == found[0]);
  CHECK(expected == answers(test, *shared));
}

void mistakes_throw() {
  check::Random random(3);
  const MomentParts parts = with_sums(columns(shapes[1], random), Way::on_demand);
  CHECK_THROWS(std::invalid_argument, Moments(MomentParts{}));
  MomentParts short_of_rows = parts;
  short_of_rows.high.pop_back();
  CHECK_THROWS(std::invalid_argument, Moments(std::move(short_of_rows)));
  MomentParts few = parts;
  few.n_samples += 1;
  CHECK_THROWS(std::invalid_argument, Moments(std::move(few)));
  const auto made = std::make_shared<const Moments>(parts);
  CHECK_THROWS(std::invalid_argument, GaussianTest(made, GaussianKind::fisher, -3.0));
  CHECK_THROWS(std::invalid_argument, GaussianTest(nullptr, GaussianKind::wilks, -3.0));
  CHECK_THROWS(std::invalid_argument, GaussianScore(made, GaussianScoreKind::bge, 1.0, 1.0));
  const GaussianScore score(made, GaussianScoreKind::bic);
  CHECK_THROWS(std::out_of_range, score.family(99, {}));
  const GaussianTest test(made, GaussianKind::wilks, -3.0);
  CHECK_THROWS(std::invalid_argument, test.correlation(0, 1, {}));
  CHECK_THROWS(std::out_of_range, test.check(Var{6}));
}

}  // namespace

int main() {
  every_way_gives_the_same_bits();
  threads_share_rows_of_correlations();
  mistakes_throw();
}
