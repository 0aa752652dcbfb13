// Decomposable scores: how well a family fits the sample, and each of its variants by one parent more
// or less.
//
// A score of counts is a sum of terms over the cells of (parents, child), less one over the
// configurations of the parents. The term of a count n is ln Γ(n + a) - ln Γ(a), or n·ln n where
// a = 0; no sample, no term. fNML adds a regret to every term of a configuration; qNML has a regret of
// all cells, less one of all configurations. Each is rounded once to a multiple of the same power of
// two, coarse enough for any sum over a graph to be exact. So neither the order of the sums nor the way
// of counting matters, and scores that are equal on paper are equal in every bit. Where cells are
// missing, a family has the average score of its complete samples, less what may be chance: see
// node_average and chance_of in scores.cpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "sample.hpp"
#include "types.hpp"

namespace h2pc {

// Thrown where a run has to stop.
struct Stopped {};

// The steps of a run that are done, and all that are expected so far.
struct Progress {
  std::int64_t done = 0, expected = 0;
};

// Polls now and then whether a run has to stop, and says how far it is.
class StopCheck {
 public:
  using Poll = std::function<bool(const Progress&)>;

  StopCheck() = default;  // never
  StopCheck(Poll poll, double seconds_between_polls);

  Progress progress;

  // Throws Stopped if the last poll is long enough ago and this one says so.
  void look() {
    if (poll_ && Clock::now() >= next_poll_) poll_now();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void poll_now();

  Poll poll_;
  Clock::duration interval_{};
  Clock::time_point next_poll_{};
};

class LocalScore {
 public:
  virtual ~LocalScore() = default;

  virtual Var n_variables() const = 0;

  // Score of a child with these parents, in any order.
  virtual double family(Var child, VarSpan parents) const = 0;

  // Score of the family with one change, for each of `others`: a parent is removed, another variable
  // is added. May throw Stopped.
  virtual std::vector<double> changed(Var child, VarSpan parents, VarSpan others,
                                      StopCheck& stop) const = 0;

  // Scores are multiples of 2 to the power of minus this, and so is whatever is added to them.
  virtual int n_fraction_bits() const = 0;
};

enum class ScoreKind { log_likelihood, aic, bic, k2, bdeu, bds, qnml, fnml };

// The scores of counts. Any number of threads may use one.
class TableScore final : public LocalScore {
 public:
  // The equivalent sample size is that of BDeu and BDs; others make no use of it.
  TableScore(std::shared_ptr<const Sample> sample, ScoreKind kind,
             double equivalent_sample_size = 1.0);
  ~TableScore() override;

  Var n_variables() const override { return sample_->n_variables(); }
  double family(Var child, VarSpan parents) const override;
  // The child among `others` stands for no change.
  std::vector<double> changed(Var child, VarSpan parents, VarSpan others,
                              StopCheck& stop) const override;

  int n_fraction_bits() const override { return shift_; }

 private:
  struct Room;
  class Lease;
  struct Size;
  struct FamilySize;
  struct TermKinds;

  FamilySize size_after(VarSpan parents, Var child, Var other) const;
  std::int64_t regret_of(Room& room, const Size& size, Count n) const;
  double penalty_of(Room& room, const FamilySize& size, Count n) const;
  double alpha_of(double n) const;
  TermKinds kinds_of(const FamilySize& size, double n_observed) const;
  double chance_of(Var child, VarSpan parents, Var other) const;
  double node_average(Room& room, Var child, double score) const;
  double score(Room& room, Var child, const FamilySize& size) const;

  std::shared_ptr<const Sample> sample_;
  ScoreKind kind_;
  double equivalent_sample_size_;
  double penalty_ = 0.0;  // of a parameter, in nats
  int shift_ = 0;

  // Room to work in, with the terms met so far; one for every thread at a time.
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Room>> rooms_;
};

// A score that is written elsewhere, as a pair of functions.
class CallbackScore final : public LocalScore {
 public:
  using Family = std::function<double(Var child, VarSpan parents)>;
  using Changed = std::function<std::vector<double>(Var child, VarSpan parents, VarSpan others)>;

  CallbackScore(Var n_variables, Family family, Changed changed)
      : n_variables_(n_variables), family_(std::move(family)), changed_(std::move(changed)) {}

  Var n_variables() const override { return n_variables_; }
  double family(Var child, VarSpan parents) const override { return family_(child, parents); }
  // Throws std::invalid_argument where there is not a score for every change.
  std::vector<double> changed(Var child, VarSpan parents, VarSpan others,
                              StopCheck& stop) const override;
  // Its own grid, if it has one, is not known here.
  int n_fraction_bits() const override { return 20; }

 private:
  Var n_variables_;
  Family family_;
  Changed changed_;
};

}  // namespace h2pc
