// Boards as input planes of networks.
#pragma once

#include "othello/board.hpp"
#include "othello/moves.hpp"

namespace outflank {

enum class Plane : int { own, other, empty, legal, ones, border };

inline constexpr Bits kBorder = 0xff818181818181ffULL;

inline Bits plane_bits(const Board& board, Plane plane) {
  switch (plane) {
    case Plane::own: return board.own;
    case Plane::other: return board.other;
    case Plane::empty: return board.empties();
    case Plane::legal: return legal_moves(board);
    case Plane::ones: return ~Bits{0};
    case Plane::border: return kBorder;
  }
  return 0;
}

template <typename T>
inline void write_plane(Bits bits, T* out) {
  for (int square = 0; square < kSquares; ++square)
    out[square] = static_cast<T>(bits >> square & 1);
}

}  // namespace outflank
