// Bits of a 64-bit board. Square 0 is a1 (top left), 7 is h1, 63 is h8: row by row.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace outflank {

using Bits = std::uint64_t;

inline constexpr int kSquares = 64;
inline constexpr int kPass = 64;  // the move number of a pass

inline constexpr Bits kColumnA = 0x0101010101010101ULL;
inline constexpr Bits kColumnH = 0x8080808080808080ULL;
inline constexpr Bits kInnerColumns = 0x7e7e7e7e7e7e7e7eULL;
inline constexpr Bits kCorners = 0x8100000000000081ULL;

constexpr Bits bit(int square) { return Bits{1} << square; }
constexpr int count(Bits bits) { return std::popcount(bits); }
constexpr int first(Bits bits) { return std::countr_zero(bits); }

// Takes the lowest square out of `bits` and returns it; `bits` must not be empty.
constexpr int pop(Bits& bits) {
  const int square = first(bits);
  bits &= bits - 1;
  return square;
}

// The square of the n-th set bit (n from 0); n must be below count(bits).
inline int select(Bits bits, int n) {
#if defined(__BMI2__)
  return first(_pdep_u64(bit(n), bits));
#else
  while (n-- > 0) bits &= bits - 1;
  return first(bits);
#endif
}

// The squares of a row as eight bits, bit 0 its leftmost; of a column, bit 0 its topmost.
constexpr unsigned row_bits(Bits bits, int row) {
  return static_cast<unsigned>(bits >> 8 * row & 0xff);
}
constexpr unsigned column_bits(Bits bits, int column) {
  // The multiplication adds the column up eight times, each time moved by seven: in the top byte
  // each row's square comes to stand beside that of the row above.
  constexpr Bits gather = 0x0102040810204080ULL;
  return static_cast<unsigned>((bits >> column & kColumnA) * gather >> 56);
}

// Every square that touches one of `bits`, in eight directions (may include `bits` itself).
constexpr Bits neighbours(Bits bits) {
  const Bits sides = ((bits & ~kColumnH) << 1) | ((bits & ~kColumnA) >> 1);
  const Bits row = bits | sides;
  return sides | (row << 8) | (row >> 8);
}

}  // namespace outflank
