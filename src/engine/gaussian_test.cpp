#include "gaussian_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace h2pc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double below = 1.0 - 1e-9, above = 1.0 + 1e-9;  // what rounding cannot change
// Shares of the variance of a column: less is left where others determine it …
constexpr double collinear = 1e-9;
// … and less of what is left where a link is perfect.
constexpr double perfect = 1e-12;

// Nanoseconds, about.
constexpr double cost_of_test = 20.0, cost_of_step = 1.0, cost_of_row = 1.0;

}  // namespace

struct GaussianTest::Room {
  Vars variables;   // the conditions, sorted; and the pair where cells are missing
  Columns columns;  // theirs
  Columns kept;     // those in the factor
  std::vector<double>
      lower;  // its rows, packed; the last of each is the inverse of the pivot's root
  std::vector<double> x, y;  // columns by the factor
  std::vector<double> pivots;
  MomentsOfSet moments;
};

// What a test compares: how much of the variance of y is left without x and with it.
struct GaussianTest::Ratio {
  std::size_t n = 0, rank_z = 0, rank_x = 0, rank_y = 0;
  double r = 0.0;          // the partial correlation of single columns …
  double log_ratio = 0.0;  // … or -ln Λ
  bool is_single = true;

  std::int64_t df() const { return static_cast<std::int64_t>(rank_x * rank_y); }
  double left() const {
    return static_cast<double>(n) - static_cast<double>(rank_z + rank_x + rank_y + 1);
  }
  bool is_performed() const { return left() > 0.0; }
};

namespace {

// Where thread-local room is not in use.
template <class Room>
class Lease {
 public:
  Lease() : room_(spare() ? std::move(spare()) : std::make_unique<Room>()) {}
  ~Lease() { spare() = std::move(room_); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Room& operator*() { return *room_; }

 private:
  static std::unique_ptr<Room>& spare() {
    thread_local std::unique_ptr<Room> own;
    return own;
  }
  std::unique_ptr<Room> room_;
};

struct OfAll {
  const Moments& moments;
  double operator()(Column i, Column j) const { return moments.correlation(i, j); }
};

// By the places of columns in a set.
struct OfSet {
  const MomentsOfSet& set;
  double operator()(Column i, Column j) const {
    return set.correlations[i * set.squares.size() + j];
  }
};

}  // namespace

// The Cholesky factor of the conditions, one column after the other.
template <class Correlation>
class GaussianTest::Given {
 public:
  Given(Room& room, Correlation correlation) : room_(room), correlation_(correlation) {
    room_.kept.clear();
    room_.lower.clear();
  }

  std::size_t size() const { return room_.kept.size(); }

  // Writes the column by the factor, and returns how much of its variance is left.
  double reduced(Column c, std::vector<double>& by) const {
    if (by.size() < size()) by.resize(2 * size());
    const double* row = room_.lower.data();
    double left = correlation_(c, c);
    for (std::size_t i = 0; i < size(); ++i) {
      double rest = correlation_(room_.kept[i], c);
      for (std::size_t j = 0; j < i; ++j) rest -= row[j] * by[j];
      by[i] = rest * row[i];
      left -= by[i] * by[i];
      row += i + 1;
    }
    return left;
  }

  void add(Column c, double left, const std::vector<double>& by) {
    room_.lower.insert(room_.lower.end(), by.begin(),
                       by.begin() + static_cast<std::ptrdiff_t>(size()));
    room_.lower.push_back(1.0 / std::sqrt(left));
    room_.kept.push_back(c);
  }
  // Adds a column unless those before determine it; returns how much of its variance is left.
  double add(Column c) {
    const double left = reduced(c, room_.y);
    if (left < collinear) return 0.0;
    add(c, left, room_.y);
    return left;
  }
  void cut(std::size_t n) {
    room_.kept.resize(n);
    room_.lower.resize(n * (n + 1) / 2);
  }

  // `x` by the factor has `left_x` left.
  Ratio single(std::size_t n, Column cx, double left_x, Column cy) {
    Ratio ratio{n, size(), left_x >= collinear ? std::size_t{1} : 0};
    const double left_y = reduced(cy, room_.y);
    ratio.rank_y = left_y >= collinear ? 1 : 0;
    if (ratio.df() == 0) return ratio;
    double shared = correlation_(cx, cy);
    for (std::size_t i = 0; i < size(); ++i) shared -= room_.x[i] * room_.y[i];
    ratio.r = std::clamp(shared / std::sqrt(left_x * left_y), -1.0, 1.0);
    return ratio;
  }

