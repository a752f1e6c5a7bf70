// Legal moves and flips: the two functions that everything else spends its time in.
//
// Each exists twice, with equal results: a portable one, and one for AVX2 that works on four
// directions at once. `legal_moves` and `flips` are the best that the build allows.
#pragma once

#include <array>

#include "othello/board.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace outflank {

// No board has more legal moves, not even one that no game leads to (35 are known; in games, 33).
// Each move outflanks at least one opponent's disc, which at most four moves do, one on each line
// through it; and it ends at one own disc, at which at most eight do. So m moves need m empty
// squares, m / 4 of the opponent's discs and m / 8 own ones, and these are 64 at most.
inline constexpr int kMostMoves = 46;

namespace portable {

// Squares reached from `own` over a run of `other` in the directions +Shift and -Shift.
// Doubling the stride covers the longest run (six discs) in three steps instead of six.
template <int Shift>
constexpr Bits moves_along(Bits own, Bits other) {
  Bits up = other & (own << Shift);
  Bits down = other & (own >> Shift);
  up |= other & (up << Shift);
  down |= other & (down >> Shift);
  const Bits pairs_up = other & (other << Shift);
  const Bits pairs_down = pairs_up >> Shift;
  up |= pairs_up & (up << (2 * Shift));
  down |= pairs_down & (down >> (2 * Shift));
  up |= pairs_up & (up << (2 * Shift));
  down |= pairs_down & (down >> (2 * Shift));
  return (up << Shift) | (down >> Shift);
}

constexpr Bits legal_moves(Bits own, Bits other) {
  const Bits inner = other & kInnerColumns;  // a run may not wrap around the board's side
  const Bits reached = moves_along<1>(own, inner) | moves_along<7>(own, inner) |
                       moves_along<8>(own, other) | moves_along<9>(own, inner);
  return reached & ~(own | other);
}

}  // namespace portable

// For each square, its rays without the square itself: four that lead to higher squares
// (steps +1, +7, +8, +9) and the four opposite ones.
struct Rays {
  alignas(32) std::array<Bits, 4> up;
  alignas(32) std::array<Bits, 4> down;
};

constexpr std::array<Rays, kSquares> make_rays() {
  constexpr int columns[4] = {1, -1, 0, 1}, rows[4] = {0, 1, 1, 1};
  std::array<Rays, kSquares> rays{};
  for (int square = 0; square < kSquares; ++square)
    for (int line = 0; line < 4; ++line)
      for (int sign : {1, -1}) {
        int column = square % 8 + sign * columns[line], row = square / 8 + sign * rows[line];
        Bits ray = 0;
        for (; column >= 0 && column < 8 && row >= 0 && row < 8;
             column += sign * columns[line], row += sign * rows[line])
          ray |= bit(8 * row + column);
        (sign > 0 ? rays[square].up : rays[square].down)[line] = ray;
      }
  return rays;
}

alignas(64) inline constexpr std::array<Rays, kSquares> kRays = make_rays();

namespace portable {

// On each ray the nearest square that is not the opponent's decides: if it is ours, all the
// squares before it flip.
constexpr Bits flips(Bits own, Bits other, int square) {
  Bits flipped = 0;
  const Rays& rays = kRays[square];
  for (int line = 0; line < 4; ++line) {
    const Bits up = rays.up[line] & ~other;
    const Bits above = up & (0 - up) & own;  // lowest bit, kept if ours
    flipped |= rays.up[line] & (above - (above != 0));
    const Bits down = rays.down[line] & ~other;
    const Bits below = std::bit_floor(down) & own;
    flipped |= rays.down[line] & (0 - (below << 1));
  }
  return flipped;
}

}  // namespace portable

#if defined(__AVX2__)

