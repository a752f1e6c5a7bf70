#include "evaluation/patterns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "batch/parallel.hpp"
#include "othello/moves.hpp"

namespace outflank {

namespace {

using nets::Geometry;
using nets::kPatterns;
using nets::kPatternTypes;

constexpr int kFeatures = kPatterns + 2;

int stage_of(const Board& board) {
  return std::min(count(board.empties()) / 4, PatternEvaluation::kStages - 1);
}

// Where the rows of each type begin among a stage's weights; behind the last, the mobilities.
std::array<std::size_t, kPatternTypes + 1> make_begins() {
  const Geometry& geometry = Geometry::instance();
  std::array<std::size_t, kPatternTypes + 1> begins{};
  for (int type = 0; type < kPatternTypes; ++type)
    begins[type + 1] = begins[type] + static_cast<std::size_t>(geometry.pattern_rows[type]);
  return begins;
}

int own_moves(const Board& board) {
  return std::min(count(legal_moves(board)), PatternEvaluation::kMobility - 1);
}

// The weights that a board uses, as places in its stage.
std::array<std::uint32_t, kFeatures> features(
    const Board& board, const std::array<std::size_t, kPatternTypes + 1>& begins) {
  const Geometry& geometry = Geometry::instance();
  std::array<std::uint32_t, kFeatures> places;
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

}  // namespace

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

std::vector<std::int16_t> fit_patterns(std::span<const Bits> own, std::span<const Bits> other,
                                       std::span<const float> scores, const PatternFit& fit) {
  const std::size_t of_stage = PatternEvaluation::weights_of_stage(), n = own.size();
  const auto begins = make_begins();
  std::vector<std::vector<std::size_t>> members(PatternEvaluation::kStages);
  for (std::size_t i = 0; i < n; ++i) members[stage_of({own[i], other[i]})].push_back(i);
  std::vector<std::int16_t> result(PatternEvaluation::kStages * of_stage);

  // Stages share nothing, so each is one task; their order of sums is fixed whatever the threads.
  parallel_for(members.size(), 1, fit.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t stage = first; stage < last; ++stage) {
      // A stage learns from its neighbours, too: half of the positions at its borders are alike.
      std::vector<std::size_t> with;
      for (std::size_t near = stage ? stage - 1 : 0; near <= stage + 1 && near < members.size();
           ++near)
        with.insert(with.end(), members[near].begin(), members[near].end());
      std::vector<std::array<std::uint32_t, kFeatures>> used(with.size());
      std::vector<float> times(of_stage), weights(of_stage), sums(of_stage);
      for (std::size_t i = 0; i < with.size(); ++i) {
        used[i] = features({own[with[i]], other[with[i]]}, begins);
        for (const std::uint32_t place : used[i]) times[place] += 1;
      }
      for (int pass = 0; pass < fit.passes; ++pass) {
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (std::size_t i = 0; i < with.size(); ++i) {
          float error = scores[with[i]];
          for (const std::uint32_t place : used[i]) error -= weights[place];
          for (const std::uint32_t place : used[i]) sums[place] += error;
        }
        for (std::size_t w = 0; w < of_stage; ++w)
          weights[w] += fit.rate * sums[w] / ((times[w] + fit.prior) * kFeatures);
      }
      for (std::size_t w = 0; w < of_stage; ++w)
        result[stage * of_stage + w] = static_cast<std::int16_t>(std::clamp(
            std::lround(weights[w] * PatternEvaluation::kUnits), long{-32767}, long{32767}));
    }
  });
  return result;
}

}  // namespace outflank
