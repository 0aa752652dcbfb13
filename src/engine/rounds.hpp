// Rounds of IAMB-FDR that are kept about every target: for a set of members, the log p-values that
// were found so far. Others learn the same target among other candidates, and meet the same sets.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "answer_cache.hpp"
#include "sample.hpp"
#include "test.hpp"

namespace h2pc {

class TableTest;

// Log p-values of some of all variables given some members: of a member given the others, of others
// given the members; 0 stands for independence. What it costs goes by what is known.
class Row {
 public:
  explicit Row(std::size_t n_variables) : log_p_(n_variables), known_((n_variables + 63) / 64) {}

  bool is_known(Var x) const {
    const auto i = static_cast<std::size_t>(x);
    return ((known_[i / 64] >> (i % 64)) & 1) != 0;
  }
  // Of a variable that is known.
  double log_p(Var x) const { return log_p_[static_cast<std::size_t>(x)]; }
  void set(Var x, double log_p) {
    const auto i = static_cast<std::size_t>(x);
    Word& word = known_[i / 64];
    if (word == 0) used_.push_back(i / 64);
    word |= Word{1} << (i % 64);
    log_p_[i] = log_p;
  }
  void clear();

  // 64 variables, from 64 * place on.
  struct Block {
    std::size_t place;
    Word is_known, has_value;  // a bit for each; values are below 0
  };
  // All that is known, in the order of the variables: writes the values, and returns their blocks.
  std::vector<Block> blocks(std::vector<double>& values);
  // Adds what such blocks hold.
  void add(std::span<const Block> blocks, std::span<const double> values);

 private:
  std::vector<double> log_p_;
  std::vector<Word> known_;
  std::vector<std::size_t> used_;  // words of `known_` that are not 0
};

class RoundCache {
 public:
  RoundCache(Var n_variables, std::size_t most_bytes);

  // The rows of one target. Most variables are independent of it given the members, so that only the
  // other log p-values are kept.
  class Slot {
   public:
    // Adds the row of these members, as far as it is known.
    void read(VarSpan members, Row& row) const;

   private:
    friend class RoundCache;
    struct Kept {
      Hash key;
      std::vector<Row::Block> blocks;
      std::vector<double> values;

      std::size_t n_bytes() const;
    };
    // Drops the later half, and returns how many bytes that were: most others share the first rounds.
    std::size_t halve();

    std::mutex lock_;
    std::vector<Kept> rows_;
  };

  // A slot for one thread at a time: null where another thread has that of the target.
  class Lease {
   public:
    Lease() = default;
    Lease(Slot& slot, std::unique_lock<std::mutex> lock) : slot_(&slot), lock_(std::move(lock)) {}
    Slot* slot() const { return slot_; }

   private:
    Slot* slot_ = nullptr;
    std::unique_lock<std::mutex> lock_;
  };
  Lease lease(Var target);

  // Keeps the row of these members in a slot that is leased; others make room for it.
  void keep(Slot& slot, VarSpan members, Row& row);

  // Room to work in, for one thread at a time: new memory every time would cost more than counting.
  struct Workspace {
    explicit Workspace(std::size_t n_variables) : row(n_variables) {}
    Row row;
    Room<Count> counts;  // empty until it is needed
  };
  std::unique_ptr<Workspace> lent();
  void give_back(std::unique_ptr<Workspace> room);

 private:
  std::size_t n_variables_;
  std::size_t most_bytes_, n_bytes_ = 0;
  std::mutex lock_;
  std::unordered_map<Var, Slot> slots_;
  std::vector<Slot*> turns_;  // all slots, in the order in which they make room
  std::size_t next_ = 0;
  std::vector<std::unique_ptr<Workspace>> free_;
};

std::unique_ptr<Rounds> cached_rounds(const TableTest& test, RoundCache& cache, Var target,
                                      VarSpan candidates, VarSpan start, Context& context);

}  // namespace h2pc
