// Rounds of IAMB-FDR that are kept about every target: for a set of members, the log p-values that
// were found so far. Others learn the same target among other candidates, and meet the same sets.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "answer_cache.hpp"
#include "sample.hpp"
#include "test.hpp"

namespace h2pc {

class TableTest;

class RoundCache {
 public:
  static constexpr std::size_t n_rounds = 16;  // of one target

  // One row for every set of members. A row has a place for every variable: for a member, the answer
  // given the other members; for all others, that given the members; NaN where it is not known.
  class Slot {
   public:
    // The row of these members; a new one, over an old one if there is no room, where there is none.
    std::span<double> row(VarSpan members, std::size_t n_variables);
    void belongs_to(Var target);

   private:
    Var owner_ = -1;
    std::size_t next_ = 0;
    std::array<Hash, n_rounds> keys_{};
    std::array<std::vector<double>, n_rounds> rows_;
  };

  RoundCache(Var n_variables, std::size_t most_bytes);

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

  // Room for counts, for one thread at a time: new memory every time would cost more than counting.
  std::unique_ptr<Room<Count>> lent_counts();
  void give_back(std::unique_ptr<Room<Count>> counts);

 private:
  std::vector<Slot> slots_;
  std::vector<std::mutex> locks_;
  std::mutex counts_lock_;
  std::vector<std::unique_ptr<Room<Count>>> free_counts_;
};

std::unique_ptr<Rounds> cached_rounds(const TableTest& test, RoundCache& cache, Var target,
                                      VarSpan candidates, VarSpan start, Context& context);

}  // namespace h2pc
