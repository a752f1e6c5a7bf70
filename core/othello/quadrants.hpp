// Parity of the quadrants: it pays to move first where an odd number of squares is empty,
// because whoever does tends to make the last move there.
#pragma once

#include <array>
#include <utility>

#include "othello/bits.hpp"

namespace outflank {

inline constexpr Bits kQuadrants[4] = {0x000000000f0f0f0fULL, 0x00000000f0f0f0f0ULL,
                                       0x0f0f0f0f00000000ULL, 0xf0f0f0f000000000ULL};

// The quadrant of a square as one of four bits.
constexpr unsigned quadrant(int square) { return 1u << ((square >> 4 & 2) | (square >> 2 & 1)); }

// A bit for each quadrant in which the number of empty squares is odd.
constexpr unsigned parity_of(Bits empties) {
  unsigned parity = 0;
  for (int i = 0; i < 4; ++i) parity |= (count(empties & kQuadrants[i]) & 1u) << i;
  return parity;
}

constexpr std::array<Bits, 16> make_quadrant_marks() {
  std::array<Bits, 16> marks{};
  for (unsigned parity = 0; parity < 16; ++parity)
    for (int i = 0; i < 4; ++i)
      if (parity >> i & 1) marks[parity] |= kQuadrants[i] & kCorners;
  return marks;
}

// Corners that stand for a parity: parity_of() of them is that parity.
inline constexpr std::array<Bits, 16> kQuadrantMarks = make_quadrant_marks();

constexpr std::array<Bits, 16> make_odd_squares() {
  std::array<Bits, 16> squares{};
  for (unsigned parity = 0; parity < 16; ++parity)
    for (int i = 0; i < 4; ++i)
      if (parity >> i & 1) squares[parity] |= kQuadrants[i];
  return squares;
}

// The squares of all quadrants named by a parity.
inline constexpr std::array<Bits, 16> kOddSquares = make_odd_squares();

// Writes the empty squares, those of odd quadrants first.
template <int N>
inline void list_by_parity(Bits empties, unsigned parity, int (&squares)[N]) {
  int at = 0;
  for (Bits odd = empties & kOddSquares[parity]; odd;) squares[at++] = pop(odd);
  for (Bits even = empties & ~kOddSquares[parity]; even;) squares[at++] = pop(even);
}

}  // namespace outflank
