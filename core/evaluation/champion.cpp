#include "evaluation/champion.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "othello/moves.hpp"
#include "othello/quadrants.hpp"

namespace outflank {
namespace champion {
namespace {

// The sum of the places' weights. Unrolled, so that where a shape's weights begin is part of the
// instruction that loads one: faster here than to gather them with vectors.
template <std::size_t... Lane>
Value sum_of_places(const std::int16_t* stage, const Lanes& contents,
                    std::index_sequence<Lane...>) {
  return (Value{0} + ... + Value{stage[kShapeBegins[kPlaces.all[Lane].shape] + contents[Lane]]});
}

}  // namespace
}  // namespace champion

ChampionEvaluation::ChampionEvaluation(std::span<const std::int16_t> weights,
                                       std::shared_ptr<const void> owner)
    : weights_(weights), owner_(std::move(owner)) {
  constexpr std::size_t size = std::size_t{champion::kStages} * champion::kStageWeights;
  if (weights.size() != size)
    throw std::invalid_argument("the champion's evaluation has " + std::to_string(size) +
                                " weights, not " + std::to_string(weights.size()));
}

Value ChampionEvaluation::evaluate(const Board& board, const champion::Lanes& contents,
                                   Bits own_moves, Bits other_moves) const {
  using namespace champion;
  const Bits empties = board.empties();
  const std::int16_t* stage =
      weights_.data() + std::size_t{kStageOf[std::min(count(empties), 60)]} * kStageWeights;
  const Value sum = sum_of_places(stage, contents, std::make_index_sequence<kPlaceCount>{}) +
                    stage[kOwnMobilityBegin + count(own_moves)] +
                    stage[kOtherMobilityBegin + count(other_moves)] +
                    stage[kParityBegin + parity_of(empties)];
  return std::clamp(sum, -kMost, kMost);
}

Value ChampionEvaluation::evaluate(const Board& board, bool) const {
  champion::Lanes contents;
  champion::Indices(board).contents(contents);
  return evaluate(board, contents, legal_moves(board), legal_moves(board.passed()));
}

}  // namespace outflank
