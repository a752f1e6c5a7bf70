// The shapes whose contents the champion's evaluation looks up, and where each lies on the board.
//
// Corners, edges and lines, as in M. Buro's Logistello (1998) and its successors. A shape is named
// by its squares in the upper left; the eight symmetries make its other places. Contents that the
// symmetries map onto each other have the same weights, so mirrored boards have the same value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "othello/symmetry.hpp"

namespace outflank::champion {

inline constexpr int kLongest = 10;  // squares of a shape

struct Shape {
  int length;
  std::array<std::uint8_t, kLongest> squares;
};

constexpr int square_at(char column, char row) { return (row - '1') * 8 + (column - 'a'); }

// A shape from the names of its squares, "a1b1c1".
template <std::size_t N>
constexpr Shape shape(const char (&names)[N]) {
  static_assert(N % 2 == 1 && N / 2 <= kLongest);
  Shape made{N / 2, {}};
  for (std::size_t i = 0; i < N / 2; ++i)
    made.squares[i] = static_cast<std::uint8_t>(square_at(names[2 * i], names[2 * i + 1]));
  return made;
}

inline constexpr std::array kShapes{
    shape("a1b1c1a2b2c2a3b3c3"),    // the corner, three by three
    shape("a5a4a3a2a1b2b1c1d1e1"),  // the corner's angle with its X-square
    shape("b2a1b1c1d1e1f1g1h1g2"),  // the edge with both X-squares
    shape("a1c1d1c2d2e2f2e1f1h1"),  // the middle of the edge, two deep, with both corners
    shape("a1b1c1d1a2b2c2a3b3a4"),  // the corner's triangle
    shape("a2b2c2d2e2f2g2h2"),      // the other lines along the edge
    shape("a3b3c3d3e3f3g3h3"),     shape("a4b4c4d4e4f4g4h4"),
    shape("a1b2c3d4e5f6g7h8"),  // the diagonals
    shape("b1c2d3e4f5g6h7"),       shape("c1d2e3f4g5h6"),     shape("d1e2f3g4h5"),
};
inline constexpr int kShapeCount = static_cast<int>(kShapes.size());

constexpr std::uint32_t power_of_three(int exponent) {
  std::uint32_t power = 1;
  while (exponent-- > 0) power *= 3;
  return power;
}

constexpr Bits mask_of(const Shape& shape, int symmetry) {
  Bits mask = 0;
  for (int i = 0; i < shape.length; ++i) mask |= bit(transform_move(shape.squares[i], symmetry));
  return mask;
}

// Where a shape lies: the symmetry that puts it there.
struct Place {
  std::uint8_t shape;
  std::uint8_t symmetry;
};

inline constexpr int kMostPlaces = 64;  // as many as the lanes of Indices

struct Places {
  std::array<Place, kMostPlaces> all{};
  int count = 0;
};

// Every place of every shape once: symmetries that put a shape onto the same squares count once.
constexpr Places make_places() {
  Places places;
  for (int number = 0; number < kShapeCount; ++number) {
    std::array<Bits, kSymmetries> seen{};
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      seen[symmetry] = mask_of(kShapes[number], symmetry);
      bool is_new = true;
      for (int before = 0; before < symmetry; ++before)
        if (seen[before] == seen[symmetry]) is_new = false;
      if (is_new)
        places.all[places.count++] = {static_cast<std::uint8_t>(number),
                                      static_cast<std::uint8_t>(symmetry)};
    }
  }
  return places;
}

inline constexpr Places kPlaces = make_places();
inline constexpr int kPlaceCount = kPlaces.count;
static_assert(kPlaceCount <= kMostPlaces);

// Where the rows of each shape begin, one row for each content: the squares in their order are the
// digits of a number of base 3, the first the lowest; 0 is empty, 1 own, 2 other.
constexpr std::array<std::uint32_t, kShapeCount + 1> make_shape_begins() {
  std::array<std::uint32_t, kShapeCount + 1> begins{};
  for (int i = 0; i < kShapeCount; ++i)
    begins[i + 1] = begins[i] + power_of_three(kShapes[i].length);
  return begins;
}

inline constexpr auto kShapeBegins = make_shape_begins();

// Behind the shapes: the numbers of legal moves of both sides, and which quadrants are odd.
inline constexpr std::uint32_t kMobilities = 48;  // more than kMostMoves
inline constexpr std::uint32_t kParities = 16;
inline constexpr std::uint32_t kOwnMobilityBegin = kShapeBegins[kShapeCount];
inline constexpr std::uint32_t kOtherMobilityBegin = kOwnMobilityBegin + kMobilities;
inline constexpr std::uint32_t kParityBegin = kOtherMobilityBegin + kMobilities;
inline constexpr std::uint32_t kRows = kParityBegin + kParities;

inline constexpr int kFeatures = kPlaceCount + 3;  // rows of a board: places, mobilities, parity

// Stages of the game: four numbers of empty squares each, odd and even ones apart, because whoever
// has the last move stands better.
inline constexpr int kMostEmpties = 60;
inline constexpr int kStages = 32;
constexpr int stage_of(int empties) {
  constexpr int kEmpties = 4;
  const int range = empties / kEmpties;
  return 2 * (range < kStages / 2 ? range : kStages / 2 - 1) + empties % 2;
}

}  // namespace outflank::champion
