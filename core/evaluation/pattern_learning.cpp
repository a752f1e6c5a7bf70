#include "evaluation/pattern_learning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "batch/parallel.hpp"
#include "evaluation/pattern_features.hpp"

namespace outflank {

using patterns::Features;
using patterns::kFeatures;
using patterns::make_begins;
using patterns::stage_of;

namespace {

// The numbers of the boards at each stage.
std::vector<std::vector<std::size_t>> by_stage(std::span<const Bits> own,
                                               std::span<const Bits> other) {
  std::vector<std::vector<std::size_t>> members(PatternEvaluation::kStages);
  for (std::size_t i = 0; i < own.size(); ++i) members[stage_of({own[i], other[i]})].push_back(i);
  return members;
}

std::int16_t in_units(float discs) {
  constexpr double most = std::numeric_limits<std::int16_t>::max();  // either way
  if (std::isnan(discs)) return 0;
  return static_cast<std::int16_t>(
      std::lround(std::clamp(discs * PatternEvaluation::kUnits, -most, most)));
}

}  // namespace

std::vector<std::int16_t> fit_patterns(std::span<const Bits> own, std::span<const Bits> other,
                                       std::span<const float> scores, const PatternFit& fit) {
  const std::size_t of_stage = PatternEvaluation::weights_of_stage();
  const auto begins = make_begins();
  const auto members = by_stage(own, other);
  std::vector<std::int16_t> result(PatternEvaluation::kStages * of_stage);

  // Stages share nothing, so each is one task; their order of sums is fixed whatever the threads.
  parallel_for(members.size(), 1, fit.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t stage = first; stage < last; ++stage) {
      // A stage learns from its neighbours, too: half of the positions at its borders are alike.
      std::vector<std::size_t> with;
      for (std::size_t near = stage ? stage - 1 : 0; near <= stage + 1 && near < members.size();
           ++near)
        with.insert(with.end(), members[near].begin(), members[near].end());
      std::vector<Features> used(with.size());
      std::vector<float> times(of_stage), weights(of_stage), sums(of_stage);
      for (std::size_t i = 0; i < with.size(); ++i) {
        used[i] = patterns::features({own[with[i]], other[with[i]]}, begins);
        for (const std::uint32_t place : used[i]) times[place] += 1;
      }
      for (int pass = 0; pass < fit.passes && !must_end(); ++pass) {
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
        result[stage * of_stage + w] = in_units(weights[w]);
    }
  });
  return result;
}

PatternLearner::PatternLearner(std::span<const std::int16_t> weights)
    : of_stage_(PatternEvaluation::weights_of_stage()) {
  PatternEvaluation{weights};  // for its check
  sums_.resize(weights.size());
  times_.resize(weights.size());
  for (const std::int16_t weight : weights)
    weights_.push_back(static_cast<float>(weight / PatternEvaluation::kUnits));
}

PatternLearner::PatternLearner(std::span<const float> exact_weights)
    : of_stage_(PatternEvaluation::weights_of_stage()),
      weights_(exact_weights.begin(), exact_weights.end()),
      sums_(exact_weights.size()),
      times_(exact_weights.size()) {
  PatternEvaluation{weights()};  // for its check
}

double PatternLearner::step(std::span<const Bits> own, std::span<const Bits> other,
                            std::span<const float> scores, float rate, float prior, int threads) {
  if (own.empty()) return 0;
  const auto begins = make_begins();
  const auto members = by_stage(own, other);
  std::vector<double> squares(members.size());
  parallel_for(members.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t stage = first; stage < last; ++stage) {
      float* weights = weights_.data() + stage * of_stage_;
      float* sums = sums_.data() + stage * of_stage_;
      float* times = times_.data() + stage * of_stage_;
      std::vector<Features> used;
      used.reserve(members[stage].size());
      for (const std::size_t i : members[stage]) {
        used.push_back(patterns::features({own[i], other[i]}, begins));
        float error = scores[i];
        for (const std::uint32_t place : used.back()) error -= weights[place];
        for (const std::uint32_t place : used.back()) sums[place] += error, times[place] += 1;
        squares[stage] += double{error} * error;
      }
      for (const Features& places : used)
        for (const std::uint32_t place : places) {
          if (times[place] == 0) continue;
          weights[place] += rate * sums[place] / ((times[place] + prior) * kFeatures);
          sums[place] = times[place] = 0;
        }
    }
  });
  return std::accumulate(squares.begin(), squares.end(), 0.0) / static_cast<double>(own.size());
}

std::vector<std::int16_t> PatternLearner::weights() const {
  std::vector<std::int16_t> result;
  result.reserve(weights_.size());
  for (const float weight : weights_) result.push_back(in_units(weight));
  return result;
}

}  // namespace outflank
