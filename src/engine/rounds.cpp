#include "rounds.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "counting.hpp"
#include "incremental_counts.hpp"
#include "table_test.hpp"

namespace h2pc {
namespace {

constexpr std::size_t bytes_of_counts = std::size_t{1}
                                        << 24;  // only what is written to takes memory

class CachedRounds final : public Rounds {
 public:
  CachedRounds(const TableTest& test, RoundCache& cache, Var target, VarSpan candidates,
               VarSpan start, Context& context)
      : test_(test),
        cache_(cache),
        target_(target),
        context_(context),
        lease_(cache.lease(target)),
        room_(cache.lent()),
        row_(room_->row) {
    if (IncrementalCounts::serve(test, target, candidates, start)) {
      room_->counts.resize(bytes_of_counts / sizeof(Count));
      counts_.emplace(test, target, room_->counts);
    }
  }
  ~CachedRounds() override { cache_.give_back(std::move(room_)); }
  CachedRounds(const CachedRounds&) = delete;
  CachedRounds& operator=(const CachedRounds&) = delete;

  void answer(VarSpan outsiders, VarSpan members, std::span<double> log_p) override {
    row_.clear();
    if (lease_.slot() != nullptr) lease_.slot()->read(members, row_);
    const auto is_unknown = [&](Var x) { return !row_.is_known(x); };
    unknown_.clear();
    std::ranges::copy_if(outsiders, std::back_inserter(unknown_), is_unknown);
    const bool has_members = std::ranges::none_of(members, is_unknown);
    if (!unknown_.empty() || !has_members) {
      find(members, has_members);
      if (lease_.slot() != nullptr) cache_.keep(*lease_.slot(), members, row_);
    }
    std::size_t i = 0;
    for (const Var x : outsiders) log_p[i++] = row_.log_p(x);
    for (const Var x : members) log_p[i++] = row_.log_p(x);
  }

 private:
  // Finds what the row does not have yet.
  void find(VarSpan members, bool has_members) {
    // What is counted for all variables may serve the next run, with other candidates.
    const bool is_shared = lease_.slot() != nullptr;
    const auto n_variables = static_cast<std::size_t>(test_.sample().n_variables());
    const bool is_counted =
        counts_ && counts_->update(members, is_shared ? n_variables : unknown_.size());
    if (is_counted && is_shared) want_everyone(members);
    answers_.resize(std::max(unknown_.size(), members.size()));
    if (!unknown_.empty()) {
      if (is_counted && test_.has_power(std::ldexp(1.0, static_cast<int>(members.size()) + 2))) {
        context_.spend(static_cast<double>(unknown_.size()) * 20.0);
        counts_->answer_outsiders(unknown_, answers_);
      } else {
        test_.answer({target_, members, unknown_}, Wanted::links, false, context_, answers_);
      }
      for (std::size_t i = 0; i < unknown_.size(); ++i) {
        row_.set(unknown_[i], test_.is_independent(answers_[i]) ? 0.0 : answers_[i]);
      }
    }
    if (has_members) return;
    if (is_counted) {
      counts_->answer_members(answers_);
    } else {
      test_.answer_members(target_, members, context_, answers_);
    }
    for (std::size_t i = 0; i < members.size(); ++i) row_.set(members[i], answers_[i]);
  }

  // Lists all variables that the row does not have.
  void want_everyone(VarSpan members) {
    const Sample& sample = test_.sample();
    unknown_.clear();
    for (Var x = 0; x < sample.n_variables(); ++x) {
      if (sample.card(x) == 2 && x != target_ && !row_.is_known(x)) unknown_.push_back(x);
    }
    std::erase_if(unknown_, [&](Var x) { return std::ranges::find(members, x) != members.end(); });
  }

