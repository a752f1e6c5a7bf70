// The value of an edge: its eight squares and the two X-squares beside its corners.
#pragma once

#include <array>
#include <cstdint>

#include "othello/board.hpp"

namespace outflank {

inline constexpr int kEdgePlaces = 10;
inline constexpr int kEdgeIndexes = 59049;  // 3^10

using EdgeTable = std::array<std::int32_t, kEdgeIndexes>;

// Values of all edges to the side that moves next, after Norvig's approximation of Iago
// (Paradigms of Artificial Intelligence Programming, section 18.12).
//
// An edge's index has one digit of base 3 for each place: 0 empty, 1 the mover's disc, 2 the
// opponent's; the first place (an X-square) is the highest digit, then come the squares of the
// edge from corner to corner, then the other X-square. The values begin as the sum of what each
// disc's stability is worth. Five times, from nine discs down to one, the value of each edge is
// then replaced by what the mover may expect when it takes the best move that turns out to be
// possible, each with a probability that depends on the discs around. Expectations are computed
// exactly and rounded half to even, so that they are the same in every build.
const EdgeTable& edge_table();

// The sum of the values of the board's four edges to its mover.
int edge_value(const Board& board);

}  // namespace outflank
