// Many games at once, from moves to positions: what reading WThor spends its time in.
#pragma once

#include <cstddef>
#include <span>

#include "othello/board.hpp"

namespace outflank {

inline constexpr std::uint8_t kNoMove = 255;  // pads a game's moves to a common width

// One game after replay.
struct ReplayedGame {
  Bits black = 0, white = 0;  // the last position reached
  std::uint8_t moves = 0;     // how many moves were legal, passes not counted
  bool white_to_move = false;
  bool over = false;
  bool legal = true;  // false: the move after those is illegal, or follows padding
};

// Where the positions before each move go; all spans have one place for each move.
struct PositionsOut {
  Bits* own;
  Bits* other;
  std::uint8_t* move;
  std::uint8_t* white_to_move;
};

// How many moves stand before the first padding.
std::size_t count_moves(std::span<const std::uint8_t> moves);

// Replays one game from the start position; passes are implied. Fills `out` from index `at` on,
// one place for each legal move.
ReplayedGame replay(std::span<const std::uint8_t> moves, const PositionsOut& out, std::size_t at);

}  // namespace outflank
