// G² and Pearson's chi-square test on contingency tables, with the two heuristics of section 2.4 of
// the paper: degrees of freedom are adjusted for structural zeros, and a test with too few samples per
// cell is not performed (the power rule), which means independence.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "answer_cache.hpp"
#include "sample.hpp"
#include "tables.hpp"
#include "test.hpp"

namespace h2pc {

class RoundCache;

enum class StatisticKind { g2, pearson };

struct TableTestSettings {
  StatisticKind statistic = StatisticKind::g2;
  double log_alpha = 0.0;
  double power_rule = 5.0;  // fewest samples per cell
  bool adjust_df = true;
  std::size_t n_answers = 0;         // room of the answer cache, a power of two or 0
  std::size_t bytes_for_rounds = 0;  // most bytes for the rounds of IAMB-FDR that are kept
};

class TableTest final : public Test {
 public:
  TableTest(std::shared_ptr<const Sample> sample, const TableTestSettings& settings);

  const Sample& sample() const { return *sample_; }
  const Rows& rows() const { return *rows_; }

  Outcome outcome(Var x, Var y, VarSpan z) const;
  // Whether the power rule lets the test be performed.
  bool performs(Var x, Var y, VarSpan z) const;

  std::ptrdiff_t answer(const Question& question, Wanted wanted, bool first_independence,
                        Context& context, std::span<double> log_p) const override;
  // Log p-value of target ⊥ member | the other members, for every member.
  void answer_members(Var target, VarSpan members, Context& context, std::span<double> log_p) const;
  std::unique_ptr<Rounds> rounds(Var target, VarSpan candidates, VarSpan start,
                                 Context& context) const override;
  std::shared_ptr<const Test> focused(VarSpan variables) const override;
  std::shared_ptr<const Test> ready_for_subsets(VarSpan variables) const override;

  // Whether there are enough samples for every cell, if none is missing.
  bool has_power(double n_cells) const {
    return settings_.power_rule == 0.0 ||
           n_cells * settings_.power_rule <= static_cast<double>(sample_->n_samples());
  }
  // The same by the samples that are complete in the variables and in x.
  bool has_power(double n_cells, CompleteSamples& complete, Var x) const {
    return has_power(n_cells) && (sample_->is_complete() || settings_.power_rule == 0.0 ||
                                  complete.are_at_least(n_cells * settings_.power_rule, x));
  }
  const Statistic& statistic() const { return statistic_; }
  bool adjusts_df() const { return settings_.adjust_df; }
  double statistic_of(const Half& half) const;
  double log_p_of(double statistic, std::int64_t df, Wanted wanted,
                  std::span<double> least_links) const;

 private:
  // Lends a workspace to one thread at a time.
  class Workspaces {
   public:
    std::unique_ptr<Workspace> lent();
    void give_back(std::unique_ptr<Workspace> room);

   private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace>> free_;
  };
  class Lease;

  TableTest(const TableTest& other, std::shared_ptr<const Rows> rows);

  // The same test on merged rows of these variables, whatever it costs.
  std::shared_ptr<const TableTest> on_merged_rows(VarSpan variables) const;

  void answer_marginal(const Question& question, Wanted wanted, std::span<double> least_links,
                       std::span<double> log_p) const;
  // The same where samples are missing: those of a pair have margins of their own.
  void answer_marginal_of_present(const Question& question, Wanted wanted,
                                  std::span<double> least_links, std::span<Count> columns,
                                  std::span<double> log_p) const;
  // Degrees of freedom where zeros do not reduce them.
  std::int64_t plain_df_of(const Question& question, Var x) const;

  std::shared_ptr<const Sample> sample_;
  std::shared_ptr<const Rows> rows_;
  TableTestSettings settings_;
  Statistic statistic_;
  double unit_;  // what half of a statistic in fixed point is multiplied with
  std::shared_ptr<const CriticalStatistics> critical_;
  std::shared_ptr<const AnswerCache> cache_;
  std::shared_ptr<RoundCache> round_cache_;
  std::shared_ptr<Workspaces> workspaces_;
};

}  // namespace h2pc
