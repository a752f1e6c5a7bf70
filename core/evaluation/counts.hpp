// Evaluations that count.
#pragma once

#include "evaluation/evaluation.hpp"
#include "othello/moves.hpp"

namespace outflank {

// The mover's discs minus the opponent's; empty squares count for nobody.
class DiscDifference final : public Evaluation {
 public:
  Value evaluate(const Board& board, bool) const override {
    return count(board.own) - count(board.other);
  }
  bool in_discs() const override { return true; }
};

// The mover's legal moves minus those that the opponent would have if it were to move. Every
// move counts one, one to a corner too.
class Mobility final : public Evaluation {
 public:
  Value evaluate(const Board& board, bool) const override {
    return count(legal_moves(board)) - count(legal_moves(board.passed()));
  }
};

}  // namespace outflank
