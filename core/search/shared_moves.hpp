// The moves of a node, searched one after the other and, where it pays, by several threads: the
// part that the searches of middlegames and endgames have in common.
//
// What a search knows of its node is a Node:
//   int reply(Worker&, const Move&, int alpha, bool first) const
//       the value of a move to whoever makes it, exact within the node's window from alpha on
//   bool may_share(int tried) const
//       whether other threads may take part after this many moves
//   bool must_stop(const Worker&) const
//       whether the reply that was just searched must not be used
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>

#include "search/crew.hpp"
#include "search/move_list.hpp"

namespace outflank {

struct BestMove {
  int value;
  int square;
};

// The moves from some place on, taken by whoever is free; alpha rises as values come in.
template <typename Node>
class SharedMoves final : public Split {
 public:
  SharedMoves(Split* parent, const Node& node, MoveList& list, int from, int alpha, int beta,
              BestMove best)
      : Split(parent),
        node_(node),
        list_(list),
        beta_(beta),
        next_(from),
        alpha_(alpha),
        best_(best) {
    for (int i = from; i < list.size; ++i) list.pick(i);
  }

  bool has_work() const override {
    return next_.load(std::memory_order_relaxed) < list_.size && !is_cut();
  }

  void work(Worker& worker) override {
    for (int i; !is_cut() && (i = next_.fetch_add(1)) < list_.size;) {
      const Move& move = list_.moves[i];
      const int value = node_.reply(worker, move, alpha_.load(std::memory_order_relaxed), false);
      if (worker.must_stop()) return;
      const std::lock_guard lock(mutex_);
      if (value <= best_.value) continue;
      best_ = {value, move.square};
      if (value > alpha_) alpha_ = value;
      if (value >= beta_) cut();
    }
  }

  // To be asked when all moves are done.
  BestMove best() const { return best_; }

 private:
  const Node& node_;
  const MoveList& list_;
  const int beta_;
  std::atomic<int> next_;
  std::atomic<int> alpha_;
  std::mutex mutex_;
  BestMove best_;  // guarded by mutex_
};

// Searches the moves in the order of their priorities until one reaches beta, and replaces `best`
// by a better one. False if it had to stop: `best` means nothing then.
template <typename Node>
[[nodiscard]] bool search_moves(Worker& worker, const Node& node, MoveList& list, int alpha,
                                int beta, BestMove& best) {
  for (int i = 0; i < list.size; ++i) {
    if (node.may_share(i) && i + 1 < list.size && worker.crew->has_idle()) {
      SharedMoves<Node> shared(worker.split, node, list, i, alpha, beta, best);
      worker.crew->share(worker, shared);
      best = shared.best();
      return !worker.must_stop();
    }
    const Move& move = list.pick(i);
    const int value = node.reply(worker, move, alpha, i == 0);
    if (node.must_stop(worker)) return false;
    if (value > best.value) {
      best = {value, move.square};
      alpha = std::max(alpha, value);
      if (alpha >= beta) break;
    }
  }
  return true;
}

}  // namespace outflank
