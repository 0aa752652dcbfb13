#include "reachability.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace h2pc {

Reachability::Reachability(std::size_t n_variables)
    : parents_(n_variables),
      children_(n_variables),
      places_(n_variables),
      low_(n_variables),
      high_(n_variables) {
  std::iota(places_.begin(), places_.end(), 0);
}

void Reachability::check(Var u, Var v) const {
  for (const Var x : {u, v}) {
    if (x < 0 || index(x) >= n_variables()) {
      throw std::out_of_range("a variable number is out of range");
    }
  }
}

// Whether a path leads from u to v, be it the edge or not: a search from both ends in turn.
bool Reachability::leads(Var u, Var v, bool by_edge) const {
  const Var first = place(u), last = place(v);
  if (first >= last) return false;
  if (has_edge(u, v) && by_edge) return true;
  low_.clear();
  high_.clear();
  low_.insert(u);
  high_.insert(v);
  up_.assign(1, u);
  down_.assign(1, v);
  for (std::size_t i = 0; i < up_.size() && i < down_.size(); ++i) {
    const Var low = up_[i], high = down_[i];
    for (const Var w : children_[index(low)]) {
      if (place(w) > last || (low == u && w == v)) continue;
      if (high_.has(w)) return true;
      if (low_.insert(w)) up_.push_back(w);
    }
    for (const Var w : parents_[index(high)]) {
      if (place(w) < first || (high == v && w == u)) continue;
      if (low_.has(w)) return true;
      if (high_.insert(w)) down_.push_back(w);
    }
  }
  return false;
}

const Vars& Reachability::reached(Var u, const std::vector<Vars>& next) const {
  low_.clear();
  low_.insert(u);
  up_.assign(1, u);
  for (std::size_t i = 0; i < up_.size(); ++i) {
    for (const Var w : next[index(up_[i])]) {
      if (low_.insert(w)) up_.push_back(w);
    }
  }
  return up_;
}

void Reachability::add_edge(Var u, Var v) {
  check(u, v);
  if (u == v || has_path(v, u)) throw std::invalid_argument("the edge would close a cycle");
  if (has_edge(u, v)) return;
  if (place(u) > place(v)) move_behind(v, u);
  insert(children_[index(u)], v);
  insert(parents_[index(v)], u);
}

// Lets v and what it leads to change places with u and what leads there, as far as they lie between
// the two.
void Reachability::move_behind(Var v, Var u) {
  const auto between = [&](Var start, const std::vector<Vars>& next, auto&& is_inside) {
    low_.clear();
    low_.insert(start);
    Vars found{start};
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const Var w : next[index(found[i])]) {
        if (is_inside(place(w)) && low_.insert(w)) found.push_back(w);
      }
    }
    std::ranges::sort(found, {}, [&](Var w) { return place(w); });
    return found;
  };
  Vars moved = between(u, parents_, [&](Var p) { return p > place(v); });
  const Vars below = between(v, children_, [&](Var p) { return p < place(u); });
  moved.insert(moved.end(), below.begin(), below.end());
  Vars free;
  for (const Var w : moved) free.push_back(place(w));
  std::ranges::sort(free);
  for (std::size_t i = 0; i < moved.size(); ++i) places_[index(moved[i])] = free[i];
}

void Reachability::remove_edge(Var u, Var v) {
  check(u, v);
  if (!has_edge(u, v)) throw std::invalid_argument("there is no such edge");
  erase(children_[index(u)], v);
  erase(parents_[index(v)], u);
}

}  // namespace h2pc
