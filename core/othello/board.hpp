// A position from the mover's view: whose discs are whose, and nothing else.
#pragma once

#include <compare>

#include "othello/bits.hpp"

namespace outflank {

struct Board {
  Bits own = 0;    // discs of the side to move
  Bits other = 0;  // discs of the opponent

  constexpr Bits empties() const { return ~(own | other); }
  constexpr Board passed() const { return {other, own}; }
  constexpr auto operator<=>(const Board&) const = default;
};

// Black to move; black on d5 and e4.
inline constexpr Board kStart{0x0000000810000000ULL, 0x0000001008000000ULL};

// Disc difference from the mover's view, the empty squares going to the winner.
constexpr int final_score(const Board& board) {
  const int own = count(board.own), other = count(board.other);
  if (own == other) return 0;
  return own > other ? kSquares - 2 * other : 2 * own - kSquares;
}

}  // namespace outflank
