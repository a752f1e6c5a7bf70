// Perft: how many sequences of n plies there are. A pass is a ply; a finished game is one leaf.
#pragma once

#include "calls/long_call.hpp"
#include "othello/moves.hpp"

namespace outflank {

inline std::uint64_t perft(const Board& board, int depth) {
  if (depth == 0) return 1;
  Bits moves = legal_moves(board);
  if (moves == 0) return legal_moves(board.passed()) == 0 ? 1 : perft(board.passed(), depth - 1);
  if (depth == 1) return static_cast<std::uint64_t>(count(moves));
  std::uint64_t leaves = 0;
  if (depth == 2) {  // the last ply is counted, not played
    while (moves) {
      const int replies = count(legal_moves(play(board, pop(moves))));
      leaves += static_cast<std::uint64_t>(replies + (replies == 0));  // a pass or the end is one
    }
    return leaves;
  }
  constexpr int kListen = 7;  // below it a subtree takes milliseconds at most
  while (moves && !(depth >= kListen && must_end()))
    leaves += perft(play(board, pop(moves)), depth - 1);
  return leaves;
}

}  // namespace outflank
