// The module h2pc._engine: the only file that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "bits.hpp"
#include "class_alternatives.hpp"
#include "class_search.hpp"
#include "counting.hpp"
#include "gaining_pairs.hpp"
#include "gaussian_score.hpp"
#include "gaussian_test.hpp"
#include "iamb_fdr.hpp"
#include "merging.hpp"
#include "moments.hpp"
#include "permutation.hpp"
#include "priced_score.hpp"
#include "pruning.hpp"
#include "reachability.hpp"
#include "sample.hpp"
#include "scores.hpp"
#include "search.hpp"
#include "separators.hpp"
#include "table_test.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace h2pc;

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using NumpyVector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

nb::tuple as_tuple(VarSpan variables) {
  nb::object made = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(variables.size())));
  for (std::size_t i = 0; i < variables.size(); ++i) {
    PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLong(variables[i]));
  }
  return nb::borrow<nb::tuple>(made);
}

template <class T>
NumpyVector<T> as_array(std::vector<T> values) {
  auto* kept = std::make_unique<std::vector<T>>(std::move(values)).release();  // to the capsule
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return NumpyVector<T>(kept->data(), {kept->size()}, owner);
}

// Runs something without the interpreter's lock.
template <class Step>
auto unlocked(Step&& step) {
  nb::gil_scoped_release release;
  return step();
}

