// Stable discs, frontier and potential mobility.
#pragma once

#include "othello/board.hpp"

namespace outflank {

// Discs of either colour that touch an empty square.
constexpr Bits frontier(const Board& board) {
  return (board.own | board.other) & neighbours(board.empties());
}

// Empty squares that touch an opponent's disc: where the mover may be able to play one day.
constexpr Bits potential_mobility(const Board& board) {
  return board.empties() & neighbours(board.other);
}

// Discs of both colours that no sequence of moves can flip: a lower bound of all such discs.
//
// A disc is counted if on each of its four lines the line is full, or the disc stands at the
// line's end, or it touches a counted disc of its own colour; discs on the board's edges also if
// no filling of that edge's empty squares, by either side in any order, flips them along it.
Bits stable_discs(const Board& board);

}  // namespace outflank
