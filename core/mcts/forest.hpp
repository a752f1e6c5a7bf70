// Many trees that are searched together, their leaves in common batches.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "mcts/tree.hpp"

namespace outflank::mcts {

struct ForestLimits {
  double seconds = 0;  // 0: no limit
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;  // set by somebody else to end the search
  // Called on the calling thread, between rounds, every `interval` seconds; may throw to end the
  // search. While it runs no other thread touches the trees.
  std::function<void()> on_progress = {};
  double interval = 0.2;
  // Called often on the calling thread while others search; may throw to end the search.
  std::function<void()> on_tick = {};
};

class Forest {
 public:
  // The options must outlive it.
  Forest(const Options& options, std::size_t trees) : trees_(trees, Tree(options)) {}

  std::size_t size() const { return trees_.size(); }
  Tree& operator[](std::size_t i) { return trees_[i]; }
  const Tree& operator[](std::size_t i) const { return trees_[i]; }

  // Gives each tree its number of simulations, or as many as the limits allow. The trees do not
  // depend on the number of threads, nor on which others are searched with them.
  void search(Evaluator& evaluator, std::span<const int> simulations, const ForestLimits& limits);

  bool advance(std::size_t tree, int move) { return trees_[tree].advance(move, scratch_); }

 private:
  std::vector<Tree> trees_;
  Store scratch_;
};

}  // namespace outflank::mcts