  const TableTest& test_;
  RoundCache& cache_;
  Var target_;
  Context& context_;
  RoundCache::Lease lease_;
  std::unique_ptr<RoundCache::Workspace> room_;
  Row& row_;
  std::optional<IncrementalCounts> counts_;
  Vars unknown_;
  std::vector<double> answers_;
};

}  // namespace

void Row::clear() {
  for (const std::size_t i : used_) known_[i] = 0;
  used_.clear();
}

std::vector<Row::Block> Row::blocks(std::vector<double>& values) {
  std::ranges::sort(used_);
  std::vector<Block> made;
  made.reserve(used_.size());
  for (const std::size_t place : used_) {
    Block& block = made.emplace_back(place, known_[place], Word{0});
    for_each_bit(std::span(&block.is_known, 1), [&](std::size_t bit) {
      const double log_p = log_p_[64 * place + bit];
      if (!(log_p < 0.0)) return;
      block.has_value |= Word{1} << bit;
      values.push_back(log_p);
    });
  }
  values.shrink_to_fit();
  return made;
}

void Row::add(std::span<const Block> blocks, std::span<const double> values) {
  auto value = values.begin();
  for (const Block& block : blocks) {
    if (known_[block.place] == 0) used_.push_back(block.place);
    known_[block.place] |= block.is_known;
    for_each_bit(std::span(&block.is_known, 1), [&](std::size_t bit) {
      const bool has_value = ((block.has_value >> bit) & 1) != 0;
      log_p_[64 * block.place + bit] = has_value ? *value++ : 0.0;
    });
  }
}

std::size_t RoundCache::Slot::Kept::n_bytes() const {
  return sizeof(Kept) + sizeof(Row::Block) * blocks.capacity() + sizeof(double) * values.capacity();
}

void RoundCache::Slot::read(VarSpan members, Row& row) const {
  const auto kept = std::ranges::find(rows_, hash_of_set(members), &Kept::key);
  if (kept != rows_.end()) row.add(kept->blocks, kept->values);
}

std::size_t RoundCache::Slot::halve() {
  std::size_t n = 0;
  for (std::size_t i = rows_.size() / 2; i < rows_.size(); ++i) n += rows_[i].n_bytes();
  rows_.resize(rows_.size() / 2);
  return n;
}

RoundCache::RoundCache(Var n_variables, std::size_t most_bytes)
    : n_variables_(static_cast<std::size_t>(n_variables)), most_bytes_(most_bytes) {}

RoundCache::Lease RoundCache::lease(Var target) {
  if (most_bytes_ == 0) return {};
  const std::lock_guard guard(lock_);
  const auto [place, is_new] = slots_.try_emplace(target);
  Slot& slot = place->second;
  if (is_new) turns_.push_back(&slot);
  std::unique_lock lock(slot.lock_, std::try_to_lock);
  return lock ? Lease(slot, std::move(lock)) : Lease();
}

void RoundCache::keep(Slot& slot, VarSpan members, Row& row) {
  Slot::Kept made{hash_of_set(members), {}, {}};
  made.blocks = row.blocks(made.values);

  const std::lock_guard guard(lock_);
  n_bytes_ += made.n_bytes();
  for (std::size_t i = 0; i < turns_.size() && n_bytes_ > most_bytes_; ++i) {
    Slot& other = *turns_[next_++ % turns_.size()];
    if (&other == &slot) {
      n_bytes_ -= other.halve();
    } else if (const std::unique_lock lock(other.lock_, std::try_to_lock); lock) {
      n_bytes_ -= other.halve();
    }
  }
  const auto kept = std::ranges::find(slot.rows_, made.key, &Slot::Kept::key);
  if (kept != slot.rows_.end()) {
    n_bytes_ -= kept->n_bytes();
    *kept = std::move(made);
  } else if (n_bytes_ <= most_bytes_) {
    slot.rows_.push_back(std::move(made));
  } else {
    n_bytes_ -= made.n_bytes();
  }
}

std::unique_ptr<RoundCache::Workspace> RoundCache::lent() {
  {
    const std::lock_guard lock(lock_);
    if (!free_.empty()) {
      auto room = std::move(free_.back());
      free_.pop_back();
      return room;
    }
  }
  return std::make_unique<Workspace>(n_variables_);
}

void RoundCache::give_back(std::unique_ptr<Workspace> room) {
  const std::lock_guard lock(lock_);
  free_.push_back(std::move(room));
}

std::unique_ptr<Rounds> cached_rounds(const TableTest& test, RoundCache& cache, Var target,
                                      VarSpan candidates, VarSpan start, Context& context) {
  return std::make_unique<CachedRounds>(test, cache, target, candidates, start, context);
}

}  // namespace h2pc
