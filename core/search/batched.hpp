// Alpha-beta over an evaluator that is best asked about many positions at once, such as a network
// or a function written in Python.
#pragma once

#include <functional>
#include <vector>

#include "search/midgame.hpp"

namespace outflank {

// Fills `values` with one number for each board, from that board's mover's view. All boards of a
// call have the same side to move.
using BatchEvaluator = std::function<void(const std::vector<Board>& boards, bool white_to_move,
                                          std::vector<double>& values)>;

struct BatchedResult {
  double value = 0;  // from the mover's view
  int move = kPass;  // the first best by square
  std::uint64_t nodes = 0;
  std::uint64_t evaluated = 0;  // positions given to the evaluator
  std::uint64_t batches = 0;
};

// The minimax value to a fixed depth. The last `horizon` plies of each line are not pruned: their
// leaves are evaluated in one batch. Above them, moves are ordered by evaluating all replies at
// once, and pruned. A finished game counts as its score beyond every evaluation, or is evaluated.
BatchedResult search_batched(const Board& board, bool white_to_move, int depth, int horizon,
                             Ends ends, const BatchEvaluator& evaluator);

}  // namespace outflank
