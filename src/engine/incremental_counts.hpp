// Counts that are updated as members enter: the rounds of IAMB-FDR on sparse binary data.
//
// Which of its two levels a variable is at does not matter to G², so it is enough to know what is at
// its rarer level, sample by sample. A member that enters moves the samples at its rarer level, each
// from its stratum to a child of that stratum; all others stay where they are, and so do their counts.
// Strata in which the target does not vary add nothing to a statistic: nothing is counted in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sample.hpp"
#include "types.hpp"

namespace h2pc {

class TableTest;

class IncrementalCounts {
 public:
  // Whether all these variables are binary, and the sample has lists of rarer levels.
  static bool serve(const TableTest& test, Var target, VarSpan candidates, VarSpan members);

  IncrementalCounts(const TableTest& test, Var target, Room<Count>& counts);

  // Counts given `members`; false where there is no room for it, or counting anew for `n_outsiders`
  // would cost less. Members that follow those counted so far are added to them.
  bool update(VarSpan members, std::size_t n_outsiders);

  // Log p-values of target ⊥ x | members; 0 stands for independence.
  void answer_outsiders(VarSpan outsiders, std::span<double> log_p);
  // Log p-values of target ⊥ member | the other members, from the strata alone.
  void answer_members(std::span<double> log_p) const;

 private:
  struct Stratum {
    Count usual = 0, rare = 0;  // samples at the target's two levels
    std::uint32_t pattern = 0;  // a bit for every member that is at its rarer level

    bool is_live() const { return usual > 0 && rare > 0; }
    Count at(std::size_t level) const { return level == 0 ? usual : rare; }
  };

  void begin();
  bool add(Var member);
  double cost_of_counting_anew(std::size_t n_members, std::size_t n_outsiders) const;
  std::span<Count> counts_of(std::size_t cell) const {
    return std::span(counts_).subspan(cell * n_variables_, n_variables_);
  }

  const TableTest& test_;
  const Sample& sample_;
  Var target_;
  Room<Count>& counts_;  // samples at the rarer level of a variable: two cells for every stratum
  std::size_t n_variables_;  // a multiple of 8: counts are added up by eights
  std::size_t most_strata_;
  Vars members_;                 // in the order of entry
  std::vector<Stratum> strata_;  // none where nothing has been counted yet
  std::vector<Count> cells_;     // 2 * stratum + level of the target, of every sample
};

}  // namespace h2pc
