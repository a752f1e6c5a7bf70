// The geometry that the line network is made of: symmetry classes of squares, orbits of pairs of
// squares, lines, and the patterns by which a board after a move is described.
//
// Everything that the eight symmetries map onto each other shares its number, so a network that
// looks its weights up by these numbers is equivariant by construction.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "othello/board.hpp"

namespace outflank::nets {

inline constexpr int kClasses = 10;      // of squares under the symmetries
inline constexpr int kPairOrbits = 528;  // of ordered pairs of squares under the symmetries
inline constexpr int kLines = 46;        // 8 rows, 8 columns, 30 diagonals
inline constexpr int kLineTypes =
    12;  // rows and columns by distance to the edge, diagonals by length
inline constexpr int kPatterns =
    50;  // 34 lines of 4 or more, 4 corners 3x3, 4 edges, 8 corners 2x5
inline constexpr int kPatternTypes = 12;

// How positions in a line are numbered: as they come, from the other end, or from the nearer end.
enum class Fold : std::uint8_t { kForward, kBackward, kPalindrome };

// Where the rows of a line's state are: one for each position in the line.
struct LineEntry {
  std::int32_t row;
  Fold fold;
};

struct Line {
  int type, length;
  Bits mask;
  std::array<std::uint8_t, 8> squares;  // in the order of the bits
};

// One side of a square in its line, from the square outwards: 0, 1 or 2 each, 3 beyond the edge.
struct Outwards {
  std::vector<int> squares;

  int length() const { return static_cast<int>(squares.size()); }
  int at(int i) const { return i < length() ? squares[i] : 3; }

  // How many discs a move on the square would flip on this side.
  int flips(int mine, int theirs) const {
    int run = 0;
    while (at(run) == theirs) ++run;
    return at(run) == mine ? run : 0;
  }
};

struct Pattern {
  int type;
  Bits mask;
  const std::uint16_t* digits;  // bits taken out by the mask -> sum of their powers of three
};

class Geometry {
 public:
  static const Geometry& instance();

  std::array<std::uint8_t, kSquares> class_of;         // of each square
  std::array<std::uint8_t, kSquares> rank_of;          // place of a square in the order by classes
  std::array<std::uint8_t, kSquares> square_of;        // its inverse
  std::array<std::uint8_t, kClasses + 1> class_begin;  // ranks of each class
  std::array<std::array<std::uint16_t, kSquares>, kSquares> pair_orbit;  // [from][to], squares

  std::array<Line, kLines> lines;
  std::array<int, kLineTypes> line_rows;                        // rows of each type's table
  std::array<std::vector<LineEntry>, kLineTypes> line_entries;  // by state in base 3

  std::array<Pattern, kPatterns> patterns;
  std::array<int, kPatternTypes> pattern_rows;
  std::array<std::vector<std::int32_t>, kPatternTypes> pattern_row;  // by state in base 3
  std::array<std::uint64_t, kSquares> patterns_with;  // bit k: pattern k contains the square

  // The ternary number of a line: digit 0 empty, 1 own, 2 other; the lowest square first.
  int line_state(int line, const Board& board) const;

  // Row of a line's position i in the table of its type.
  static int row(const LineEntry& entry, int length, int i) {
    switch (entry.fold) {
      case Fold::kForward: return entry.row + i;
      case Fold::kBackward: return entry.row + length - 1 - i;
      default: return entry.row + (i < length - 1 - i ? i : length - 1 - i);
    }
  }

 private:
  Geometry();
  void make_classes();
  void make_lines();
  void make_patterns();

  std::vector<std::vector<std::uint16_t>> digits_;  // behind Pattern::digits
};

// Bits of `from` at the places of `mask`, moved together (the instruction pext, where there is
// one).
Bits extract(Bits from, Bits mask);

}  // namespace outflank::nets
