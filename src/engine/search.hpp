// Searches for the graph of the largest score: tabu search and hill climbing, both with restarts.
//
// The gain of every possible edge is kept in a table; a move changes the gains of the one or two
// families that it touches, and no others. Among moves of equal gain, the parent of the smallest number
// decides, then the child; of one edge, the deletion comes before the reversal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scores.hpp"
#include "types.hpp"

namespace h2pc {

// Where a search may go, and where it starts: for every variable, what its parents may be.
class SearchSpace {
 public:
  // `candidates` may become parents and cease to be, `required` parents stay, and `start` has the first
  // parents, of which one that is neither may only go. Throws std::out_of_range or
  // std::invalid_argument where they make no sense together.
  SearchSpace(std::vector<Vars> candidates, std::vector<Vars> required, std::vector<Vars> start,
              std::int64_t max_parents);

  struct Edge {
    Var parent, child;
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t n_variables() const { return required_.size(); }
  std::int64_t max_parents() const { return max_parents_; }

  // Every edge that can come or go, in the order of parent and child.
  const std::vector<Edge>& edges() const { return edges_; }
  // The number of the same edge in the other direction, or `none`.
  std::size_t opposite(std::size_t edge) const { return opposite_[edge]; }
  // The numbers of the edges into a variable, in the order of their parents.
  const std::vector<std::size_t>& into(Var child) const { return into_[index(child)]; }
  // Whether an edge may come; others may only go.
  bool may_come(std::size_t edge) const { return may_come_[edge] != 0; }

  const Vars& required(Var child) const { return required_[index(child)]; }
  std::size_t n_required() const { return n_required_; }
  // The numbers of the edges at the start, sorted.
  const std::vector<std::size_t>& start() const { return start_; }

  // The variables that have an edge or may get one, numbered by themselves: a search around a few
  // targets need not keep an account of all others.
  Var place(Var v) const { return places_[index(v)]; }
  Var at_place(Var place) const { return at_places_[index(place)]; }
  std::size_t n_places() const { return at_places_.size(); }

 private:
  static std::size_t index(Var v) { return static_cast<std::size_t>(v); }
  void number_edges(const std::vector<Vars>& candidates, const std::vector<Vars>& start);

  std::vector<Vars> required_;
  std::int64_t max_parents_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> opposite_;
  std::vector<std::vector<std::size_t>> into_;
  std::vector<std::uint8_t> may_come_;
  std::vector<std::size_t> start_;
  std::size_t n_required_ = 0;
  Vars places_, at_places_;
};

enum class MoveKind : std::uint8_t { add, remove, reverse };

struct Move {
  MoveKind kind;
  Var parent, child;
};

struct Found {
  std::vector<Vars> parent_sets;  // of the best graph, the first among equals; sorted
  double score;
  std::vector<Move> trail;  // all moves, those after the best graph included
  std::size_t n_moves_to_best;
  std::int64_t n_scores;  // that the search needed, those of a walk once
  bool was_stopped;
};

struct Restarts {
  std::int64_t number = 0;
  std::optional<std::int64_t> perturbations;  // by default half as many as edges, and at least ten
  std::vector<std::uint32_t> seed;            // its 32-bit digits, the lowest first
};

struct TabuSettings {
  std::int64_t list_size = 100;
  std::int64_t patience = 15;
  std::optional<std::int64_t> max_moves;  // of a walk
  Restarts restarts;
};

// Best graph on walks that avoid the graphs they visited lately, or the best until `stop` says stop.
Found tabu_search(const LocalScore& score, const SearchSpace& space, const TabuSettings& settings,
                  StopCheck stop);

// The best of one or more local maxima.
Found hill_climbing(const LocalScore& score, const SearchSpace& space, const Restarts& restarts,
                    StopCheck stop);

}  // namespace h2pc
