// The tables of one question: some variables are fixed, one varies. Many candidates with one
// conditioning set fix (z, target) and vary the candidate; single separators fix
// (z, target, candidate) and vary the separator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "answer_cache.hpp"
#include "counting.hpp"
#include "sample.hpp"
#include "statistics.hpp"
#include "types.hpp"

namespace h2pc {

// A test statistic: G², with its table of n·ln n, or Pearson's.
struct Statistic {
  std::span<const std::int64_t> x_log_x;  // empty for Pearson's
  int shift = 0;

  bool is_g2() const { return !x_log_x.empty(); }
  Half half(std::span<const Count> table, const Layout& layout, std::span<Count> columns) const {
    return is_g2() ? half_g2(table, layout, columns, x_log_x)
                   : half_pearson(table, layout, columns, shift);
  }
};

// Tables of binary variables that are counted together, cell by cell.
struct BinaryTables {
  static constexpr std::size_t most = 64;
  using Cells = std::array<Count, most>;

  std::array<Cells, 4> with;    // what is counted
  std::array<Cells, 4> alone;   // samples at the rarer level, with a, with b, with c, and all
  std::array<Cells, 16> cells;  // up to four tables of four cells
  std::array<std::int64_t, most> values;
  std::array<Count, most> df;
};

// Counts of pairs of rarer levels, of the variables that were tested last: for binary variables of
// samples that have too many of them for the counts of all pairs.
class RecentPairs {
 public:
  // The counts of v with every binary variable. Empty where they are not there and `n_wanted` of them
  // cost less one by one.
  std::span<const Count> of(const Sample& sample, Var v, std::size_t n_wanted);

 private:
  struct Row {
    Var v = -1;
    std::size_t last_use = 0;
    std::vector<Count> counts;
  };
  std::vector<Row> rows_;
  std::size_t n_uses_ = 0;
};

// Room for counting, kept from question to question.
struct Workspace {
  Vars fixed, open;
  std::vector<Hash> hashes;
  std::vector<Half> halves;
  Cells cells;
  Bitmaps incomplete;
  std::vector<Count> mask_of;
  std::vector<Count> keys, rows, weights, cell_of_row, cell_counts;
  std::vector<std::uint32_t> levels_seen;
  std::vector<Count> listed, listed_cells;
  std::vector<Count> table, columns, counts;
  BinaryTables binary;
  std::array<std::vector<Count>, 4> rare_counts;  // of every variable at its rarer level
  RecentPairs pairs;
};

class Tables {
 public:
  // `fixed` are `n_strata_variables` variables that make the strata, the target and, where separators
  // vary, the candidate. `varying` are the variables that tables will be asked for, of a search only
  // those up to its end.
  Tables(const Sample& sample, const Rows& rows, const Statistic& statistic, VarSpan fixed,
         std::size_t n_strata_variables, VarSpan varying, bool is_search, Workspace& room);

  // Half of the statistic, and the adjusted degrees of freedom, for each of `variables`.
  void count(VarSpan variables, std::span<Half> halves);

  // Nanoseconds that a table takes, about.
  double cost_of_one() const { return cost_of_one_; }

 private:
  enum class Plan { pairs, triples, binary, bitmaps, keys, either };
  enum class Way { bitmaps, set_bits, scatter };

  Plan cheapest_plan(VarSpan varying);
  void prepare_binary();
  // Counts all variables from the lists of rarer levels, where that costs less than `n` variables do.
  void count_rare_levels(std::size_t n);
  void prepare_bitmaps(VarSpan varying);
  void prepare_keys();
  void count_key_cells();
  std::size_t few_samples(VarSpan varying) const;
  void drop_constant_strata();
  void list_small_cells(std::size_t few);

  Half half(Var v);
  void copy_or_count_pair(Var v, std::span<Count> table);
  void look_up_pairs(VarSpan variables);
  void count_threes(VarSpan variables, std::span<Half> halves);
  void count_fours(VarSpan variables, std::span<Half> halves);
  void count_present(VarSpan variables, std::span<Half> halves);
  // Sums over the tables of every variable, whose cells at its rarer level are in the room; `all` has
  // those of all samples.
  template <std::size_t n_strata>
  void add_up_strata(std::span<const Count> all, std::span<Half> halves);
  template <std::size_t n_tables>
  void add_up_separated(std::span<const Count> all, std::span<Half> halves);
  // The same where all cells of `n_tables` tables are in the room.
  void add_up(std::size_t n_tables, std::span<Half> halves);
  // Clears the sums of `n` variables, and their cells up to a multiple of 8, which comes back.
  std::size_t clear_sums(std::size_t n_cells, std::size_t n);
  Half half_by_keys(Var v, Way way);
  Way way_for(Var v) const;
  Layout layout_of(Var v, std::size_t n_strata) const;

  double cost_by_set_bits(Var v) const;
  double cost_by_bitmaps(double n_cells, Var v) const;
  double cost_by_keys(Var v) const;

  const Sample& sample_;
  const Rows& rows_;
  const Statistic& statistic_;
  VarSpan fixed_;
  std::size_t n_strata_variables_;
  Workspace& room_;
  bool is_separating_;
  bool is_complete_;                     // whether no fixed variable is missing in any row
  bool has_missing_ = false;             // whether any variable is
  double n_possible_;                    // cells
  std::size_t per_level_, per_stratum_;  // cells of a level of the target, and of a stratum
  std::size_t most_levels_ = 1;
  double cost_of_one_ = 0.0;
  std::size_t n_varying_ = 0;  // variables that tables will be asked for, or have been in a search
  std::size_t n_counted_ = 0;  // by bitmaps of binary variables
  Plan plan_;
  std::size_t n_strata_ = 0;      // of the bitmaps
  std::size_t n_listed_ = 0;      // samples of small cells, which have no bitmaps
  std::size_t n_key_strata_ = 0;  // of the rows
  std::span<const Count> keys_;   // the cells of these rows
  std::size_t n_key_rows_ = 0;    // rows of strata in which the target varies
  bool has_rare_counts_ = false;  // of the masks of binary variables
  bool has_keys_ = false;         // whether the cells of rows fit into one table
  bool may_set_bits_ = false;     // whether set bits may be scattered to them
  std::size_t levels_[3] = {};    // rarer levels of binary variables
  Count binary_counts_[8] = {};
};

}  // namespace h2pc
