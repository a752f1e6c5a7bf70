// Which weights of the evaluation by patterns a board uses: shared by looking up and learning.
#pragma once

#include <algorithm>
#include <array>

#include "evaluation/patterns.hpp"
#include "nets/geometry.hpp"
#include "othello/moves.hpp"

namespace outflank::patterns {

using nets::Geometry;
using nets::kPatterns;
using nets::kPatternTypes;

constexpr int kFeatures = kPatterns + 2;  // the patterns, and both sides' numbers of moves

using Begins = std::array<std::size_t, kPatternTypes + 1>;
using Features = std::array<std::uint32_t, kFeatures>;

inline int stage_of(const Board& board) {
  return std::min(count(board.empties()) / PatternEvaluation::kStageEmpties,
                  PatternEvaluation::kStages - 1);
}

// Where the rows of each type begin among a stage's weights; behind the last, the mobilities.
inline Begins make_begins() {
  const Geometry& geometry = Geometry::instance();
  Begins begins{};
  for (int type = 0; type < kPatternTypes; ++type)
    begins[type + 1] = begins[type] + static_cast<std::size_t>(geometry.pattern_rows[type]);
  return begins;
}

inline int own_moves(const Board& board) {
  return std::min(count(legal_moves(board)), PatternEvaluation::kMobility - 1);
}

// The weights that a board uses, as places in its stage.
inline Features features(const Board& board, const Begins& begins) {
  const Geometry& geometry = Geometry::instance();
  Features places;
  for (int k = 0; k < kPatterns; ++k) {
    const nets::Pattern& pattern = geometry.patterns[k];
    const int state = pattern.digits[nets::extract(board.own, pattern.mask)] +
                      2 * pattern.digits[nets::extract(board.other, pattern.mask)];
    places[k] = static_cast<std::uint32_t>(begins[pattern.type] +
                                           geometry.pattern_row[pattern.type][state]);
  }
  const auto mobility = static_cast<std::uint32_t>(begins[kPatternTypes]);
  places[kPatterns] = mobility + own_moves(board);
  places[kPatterns + 1] = mobility + PatternEvaluation::kMobility + own_moves(board.passed());
  return places;
}

}  // namespace outflank::patterns
