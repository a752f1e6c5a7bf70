// Trains the champion's evaluation: least squares by Adam (Kingma and Ba, 2015), in small batches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/champion.hpp"

namespace outflank {

struct ChampionFit {
  double passes = 2;       // over the positions, each in another order
  int batch = 2048;        // positions of a step
  double rate = 0.003;     // of learning: it rises briefly, then falls like a cosine
  std::uint64_t seed = 1;  // of the first weights and of the order
  int threads = 0;
};

// scores: from the movers' views, in discs. start: weights to begin with, or empty for random ones.
// Returns champion::Parts::kNumbers weights, in the order of the parts; rows that the symmetries
// share are equal. The result does not depend on the number of threads.
std::vector<float> fit_champion(std::span<const Bits> own, std::span<const Bits> other,
                                std::span<const float> scores, std::span<const float> start,
                                const ChampionFit& fit);

// The weights as ChampionEvaluation takes them, and back.
std::vector<std::int8_t> quantise_champion(std::span<const float> weights);
std::vector<float> champion_numbers(std::span<const std::int8_t> weights);

}  // namespace outflank
