// Random games to the end.
#pragma once

#include "othello/hash.hpp"
#include "othello/moves.hpp"

namespace outflank {

// Plays uniformly random moves to the end; the final score from the given mover's view.
inline int random_playout(Board board, Random& random) {
  int sign = 1;
  for (bool passed = false;;) {
    const Bits moves = legal_moves(board);
    if (moves == 0) {
      if (passed) return sign * final_score(board);
      board = board.passed();
      passed = true;
    } else {
      board = play(board, select(moves, random.below(count(moves))));
      passed = false;
    }
    sign = -sign;
  }
}

}  // namespace outflank