// Lets Ctrl-C end a long step.
void check_signals() {
  nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// A copy of a context for one step: threads may share the context, whose counts change under the lock.
class OwnContext {
 public:
  explicit OwnContext(Context* given) : given_(given) {
    if (given != nullptr) {
      own_ = given->for_step();
    } else {
      own_.poll = [](Context&) { check_signals(); };
    }
  }
  ~OwnContext() {
    if (given_ != nullptr) given_->take_over(own_);
  }
  OwnContext(const OwnContext&) = delete;
  OwnContext& operator=(const OwnContext&) = delete;

  Context& operator*() { return own_; }

 private:
  Context* given_;
  Context own_;
};

std::vector<Count> as_counts(const Vector<std::int64_t>& values) {
  std::vector<Count> counts;
  for (std::size_t i = 0; i < values.shape(0); ++i) {
    if (values(i) < 0 || values(i) > std::numeric_limits<Count>::max()) {
      throw std::invalid_argument("a number of levels or a weight is out of range");
    }
    counts.push_back(static_cast<Count>(values(i)));
  }
  return counts;
}

template <class Code>
void make_sample(Sample* self, const Matrix<Code>& codes, const Vector<std::int64_t>& cards,
                 const std::optional<Vector<std::int64_t>>& weights) {
  if (codes.shape(0) != cards.shape(0)) {
    throw std::invalid_argument("codes need a row for every number of levels");
  }
  std::vector<Code> copy(codes.data(), codes.data() + codes.size());
  auto levels = as_counts(cards);
  auto counts = weights ? as_counts(*weights) : std::vector<Count>{};
  nb::gil_scoped_release release;
  new (self) Sample(std::move(copy), std::move(levels), std::move(counts));
}

nb::object codes_of(nb::object self) {
  const Sample& sample = nb::cast<const Sample&>(self);
  const std::size_t n_rows = sample.rows().n_rows();
  const auto n_variables = static_cast<std::size_t>(sample.n_variables());
  return sample.rows().visit([&](auto of) -> nb::object {
    using Code = typename decltype(of(0))::value_type;
    return nb::cast(
        nb::ndarray<nb::numpy, const Code, nb::ndim<2>>(of(0).data(), {n_variables, n_rows}, self));
  });
}

void bind_sample(nb::module_& m) {
  nb::class_<Sample>(m, "Sample",
                     "A sample of discrete variables and its index: a bitmap for every level, and "
                     "how often any two levels occur together.")
      .def("__init__", &make_sample<std::uint8_t>, "codes"_a.noconvert(), "cards"_a.noconvert(),
           "weights"_a.noconvert() = nb::none(),
           "Copy codes[variable, row], each below cards[variable], or equal to it where a cell is "
           "missing; weights are the samples that a row stands for.")
      .def("__init__", &make_sample<std::uint16_t>, "codes"_a.noconvert(), "cards"_a.noconvert(),
           "weights"_a.noconvert() = nb::none())
      .def_prop_ro("codes", &codes_of, "The codes, as a view that cannot be written to.")
      .def_prop_ro("n_samples", &Sample::n_samples, "The number of samples.")
      .def_prop_ro("n_variables", &Sample::n_variables, "The number of variables.")
      .def_prop_ro(
          "is_complete", [](const Sample& self) { return self.is_complete(); },
          "Whether no cell is missing.")
      .def_prop_ro("n_bytes", &Sample::n_bytes, "The memory of codes, bitmaps and pairs.")
      .def_prop_ro_static(
          "largest_pairs", [](nb::handle) { return Sample::largest_pairs; },
          "The most bytes for counts of pairs of levels.")
      .def_prop_ro("has_pairs", &Sample::has_pairs,
                   "Whether pairs of levels are counted beforehand.")
      .def(
          "bitmap",
          [](const Sample& self, Var v, Count code) {
            self.check(v);
            if (code < 0 || code >= self.card(v)) throw std::out_of_range("a code is no level");
            const auto words = self.bitmap(self.first_level(v) + static_cast<std::size_t>(code));
            return as_array(std::vector<Word>(words.begin(), words.end()));
          },
          "variable"_a, "code"_a, "The bitmap of a level: bit i % 64 of word i // 64 is sample i.")
      .def(
          "distinct_rows",
          [](const Sample& self, const Vars& variables) {
            self.check(variables);
            std::vector<std::size_t> firsts;
            const auto merged = unlocked([&] {
              return merged_rows(self, self.rows(), variables, self.rows().n_rows(), &firsts);
            });
            const auto weights = merged->weights();
            return std::pair(as_array(std::vector<std::int64_t>(firsts.begin(), firsts.end())),
                             as_array(std::vector<std::int64_t>(weights.begin(), weights.end())));
          },
          "variables"_a,
          "The first row of every combination of codes, and how many samples have it.");
}

template <class Code>
NumpyVector<std::int64_t> code_counts(const Vector<Code>& codes, std::size_t n_codes) {
  const std::span<const Code> all(codes.data(), codes.size());
  std::vector<Count> counts(n_codes);
  unlocked([&] {
    Code largest = 0;
    for (const Code code : all) largest = std::max(largest, code);
    if (!all.empty() && largest >= n_codes) {
      throw std::invalid_argument("a code is too large to be counted");
    }
    count_codes(all, std::span(counts));
  });
  return as_array(std::vector<std::int64_t>(counts.begin(), counts.end()));
}

template <class T, class Array>
std::vector<T> copied(const std::optional<Array>& values) {
  if (!values) return {};
  return std::vector<T>(values->data(), values->data() + values->size());
}

std::shared_ptr<Moments> make_moments(
    std::size_t n_samples, int slice_bits, const Vector<std::int64_t>& first,
    const Vector<std::int64_t>& exponents, const Vector<std::int64_t>& sums,
    const Vector<double>& squares, const std::optional<Matrix<double>>& correlations,
    const std::optional<
        std::tuple<Matrix<std::int64_t>, Matrix<std::int64_t>, Matrix<std::int64_t>>>& products,
    const std::optional<std::pair<Matrix<float>, Matrix<float>>>& slices,
    const std::optional<Matrix<std::uint8_t>>& missing) {
  MomentParts parts;
  parts.n_samples = n_samples;
  parts.slice_bits = slice_bits;
  parts.first.assign(first.data(), first.data() + first.size());
  parts.exponents.assign(exponents.data(), exponents.data() + exponents.size());
  parts.sums.assign(sums.data(), sums.data() + sums.size());
  parts.squares.assign(squares.data(), squares.data() + squares.size());
  parts.correlations = copied<double>(correlations);
  if (products) {
    const auto& [high, low, both] = *products;
    parts.high_products.assign(high.data(), high.data() + high.size());
    parts.low_products.assign(low.data(), low.data() + low.size());
    parts.both_products.assign(both.data(), both.data() + both.size());
  }
  if (slices) {
    parts.n_kept = slices->first.shape(1);
    parts.high.assign(slices->first.data(), slices->first.data() + slices->first.size());
    parts.low.assign(slices->second.data(), slices->second.data() + slices->second.size());
  }
  parts.missing = copied<std::uint8_t>(missing);
  return unlocked([&] { return std::make_shared<Moments>(std::move(parts)); });
}

void bind_moments(nb::module_& m) {
  nb::class_<Moments>(m, "Moments",
                      "Second moments of continuous variables, and of discrete ones by their "
                      "indicator columns.")
      .def(nb::new_(&make_moments), "n_samples"_a, "slice_bits"_a, "first"_a.noconvert(),
           "exponents"_a.noconvert(), "sums"_a.noconvert(), "squares"_a.noconvert(),
           "correlations"_a.noconvert() = nb::none(), "products"_a = nb::none(),
           "slices"_a = nb::none(), "missing"_a.noconvert() = nb::none(),
           "See src/engine/moments.hpp; products are those of the high slices, of the low ones, "
           "and of their sums.")
      .def_prop_ro("n_samples", &Moments::n_samples, "The number of samples.")
      .def_prop_ro("n_variables", &Moments::n_variables, "The number of variables.")
      .def_prop_ro("n_columns", &Moments::n_columns, "The number of columns.")
      .def_prop_ro("n_bytes", &Moments::n_bytes, "The memory of moments and rows.")
      .def_prop_ro("is_complete", &Moments::is_complete, "Whether no cell is missing.")
      .def_prop_ro("has_all", &Moments::has_all,
                   "Whether the moments of all pairs are there, or found when needed.")
      .def(
          "of_set",
          [](const Moments& self, const Vars& variables) {
            self.check(variables);
            Columns columns;
            for (const Var v : variables) self.append_columns(v, columns);
            MomentsOfSet found;
            self.find(variables, columns, found);
            std::vector<double> log_variances;
            for (std::size_t i = 0; i < columns.size(); ++i) {
              log_variances.push_back(self.log_variance(columns[i], found.squares[i], found.n));
            }
            return std::tuple(found.n, as_array(std::move(found.correlations)),
                              as_array(std::move(log_variances)));
          },
          "variables"_a,
          "The number of samples that are complete in the variables, the correlations of their "
          "columns in one row after the other, and the logs of their variances.");
}

std::shared_ptr<const Constraints> constraints_of(
    const std::optional<std::vector<std::vector<std::pair<Var, bool>>>>& pairs) {
  if (!pairs) return nullptr;
  std::vector<std::vector<Constraints::Pair>> known;
  for (const auto& own : *pairs) {
    auto& list = known.emplace_back();
    for (const auto& [other, is_linked] : own) list.push_back({other, is_linked});
  }
  return std::make_shared<const Constraints>(std::move(known));
}

nb::dict separators_of(const Context& self, Var target) {
  nb::dict found;
  if (!self.attempts) return found;
  self.attempts->visit(target, [&](Var x, const Attempts& attempts) {
    if (!attempts.separators.empty()) found[nb::int_(x)] = as_tuple(attempts.separators[0]);
  });
  return found;
}

nb::dict attempts_of(const Context& self, Var target) {
  nb::dict found;
  if (!self.attempts) return found;
  self.attempts->visit(target, [&](Var x, const Attempts& attempts) {
    if (!attempts.log_p) return;
    nb::list separators;
    for (const Vars& z : attempts.separators) separators.append(as_tuple(z));
    found[nb::int_(x)] =
        nb::make_tuple(*attempts.log_p, as_tuple(attempts.given), nb::tuple(separators));
  });
  return found;
}

void bind_context(nb::module_& m) {
  nb::class_<Context>(
      m, "Context",
      "Constraints, limits and counts of a run, and a look now and then at whether it has to stop.")
      .def(
          "__init__",
          [](Context* self,
             const std::optional<std::vector<std::vector<std::pair<Var, bool>>>>& constraints,
             std::optional<std::int64_t> max_conditioning,
             std::optional<std::int64_t> max_subset_tests, std::optional<nb::callable> poll,
             std::int64_t many_subsets) {
            new (self) Context();
            self->constraints = constraints_of(constraints);
            self->max_conditioning = max_conditioning.value_or(Context::no_limit);
            self->max_subset_tests = max_subset_tests.value_or(Context::no_limit);
            self->many_subsets = many_subsets;
            self->poll = [poll](Context& context) {
              check_signals();
              nb::gil_scoped_acquire acquire;
              if (poll) (*poll)(context.long_search);
            };
          },
          "constraints"_a = nb::none(), "max_conditioning"_a = nb::none(),
          "max_subset_tests"_a = nb::none(), "poll"_a = nb::none(), "many_subsets"_a = 10'000'000,
          "constraints[v] has (other, is_linked) for every pair of v that is decided; "
          "poll(long_search) is called every 20 ms or so, and raises to stop the run.")
      .def(
          "fresh",
          [](const Context& self, bool records) {
            Context made = self.for_step();
            made.long_search.reset();
            made.attempts = records ? std::make_shared<AttemptRecord>() : nullptr;
            return made;
          },
          "records"_a = false,
          "The same, with nothing counted; it may record the attempts to separate pairs.")
      .def("attempts", &attempts_of, "target"_a,
           nb::sig("def attempts(self, target: int) -> dict[int, tuple[float, tuple[int, ...], "
                   "tuple[tuple[int, ...], ...]]]"),
           "For every variable that some recorded test found dependent on the target: the largest "
           "log p-value of these tests, the set given which it was met, and the sets that separate "
           "the two.")
      .def("separators", &separators_of, "target"_a,
           nb::sig("def separators(self, target: int) -> dict[int, tuple[int, ...]]"),
           "The first set that separated every other variable from the target, where it was "
           "recorded.")
      .def_ro("n_tests", &Context::n_tests, "The number of tests so far.")
      .def_ro("n_cut", &Context::n_cut, "The number of searches that a limit cut short.");
}

// The max-min heuristic with the test and the context that it goes on with.
class BoundMaxMin {
 public:
  BoundMaxMin(nb::object test, nb::object context, Var target, const Vars& candidates)
      : test_(std::move(test)), context_(std::move(context)) {
    OwnContext own(nb::cast<Context*>(context_));
    const Test& used = nb::cast<const Test&>(test_);
    state_ = unlocked([&] { return MaxMin(used, *own, target, candidates); });
  }

  std::optional<Var> strongest() const { return state_->strongest(); }

  void add(Var x) {
    OwnContext own(nb::cast<Context*>(context_));
    const Test& used = nb::cast<const Test&>(test_);
    unlocked([&] { state_->add(used, *own, x); });
  }

 private:
  nb::object test_, context_;
  std::optional<MaxMin> state_;
};

void check_numbers(const std::vector<double>& log_p, std::size_t n) {
  if (log_p.size() != n) {
    throw std::invalid_argument("log_p_given must return a number for each of " +
                                std::to_string(n) + " candidates; it returned " +
                                std::to_string(log_p.size()));
  }
  for (const double p : log_p) {
    if (std::isnan(p))
      throw std::invalid_argument("log_p_given must return numbers; it returned nan");
  }
}

std::shared_ptr<CallbackTest> callback_test(double log_alpha, nb::callable log_p,
                                            std::optional<nb::callable> may_separate) {
  CallbackTest::MaySeparate checked;
  if (may_separate) {
    checked = [call = *may_separate](Var x, Var y, VarSpan base, VarSpan pool) {
      nb::gil_scoped_acquire acquire;
      return nb::cast<bool>(call(x, y, as_tuple(base), as_tuple(pool)));
    };
  }
  return std::make_shared<CallbackTest>(
      log_alpha,
      [call = std::move(log_p)](Var target, VarSpan candidates, VarSpan z, std::span<double> out) {
        nb::gil_scoped_acquire acquire;
        const auto found =
            nb::cast<std::vector<double>>(call(target, as_tuple(candidates), as_tuple(z)));
        check_numbers(found, candidates.size());
        std::ranges::copy(found, out.begin());
      },
      std::move(checked));
}

// Single tests, for the classes that have them in full.
template <class T>
void bind_single_tests(nb::class_<T, Test>& bound) {
  bound
      .def(
          "outcome",
          [](const T& self, Var x, Var y, const Vars& z) {
            self.check(x);
            self.check(y);
            self.check(z);
            const Outcome found = unlocked([&] { return self.outcome(x, y, z); });
            return nb::make_tuple(found.statistic, found.df, found.log_p, found.is_performed);
          },
          nb::sig("def outcome(self, x: int, y: int, z: collections.abc.Sequence[int]) -> "
                  "tuple[float, int, float, bool]"),
          "Statistic, degrees of freedom and log p-value of x ⊥ y | z, and whether there are "
          "enough samples.")
      .def(
          "performs",
          [](const T& self, Var x, Var y, const Vars& z) {
            self.check(x);
            self.check(y);
            self.check(z);
            return self.performs(x, y, z);
          },
          "x"_a, "y"_a, "z"_a, "Whether there are enough samples for x ⊥ y | z to be tested.")
      .def(
          "unperformed",
          [](const T& self, Var target, const std::map<Var, Vars>& given) {
            self.check(target);
            Vars found;
            for (const auto& [x, z] : given) {
              self.check(x);
              self.check(z);
              if (!self.performs(target, x, z)) found.push_back(x);
            }
            return as_tuple(found);
          },
          "target"_a, "given"_a,
          nb::sig("def unperformed(self, target: int, given: "
                  "collections.abc.Mapping[int, collections.abc.Sequence[int]]) -> "
                  "tuple[int, ...]"),
          "The variables for whose test given some others there are too few samples, sorted.");
}

void bind_tests(nb::module_& m) {
  nb::class_<Test>(
      m, "Test", "A test of conditional independence, and the steps of the algorithms that use it.")
      .def(
          "log_p_many",
          [](const Test& self, Context* given, Var target, const Vars& candidates, const Vars& z) {
            std::vector<double> log_p(candidates.size());
            OwnContext context(given);
            unlocked([&] {
              self.check(target);
              self.check(candidates);
              self.check(z);
              (*context).n_tests += static_cast<std::int64_t>(candidates.size());
              answered(self, *context, {target, z, candidates}, Wanted::exact, false, log_p);
            });
            return as_array(std::move(log_p));
          },
          "context"_a.none(), "target"_a, "candidates"_a, "z"_a,
          "Log p-value of target ⊥ candidate | z for every candidate; without a context nothing is "
          "constrained or counted.")
      .def(
          "prune",
          [](const Test& self, Context& given, Var target, const Vars& candidates) {
            OwnContext context(&given);
            const Pruned found =
                unlocked([&] { return pruned(self, *context, target, candidates); });
            nb::dict separated;
            for (const auto& [x, y] : found.separated) {
              separated[nb::int_(x)] = nb::make_tuple(nb::int_(y));
            }
            return nb::make_tuple(as_tuple(found.kept), separated);
          },
          nb::sig("def prune(self, context: Context, target: int, candidates: "
                  "collections.abc.Sequence[int]) -> tuple[tuple[int, ...], dict[int, tuple[int, "
                  "...]]]"),
          "The candidates that none of the others separates from the target, strongest link first, "
          "and what separated others.")
      .def(
          "kept_given_any",
          [](const Test& self, Context& given, Var target, const Vars& candidates,
             const std::map<Var, Vars>& dsep, const Vars& xs) {
            OwnContext context(&given);
            return as_tuple(unlocked([&] {
              return kept_given_any(self, *context, target, by_separating_set(candidates, dsep),
                                    xs);
            }));
          },
          nb::sig("def kept_given_any(self, context: Context, target: int, candidates: "
                  "collections.abc.Sequence[int], dsep: collections.abc.Mapping[int, "
                  "collections.abc.Sequence[int]], xs: collections.abc.Sequence[int]) -> "
                  "tuple[int, ...]"),
          "The candidates that pruning given some x keeps.")
      .def(
          "iamb_fdr",
          [](const Test& self, Context& given, Var target, const Vars& candidates,
             const Vars& start) {
            OwnContext context(&given);
            return as_tuple(
                unlocked([&] { return iamb_fdr(self, *context, target, candidates, start); }));
          },
          nb::sig("def iamb_fdr(self, context: Context, target: int, candidates: "
                  "collections.abc.Sequence[int], start: collections.abc.Sequence[int]) -> "
                  "tuple[int, ...]"),
          "The Markov boundary by IAMB-FDR, in the order of entry.")
      .def(
          "first_separator",
          [](const Test& self, Context& given, Var target, Var candidate, const Vars& base,
             const Vars& pool, std::size_t min_size, std::size_t max_size) {
            OwnContext context(&given);
            const Separation found = unlocked([&] {
              return first_separator(self, *context, target, candidate, base, pool, min_size,
                                     max_size);
            });
            nb::object z = nb::none();
            if (found.z) z = as_tuple(*found.z);
            return nb::make_tuple(z, found.log_p);
          },
          nb::sig("def first_separator(self, context: Context, target: int, candidate: int, base: "
                  "collections.abc.Sequence[int], pool: collections.abc.Sequence[int], min_size: "
                  "int, max_size: int) -> tuple[tuple[int, ...] | None, float]"),
          "The first subset of the pool that separates, small ones first, and the largest log "
          "p-value met.")
      .def(
          "inseparable",
          [](const Test& self, Context& given, Var target, const Vars& candidates,
             const Vars& pool) {
            OwnContext context(&given);
            return as_tuple(
                unlocked([&] { return inseparable(self, *context, target, candidates, pool); }));
          },
          nb::sig("def inseparable(self, context: Context, target: int, candidates: "
                  "collections.abc.Sequence[int], pool: collections.abc.Sequence[int]) -> "
                  "tuple[int, ...]"),
          "The candidates that no subset of the others in the pool separates from the target.")
      .def(
          "weakest_links",
          [](const Test& self, Context& given, Var target, const Vars& candidates, const Vars& base,
             const Vars& pool) {
            OwnContext context(&given);
            return unlocked(
                [&] { return weakest_links(self, *context, target, candidates, base, pool); });
          },
          "context"_a, "target"_a, "candidates"_a, "base"_a, "pool"_a,
          "The largest log p-value of every candidate given the base and any subset of the pool; 0 "
          "where one separates.");

  nb::class_<BoundMaxMin>(m, "MaxMin", "Candidates with their weakest links so far: MMPC.")
      .def(nb::init<nb::object, nb::object, Var, const Vars&>(), "test"_a, "context"_a, "target"_a,
           "candidates"_a)
      .def("strongest", &BoundMaxMin::strongest,
           "The candidate whose weakest link is the strongest; None where none is left.")
      .def("add", &BoundMaxMin::add, "x"_a,
           "Take a candidate into the conditioning sets, and drop what they separate.");

  nb::class_<CallbackTest, Test>(m, "CallbackTest", "A test that is written in Python.")
      .def(nb::new_(&callback_test), "log_alpha"_a, "log_p_given"_a, "may_separate"_a = nb::none());

  auto table_test = nb::class_<TableTest, Test>(
      m, "TableTest", "The G² or Pearson's chi-square test on contingency tables.");
  bind_single_tests(table_test);
  table_test
      .def(nb::new_([](std::shared_ptr<Sample> sample, bool is_g2, double log_alpha,
                       double power_rule, bool adjust_df, std::size_t n_answers,
                       std::size_t bytes_for_rounds) {
             const auto kind = is_g2 ? StatisticKind::g2 : StatisticKind::pearson;
             const TableTestSettings settings{kind,      log_alpha, power_rule,
                                              adjust_df, n_answers, bytes_for_rounds};
             return unlocked([&] { return std::make_shared<TableTest>(sample, settings); });
           }),
           "sample"_a, "is_g2"_a, "log_alpha"_a, "power_rule"_a, "adjust_df"_a, "n_answers"_a,
           "bytes_for_rounds"_a)
      .def(
          "focused",
          [](const TableTest& self, const Vars& variables) {
            self.check(variables);
            const auto made = unlocked([&] { return self.focused(variables); });
            return std::const_pointer_cast<TableTest>(
                std::static_pointer_cast<const TableTest>(made));
          },
          "variables"_a,
          nb::sig(
              "def focused(self, variables: collections.abc.Sequence[int]) -> TableTest | None"),
          "The same test with equal rows of these variables merged; None where that does not pay.");
}

void bind_gaussian_tests(nb::module_& m) {
  auto gaussian_test = nb::class_<GaussianTest, Test>(
      m, "GaussianTest", "Fisher's z, or the likelihood ratio of the degenerate Gaussian model.");
  bind_single_tests(gaussian_test);
  gaussian_test
      .def(nb::new_([](std::shared_ptr<Moments> moments, bool is_fisher, double log_alpha) {
             const auto kind = is_fisher ? GaussianKind::fisher : GaussianKind::wilks;
             return std::make_shared<GaussianTest>(std::move(moments), kind, log_alpha);
           }),
           "moments"_a, "is_fisher"_a, "log_alpha"_a)
      .def(
          "correlation",
          [](const GaussianTest& self, Var x, Var y, const Vars& z) {
            self.check(x);
            self.check(y);
            self.check(z);
            return self.correlation(x, y, z);
          },
          "x"_a, "y"_a, "z"_a, "The partial correlation of two variables of a single column.");
}

// Polls Python now and then: for signals, and for the caller's reasons to stop; tells how far a run
// is. The references are borrowed from the caller of a search, who outlives it.
StopCheck stop_check(nb::handle poll, double seconds) {
  return StopCheck(
      [poll](const Progress& progress) {
        check_signals();
        nb::gil_scoped_acquire held;
        return !poll.is_none() && nb::cast<bool>(nb::bool_(poll(progress.done, progress.expected)));
      },
      seconds);
}

// Makes a score that is written in Python.
void make_callback_score(CallbackScore* self, Var n_variables, nb::object family,
                         nb::object changed) {
  // Shared, as copies of a function are made and freed without the interpreter.
  struct Callbacks {
    nb::object family, changed;
    ~Callbacks() {
      nb::gil_scoped_acquire held;
      family.reset();
      changed.reset();
    }
  };
  auto shared = std::make_shared<Callbacks>();
  shared->family = std::move(family);
  shared->changed = std::move(changed);
  new (self) CallbackScore(
      n_variables,
      [shared](Var child, VarSpan parents) {
        nb::gil_scoped_acquire held;
        return nb::cast<double>(shared->family(child, as_tuple(parents)));
      },
      [shared](Var child, VarSpan parents, VarSpan others) {
        nb::gil_scoped_acquire held;
        return nb::cast<std::vector<double>>(
            shared->changed(child, as_tuple(parents), as_tuple(others)));
      });
}

nb::tuple sets_as_tuple(const std::vector<Vars>& parent_sets) {
  nb::list sets;
  for (const Vars& parents : parent_sets) sets.append(as_tuple(VarSpan(parents)));
  return nb::tuple(sets);
}

// (parent sets, score, trail, moves to the best graph, scores, whether it was stopped).
nb::tuple found_as_tuple(const Found& found) {
  nb::list trail;
  for (const Move& move : found.trail) {
    trail.append(nb::make_tuple(static_cast<int>(move.kind), move.parent, move.child));
  }
  return nb::make_tuple(sets_as_tuple(found.parent_sets), found.score, trail, found.n_moves_to_best,
                        found.n_scores, found.was_stopped);
}

void bind_scores(nb::module_& m) {
  nb::enum_<ScoreKind>(m, "ScoreKind", "The scores of counts.")
      .value("log_likelihood", ScoreKind::log_likelihood)
      .value("aic", ScoreKind::aic)
      .value("bic", ScoreKind::bic)
      .value("k2", ScoreKind::k2)
      .value("bdeu", ScoreKind::bdeu)
      .value("bds", ScoreKind::bds)
      .value("qnml", ScoreKind::qnml)
      .value("fnml", ScoreKind::fnml);

  nb::class_<LocalScore>(m, "LocalScore",
                         "A decomposable score: a sum over the families of a graph.")
      .def_prop_ro("n_variables", &LocalScore::n_variables, "The number of variables.")
      .def_prop_ro("n_fraction_bits", &LocalScore::n_fraction_bits,
                   "Scores are multiples of 2 to the power of minus this.")
      .def(
          "family",
          [](const LocalScore& score, Var child, const Vars& parents) {
            nb::gil_scoped_release released;
            return score.family(child, parents);
          },
          "child"_a, "parents"_a, "Score of ``child`` with these parents, in any order.")
      .def(
          "changed",
          [](const LocalScore& score, Var child, const Vars& parents, const Vars& others) {
            std::vector<double> scores;
            {
              nb::gil_scoped_release released;
              StopCheck never;
              scores = score.changed(child, parents, others, never);
            }
            return as_array(std::move(scores));
          },
          "child"_a, "parents"_a, "others"_a,
          "Score of the family with one change, for every one of ``others``.");

  nb::class_<TableScore, LocalScore>(m, "TableScore", "A score of the counts of a sample.")
      .def(
          "__init__",
          [](TableScore* self, std::shared_ptr<Sample> sample, ScoreKind kind,
             double equivalent_sample_size) {
            new (self) TableScore(std::move(sample), kind, equivalent_sample_size);
          },
          "sample"_a, "kind"_a, "equivalent_sample_size"_a = 1.0);

  nb::enum_<GaussianScoreKind>(m, "GaussianScoreKind", "The scores of moments.")
      .value("log_likelihood", GaussianScoreKind::log_likelihood)
      .value("aic", GaussianScoreKind::aic)
      .value("bic", GaussianScoreKind::bic)
      .value("bge", GaussianScoreKind::bge);

  nb::class_<GaussianScore, LocalScore>(m, "GaussianScore", "A score of the moments of a sample.")
      .def(
          "__init__",
          [](GaussianScore* self, std::shared_ptr<Moments> moments, GaussianScoreKind kind,
             double prior_mean_weight, double prior_weight) {
            new (self) GaussianScore(std::move(moments), kind, prior_mean_weight, prior_weight);
          },
          "moments"_a, "kind"_a, "prior_mean_weight"_a = 1.0, "prior_weight"_a = 0.0);

  nb::class_<CallbackScore, LocalScore>(m, "CallbackScore", "A score of two Python functions.")
      .def("__init__", &make_callback_score, "n_variables"_a, "family"_a, "changed"_a);

  nb::class_<PricedScore, LocalScore>(m, "PricedScore", "A score less a price for every edge.")
      .def(nb::init<std::shared_ptr<LocalScore>, PricedScore::Prices, double,
                    std::vector<std::int64_t>, double>(),
           "score"_a, "own"_a, "others"_a, "levels"_a = std::vector<std::int64_t>(),
           "max_cells"_a = 0.0)
      .def("price", &PricedScore::price, "child"_a, "parent"_a, "Price of one edge, rounded.");

  nb::class_<SearchSpace>(m, "SearchSpace", "Where a search may go, and where it starts.")
      .def(nb::init<std::vector<Vars>, std::vector<Vars>, std::vector<Vars>, std::int64_t>(),
           "candidates"_a, "required"_a, "start"_a, "max_parents"_a);

  m.def(
      "tabu_search",
      [](const LocalScore& score, const SearchSpace& space, std::int64_t list_size,
         std::int64_t patience, std::optional<std::int64_t> max_moves, std::int64_t restarts,
         std::optional<std::int64_t> perturbations, std::vector<std::uint32_t> seed,
         nb::object poll, double poll_seconds) {
        const TabuSettings settings{
            list_size, patience, max_moves, {restarts, perturbations, std::move(seed)}};
        Found found;
        {
          nb::gil_scoped_release released;
          found = tabu_search(score, space, settings, stop_check(poll, poll_seconds));
        }
        return found_as_tuple(found);
      },
      "score"_a, "space"_a, nb::kw_only(), "list_size"_a, "patience"_a, "max_moves"_a.none(),
      "restarts"_a, "perturbations"_a.none(), "seed"_a, "poll"_a.none(), "poll_seconds"_a,
      "Best graph on walks that avoid the graphs they visited lately.\n\n"
      "``seed`` has the 32-bit digits of the seed, the lowest first. ``poll(done, expected)`` is\n"
      "called every ``poll_seconds`` with the numbers of steps; the search stops once it returns "
      "True.\n"
      "Returns the parent sets, the score,\n"
      "the moves as (kind, parent, child), their number up to the best graph, the number of "
      "scores,\n"
      "and whether the search was stopped.");

  m.def(
      "hill_climbing",
      [](const LocalScore& score, const SearchSpace& space, std::int64_t restarts,
         std::int64_t perturbations, std::vector<std::uint32_t> seed, nb::object poll,
         double poll_seconds) {
        const Restarts again{restarts, perturbations, std::move(seed)};
        Found found;
        {
          nb::gil_scoped_release released;
          found = hill_climbing(score, space, again, stop_check(poll, poll_seconds));
        }
        return found_as_tuple(found);
      },
      "score"_a, "space"_a, nb::kw_only(), "restarts"_a, "perturbations"_a, "seed"_a,
      "poll"_a.none(), "poll_seconds"_a,
      "The best of one or more local maxima; returns what ``tabu_search`` does.");

  nb::enum_<Trials>(m, "Trials", "What a search among classes tries where nothing gains any more.")
      .value("none", Trials::none)
      .value("variables", Trials::variables)
      .value("variables_and_pairs", Trials::variables_and_pairs);

  m.def(
      "class_search",
      [](const LocalScore& score, const SearchSpace& space, Trials trials, nb::object poll,
         double poll_seconds) {
        Found found;
        {
          nb::gil_scoped_release released;
          found = class_search(score, space, trials, stop_check(poll, poll_seconds));
        }
        return found_as_tuple(found);
      },
      "score"_a, "space"_a, nb::kw_only(), "trials"_a, "poll"_a.none(), "poll_seconds"_a,
      "The best class of equivalent graphs on a greedy search, as one of its members; returns "
      "what\n"
      "``tabu_search`` does.");

  m.def(
      "class_alternatives",
      [](const LocalScore& score, const SearchSpace& space, std::size_t number, double max_loss,
         nb::object poll, double poll_seconds) {
        Alternatives found;
        {
          nb::gil_scoped_release released;
          found =
              class_alternatives(score, space, number, max_loss, stop_check(poll, poll_seconds));
        }
        nb::list graphs;
        for (const ScoredGraph& graph : found.graphs)
          graphs.append(nb::make_tuple(sets_as_tuple(graph.parent_sets), graph.score));
        return nb::make_tuple(graphs, found.was_stopped);
      },
      "score"_a, "space"_a, nb::kw_only(), "number"_a, "max_loss"_a, "poll"_a.none(),
      "poll_seconds"_a,
      "Classes that join some pair otherwise than the graph at the start, the best first.\n\n"
      "Returns the parent sets and the score of a member of each, and whether it was stopped.");

  m.def(
      "gaining_pairs",
      [](const LocalScore& score, const Vars& children, const Vars& variables,
         const std::optional<Vars>& near, nb::object poll, double poll_seconds) {
        GainingPairs found = unlocked([&] {
          return gaining_pairs(score, children, variables, near, stop_check(poll, poll_seconds));
        });
        return nb::make_tuple(found.pairs, found.was_stopped);
      },
      "score"_a, "children"_a, "variables"_a, nb::kw_only(), "near"_a.none(), "poll"_a.none(),
      "poll_seconds"_a,
      "Pairs of each child with the smaller ones of some variables whose edge gains by itself, "
      "and\n"
      "whether the scan was stopped. With ``near``, one of the two is in it; all are sorted.");

  nb::class_<Reachability>(m, "Reachability",
                           "A directed acyclic graph that changes, and what paths there are.")
      .def(nb::init<std::size_t>(), "n_variables"_a)
      .def(
          "copy", [](const Reachability& graph) { return Reachability(graph); },
          "Return the same graph, which changes on its own from now on.")
      .def_prop_ro("n_variables", &Reachability::n_variables, "The number of variables.")
      .def(
          "has_edge",
          [](const Reachability& graph, Var u, Var v) {
            return graph.check(u, v), graph.has_edge(u, v);
          },
          "u"_a, "v"_a, "Whether there is an edge u → v.")
      .def(
          "has_detour",
          [](const Reachability& graph, Var u, Var v) {
            return graph.check(u, v), graph.has_detour(u, v);
          },
          "u"_a, "v"_a, "Whether two or more edges in a row lead from u to v.")
      .def(
          "has_path",
          [](const Reachability& graph, Var u, Var v) {
            return graph.check(u, v), graph.has_path(u, v);
          },
          "u"_a, "v"_a, "Whether one or more edges lead from u to v.")
      .def("add_edge", &Reachability::add_edge, "u"_a, "v"_a,
           "Add u → v, which must not close a cycle.")
      .def("remove_edge", &Reachability::remove_edge, "u"_a, "v"_a,
           "Remove u → v, which must be there.");
}

std::tuple<double, double, std::int64_t, std::int64_t, double> permuted_statistic_of(
    const nb::ndarray<const std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>& table,
    bool is_g2, std::int64_t n_permutations, std::int64_t enough, std::uint64_t seed) {
  std::vector<Count> counts;
  std::int64_t left = std::numeric_limits<Count>::max();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::int64_t n = table.data()[i];
    if (n < 0 || n > left) throw std::invalid_argument("a count is out of range");
    left -= n;
    counts.push_back(static_cast<Count>(n));
  }
  const Layout layout{table.shape(0), table.shape(1), table.shape(2), 1};
  const StatisticKind kind = is_g2 ? StatisticKind::g2 : StatisticKind::pearson;
  const PermutedStatistic found = unlocked(
      [&] { return permuted_statistic(counts, layout, kind, n_permutations, enough, seed); });
  return {found.statistic, found.mean, found.n_drawn, found.n_reached, found.largest};
}

