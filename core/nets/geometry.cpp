#include "nets/geometry.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "othello/symmetry.hpp"

namespace outflank::nets {

namespace {

constexpr std::array<int, 11> kPowers = {1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049};

// bits -> sum of the powers of three of its set bits, in the order of the bits.
std::array<std::uint16_t, 256> make_line_digits() {
  std::array<std::uint16_t, 256> digits{};
  for (int bits = 0; bits < 256; ++bits)
    for (int i = 0; i < 8; ++i)
      if (bits >> i & 1) digits[bits] = static_cast<std::uint16_t>(digits[bits] + kPowers[i]);
  return digits;
}
const std::array<std::uint16_t, 256> kLineDigits = make_line_digits();

// A ternary number with its digits in another order: digit i of the result is digit order[i].
int permute(int state, const std::vector<int>& order) {
  int result = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    result += state / kPowers[order[i]] % 3 * kPowers[i];
  return result;
}

std::vector<int> backwards(int length) {
  std::vector<int> order;
  for (int i = 0; i < length; ++i) order.push_back(length - 1 - i);
  return order;
}

// Squares of a pattern as it stands at the corner a1, and the orders of its squares that a
// symmetry of the board maps onto it.
struct Shape {
  std::vector<int> squares;
  std::vector<int> mirrored;  // empty: no symmetry maps the pattern onto itself
};

}  // namespace

Bits extract(Bits from, Bits mask) {
#if defined(__BMI2__)
  return _pext_u64(from, mask);
#else
  Bits result = 0;
  for (int i = 0; mask; ++i) {
    const int square = pop(mask);
    result |= (from >> square & 1) << i;
  }
  return result;
#endif
}

const Geometry& Geometry::instance() {
  static const Geometry geometry;
  return geometry;
}

Geometry::Geometry() {
  make_classes();
  make_lines();
  make_patterns();
}

void Geometry::make_classes() {
  int classes = 0;
  class_of.fill(255);
  for (int square = 0; square < kSquares; ++square) {
    if (class_of[square] != 255) continue;
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry)
      class_of[first(transform(bit(square), symmetry))] = static_cast<std::uint8_t>(classes);
    ++classes;
  }
  int rank = 0;
  for (int c = 0; c < kClasses; ++c) {
    class_begin[c] = static_cast<std::uint8_t>(rank);
    for (int square = 0; square < kSquares; ++square)
      if (class_of[square] == c) {
        rank_of[square] = static_cast<std::uint8_t>(rank);
        square_of[rank++] = static_cast<std::uint8_t>(square);
      }
  }
  class_begin[kClasses] = kSquares;

  std::uint16_t orbits = 0;
  for (auto& row : pair_orbit) row.fill(65535);
  for (int from = 0; from < kSquares; ++from)
    for (int to = 0; to < kSquares; ++to) {
      if (pair_orbit[from][to] != 65535) continue;
      for (int symmetry = 0; symmetry < kSymmetries; ++symmetry)
        pair_orbit[first(transform(bit(from), symmetry))][first(transform(bit(to), symmetry))] =
            orbits;
      ++orbits;
    }
}

