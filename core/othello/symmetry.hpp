// The eight symmetries of the board, numbered 0..7.
//
// Bit 2 of the number transposes (a2 becomes b1), then bit 0 mirrors left and right (a1 becomes
// h1), then bit 1 mirrors top and bottom (a1 becomes a8).
#pragma once

#include "othello/board.hpp"

namespace outflank {

inline constexpr int kSymmetries = 8;

constexpr Bits transpose(Bits bits) {
  Bits swap = (bits ^ (bits >> 7)) & 0x00aa00aa00aa00aaULL;
  bits ^= swap ^ (swap << 7);
  swap = (bits ^ (bits >> 14)) & 0x0000cccc0000ccccULL;
  bits ^= swap ^ (swap << 14);
  swap = (bits ^ (bits >> 28)) & 0x00000000f0f0f0f0ULL;
  return bits ^ swap ^ (swap << 28);
}

constexpr Bits mirror_columns(Bits bits) {
  bits = ((bits >> 1) & 0x5555555555555555ULL) | ((bits & 0x5555555555555555ULL) << 1);
  bits = ((bits >> 2) & 0x3333333333333333ULL) | ((bits & 0x3333333333333333ULL) << 2);
  return ((bits >> 4) & 0x0f0f0f0f0f0f0f0fULL) | ((bits & 0x0f0f0f0f0f0f0f0fULL) << 4);
}

constexpr Bits mirror_rows(Bits bits) {
  bits = ((bits >> 8) & 0x00ff00ff00ff00ffULL) | ((bits & 0x00ff00ff00ff00ffULL) << 8);
  bits = ((bits >> 16) & 0x0000ffff0000ffffULL) | ((bits & 0x0000ffff0000ffffULL) << 16);
  return (bits >> 32) | (bits << 32);
}

constexpr Bits transform(Bits bits, int symmetry) {
  if (symmetry & 4) bits = transpose(bits);
  if (symmetry & 1) bits = mirror_columns(bits);
  if (symmetry & 2) bits = mirror_rows(bits);
  return bits;
}

constexpr Board transform(const Board& board, int symmetry) {
  return {transform(board.own, symmetry), transform(board.other, symmetry)};
}

// Where a move goes; a pass stays a pass.
constexpr int transform_move(int move, int symmetry) {
  return move == kPass ? kPass : first(transform(bit(move), symmetry));
}

// The symmetry that undoes this one. Transposing exchanges the two mirrors, so of the eight only
// the quarter turns (transpose and exactly one mirror) are not their own inverse.
constexpr int inverse(int symmetry) { return symmetry == 5 ? 6 : symmetry == 6 ? 5 : symmetry; }

struct Canonical {
  Board board;
  int symmetry;  // the lowest number that turns the given board into `board`
};

// The smallest of the eight images, by own discs and then by the opponent's.
constexpr Canonical canonical(const Board& board) {
  Canonical best{board, 0};
  for (int symmetry = 1; symmetry < kSymmetries; ++symmetry) {
    const Board image = transform(board, symmetry);
    if (image < best.board) best = {image, symmetry};
  }
  return best;
}

}  // namespace outflank
