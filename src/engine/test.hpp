// Tests of conditional independence: what the steps of the algorithms ask of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "context.hpp"
#include "types.hpp"

namespace h2pc {

// Many tests that share most of their variables. Without a candidate: target ⊥ x | z for every x that
// varies. With one: target ⊥ candidate | z, x for every x.
struct Question {
  Var target;
  VarSpan z;
  VarSpan varying;
  Var candidate = -1;
  // For a search for the largest p-value through several questions: the least statistics of links so
  // far, for each of the first degrees of freedom. Empty where this question is the only one.
  std::span<double> least_links = {};

  bool is_separating() const { return candidate >= 0; }
};

// How exact the log p-values have to be.
enum class Wanted {
  exact,     // all of them
  links,     // of links; 0 stands for independence
  largest,   // the largest of the links; -inf may stand for others, and 0 for independence
  verdicts,  // 0 stands for independence, and -inf for a link
};

// One test in full.
struct Outcome {
  double statistic = 0.0;
  std::int64_t df = 0;
  double log_p = 0.0;
  bool is_performed = false;
};

// The log p-values that the rounds of IAMB-FDR about one target need.
class Rounds {
 public:
  virtual ~Rounds() = default;
  // log_p[i] = that of target ⊥ outsiders[i] | members, where it is a link and else 0, followed by that
  // of every member given the other members.
  virtual void answer(VarSpan outsiders, VarSpan members, std::span<double> log_p) = 0;
};

class Test {
 public:
  Test(double log_alpha, Var n_variables) : log_alpha_(log_alpha), n_variables_(n_variables) {}
  virtual ~Test() = default;
  Test(const Test&) = delete;
  Test& operator=(const Test&) = delete;

  double log_alpha() const { return log_alpha_; }
  bool is_independent(double log_p) const { return log_p > log_alpha_; }

  // Throws std::out_of_range where a number is not that of a variable.
  void check(Var v) const;
  void check(VarSpan variables) const;

  // Writes the log p-values. A search for the first independence ends with it, returns where it is,
  // and leaves the rest undefined; -1 where there is none, and from other questions.
  virtual std::ptrdiff_t answer(const Question& question, Wanted wanted, bool first_independence,
                                Context& context, std::span<double> log_p) const = 0;

  // Whether z with some subset of `pool` may separate the two: false saves a search.
  virtual bool may_separate(Var, Var, VarSpan, VarSpan) const { return true; }

  // Answers for a run of IAMB-FDR that starts from some members.
  virtual std::unique_ptr<Rounds> rounds(Var target, VarSpan candidates, VarSpan start,
                                         Context& context) const;

  // The same test, made ready for many questions about a few variables; null where it is ready.
  virtual std::shared_ptr<const Test> focused(VarSpan) const { return nullptr; }
  // The same before a search through many subsets of these variables.
  virtual std::shared_ptr<const Test> ready_for_subsets(VarSpan) const { return nullptr; }

 private:
  double log_alpha_;
  Var n_variables_;  // -1 where it is not known
};

// A test of the user's own, one call for every set of conditions.
class CallbackTest final : public Test {
 public:
  using LogP = std::function<void(Var target, VarSpan candidates, VarSpan z, std::span<double>)>;
  using MaySeparate = std::function<bool(Var x, Var y, VarSpan base, VarSpan pool)>;

  CallbackTest(double log_alpha, LogP log_p, MaySeparate may_separate)
      : Test(log_alpha, -1), log_p_(std::move(log_p)), may_separate_(std::move(may_separate)) {}

  std::ptrdiff_t answer(const Question& question, Wanted wanted, bool first_independence,
                        Context& context, std::span<double> log_p) const override;
  bool may_separate(Var x, Var y, VarSpan base, VarSpan pool) const override {
    return !may_separate_ || may_separate_(x, y, base, pool);
  }

 private:
  LogP log_p_;
  MaySeparate may_separate_;
};

// Answers within a context: pairs that the constraints decide are not tested.
std::ptrdiff_t answered(const Test& test, Context& context, const Question& question, Wanted wanted,
                        bool first_independence, std::span<double> log_p);

}  // namespace h2pc
