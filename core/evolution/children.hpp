// The boards one ply further, for the searches of evolved players.
#pragma once

#include <array>

#include "othello/board.hpp"
#include "othello/moves.hpp"

namespace outflank::evolution {

// Where there is no move, the only child is the board after a pass; where the game is over there
// is none.
struct Children {
  std::array<Board, kMostMoves> boards;
  std::array<std::uint8_t, kMostMoves> moves;
  int size = 0;

  void add(const Board& board, int move) {
    boards[size] = board;
    moves[size++] = static_cast<std::uint8_t>(move);
  }
};

// allowed: the legal moves that are looked at.
inline Children children_of(const Board& board, Bits allowed) {
  Children children;
  for (Bits moves = allowed; moves; moves &= moves - 1) {
    const int square = first(moves);
    children.add(outflank::play(board, square), square);
  }
  if (!children.size && legal_moves(board.passed())) children.add(board.passed(), kPass);
  return children;
}

}  // namespace outflank::evolution
