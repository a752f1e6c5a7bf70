#include "mcts/evaluator.hpp"

#include <algorithm>

#include "batch/parallel.hpp"
#include "nets/line_pass.hpp"
#include "othello/playout.hpp"

namespace outflank::mcts {

void LeafBatch::clear() {
  own.clear();
  other.clear();
  keys.clear();
}

void LeafBatch::add(const Board& board, std::uint64_t key) {
  own.push_back(board.own);
  other.push_back(board.other);
  keys.push_back(key);
}

void UniformEvaluator::evaluate(LeafBatch& batch, int) {
  std::fill(batch.values.begin(), batch.values.end(), 0.0f);
}

void RolloutEvaluator::evaluate(LeafBatch& batch, int threads) {
  constexpr std::size_t kGrain = 256;  // random games that are worth a thread
  parallel_for(batch.size(), kGrain, threads, [&](std::size_t begin, std::size_t end) {
    play_out(
        begin, end,
        [&](std::size_t i) {
          return Playout({batch.own[i], batch.other[i]}, Random(batch.keys[i]));
        },
        [&](std::size_t i, int score) {
          batch.values[i] = static_cast<float>((score > 0) - (score < 0));
        });
  });
}

// A pass through the network and its memory, which is kept from batch to batch.
class LineEvaluator::Desk {
 public:
  explicit Desk(const nets::LineNetwork& network) : pass_(network) {}

  void evaluate(LeafBatch& batch, std::size_t from, std::size_t size) {
    pass_.describe({batch.own.data() + from, size}, {batch.other.data() + from, size});
    pass_.forward();
    for (std::size_t i = 0; i < size; ++i) {
      float* logits = batch.logits.data() + (from + i) * kSquares;
      const auto [first_move, last_move] = pass_.moves_of(i);
      for (int m = first_move; m < last_move; ++m) logits[pass_.square(m)] = pass_.logit(m);
      batch.values[from + i] = pass_.value(i);
    }
  }

 private:
  nets::Pass pass_;
};

LineEvaluator::LineEvaluator(const nets::LineNetwork& network) : network_(network) {}
LineEvaluator::~LineEvaluator() = default;

std::unique_ptr<LineEvaluator::Desk> LineEvaluator::borrow() {
  {
    const std::lock_guard lock(mutex_);
    if (!desks_.empty()) {
      auto desk = std::move(desks_.back());
      desks_.pop_back();
      return desk;
    }
  }
  return std::make_unique<Desk>(network_);
}

void LineEvaluator::give_back(std::unique_ptr<Desk> desk) {
  const std::lock_guard lock(mutex_);
  desks_.push_back(std::move(desk));
}

void LineEvaluator::evaluate(LeafBatch& batch, int threads) {
  constexpr std::size_t kTile = nets::Pass::kPositions;
  const std::size_t tiles = (batch.size() + kTile - 1) / kTile;
  constexpr std::size_t kGrain =
      4;  // tiles whose evaluation is longer than a thread takes to begin
  parallel_for(tiles, kGrain, threads, [&](std::size_t begin, std::size_t end) {
    auto desk = borrow();
    for (std::size_t tile = begin; tile < end; ++tile) {
      const std::size_t from = tile * kTile;
      desk->evaluate(batch, from, std::min(kTile, batch.size() - from));
    }
    give_back(std::move(desk));
  });
}

}  // namespace outflank::mcts
