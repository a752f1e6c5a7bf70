// The moves of a node, in the order of their priorities.
#pragma once

#include <array>
#include <utility>

#include "othello/board.hpp"

namespace outflank {

struct Move {
  Bits flipped;
  int square;
  int priority;

  Board after(const Board& board) const {
    return {board.other ^ flipped, board.own ^ (flipped | bit(square))};
  }
};

struct MoveList {
  std::array<Move, 34> moves;  // no position has more
  int size = 0;

  void add(Bits flipped, int square, int priority) { moves[size++] = {flipped, square, priority}; }

  // Brings the best of the moves from `at` on to that place and returns it: the later ones need
  // no sorting if it causes a cutoff.
  const Move& pick(int at) {
    int best = at;
    for (int i = at + 1; i < size; ++i)
      if (moves[i].priority > moves[best].priority) best = i;
    std::swap(moves[at], moves[best]);
    return moves[at];
  }
};

}  // namespace outflank
