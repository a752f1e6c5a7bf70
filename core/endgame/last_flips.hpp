// Counting what the last disc flips without flipping it.
//
// When one square is empty, all others belong to one side or the other, so the mover's discs on
// the four lines through the square tell everything. Each line is gathered into a byte by a
// multiplication and looked up.
#pragma once

#include <array>

#include "othello/bits.hpp"

namespace outflank {

// Flips along one line of eight squares by a disc on place `at`, the other squares being full:
// own discs are set bits. Squares beyond the ends of a short diagonal read as the opponent's,
// behind which nothing of ours stands, so they never flip.
constexpr std::array<std::array<std::uint8_t, 256>, 8> make_line_flips() {
  std::array<std::array<std::uint8_t, 256>, 8> flips{};
  for (int at = 0; at < 8; ++at)
    for (int own = 0; own < 256; ++own)
      for (int step : {1, -1}) {
        int run = 0, place = at + step;
        for (; place >= 0 && place < 8 && !(own >> place & 1); place += step) ++run;
        if (place >= 0 && place < 8)
          flips[at][own] = static_cast<std::uint8_t>(flips[at][own] + run);
      }
  return flips;
}

inline constexpr std::array<std::array<std::uint8_t, 256>, 8> kLineFlips = make_line_flips();

struct Diagonals {
  Bits falling;  // a1 to h8
  Bits rising;   // a8 to h1
};

constexpr std::array<Diagonals, kSquares> make_diagonals() {
  std::array<Diagonals, kSquares> diagonals{};
  for (int square = 0; square < kSquares; ++square)
    for (int other = 0; other < kSquares; ++other) {
      const int rows = other / 8 - square / 8, columns = other % 8 - square % 8;
      if (rows == columns) diagonals[square].falling |= bit(other);
      if (rows == -columns) diagonals[square].rising |= bit(other);
    }
  return diagonals;
}

inline constexpr std::array<Diagonals, kSquares> kDiagonals = make_diagonals();

// How many discs the mover flips by playing on the only empty square.
inline int count_last_flips(Bits own, int square) {
  // Not / and %, which would take care of negative numbers: nothing is called as often as this.
  const int column = square & 7, row = square >> 3;
  const auto& across = kLineFlips[column];
  const Diagonals& diagonals = kDiagonals[square];
  // A diagonal has one square in each column: adding up its rows lines them up in the top byte.
  const auto fold = [](Bits bits) { return (bits * kColumnA) >> 56; };
  return across[row_bits(own, row)] + across[fold(own & diagonals.falling)] +
         across[fold(own & diagonals.rising)] + kLineFlips[row][column_bits(own, column)];
}

}  // namespace outflank
