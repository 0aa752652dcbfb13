#include "test.hpp"

#include <algorithm>
#include <stdexcept>

namespace h2pc {
namespace {

constexpr double cost_of_callback = 2e4;  // nanoseconds

// Every member given the others, one after the other.
class PlainRounds final : public Rounds {
 public:
  PlainRounds(const Test& test, Var target, Context& context)
      : test_(test), target_(target), context_(context) {}

  void answer(VarSpan outsiders, VarSpan members, std::span<double> log_p) override {
    if (!outsiders.empty()) {
      test_.answer({target_, members, outsiders}, Wanted::links, false, context_,
                   log_p.first(outsiders.size()));
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      Vars others(members.begin(), members.end());
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      test_.answer({target_, others, members.subspan(i, 1)}, Wanted::exact, false, context_,
                   log_p.subspan(outsiders.size() + i, 1));
    }
  }

 private:
  const Test& test_;
  Var target_;
  Context& context_;
};

}  // namespace

void Test::check(Var v) const {
  if (v < 0 || (n_variables_ >= 0 && v >= n_variables_)) {
    throw std::out_of_range("a variable number is out of range");
  }
}

void Test::check(VarSpan variables) const {
  for (const Var v : variables) check(v);
}

std::unique_ptr<Rounds> Test::rounds(Var target, VarSpan, VarSpan, Context& context) const {
  return std::make_unique<PlainRounds>(*this, target, context);
}

std::ptrdiff_t CallbackTest::answer(const Question& question, Wanted, bool first_independence,
                                    Context& context, std::span<double> log_p) const {
  if (!question.is_separating()) {
    context.spend(cost_of_callback * static_cast<double>(question.varying.size()));
    log_p_(question.target, question.varying, question.z, log_p.first(question.varying.size()));
    return -1;
  }
  Vars given(question.z.begin(), question.z.end());
  given.push_back(-1);
  for (std::size_t i = 0; i < question.varying.size(); ++i) {
    context.spend(cost_of_callback);
    given.back() = question.varying[i];
    log_p_(question.target, std::span(&question.candidate, 1), given, log_p.subspan(i, 1));
    if (first_independence && is_independent(log_p[i])) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

std::ptrdiff_t answered(const Test& test, Context& context, const Question& question, Wanted wanted,
                        bool first_independence, std::span<double> log_p) {
  if (question.varying.empty()) return -1;
  if (!context.has_constraints(question.target)) {
    return test.answer(question, wanted, first_independence, context, log_p);
  }
  const Constraints& known = *context.constraints;
  if (question.is_separating()) {
    const auto decided = known.log_p(question.target, question.candidate);
    if (!decided) return test.answer(question, wanted, first_independence, context, log_p);
    std::ranges::fill(log_p.first(question.varying.size()), *decided);
    return first_independence && test.is_independent(*decided) ? 0 : -1;
  }
  Vars open;
  for (const Var x : question.varying) {
    if (!known.log_p(question.target, x)) open.push_back(x);
  }
  std::vector<double> answers(open.size());
  if (!open.empty()) {
    test.answer({question.target, question.z, open}, wanted, false, context, answers);
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < question.varying.size(); ++i) {
    const auto decided = known.log_p(question.target, question.varying[i]);
    log_p[i] = decided ? *decided : answers[next++];
  }
  return -1;
}

}  // namespace h2pc