inline Bits or_lanes(__m256i lanes) {
  const __m128i half =
      _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  return static_cast<Bits>(_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
}

inline Bits legal_moves(Bits own, Bits other) {
  const __m256i shift = _mm256_set_epi64x(9, 8, 7, 1);
  const __m256i twice = _mm256_set_epi64x(18, 16, 14, 2);
  const __m256i wrap = _mm256_set_epi64x(kInnerColumns, -1, kInnerColumns, kInnerColumns);
  const __m256i mine = _mm256_set1_epi64x(static_cast<long long>(own));
  const __m256i theirs = _mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(other)), wrap);
  __m256i up = _mm256_and_si256(theirs, _mm256_sllv_epi64(mine, shift));
  __m256i down = _mm256_and_si256(theirs, _mm256_srlv_epi64(mine, shift));
  const __m256i pairs_up = _mm256_and_si256(theirs, _mm256_sllv_epi64(theirs, shift));
  const __m256i pairs_down = _mm256_srlv_epi64(pairs_up, shift);
  up = _mm256_or_si256(up, _mm256_and_si256(theirs, _mm256_sllv_epi64(up, shift)));
  down = _mm256_or_si256(down, _mm256_and_si256(theirs, _mm256_srlv_epi64(down, shift)));
  up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
  down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
  up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
  down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
  const __m256i reached =
      _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
  return or_lanes(reached) & ~(own | other);
}

inline Bits flips(Bits own, Bits other, int square) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i mine = _mm256_set1_epi64x(static_cast<long long>(own));
  const __m256i theirs = _mm256_set1_epi64x(static_cast<long long>(other));
  const Rays& rays = kRays[square];
  const __m256i ray_up = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.up.data()));
  const __m256i ray_down = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.down.data()));

  // Upwards, as in the portable form: the lowest bit that is not theirs, kept if it is ours.
  const __m256i up = _mm256_andnot_si256(theirs, ray_up);
  const __m256i above = _mm256_and_si256(_mm256_and_si256(up, _mm256_sub_epi64(zero, up)), mine);
  const __m256i none = _mm256_cmpeq_epi64(above, zero);  // -1 where nothing is outflanked
  // above - 1 keeps all bits below the outflanking disc; where there is none, 0 - 1 + 1 is 0.
  const __m256i flipped_up = _mm256_and_si256(
      ray_up, _mm256_sub_epi64(_mm256_add_epi64(above, _mm256_set1_epi64x(-1)), none));

  // Downwards there is no instruction for the highest bit: smear it along the ray instead.
  const __m256i shift = _mm256_set_epi64x(9, 8, 7, 1);
  __m256i stop = _mm256_andnot_si256(theirs, ray_down);
  stop = _mm256_or_si256(stop, _mm256_srlv_epi64(stop, shift));
  stop = _mm256_or_si256(stop, _mm256_srlv_epi64(stop, _mm256_set_epi64x(18, 16, 14, 2)));
  stop = _mm256_or_si256(stop, _mm256_srlv_epi64(stop, _mm256_set_epi64x(36, 32, 28, 4)));
  const __m256i below =
      _mm256_and_si256(_mm256_andnot_si256(_mm256_srlv_epi64(stop, shift), stop), mine);
  const __m256i none_below = _mm256_cmpeq_epi64(below, zero);
  const __m256i flipped_down = _mm256_andnot_si256(_mm256_or_si256(stop, none_below), ray_down);

  return or_lanes(_mm256_or_si256(flipped_up, flipped_down));
}

#else

using portable::flips;
using portable::legal_moves;

#endif

inline Bits legal_moves(const Board& board) { return legal_moves(board.own, board.other); }

inline bool is_over(const Board& board) {
  return legal_moves(board) == 0 && legal_moves(board.passed()) == 0;
}

// The board after a move, from the next mover's view. The move must be legal.
inline Board play(const Board& board, int square) {
  const Bits flipped = flips(board.own, board.other, square);
  return {board.other ^ flipped, board.own ^ (flipped | bit(square))};
}

}  // namespace outflank