void Geometry::make_lines() {
  int n = 0;
  const auto add = [&](int type, Bits mask) {
    Line& line = lines[n++];
    line = {type, count(mask), mask, {}};
    for (int i = 0; mask; ++i) line.squares[i] = static_cast<std::uint8_t>(pop(mask));
  };
  for (int i = 0; i < 8; ++i) {
    const int distance = std::min(i, 7 - i);
    add(distance, Bits{0xff} << (8 * i));
    add(distance, kColumnA << i);
  }
  for (int offset = -7; offset <= 7; ++offset) {
    Bits down = 0, up = 0;
    for (int row = 0; row < 8; ++row) {
      const int column = row + offset;
      if (column < 0 || column > 7) continue;
      down |= bit(8 * row + column);
      up |= bit(8 * row + 7 - column);
    }
    const int length = 8 - std::abs(offset);
    add(3 + length, down);  // types 4 to 11
    add(3 + length, up);
  }

  for (int type = 0; type < kLineTypes; ++type) {
    const int length = type < 4 ? 8 : type - 3;
    const std::vector<int> reversed = backwards(length);
    auto& entries = line_entries[type];
    entries.resize(kPowers[length]);
    int rows = 0;
    for (int state = 0; state < kPowers[length]; ++state) {
      const int mirror = permute(state, reversed);
      if (mirror < state) {
        entries[state] = {entries[mirror].row, Fold::kBackward};
      } else {
        const bool palindrome = mirror == state;
        entries[state] = {rows, palindrome ? Fold::kPalindrome : Fold::kForward};
        rows += palindrome ? (length + 1) / 2 : length;
      }
    }
    line_rows[type] = rows;
  }
}

int Geometry::line_state(int line, const Board& board) const {
  const Bits mask = lines[line].mask;
  return kLineDigits[extract(board.own, mask)] + 2 * kLineDigits[extract(board.other, mask)];
}

void Geometry::make_patterns() {
  // Lines of four squares or more, then the patterns at corners and edges, as seen from a1. The
  // mirror of a pattern is the order in which the symmetry that keeps its place reads it.
  std::vector<Shape> shapes;
  const auto along = [](int from, int step, int length) {
    std::vector<int> squares;
    for (int i = 0; i < length; ++i) squares.push_back(from + step * i);
    return squares;
  };
  for (int distance = 0; distance < 4; ++distance)
    shapes.push_back({along(8 * distance, 1, 8), backwards(8)});
  for (int length = 4; length <= 8; ++length)
    shapes.push_back({along(8 - length, 9, length), backwards(length)});
  shapes.push_back({{0, 1, 2, 8, 9, 10, 16, 17, 18}, {0, 3, 6, 1, 4, 7, 2, 5, 8}});
  shapes.push_back({{9, 0, 1, 2, 3, 4, 5, 6, 7, 14}, backwards(10)});  // an edge with its X-squares
  shapes.push_back({{0, 1, 2, 3, 4, 8, 9, 10, 11, 12}, {}});

  int n = 0;
  patterns_with.fill(0);
  for (std::size_t type = 0; type < shapes.size(); ++type) {
    const Shape& shape = shapes[type];
    const int length = static_cast<int>(shape.squares.size());
    auto& rows = pattern_row[type];
    rows.resize(kPowers[length]);
    int next = 0;
    for (int state = 0; state < kPowers[length]; ++state) {
      const int mirror = shape.mirrored.empty() ? state : permute(state, shape.mirrored);
      rows[state] = mirror < state ? rows[mirror] : next++;
    }
    pattern_rows[type] = next;

    // Images at the same place are one pattern, however the symmetry that leads there reads it.
    std::vector<Bits> places;
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      Bits mask = 0;
      std::map<int, int> digit_of;  // square -> digit
      for (int i = 0; i < length; ++i) {
        const int square = first(transform(bit(shape.squares[i]), symmetry));
        mask |= bit(square);
        digit_of[square] = i;
      }
      if (std::find(places.begin(), places.end(), mask) != places.end()) continue;
      places.push_back(mask);
      std::vector<std::uint16_t> digits(std::size_t{1} << length);
      for (std::size_t bits = 0; bits < digits.size(); ++bits) {
        int i = 0;
        for (const auto& [square, digit] : digit_of) {
          if (bits >> i & 1)
            digits[bits] = static_cast<std::uint16_t>(digits[bits] + kPowers[digit]);
          ++i;
        }
      }
      digits_.push_back(std::move(digits));
      patterns[n] = {static_cast<int>(type), mask, digits_.back().data()};
      for (Bits rest = mask; rest;) patterns_with[pop(rest)] |= std::uint64_t{1} << n;
      ++n;
    }
  }
}

}  // namespace outflank::nets
