// In which order the solver tries moves: those that leave the opponent fewest moves first, because
// their trees are smallest ("fastest first"), corrected by what tends to be good.
#pragma once

#include <array>

#include "othello/moves.hpp"
#include "search/move_list.hpp"

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
