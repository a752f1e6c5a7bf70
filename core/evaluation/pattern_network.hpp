// A small network over patterns: each pattern's row is a vector, the vectors are added up, and two
// small layers that depend on the stage of the game turn the sum into the expected result.
//
// All numbers are whole, so every build on every processor gives the same values.
#pragma once

#include <span>
#include <vector>

#include "evaluation/evaluation.hpp"
#include "evaluation/patterns.hpp"

namespace outflank {

// Weights as a file has them; sizes must fit together.
struct PatternNetworkWeights {
  int channels = 0, hidden = 0;
  std::span<const std::int8_t> rows;         // rows x channels, in 1/64
  std::span<const std::int16_t> empties;     // 61 x channels: added by the number of empty squares
  std::span<const std::int16_t> inner;       // stages x hidden x channels, in 1/1024
  std::span<const std::int32_t> inner_bias;  // stages x hidden, in 1/(64 x 1024)
  std::span<const std::int16_t> outer;       // stages x hidden, in 1/256
  std::span<const std::int32_t> outer_bias;  // stages, in 1/(64 x 256)
};

class PatternNetwork final : public Evaluation {
 public:
  static constexpr int kStages = PatternEvaluation::kStages;
  static constexpr int kScale = 64;         // of sums and activations
  static constexpr int kInnerScale = 1024;  // of the inner layer's weights
  static constexpr int kOuterScale = 256;   // of the outer layer's weights
  static constexpr int kMost = 8 * kScale;  // activations are cut off here
  static constexpr double kUnits = 1000;    // of 1 before the hyperbolic tangent

  // How many rows there are: those of all patterns, then own and other moves by number.
  static std::size_t row_count();

  // Throws std::invalid_argument if the sizes do not fit.
  explicit PatternNetwork(const PatternNetworkWeights& weights);

  // The expected result is the hyperbolic tangent of this over units().
  Value evaluate(const Board& board, bool white_to_move) const override;
  double units() const override { return kUnits; }

 private:
  template <int kChannels, int kHidden>
  Value evaluate_with(const Board& board) const;
  template <int kChannels>
  Value evaluate_channels(const Board& board) const;

  int channels_, hidden_;
  std::vector<std::int8_t> rows_;
  std::vector<std::int16_t> empties_, outer_;
  std::vector<std::int16_t> inner_;  // by stage, channel and unit
  std::vector<std::int32_t> inner_bias_, outer_bias_;
};

// The rows that a board uses: those of its patterns, and of both sides' numbers of moves.
constexpr int kPatternRows = nets::kPatterns + 2;
void pattern_rows(const Board& board, std::uint32_t* rows);

}  // namespace outflank
