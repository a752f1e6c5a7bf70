// The moves of a node, in the order of their priorities, and what both searches order them by.
#pragma once

#include <array>
#include <utility>

#include "othello/moves.hpp"

namespace outflank {

// What a square is worth for ordering, corners most, squares beside them least.
constexpr std::array<std::uint8_t, kSquares> make_square_worth() {
  constexpr int quarter[4][4] = {{18, 4, 16, 12}, {4, 2, 6, 8}, {16, 6, 14, 10}, {12, 8, 10, 0}};
  std::array<std::uint8_t, kSquares> worth{};
  for (int square = 0; square < kSquares; ++square) {
    const int row = square / 8, column = square % 8;
    worth[square] = static_cast<std::uint8_t>(
        quarter[row < 4 ? row : 7 - row][column < 4 ? column : 7 - column]);
  }
  return worth;
}

inline constexpr std::array<std::uint8_t, kSquares> kSquareWorth = make_square_worth();

struct Move {
  Bits flipped;
  int square;
  int priority;

  Board after(const Board& board) const {
    return {board.other ^ flipped, board.own ^ (flipped | bit(square))};
  }
};

struct MoveList {
  std::array<Move, kMostMoves> moves;
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
