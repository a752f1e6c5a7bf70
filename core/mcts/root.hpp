// What is special at the root: noise, forced playouts, Gumbel's sequential halving, and what a
// search comes to in the end.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mcts/node.hpp"

namespace outflank::mcts {

// How one search explores.
struct RootPlan {
  int simulations = 0;
  bool explore = true;      // with noise and forced playouts, if the options want them
  double gumbel_noise = 1;  // times that of the options
};

class Root {
 public:
  void clear();

  // Draws the random numbers of a search, by their key; the node must be open.
  void prepare(const Options& options, const RootPlan& plan, std::uint64_t key, const Node& node,
               const Edge* edges);

  // The edge of the next simulation, of which `begun` have begun.
  int select(const Options& options, const Node& node, const Edge* edges, int begun) const;

  // The edge to play if nothing is left to chance.
  int best(const Options& options, const Node& node, const Edge* edges) const;

  // Shares of the edges that a network should learn; they add up to one.
  void target(const Options& options, const Node& node, const Edge* edges, double* shares) const;

 private:
  int forced(const Options& options, const Edge& edge, double prior, int visits) const;
  void pruned_visits(const Options& options, const Node& node, const Edge* edges,
                     double* visits) const;
  // Logits and transformed values of Gumbel's policy improvement.
  void improved_logits(const Options& options, const Node& node, const Edge* edges,
                       double* logits) const;

  RootPlan plan_;
  std::array<double, kSquares> priors_{};  // with noise
  std::array<double, kSquares> gumbels_{};
  std::array<int, kSquares> before_{};  // visits that earlier searches left
  std::vector<int> considered_;  // for each simulation, how many visits the edge it takes has
};

// How many visits the edge has that each simulation of sequential halving takes: all of `moves`
// edges get as many, then the better half of them, and so on.
void sequential_halving(int moves, int simulations, std::vector<int>& considered);

}  // namespace outflank::mcts
