// Who says what leaves are worth: networks, random games, or somebody outside the core.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "nets/line_network.hpp"
#include "othello/board.hpp"

namespace outflank::mcts {

// Leaves on their way to an evaluator, and its answers.
struct LeafBatch {
  std::vector<Bits> own, other;
  std::vector<std::uint64_t> keys;  // of the random numbers that an evaluator may want
  std::vector<float> logits;        // 64 for each board; only those of legal moves are read
  std::vector<float> values;        // from the movers' view, in [-1, 1]

  std::size_t size() const { return own.size(); }
  void clear();
  void add(const Board& board, std::uint64_t key);
};

// The answer for a board must not depend on the batch it comes in: searches are reproducible only
// if that holds. Several threads may ask at the same time.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // False if all moves are equal: the logits are then neither written nor read.
  virtual bool has_policy() const { return true; }

  // Fills values and, if it has a policy, logits, which have the right sizes.
  virtual void evaluate(LeafBatch& batch, int threads) = 0;
};

// Every move is equal and every position a draw: measures the search alone.
class UniformEvaluator : public Evaluator {
 public:
  bool has_policy() const override { return false; }
  void evaluate(LeafBatch& batch, int threads) override;
};

// One random game from the leaf to its end; every move is equal.
class RolloutEvaluator : public Evaluator {
 public:
  bool has_policy() const override { return false; }
  void evaluate(LeafBatch& batch, int threads) override;
};

class LineEvaluator : public Evaluator {
 public:
  explicit LineEvaluator(const nets::LineNetwork& network);
  ~LineEvaluator() override;
  void evaluate(LeafBatch& batch, int threads) override;

 private:
  class Desk;
  std::unique_ptr<Desk> borrow();
  void give_back(std::unique_ptr<Desk> desk);

  const nets::LineNetwork& network_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Desk>> desks_;  // that nobody uses; guarded by mutex_
};

}  // namespace outflank::mcts
