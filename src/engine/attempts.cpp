#include "attempts.hpp"

#include <algorithm>

#include "answer_cache.hpp"

namespace h2pc {
namespace {

Vars joined(VarSpan z, VarSpan w) {
  Vars all(z.begin(), z.end());
  all.insert(all.end(), w.begin(), w.end());
  return all;
}

void keep_link(Attempts& attempts, double log_p, VarSpan given) {
  if (attempts.log_p && log_p <= *attempts.log_p) return;
  attempts.log_p = log_p;
  attempts.given.assign(given.begin(), given.end());
}

void keep_separator(Attempts& attempts, Vars z) {
  if (std::ranges::find(attempts.separators, z) == attempts.separators.end()) {
    attempts.separators.push_back(std::move(z));
  }
}

}  // namespace

std::size_t AttemptRecord::PairHash::operator()(const Pair& pair) const {
  const auto low = static_cast<std::uint64_t>(pair.low);
  return static_cast<std::size_t>(scrambled(low << 32 | static_cast<std::uint32_t>(pair.high)));
}

void AttemptRecord::note_link(Var x, Var y, double log_p, VarSpan z, VarSpan w) {
  Attempts& own = pairs_[pair_of(x, y)];
  if (!own.log_p || log_p > *own.log_p) keep_link(own, log_p, joined(z, w));
}

void AttemptRecord::note_separator(Var x, Var y, VarSpan z, VarSpan w) {
  keep_separator(pairs_[pair_of(x, y)], joined(z, w));
}

void AttemptRecord::note_round(Var target, VarSpan outsiders, VarSpan members,
                               std::span<const double> log_p, double log_alpha) {
  rounds_.push_back({target,
                     {outsiders.begin(), outsiders.end()},
                     {members.begin(), members.end()},
                     {log_p.begin(), log_p.end()},
                     log_alpha});
}

void AttemptRecord::merge(AttemptRecord&& other) {
  pairs_.merge(other.pairs_);  // what is left there is in both
  for (auto& [pair, attempts] : other.pairs_) {
    Attempts& own = pairs_[pair];
    if (attempts.log_p) keep_link(own, *attempts.log_p, attempts.given);
    for (Vars& z : attempts.separators) keep_separator(own, std::move(z));
  }
  for (const Round& round : other.rounds_) {
    for (std::size_t i = 0; i < round.outsiders.size(); ++i) {
      const auto found = pairs_.find(pair_of(round.target, round.outsiders[i]));
      if (found == pairs_.end()) continue;
      if (round.log_p[i] > round.log_alpha) {
        keep_separator(found->second, round.members);
      } else {
        keep_link(found->second, round.log_p[i], round.members);
      }
    }
  }
}

}  // namespace h2pc
