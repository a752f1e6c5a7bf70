// Weighted squares: each square has a weight, and a disc on it counts that much.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "evaluation/evaluation.hpp"

namespace outflank {

using SquareWeights = std::array<std::int32_t, kSquares>;  // row by row from a1

class WeightedSquares final : public Evaluation {
 public:
  // The weights are whole numbers, `units` times what they are in the evaluation's own numbers.
  // Together they may not exceed kValueLimit.
  WeightedSquares(const SquareWeights& weights, double units);

  Value evaluate(const Board& board, bool) const override {
    return sum(board.own) - sum(board.other);
  }
  double units() const override { return units_; }

  // The weights of all squares of a set.
  Value sum(Bits discs) const {
    Value total = 0;
    for (int row = 0; row < 8; ++row) total += rows_[row][row_bits(discs, row)];
    return total;
  }

 private:
  std::array<std::array<Value, 256>, 8> rows_;  // what each set of discs in a row is worth
  double units_;
};

// The evaluation of a course at Fudan university (paper 3): other weights in the second half.
class CourseEvaluation final : public Evaluation {
 public:
  CourseEvaluation();

  Value evaluate(const Board& board, bool white_to_move) const override {
    const bool early = count(board.own | board.other) < kSwitch;
    return (early ? early_ : late_).evaluate(board, white_to_move);
  }
  double units() const override { return late_.units(); }

 private:
  static constexpr int kSwitch = 32;  // discs on the board from which on the late weights count

  WeightedSquares early_, late_;
};

}  // namespace outflank
