// Finds the weights of the evaluation by patterns.
#pragma once

#include <span>
#include <vector>

#include "evaluation/patterns.hpp"

namespace outflank {

// Weights whose sums come near given scores, by gradient descent over all positions at once.
struct PatternFit {
  int passes = 60;
  float rate = 1.0f;   // of the step that would suit patterns that are independent
  float prior = 8.0f;  // a weight seen this often moves half as far as one seen always
  int threads = 0;
};

// scores: final scores from the movers' views. Returns kStages x weights_of_stage() weights.
std::vector<std::int16_t> fit_patterns(std::span<const Bits> own, std::span<const Bits> other,
                                       std::span<const float> scores, const PatternFit& fit);

// Weights that are moved towards scores batch by batch, as in learning from one's own games. The
// result does not depend on the number of threads.
class PatternLearner {
 public:
  // Starts with weights as PatternEvaluation takes them, and throws as it does.
  explicit PatternLearner(std::span<const std::int16_t> weights);
  // Goes on from the exact weights of another learner; throws if there are not as many.
  explicit PatternLearner(std::span<const float> exact_weights);

  // One step: each weight goes by the mean error of the batch's boards that use it, times rate over
  // the number of weights that a board has. prior: errors of zero that are averaged with. Returns
  // the mean squared error before the step, in discs.
  double step(std::span<const Bits> own, std::span<const Bits> other, std::span<const float> scores,
              float rate, float prior, int threads);

  std::vector<std::int16_t> weights() const;
  // In discs, unrounded: all that a learner has to keep between steps.
  std::span<const float> exact_weights() const { return weights_; }

 private:
  std::size_t of_stage_;
  std::vector<float> weights_, sums_, times_;  // in discs; sums and times are zero between steps
};

}  // namespace outflank
