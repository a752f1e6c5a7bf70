#include "evaluation/patterns.hpp"

#include <algorithm>
#include <stdexcept>

#include "evaluation/pattern_features.hpp"

namespace outflank {

using nets::Geometry;
using nets::kPatternTypes;
using patterns::make_begins;
using patterns::own_moves;
using patterns::stage_of;

std::size_t PatternEvaluation::weights_of_stage() {
  return make_begins()[kPatternTypes] + 2 * std::size_t{kMobility};
}

PatternEvaluation::PatternEvaluation(std::span<const std::int16_t> weights) {
  const std::size_t of_stage = weights_of_stage();
  if (weights.size() != kStages * of_stage)
    throw std::invalid_argument("an evaluation by patterns has " +
                                std::to_string(kStages * of_stage) + " weights, not " +
                                std::to_string(weights.size()));
  const Geometry& geometry = Geometry::instance();
  const auto begins = make_begins();
  std::array<std::uint32_t, kPatternTypes> state_begin{};
  stage_size_ = 0;
  for (int type = 0; type < kPatternTypes; ++type) {
    state_begin[type] = stage_size_;
    stage_size_ += static_cast<std::uint32_t>(geometry.pattern_row[type].size());
  }
  mobility_begin_ = stage_size_;
  stage_size_ += 2 * kMobility;
  for (const nets::Pattern& pattern : geometry.patterns)
    places_.push_back({pattern.mask, pattern.digits, state_begin[pattern.type]});
  weights_.resize(std::size_t{kStages} * stage_size_);
  for (int stage = 0; stage < kStages; ++stage) {
    const std::int16_t* from = weights.data() + stage * of_stage;
    std::int16_t* to = weights_.data() + std::size_t{stage_size_} * stage;
    for (int type = 0; type < kPatternTypes; ++type)
      for (const std::int32_t row : geometry.pattern_row[type]) *to++ = from[begins[type] + row];
    std::copy_n(from + begins[kPatternTypes], 2 * kMobility, to);
  }
}

Value PatternEvaluation::evaluate(const Board& board, bool) const {
  const std::int16_t* weights = weights_.data() + std::size_t{stage_size_} * stage_of(board);
  Value sum = weights[mobility_begin_ + own_moves(board)] +
              weights[mobility_begin_ + kMobility + own_moves(board.passed())];
  for (const Place& place : places_)
    sum += weights[place.begin + place.digits[nets::extract(board.own, place.mask)] +
                   2 * place.digits[nets::extract(board.other, place.mask)]];
  return sum;
}

}  // namespace outflank
