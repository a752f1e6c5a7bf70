#include "othello/features.hpp"

#include <array>
#include <memory>
#include <vector>

namespace outflank {
namespace {

using Line = std::uint8_t;  // eight squares of an edge

// What a disc of `own` on `square` flips along a line of eight.
Line flips_in_line(Line own, Line other, int square) {
  Line flipped = 0;
  for (int step : {1, -1}) {
    Line run = 0;
    int at = square + step;
    for (; at >= 0 && at < 8 && (other >> at & 1); at += step) run |= Line(1 << at);
    if (at >= 0 && at < 8 && (own >> at & 1)) flipped |= run;
  }
  return flipped;
}

// For each pair of disc sets on an edge, the discs that stay whatever is played on the edge.
class EdgeStability {
 public:
  EdgeStability() {
    std::vector<bool> known(65536);
    for (int own = 0; own < 256; ++own)
      for (int other = 0; other < 256; ++other)
        if (!(own & other)) solve(Line(own), Line(other), known);
  }

  Line operator()(Line own, Line other) const { return stable_[own << 8 | other]; }

 private:
  Line solve(Line own, Line other, std::vector<bool>& known) {
    const std::size_t key = std::size_t(own) << 8 | other;
    if (known[key]) return stable_[key];
    Line stable = own | other;
    for (int square = 0; square < 8 && stable; ++square) {
      const Line disc = Line(1 << square);
      if ((own | other) & disc) continue;
      const Line by_own = flips_in_line(own, other, square);
      stable &= Line(~by_own & solve(own | by_own | disc, Line(other & ~by_own), known));
      const Line by_other = flips_in_line(other, own, square);
      stable &= Line(~by_other & solve(Line(own & ~by_other), other | by_other | disc, known));
    }
    known[key] = true;
    return stable_[key] = stable;
  }

  std::array<Line, 65536> stable_{};
};

constexpr Bits kRowOne = 0xff;

constexpr Line row(Bits bits, int index) { return Line(row_bits(bits, index)); }
constexpr Line column(Bits bits, int index) { return Line(column_bits(bits, index)); }

// The squares of a column, back on the board.
constexpr Bits spread_column(Line line, int column) {
  Bits bits = 0;
  for (int at = 0; at < 8; ++at) bits |= Bits(line >> at & 1) << (8 * at + column);
  return bits;
}

Bits stable_on_edges(const Board& board) {
  static const auto edges = std::make_unique<const EdgeStability>();
  Bits stable = 0;
  for (int index : {0, 7}) {
    stable |= Bits((*edges)(row(board.own, index), row(board.other, index))) << (8 * index);
    stable |= spread_column((*edges)(column(board.own, index), column(board.other, index)), index);
  }
  return stable;
}

// The squares of all full lines with a given step, by folding each line onto all its squares.
// `inside` holds the squares whose neighbour at -step is on the same line.
constexpr Bits full_lines(Bits discs, int step, Bits from_below, Bits from_above) {
  Bits full = discs;
  for (int i = 0; i < 7; ++i)
    full &= ((full << step) | ~from_below) & ((full >> step) | ~from_above);
  return full;
}

constexpr Bits kNotA = ~kColumnA, kNotH = ~kColumnH, kNotTop = ~kRowOne,
               kNotBottom = ~(kRowOne << 56);

}  // namespace

Bits stable_discs(const Board& board) {
  const Bits discs = board.own | board.other;
  const Bits across = full_lines(discs, 1, kNotA, kNotH) | kColumnA | kColumnH;
  const Bits along = full_lines(discs, 8, kNotTop, kNotBottom) | kRowOne | (kRowOne << 56);
  const Bits border = kColumnA | kColumnH | kRowOne | (kRowOne << 56);
  const Bits rising = full_lines(discs, 7, kNotTop & kNotH, kNotBottom & kNotA) | border;
  const Bits falling = full_lines(discs, 9, kNotTop & kNotA, kNotBottom & kNotH) | border;

  Bits stable = stable_on_edges(board) | (discs & across & along & rising & falling);
  // Shifts that wrap around a side land on border squares, which the masks above hold already.
  for (Bits before = 0; stable != before;) {
    before = stable;
    for (const Bits colour : {board.own, board.other}) {
      const Bits firm = stable & colour;
      stable |= colour & (across | firm << 1 | firm >> 1) & (along | firm << 8 | firm >> 8) &
                (rising | firm << 7 | firm >> 7) & (falling | firm << 9 | firm >> 9);
    }
  }
  return stable;
}

}  // namespace outflank