  Ratio blocks(std::size_t n, Column first_x, Column end_x, Column first_y, Column end_y) {
    const std::size_t n_given = size();
    Ratio ratio{n, n_given};
    ratio.is_single = false;
    room_.pivots.clear();
    for (Column c = first_y; c < end_y; ++c) room_.pivots.push_back(add(c));
    ratio.rank_y = size() - n_given;
    cut(n_given);
    for (Column c = first_x; c < end_x; ++c) add(c);
    ratio.rank_x = size() - n_given;
    for (Column c = first_y; ratio.rank_x > 0 && c < end_y; ++c) {
      const double before = room_.pivots[c - first_y];
      if (before == 0.0) continue;
      const double left = reduced(c, room_.y);
      if (left <= perfect * before) {
        ratio.log_ratio = infinity;
        break;
      }
      ratio.log_ratio += std::log(before / left);
      add(c, left, room_.y);
    }
    cut(n_given);
    ratio.log_ratio = std::max(0.0, ratio.log_ratio);
    return ratio;
  }

  Ratio pair(std::size_t n, Column first_x, Column end_x, Column first_y, Column end_y) {
    if (end_x - first_x == 1 && end_y - first_y == 1) {
      return single(n, first_x, reduced(first_x, room_.x), first_y);
    }
    return blocks(n, first_x, end_x, first_y, end_y);
  }

