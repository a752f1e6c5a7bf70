#include "evaluation/iago.hpp"

#include <algorithm>
#include <cstdlib>

#include "evaluation/edge_table.hpp"
#include "othello/features.hpp"
#include "othello/moves.hpp"

namespace outflank {
namespace {

constexpr Bits kInside = 0x007e7e7e7e7e7e00ULL;  // the squares that are not on the border

constexpr int kFeature = 1000;  // features go from -1000 to 1000
constexpr int kMoves = 60;      // of a game without passes
// Rosenbloom's coefficients; those of edges in thousandths, to have whole numbers.
constexpr int kThousandths = 1000;
constexpr int kEdge = 312'000, kEdgeByMove = 6'240;  // ESAC(n)
constexpr int kPotential = 99;
// Norvig's: what his program divides the sum of the edge table by, and a coefficient.
constexpr int kEdgeScale = 32;
constexpr int kPaipPotential = 20;

// The number of the move about to be made: 1 with the four discs of the start.
int move_number(const Board& board) {
  return std::clamp(count(board.own | board.other) - 3, 1, kMoves);
}

std::int64_t round_half_even(std::int64_t numerator, std::int64_t denominator) {
  std::int64_t quotient = numerator / denominator;
  const std::int64_t twice = 2 * std::abs(numerator % denominator);
  if (twice > denominator || (twice == denominator && (quotient & 1)))
    quotient += numerator < 0 ? -1 : 1;
  return quotient;
}

// ESAC(n) times edge stability.
std::int64_t edge_term(const Board& board, int n) {
  return round_half_even((kEdge + kEdgeByMove * n) * std::int64_t{edge_value(board)},
                         kThousandths * kEdgeScale);
}

// The coefficient 36 times the share of 36 squares: as much as the feature's range for each disc.
int internal_term(const Board& board) {
  const Bits stable = stable_discs(board) & kInside;
  return kFeature * (count(stable & board.own) - count(stable & board.other));
}

// CMAC(n); both lines give 100 for move 25.
int current_coefficient(int n) { return n <= 25 ? 50 + 2 * n : 75 + n; }

// How a number of the mover's compares with the opponent's, as a feature.
int compared(int own, int other) { return kFeature * (own - other) / (own + other + 2); }

int current_mobility(const Board& board) {
  const Bits own = legal_moves(board), other = legal_moves(board.passed());
  const int shared = count(own & other);
  return compared(2 * count(own) - shared, 2 * count(other) - shared);
}

// How many pairs there are of a square of `left` beside a square of `right`.
int touching_pairs(Bits left, Bits right) {
  const auto pairs = [=](int step, Bits from) {
    return count((left & from) << step & right) + count(left & (right & from) << step);
  };
  return pairs(1, ~kColumnH) + pairs(7, ~kColumnA) + pairs(8, ~Bits{0}) + pairs(9, ~kColumnH);
}

// Three times potential mobility.
int potential_mobility_thrice(const Board& board) {
  const Bits empties = board.empties(), near_empty = neighbours(empties);
  return compared(count(board.other & near_empty), count(board.own & near_empty)) +
         compared(count(empties & neighbours(board.other)),
                  count(empties & neighbours(board.own))) +
         compared(touching_pairs(board.other, empties), touching_pairs(board.own, empties));
}

}  // namespace

Value IagoPositional::evaluate(const Board& board, bool) const {
  return static_cast<Value>(edge_term(board, move_number(board)) + internal_term(board));
}

Value Iago::evaluate(const Board& board, bool) const {
  const int n = move_number(board);
  return static_cast<Value>(edge_term(board, n) + internal_term(board) +
                            current_coefficient(n) * current_mobility(board) +
                            kPotential / 3 * potential_mobility_thrice(board));
}

Value PaipIago::evaluate(const Board& board, bool) const {
  const int n = move_number(board);
  const auto term = [](int coefficient, int own, int other) {
    return round_half_even(std::int64_t{coefficient} * kFeature * (own - other), own + other + 2);
  };
  const Board passed = board.passed();
  return static_cast<Value>(
      edge_term(board, n) +
      term(current_coefficient(n), count(legal_moves(board)), count(legal_moves(passed))) +
      term(kPaipPotential, count(potential_mobility(board)), count(potential_mobility(passed))));
}

}  // namespace outflank
