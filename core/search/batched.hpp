// Alpha-beta over an evaluator that is best asked about many positions at once, such as a network
// or a function written in Python.
#pragma once

#include <functional>
#include <vector>

#include "search/midgame.hpp"
#include "search/value_memory.hpp"

namespace outflank {

// Fills `values` with one number for each board, from that board's mover's view. All boards of a
// call have the same side to move.
using BatchEvaluator = std::function<void(const std::vector<Board>& boards, bool white_to_move,
                                          std::vector<double>& values)>;

// Returns which of a position's legal moves are worth searching; at least one.
using MoveChooser = std::function<Bits(const Board& board, Bits legal)>;

struct BatchedOptions {
  int horizon = 2;
  Ends ends = Ends::score;
  ValueMemory* memory = nullptr;  // what was evaluated before, if that is kept
  MoveChooser chooser;            // may be empty: all moves are searched
};

struct BatchedResult {
  double value = 0;  // from the mover's view
  int move = kPass;  // the first best by square
  std::uint64_t nodes = 0;
  std::uint64_t evaluated = 0;  // positions given to the evaluator
  std::uint64_t batches = 0;
};

// The minimax value to a fixed depth. The last `horizon` plies of each line are not pruned: their
// leaves are evaluated in one batch. Above them, moves are chosen if there is a chooser, ordered by
// evaluating all replies at once, and pruned. A finished game counts as its score beyond every
// evaluation, or is evaluated. With a memory, each position is evaluated once.
BatchedResult search_batched(const Board& board, bool white_to_move, int depth,
                             const BatchedOptions& options, const BatchEvaluator& evaluator);

}  // namespace outflank
