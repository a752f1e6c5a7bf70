// In which order the solver tries moves: those that leave the opponent fewest moves first, because
// their trees are smallest ("fastest first"), corrected by what tends to be good.
#pragma once

#include <algorithm>

#include "othello/moves.hpp"
#include "search/move_list.hpp"

namespace outflank {

// The numbers below affect speed only: with any others, scores would be the same.

// Mobility with corners counted twice.
inline int weighted_mobility(Bits moves) { return count(moves) + count(moves & kCorners); }

// A quick guess of who stands better, from the mover's view, for ordering near the root.
inline int guess(const Board& board) {
  constexpr int of_mobility = 8, of_potential = 3, of_corners = 40;
  const Bits empties = board.empties();
  const int mobility =
      weighted_mobility(legal_moves(board)) - weighted_mobility(legal_moves(board.passed()));
  const int potential =
      count(neighbours(board.other) & empties) - count(neighbours(board.own) & empties);
  const int corners = count(board.own & kCorners) - count(board.other & kCorners);
  return of_mobility * mobility + of_potential * potential + of_corners * corners;
}

// What a disc of a finished game counts where guesses are compared: more than any guess.
inline constexpr int kDecided = 1 << 24;
inline constexpr int kMostGuess = kSquares * kDecided;

// What speaks for a move, and how much it counts.
struct PriorityWeights {
  int square;     // kSquareWorth of where it is played
  int odd;        // it is played where an odd number of squares is empty
  int mobility;   // each move that the opponent does not have
  int potential;  // each empty square beside our discs that the opponent does not have
  int guess;      // each unit by which a guess says that the opponent stands worse
};
// Where a search has looked ahead, its guess counts most; potential mobility is part of it.
inline constexpr PriorityWeights kByMobility{
    .square = 8, .odd = 32, .mobility = 128, .potential = 32, .guess = 0};
inline constexpr PriorityWeights kBySearch{
    .square = 2, .odd = 10, .mobility = 128, .potential = 0, .guess = 12};

// The priority of a move to a square by the board after it.
inline int priority_by_mobility(const Board& next, int square, bool odd) {
  constexpr PriorityWeights weights = kByMobility;
  const int potential = count(neighbours(next.other) & next.empties());
  return weights.square * kSquareWorth[square] + (odd ? weights.odd : 0) -
         weights.mobility * weighted_mobility(legal_moves(next)) - weights.potential * potential;
}

// The same where a search of some plies guesses what the board is worth to the opponent. Finished
// games count the same whatever their scores, so that the product fits into an int.
inline int priority_by_search(const Board& next, int square, bool odd, int guessed) {
  constexpr PriorityWeights weights = kBySearch;
  return weights.square * kSquareWorth[square] + (odd ? weights.odd : 0) -
         weights.mobility * weighted_mobility(legal_moves(next)) -
         weights.guess * std::clamp(guessed, -kDecided, kDecided);
}

// The priority of a move where a learned evaluation, or a search over it, says what the board after
// it is worth to the opponent, in 1/128 of a disc: what a disc counts beside a move that the
// opponent does not have.
inline int priority_by_guide(Bits replies, int square, bool odd, int value) {
  constexpr int of_reply = 512, of_odd = 64, of_square = 4;
  return of_square * kSquareWorth[square] + (odd ? of_odd : 0) -
         of_reply * weighted_mobility(replies) - value;
}

// How many plies a learned evaluation looks ahead to order the moves of a node.
constexpr int guided_depth(int empties) {
  return empties >= 20 ? 3 : empties >= 17 ? 2 : empties >= 14 ? 1 : 0;
}

// Above all other priorities: moves that an earlier search of the position found best.
inline constexpr int kBestBefore = 1 << 30;

// How many plies a search looks ahead to order the moves of a node, and those of the root, on
// which more depends.
constexpr int ordering_depth(int empties) {
  return empties >= 22 ? 4 : empties >= 18 ? 3 : empties >= 15 ? 2 : 1;
}
constexpr int root_ordering_depth(int empties) { return empties >= 18 ? 5 : empties >= 12 ? 3 : 1; }

}  // namespace outflank
