// The champion's evaluation: weights of shapes over the whole board, of both sides' mobility and of
// parity, other ones at each stage of the game. Its values are discs.
#pragma once

#include <memory>
#include <span>

#include "evaluation/champion_indices.hpp"
#include "evaluation/evaluation.hpp"

namespace outflank {

class ChampionEvaluation final : public Evaluation {
 public:
  static constexpr double kUnits = 128;  // of a disc
  static constexpr Value kMost = static_cast<Value>(64 * kUnits);

  // kStages x kStageWeights weights in 1/kUnits of a disc, which are not copied: `owner` keeps
  // them alive, be it an array or a file that is mapped into memory. Throws std::invalid_argument
  // if there are more or fewer.
  ChampionEvaluation(std::span<const std::int16_t> weights, std::shared_ptr<const void> owner);

  // From scratch; a search keeps Indices instead.
  Value evaluate(const Board& board, bool white_to_move) const override;
  double units() const override { return kUnits; }
  bool in_discs() const override { return true; }

  // The value of a board whose contents are known, and the legal moves of both sides.
  Value evaluate(const Board& board, const champion::Lanes& contents, Bits own_moves,
                 Bits other_moves) const;

 private:
  std::span<const std::int16_t> weights_;
  std::shared_ptr<const void> owner_;
};

}  // namespace outflank
