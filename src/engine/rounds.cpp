#include "rounds.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "incremental_counts.hpp"
#include "table_test.hpp"

namespace h2pc {
namespace {

constexpr std::size_t bytes_of_counts = std::size_t{1}
                                        << 24;  // only what is written to takes memory
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

class CachedRounds final : public Rounds {
 public:
  CachedRounds(const TableTest& test, RoundCache& cache, Var target, VarSpan candidates,
               VarSpan start, Context& context)
      : test_(test),
        cache_(cache),
        target_(target),
        context_(context),
        lease_(cache.lease(target)) {
    if (IncrementalCounts::serve(test, target, candidates, start)) {
      room_ = cache.lent_counts();
      counts_.emplace(test, target, *room_);
    }
  }
  ~CachedRounds() override {
    if (room_) cache_.give_back(std::move(room_));
  }
  CachedRounds(const CachedRounds&) = delete;
  CachedRounds& operator=(const CachedRounds&) = delete;

  void answer(VarSpan outsiders, VarSpan members, std::span<double> log_p) override {
    RoundCache::Slot& slot = lease_.slot() != nullptr ? *lease_.slot() : own_;
    const auto row = slot.row(members, static_cast<std::size_t>(test_.sample().n_variables()));
    const auto is_unknown = [&](Var x) { return std::isnan(row[static_cast<std::size_t>(x)]); };
    unknown_.clear();
    std::ranges::copy_if(outsiders, std::back_inserter(unknown_), is_unknown);
    const bool has_members = std::ranges::none_of(members, is_unknown);
    if (!unknown_.empty() || !has_members) find(members, has_members, row);
    std::size_t i = 0;
    for (const Var x : outsiders) log_p[i++] = row[static_cast<std::size_t>(x)];
    for (const Var x : members) log_p[i++] = row[static_cast<std::size_t>(x)];
  }

 private:
  // Finds what the row does not have yet.
  void find(VarSpan members, bool has_members, std::span<double> row) {
    // What is counted for all variables may serve the next run, with other candidates.
    const bool is_shared = lease_.slot() != nullptr;
    const auto n_variables = static_cast<std::size_t>(test_.sample().n_variables());
    const bool is_counted =
        counts_ && counts_->update(members, is_shared ? n_variables : unknown_.size());
    if (is_counted && is_shared) want_everyone(members, row);
    answers_.resize(std::max(unknown_.size(), members.size()));
    if (!unknown_.empty()) {
      if (is_counted && test_.has_power(std::ldexp(1.0, static_cast<int>(members.size()) + 2))) {
        context_.spend(static_cast<double>(unknown_.size()) * 20.0);
        counts_->answer_outsiders(unknown_, answers_);
      } else {
        test_.answer({target_, members, unknown_}, Wanted::links, false, context_, answers_);
      }
      for (std::size_t i = 0; i < unknown_.size(); ++i) {
        row[static_cast<std::size_t>(unknown_[i])] = answers_[i];
      }
    }
    if (has_members) return;
    if (is_counted) {
      counts_->answer_members(answers_);
    } else {
      test_.answer_members(target_, members, context_, answers_);
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      row[static_cast<std::size_t>(members[i])] = answers_[i];
    }
  }

  // Lists all variables that the row does not have.
  void want_everyone(VarSpan members, std::span<const double> row) {
    const Sample& sample = test_.sample();
    unknown_.clear();
    for (Var x = 0; x < sample.n_variables(); ++x) {
      const bool is_binary = sample.card(x) == 2;
      if (is_binary && x != target_ && std::isnan(row[static_cast<std::size_t>(x)])) {
        unknown_.push_back(x);
      }
    }
    std::erase_if(unknown_, [&](Var x) { return std::ranges::find(members, x) != members.end(); });
  }

  const TableTest& test_;
  RoundCache& cache_;
  Var target_;
  Context& context_;
  RoundCache::Lease lease_;
  RoundCache::Slot own_;  // where another thread has that of the target
  std::unique_ptr<Room<Count>> room_;
  std::optional<IncrementalCounts> counts_;
  Vars unknown_;
  std::vector<double> answers_;
};

}  // namespace

std::span<double> RoundCache::Slot::row(VarSpan members, std::size_t n_variables) {
  const Hash key = hash_of_set(members);
  for (std::size_t i = 0; i < n_rounds; ++i) {
    if (!rows_[i].empty() && keys_[i] == key) return rows_[i];
  }
  const std::size_t place = next_;
  // The first rounds are those that most others share: only the later half makes room.
  next_ = place + 1 < n_rounds ? place + 1 : n_rounds / 2;
  keys_[place] = key;
  rows_[place].assign(n_variables, nothing);
  return rows_[place];
}

void RoundCache::Slot::belongs_to(Var target) {
  if (owner_ == target) return;
  owner_ = target;
  next_ = 0;
  for (auto& row : rows_) row.clear();
}

RoundCache::RoundCache(Var n_variables, std::size_t most_bytes) {
  const auto n = static_cast<std::size_t>(n_variables);
  const std::size_t n_slots = std::min(n, most_bytes / (sizeof(double) * n_rounds * n));
  slots_ = std::vector<Slot>(n_slots);
  locks_ = std::vector<std::mutex>(n_slots);
}

RoundCache::Lease RoundCache::lease(Var target) {
  if (slots_.empty()) return {};
  const std::size_t i = static_cast<std::size_t>(target) % slots_.size();
  std::unique_lock lock(locks_[i], std::try_to_lock);
  if (!lock) return {};
  slots_[i].belongs_to(target);
  return {slots_[i], std::move(lock)};
}

std::unique_ptr<Room<Count>> RoundCache::lent_counts() {
  {
    const std::lock_guard lock(counts_lock_);
    if (!free_counts_.empty()) {
      auto counts = std::move(free_counts_.back());
      free_counts_.pop_back();
      return counts;
    }
  }
  return std::make_unique<Room<Count>>(bytes_of_counts / sizeof(Count));
}

void RoundCache::give_back(std::unique_ptr<Room<Count>> counts) {
  const std::lock_guard lock(counts_lock_);
  free_counts_.push_back(std::move(counts));
}

std::unique_ptr<Rounds> cached_rounds(const TableTest& test, RoundCache& cache, Var target,
                                      VarSpan candidates, VarSpan start, Context& context) {
  return std::make_unique<CachedRounds>(test, cache, target, candidates, start, context);
}

}  // namespace h2pc
