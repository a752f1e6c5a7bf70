// In which order the solver tries moves: those that leave the opponent fewest moves first, because
// their trees are smallest ("fastest first"), corrected by what tends to be good.
#pragma once

#include "othello/moves.hpp"

namespace outflank {

// Mobility with corners counted twice.
inline int weighted_mobility(Bits moves) { return count(moves) + count(moves & kCorners); }

// A quick guess of who stands better, from the mover's view, for ordering near the root.
inline int guess(const Board& board) {
  const Bits empties = board.empties();
  const int mobility =
      weighted_mobility(legal_moves(board)) - weighted_mobility(legal_moves(board.passed()));
  const int potential =
      count(neighbours(board.other) & empties) - count(neighbours(board.own) & empties);
  const int corners = count(board.own & kCorners) - count(board.other & kCorners);
  return 8 * mobility + 3 * potential + 40 * corners;
}

}  // namespace outflank