void bind_functions(nb::module_& m) {
  m.def("code_counts", &code_counts<std::uint8_t>, "codes"_a.noconvert(), "n_codes"_a,
        "How often each of the codes 0, 1, … occurs.");
  m.def("code_counts", &code_counts<std::uint16_t>, "codes"_a.noconvert(), "n_codes"_a);
  m.def(
      "processor_variant", [] { return std::string(bit_kernels().name); },
      "The instructions that bitmaps are counted with: plain, avx2, avx512 or neon.");
  m.def(
      "log_chi_square_tail",
      [](const Vector<double>& statistics, const Vector<std::int64_t>& df) {
        if (statistics.shape(0) != df.shape(0)) {
          throw std::invalid_argument("statistics and df must be equally many");
        }
        std::vector<double> log_p;
        for (std::size_t i = 0; i < df.shape(0); ++i) {
          log_p.push_back(log_chi_square_tail(statistics(i), df(i)));
        }
        return as_array(std::move(log_p));
      },
      "statistics"_a, "df"_a, "Log of the upper tail of the chi-square distribution.");
  m.def("log_chi_square_tail_of_fraction", &log_chi_square_tail_of_fraction, "statistic"_a, "df"_a,
        "The same of one statistic, for degrees of freedom that are no whole number.");
  m.def(
      "permuted_statistic", &permuted_statistic_of, "table"_a, nb::kw_only(), "is_g2"_a,
      "n_permutations"_a, "enough"_a, "seed"_a,
      "Statistic of table[stratum, row, column], its mean over all permutations within the strata, "
      "how many were drawn, how many of these reach it, and their largest.\n\nDrawing ends once "
      "enough of them do.");
}

}  // namespace

NB_MODULE(_engine, m) {
  m.doc() = "The compiled engine of h2pc: counting, tests, scores and searches.";
  nb::set_leak_warnings(false);  // a process that ends by a signal frees nothing
  bind_sample(m);
  bind_moments(m);
  bind_context(m);
  bind_tests(m);
  bind_gaussian_tests(m);
  bind_scores(m);
  bind_functions(m);
}
