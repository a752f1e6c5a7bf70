// The last four empty squares, each number with a function of its own.
//
// All functions search with the null window (alpha, alpha + 1): the result is exact enough to
// tell whether the score is above alpha, and a bound on the score otherwise (fail-soft). Scores
// are from the mover's view, the empty squares going to the winner.
#pragma once

#include "endgame/last_flips.hpp"
#include "othello/moves.hpp"
#include "othello/quadrants.hpp"

namespace outflank {

// Beyond every score, and the most that an entry of the solver's table can hold.
inline constexpr int kNoScore = 127;

constexpr std::array<Bits, kSquares> make_touching() {
  std::array<Bits, kSquares> touching{};
  for (int square = 0; square < kSquares; ++square) touching[square] = neighbours(bit(square));
  return touching;
}

// The squares around each square: without an opponent's disc there, a move flips nothing.
inline constexpr std::array<Bits, kSquares> kTouching = make_touching();

inline Bits flips_if_near(Bits own, Bits other, int square) {
  return kTouching[square] & other ? flips(own, other, square) : 0;
}

inline int solve_1(Bits own, int square, std::uint64_t& nodes) {
  ++nodes;
  const int discs = count(own);
  const auto score = [](int own_discs) { return 2 * own_discs - kSquares; };  // of a full board
  if (const int flipped = count_last_flips(own, square)) return score(discs + flipped + 1);
  const Bits other = ~(own | bit(square));
  if (const int flipped = count_last_flips(other, square)) return score(discs - flipped);
  return score(2 * discs >= kSquares ? discs + 1 : discs);  // the square goes to the winner
}

inline int solve_2(Bits own, Bits other, int alpha, int first_square, int second_square,
                   std::uint64_t& nodes) {
  ++nodes;
  int best = -kNoScore;
  if (const Bits flipped = flips_if_near(own, other, first_square)) {
    best = -solve_1(other ^ flipped, second_square, nodes);
    if (best > alpha) return best;
  }
  if (const Bits flipped = flips_if_near(own, other, second_square)) {
    const int score = -solve_1(other ^ flipped, first_square, nodes);
    return score > best ? score : best;
  }
  if (best != -kNoScore) return best;

  // A pass: the opponent looks for the lowest score.
  best = kNoScore;
  if (const Bits flipped = flips_if_near(other, own, first_square)) {
    best = solve_1(own ^ flipped, second_square, nodes);
    if (best <= alpha) return best;
  }
  if (const Bits flipped = flips_if_near(other, own, second_square)) {
    const int score = solve_1(own ^ flipped, first_square, nodes);
    return score < best ? score : best;
  }
  return best != kNoScore ? best : final_score({own, other});
}

// Three empty squares, those in quadrants with an odd number of them first.
inline int solve_3(Bits own, Bits other, int alpha, Bits empties, unsigned parity,
                   std::uint64_t& nodes) {
  ++nodes;
  int squares[3];
  list_by_parity<3>(empties, parity, squares);
  const auto [a, b, c] = squares;
  int best = -kNoScore;
  for (bool passed : {false, true}) {
    if (const Bits flipped = flips_if_near(own, other, a)) {
      const int score = -solve_2(other ^ flipped, own ^ (flipped | bit(a)), ~alpha, b, c, nodes);
      if (score > alpha) return passed ? -score : score;
      if (score > best) best = score;
    }
    if (const Bits flipped = flips_if_near(own, other, b)) {
      const int score = -solve_2(other ^ flipped, own ^ (flipped | bit(b)), ~alpha, a, c, nodes);
      if (score > alpha) return passed ? -score : score;
      if (score > best) best = score;
    }
    if (const Bits flipped = flips_if_near(own, other, c)) {
      const int score = -solve_2(other ^ flipped, own ^ (flipped | bit(c)), ~alpha, a, b, nodes);
      if (score > best) best = score;
    }
    if (best != -kNoScore) return passed ? -best : best;
    std::swap(own, other);
    alpha = ~alpha;  // -(alpha + 1): the window from the other side
  }
  return final_score({own, other});
}

inline int solve_4(Bits own, Bits other, int alpha, Bits empties, unsigned parity,
                   std::uint64_t& nodes) {
  ++nodes;
  int squares[4];
  list_by_parity<4>(empties, parity, squares);
  int best = -kNoScore;
  for (bool passed : {false, true}) {
    for (const int square : squares)
      if (const Bits flipped = flips_if_near(own, other, square)) {
        const int score = -solve_3(other ^ flipped, own ^ (flipped | bit(square)), ~alpha,
                                   empties ^ bit(square), parity ^ quadrant(square), nodes);
        if (score > alpha) return passed ? -score : score;
        if (score > best) best = score;
      }
    if (best != -kNoScore) return passed ? -best : best;
    std::swap(own, other);
    alpha = ~alpha;
  }
  return final_score({own, other});
}

}  // namespace outflank