 private:
  Room& room_;
  Correlation correlation_;
};

GaussianTest::GaussianTest(std::shared_ptr<const Moments> moments, GaussianKind kind,
                           double log_alpha)
    : Test(log_alpha, moments ? moments->n_variables() : 0),
      moments_(std::move(moments)),
      kind_(kind),
      critical_(log_alpha) {
  if (!moments_) throw std::invalid_argument("a test needs moments");
  for (Var v = 0; kind == GaussianKind::fisher && v < moments_->n_variables(); ++v) {
    if (moments_->width(v) > 1) {
      throw std::invalid_argument("Fisher's z is for variables of a single column");
    }
  }
}

double GaussianTest::statistic_of(const Ratio& ratio) const {
  if (ratio.df() == 0 || !ratio.is_performed()) return 0.0;
  if (ratio.is_single && 1.0 - ratio.r * ratio.r <= perfect) return infinity;
  if (kind_ == GaussianKind::fisher) {
    const double z = std::atanh(ratio.r);
    return ratio.left() * z * z;
  }
  const double factor =
      ratio.left() + 0.5 * (static_cast<double>(ratio.rank_x + ratio.rank_y) - 1.0);
  return factor * (ratio.is_single ? -std::log1p(-ratio.r * ratio.r) : ratio.log_ratio);
}

// Both statistics of a correlation lie between m·r² and m·r² / (1 - r²): mostly this decides.
double GaussianTest::log_p_of(const Ratio& ratio, Wanted wanted, double& least) const {
  const std::int64_t df = ratio.df();
  if (df == 0 || !ratio.is_performed()) return 0.0;
  if (wanted == Wanted::exact || df >= static_cast<std::int64_t>(CriticalStatistics::n_df)) {
    const double statistic = statistic_of(ratio);
    return statistic == infinity ? -infinity : log_chi_square_tail(statistic, df);
  }
  const double critical = critical_.at(static_cast<std::size_t>(df));
  if (ratio.is_single) {
    const double square = ratio.r * ratio.r;
    const double factor = ratio.left() + (kind_ == GaussianKind::wilks ? 0.5 : 0.0);
    if (factor * square < critical * below * (1.0 - square)) return 0.0;
    if (wanted == Wanted::verdicts && factor * square > critical * above) return -infinity;
    if (wanted == Wanted::largest && factor * square > least * above) return -infinity;
  }
  const double statistic = statistic_of(ratio);
  if (statistic < critical * below) return 0.0;
  if (statistic == infinity) return -infinity;
  if (wanted == Wanted::verdicts && statistic > critical * above) return -infinity;
  if (wanted == Wanted::largest && df == 1) {  // of other df the order is not that of statistics
    if (statistic > least * above) return -infinity;
    least = std::min(least, statistic);
  }
  return log_chi_square_tail(statistic, df);
}

GaussianTest::Ratio GaussianTest::ratio_of(Var x, Var y, VarSpan z) const {
  const Moments& moments = *moments_;
  if (x > y) std::swap(x, y);
  Lease<Room> lease;
  Room& room = *lease;
  room.variables.assign(z.begin(), z.end());
  std::ranges::sort(room.variables);
  room.columns.clear();
  for (const Var v : room.variables) moments.append_columns(v, room.columns);
  if (moments.is_complete()) {
    Given given(room, OfAll{moments});
    for (const Column c : room.columns) given.add(c);
    return given.pair(moments.n_samples(), moments.first(x), moments.end(x), moments.first(y),
                      moments.end(y));
  }
  const std::size_t n_given = room.columns.size();
  for (const Var v : {x, y}) {
    room.variables.push_back(v);
    moments.append_columns(v, room.columns);
  }
  moments.find(room.variables, room.columns, room.moments);
  Given given(room, OfSet{room.moments});
  for (std::size_t c = 0; c < n_given; ++c) given.add(c);
  const std::size_t end_x = n_given + moments.width(x);
  return given.pair(room.moments.n, n_given, end_x, end_x, end_x + moments.width(y));
}

bool GaussianTest::performs(Var x, Var y, VarSpan z) const {
  const Moments& moments = *moments_;
  std::size_t most = moments.width(x) + moments.width(y) + 1;  // no rank is above its width
  for (const Var v : z) most += moments.width(v);
  if (moments.is_complete() && moments.n_samples() > most) return true;
  return ratio_of(x, y, z).is_performed();
}

Outcome GaussianTest::outcome(Var x, Var y, VarSpan z) const {
  const Ratio ratio = ratio_of(x, y, z);
  if (!ratio.is_performed()) return {};
  const double statistic = statistic_of(ratio);
  const double log_p =
      statistic == infinity ? -infinity : log_chi_square_tail(statistic, ratio.df());
  return {statistic, ratio.df(), log_p, true};
}

double GaussianTest::correlation(Var x, Var y, VarSpan z) const {
  if (moments_->width(x) > 1 || moments_->width(y) > 1) {
    throw std::invalid_argument("a correlation is one of variables of a single column");
  }
  return ratio_of(x, y, z).r;
}

double GaussianTest::cost_of(const Question& question) const {
  const Moments& moments = *moments_;
  const double k = static_cast<double>(question.z.size() + 1);
  double cost = cost_of_test + cost_of_step * k * k;
  if (moments.is_complete() && !moments.has_all()) {
    cost += k * cost_of_row * static_cast<double>(moments.n_samples());
  } else if (!moments.is_complete()) {
    cost += k * k * cost_of_row * 0.2 * static_cast<double>(moments.n_samples());
  }
  return cost;
}

std::ptrdiff_t GaussianTest::answer(const Question& question, Wanted wanted,
                                    bool first_independence, Context& context,
                                    std::span<double> log_p) const {
  const Moments& moments = *moments_;
  const double cost = cost_of(question);
  double least = infinity;
  const auto decided = [&](std::size_t i, const Ratio& ratio) {
    log_p[i] = log_p_of(ratio, wanted, least);
    return first_independence && is_independent(log_p[i]);
  };
  if (question.is_separating() || !moments.is_complete()) {
    Vars z(question.z.begin(), question.z.end());
    if (question.is_separating()) z.push_back(-1);
    for (std::size_t i = 0; i < question.varying.size(); ++i) {
      context.spend(cost);
      const Var x = question.varying[i];
      if (question.is_separating()) z.back() = x;
      const Var other = question.is_separating() ? question.candidate : x;
      if (decided(i, ratio_of(question.target, other, z))) return static_cast<std::ptrdiff_t>(i);
    }
    return -1;
  }

  const Var target = question.target;
  const bool is_many =
      question.varying.size() * 16 >= static_cast<std::size_t>(moments.n_variables());
  if (is_many) {
    for (Column c = moments.first(target); c < moments.end(target); ++c) moments.prepare(c);
  }
  Lease<Room> lease;
  Room& room = *lease;
  room.variables.assign(question.z.begin(), question.z.end());
  std::ranges::sort(room.variables);
  room.columns.clear();
  for (const Var v : room.variables) moments.append_columns(v, room.columns);
  Given given(room, OfAll{moments});
  for (const Column c : room.columns) {
    if (is_many) moments.prepare(c);
    given.add(c);
  }
  const std::size_t n = moments.n_samples();
  const Column first = moments.first(target), end = moments.end(target);
  const double left = end - first == 1 ? given.reduced(first, room.x) : 0.0;
  for (std::size_t i = 0; i < question.varying.size(); ++i) {
    context.spend(cost);
    const Var x = question.varying[i];
    const Column first_x = moments.first(x), end_x = moments.end(x);
    Ratio ratio;
    if (end - first == 1 && end_x - first_x == 1) {
      ratio = given.single(n, first, left, first_x);
    } else if (target < x) {
      ratio = given.blocks(n, first, end, first_x, end_x);
    } else {
      ratio = given.blocks(n, first_x, end_x, first, end);
    }
    if (decided(i, ratio)) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

}  // namespace h2pc
