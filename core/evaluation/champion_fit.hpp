// Finds the weights of the champion's evaluation: least squares with a pull towards the weights of
// neighbouring stages.
#pragma once

#include <span>
#include <vector>

#include "evaluation/champion.hpp"

namespace outflank {

struct ChampionFit {
  int iterations = 20;  // of conjugate gradients, for each stage in each sweep
  int sweeps = 2;       // over the stages: each sees what its neighbours found in the last one
  double pull = 50;     // how many positions the weights of the neighbouring stages count as
  double prior = 0;     // how many positions the weights that the fit begins with count as
  int threads = 0;      // two at most have work: odd and even stages are fitted apart
};

// scores: from the movers' views, in discs. start: weights to begin with, or empty for zeros.
// Returns kStages x kStageWeights weights in discs; equal for all that the symmetries share.
std::vector<float> fit_champion(std::span<const Bits> own, std::span<const Bits> other,
                                std::span<const float> scores, std::span<const float> start,
                                const ChampionFit& fit);

// The weights as ChampionEvaluation takes them.
std::vector<std::int16_t> quantise_champion(std::span<const float> weights);

}  // namespace outflank
