#include "evaluation/squares.hpp"

#include "evaluation/square_tables.hpp"

namespace outflank {
namespace {

SquareWeights doubled(SquareWeights weights) {
  for (std::int32_t& weight : weights) weight *= 2;
  return weights;
}

}  // namespace

WeightedSquares::WeightedSquares(const SquareWeights& weights, double units) : units_(units) {
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t discs = 0; discs < 256; ++discs) {
      Value sum = 0;
      for (std::size_t column = 0; column < 8; ++column)
        if (discs >> column & 1) sum += weights[8 * row + column];
      rows_[row][discs] = sum;
    }
}

// The late weights are halved: values are counted in halves, so the early ones are doubled.
CourseEvaluation::CourseEvaluation()
    : early_(doubled(kCourseEarly.weights), 2.0), late_(kCourseLate.weights, 2.0) {}

}  // namespace outflank
