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

// Log p-values of every variable given some members: of a member given the others, of all others
// given the members; 0 stands for independence, NaN for what is not known.
using Row = std::vector<double>;

class RoundCache {
 public:
  RoundCache(Var n_variables, std::size_t most_bytes);

  // The rows of one target. Most variables are independent of it given the members, so that only the
  // other log p-values are kept.
  class Slot {
   public:
    // Writes the row of these members, as far as it is known.
    void read(VarSpan members, Row& row) const;

   private:
    friend class RoundCache;
    struct Kept {
      Hash key;
      std::vector<Word> is_known, has_value;  // a bit for every variable
      std::vector<double> values;             // in the order of the variables

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
  void keep(Slot& slot, VarSpan members, const Row& row);

  // Room for counts, for one thread at a time: new memory every time would cost more than counting.
  std::unique_ptr<Room<Count>> lent_counts();
  void give_back(std::unique_ptr<Room<Count>> counts);

 private:
  std::size_t n_words_;  // a bit for every variable
  std::size_t most_bytes_, n_bytes_ = 0;
  std::mutex lock_;
  std::unordered_map<Var, Slot> slots_;
  std::vector<Slot*> turns_;  // all slots, in the order in which they make room
  std::size_t next_ = 0;
  std::vector<std::unique_ptr<Room<Count>>> free_counts_;
};

std::unique_ptr<Rounds> cached_rounds(const TableTest& test, RoundCache& cache, Var target,
                                      VarSpan candidates, VarSpan start, Context& context);

}  // namespace h2pc
