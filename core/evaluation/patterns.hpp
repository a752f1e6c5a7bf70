// An evaluation learned from games: weights of patterns, other ones at each stage of the game.
//
// The patterns are those by which the line network describes a board (nets/geometry.hpp): lines of
// four squares and more, corners and edges. With both sides' numbers of moves this is the form that
// M. Buro's Logistello made known (From simple features to sophisticated evaluation functions,
// 1998).
#pragma once

#include <span>
#include <vector>

#include "evaluation/evaluation.hpp"
#include "nets/geometry.hpp"

namespace outflank {

class PatternEvaluation final : public Evaluation {
 public:
  static constexpr int kStages = 16;
  static constexpr int kStageEmpties = 4;  // squares filled per stage
  static constexpr int kMobility = 32;     // rows for 0 to 31 legal moves; more count as 31
  static constexpr double kUnits = 128;    // of a disc

  // How many weights a stage has: the patterns' rows, then own and other moves by number.
  static std::size_t weights_of_stage();

  // kStages x weights_of_stage() weights in 1/kUnits of a disc. Throws std::invalid_argument if
  // there are more or fewer.
  explicit PatternEvaluation(std::span<const std::int16_t> weights);

  Value evaluate(const Board& board, bool white_to_move) const override;
  double units() const override { return kUnits; }
  bool in_discs() const override { return true; }

 private:
  struct Place {
    Bits mask;
    const std::uint16_t* digits;
    std::uint32_t begin;  // of the pattern's weights by state, in a stage
  };
  std::vector<Place> places_;
  std::uint32_t mobility_begin_, stage_size_;
  std::vector<std::int16_t> weights_;  // by stage and state: no row has to be looked up
};

}  // namespace outflank
