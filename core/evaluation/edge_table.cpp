#include "evaluation/edge_table.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace outflank {
namespace {

__extension__ using Wide = __int128;  // holds products of nine probabilities and a value

enum Cell : int { empty, mine, theirs };
constexpr Cell other_of(Cell cell) { return cell == mine ? theirs : cell == theirs ? mine : empty; }

using Edge = std::array<Cell, kEdgePlaces>;

constexpr int kLast = kEdgePlaces - 1;                          // the second X-square
constexpr int kFirstCorner = 1, kLastCorner = kEdgePlaces - 2;  // the edge lies between them

constexpr bool is_x(int place) { return place == 0 || place == kLast; }
constexpr bool is_corner(int place) { return place == kFirstCorner || place == kLastCorner; }
constexpr int x_beside(int corner) { return corner == kFirstCorner ? 0 : kLast; }
constexpr int corner_beside(int x) { return x == 0 ? kFirstCorner : kLastCorner; }
constexpr bool on_edge(int place) { return place >= kFirstCorner && place <= kLastCorner; }

int index_of(const Edge& edge) {
  int index = 0;
  for (const Cell cell : edge) index = 3 * index + cell;
  return index;
}

Edge edge_of(int index) {
  Edge edge;
  for (int place = kLast; place >= 0; --place, index /= 3)
    edge[place] = static_cast<Cell>(index % 3);
  return edge;
}

int count_discs(const Edge& edge) {
  return static_cast<int>(kEdgePlaces - std::count(edge.begin(), edge.end(), empty));
}

enum Stability : int { stable, semistable, unstable };

// What a disc is worth to its owner by its place and stability, after Norvig; X-squares are never
// stable and corners always.
constexpr int kWorth[kEdgePlaces][3] = {
    {0, 0, -2000},   {700, 0, 0},     {1200, 200, -25}, {1000, 200, 75}, {1000, 200, 50},
    {1000, 200, 50}, {1000, 200, 75}, {1200, 200, -25}, {700, 0, 0},     {0, 0, -2000}};

// The first cell of another kind beyond a disc on the edge; its own kind if there is none.
Cell beyond(const Edge& edge, int place, int step) {
  const Cell colour = edge[place];
  while (on_edge(place) && edge[place] == colour) place += step;
  return on_edge(place) ? edge[place] : colour;
}

Stability stability(const Edge& edge, int place) {
  if (is_corner(place)) return stable;
  if (is_x(place)) return edge[corner_beside(place)] == empty ? unstable : semistable;
  const Cell opponent = other_of(edge[place]);
  const Cell left = beyond(edge, place, -1), right = beyond(edge, place, 1);
  if ((left == empty && right == opponent) || (left == opponent && right == empty))
    return unstable;  // can be outflanked at once
  if (left == empty && right == empty) return semistable;
  const bool full = std::find(edge.begin() + kFirstCorner, edge.begin() + kLastCorner + 1, empty) ==
                    edge.begin() + kLastCorner + 1;
  return left == opponent && right == opponent && !full ? semistable : stable;
}

int static_value(const Edge& edge) {
  int value = 0;
  for (int place = 0; place < kEdgePlaces; ++place)
    if (edge[place] != empty) {
      const int worth = kWorth[place][stability(edge, place)];
      value += edge[place] == mine ? worth : -worth;
    }
  return value;
}

// The edge after a disc of `colour` on an empty place, with what it outflanks along the edge.
Edge played(Edge edge, int place, Cell colour) {
  edge[place] = colour;
  if (!on_edge(place)) return edge;
  for (int step : {1, -1}) {
    int end = place + step;
    while (on_edge(end) && edge[end] == other_of(colour)) end += step;
    if (!on_edge(end) || edge[end] != colour) continue;
    for (int at = place + step; at != end; at += step) edge[at] = colour;
  }
  return edge;
}

bool captures(const Edge& edge, int place, Cell colour) {
  const Edge after = played(edge, place, colour);
  return on_edge(place) && std::count(after.begin(), after.end(), colour) >
                               std::count(edge.begin(), edge.end(), colour) + 1;
}

// Probabilities are in thousandths, as Norvig's have up to three decimals.
constexpr int kSurely = 1000;

// How likely the mover can play on an empty place. All numbers are Norvig's.
int probability(const Edge& edge, int place) {
  if (is_x(place)) return kSurely / 2;
  if (captures(edge, place, mine)) return kSurely;
  if (is_corner(place)) {
    constexpr int by_x_square[] = {100, 1, 900};  // empty, mine, theirs
    return by_x_square[edge[x_beside(place)]];
  }
  // By the numbers of the mover's and of the opponent's discs beside it.
  constexpr int by_neighbours[3][3] = {{100, 400, 700}, {50, 300, 0}, {10, 0, 0}};
  int beside[3] = {};
  for (int step : {1, -1}) ++beside[edge[place + step]];
  return by_neighbours[beside[mine]][beside[theirs]] / (captures(edge, place, theirs) ? 2 : 1);
}

Wide round_half_even(Wide numerator, Wide denominator) {
  Wide quotient = numerator / denominator, rest = numerator % denominator;
  if (rest < 0) {
    rest += denominator;
    --quotient;
  }
  if (2 * rest > denominator || (2 * rest == denominator && (quotient & 1))) ++quotient;
  return quotient;
}

// What the mover may expect: it takes the first of its moves, from the best one down, that is
// possible, or leaves the edge alone if that is better than the rest.
int expected_value(const Edge& edge, int index, const EdgeTable& table) {
  const int alone = table[index];
  std::array<std::pair<int, int>, kEdgePlaces> moves;  // (value, probability)
  std::size_t size = 0;
  for (int place = 0; place < kEdgePlaces; ++place) {
    if (edge[place] != empty) continue;
    Edge after = played(edge, place, mine);
    for (Cell& cell : after) cell = other_of(cell);
    if (const int value = -table[index_of(after)]; value > alone)
      moves[size++] = {value, probability(edge, place)};
  }
  std::sort(moves.begin(), moves.begin() + size);
  Wide expected = alone, scale = 1;
  for (std::size_t i = 0; i < size; ++i) {
    const auto [value, chance] = moves[i];
    expected = chance * value * scale + (kSurely - chance) * expected;
    scale *= kSurely;
  }
  return static_cast<int>(round_half_even(expected, scale));
}

constexpr int kSweeps = 5;  // as in Norvig's program

std::unique_ptr<const EdgeTable> make_edge_table() {
  auto table = std::make_unique<EdgeTable>();
  std::array<std::vector<int>, kEdgePlaces + 1> by_discs;
  for (int index = 0; index < kEdgeIndexes; ++index) {
    const Edge edge = edge_of(index);
    (*table)[index] = static_value(edge);
    by_discs[count_discs(edge)].push_back(index);
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int discs = kEdgePlaces - 1; discs >= 1; --discs)
      for (const int index : by_discs[discs])
        (*table)[index] = expected_value(edge_of(index), index, *table);
  return table;
}

// A set of places, bit 0 the first, as a number of base 3 in which each counts one.
constexpr std::array<std::uint16_t, 1 << kEdgePlaces> make_digits() {
  std::array<std::uint16_t, 1 << kEdgePlaces> digits{};
  for (int places = 0; places < 1 << kEdgePlaces; ++places)
    for (int place = 0, power = kEdgeIndexes / 3; place < kEdgePlaces; ++place, power /= 3)
      if (places >> place & 1) digits[places] = static_cast<std::uint16_t>(digits[places] + power);
  return digits;
}
constexpr std::array<std::uint16_t, 1 << kEdgePlaces> kDigits = make_digits();

constexpr unsigned square(Bits bits, int at) { return static_cast<unsigned>(bits >> at & 1); }

// The ten places of the four edges: top, bottom, left, right.
constexpr std::array<unsigned, 4> edges_of(Bits bits) {
  constexpr int b2 = 9, g2 = 14, b7 = 49, g7 = 54;
  return {square(bits, b2) | row_bits(bits, 0) << 1 | square(bits, g2) << 9,
          square(bits, b7) | row_bits(bits, 7) << 1 | square(bits, g7) << 9,
          square(bits, b2) | column_bits(bits, 0) << 1 | square(bits, b7) << 9,
          square(bits, g2) | column_bits(bits, 7) << 1 | square(bits, g7) << 9};
}

}  // namespace

const EdgeTable& edge_table() {
  static const std::unique_ptr<const EdgeTable> table = make_edge_table();
  return *table;
}

int edge_value(const Board& board) {
  const EdgeTable& table = edge_table();
  const auto own = edges_of(board.own), other = edges_of(board.other);
  int value = 0;
  for (std::size_t edge = 0; edge < 4; ++edge)
    value += table[kDigits[own[edge]] + 2 * kDigits[other[edge]]];
  return value;
}

}  // namespace outflank
