// Probcut (M. Buro, 1995): leaving out what a shallow search says will be left out anyway.
//
// A shallow search's value v predicts the deep one's as a normal variable of mean v * slope +
// offset and deviation `error`. When the window lies so many deviations away that the deep search
// would almost surely fall outside, it is not made.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "evaluation/evaluation.hpp"

namespace outflank {

// One such measurement: of a depth, at a stage of the game.
struct DepthRegression {
  int depth = 0;                            // of the deep search
  int shallow = 0;                          // of the search that predicts it
  int from_discs = 4, to_discs = 64;        // the stage of the game it was measured in
  double slope = 1, offset = 0, error = 0;  // in the evaluation's units

  // What the shallow search must reach for the deep one to reach `target`, most probably.
  Value threshold(double target) const {
    return static_cast<Value>(
        std::clamp((target - offset) / slope, -double(kValueLimit), double(kValueLimit)));
  }
};

class Selectivity {
 public:
  Selectivity() = default;
  // deviations: how sure it must be; 0 switches it off. Of several regressions for a depth and a
  // stage, the first counts.
  Selectivity(double deviations, std::vector<DepthRegression> regressions)
      : deviations_(deviations), regressions_(std::move(regressions)) {
    for (std::size_t i = regressions_.size(); i-- > 0;) {
      const DepthRegression& one = regressions_[i];
      if (one.depth < 0 || one.depth >= kDepths) continue;
      for (int discs = std::max(one.from_discs, 0); discs <= std::min(one.to_discs, 64); ++discs)
        numbers_[one.depth][discs] = static_cast<std::uint16_t>(i + 1);
    }
  }

  double deviations() const { return deviations_; }
  bool is_on() const { return deviations_ > 0; }

  const DepthRegression* find(int depth, int discs) const {
    if (!is_on() || depth >= kDepths) return nullptr;
    const int number = numbers_[depth][discs];
    return number ? &regressions_[number - 1] : nullptr;
  }

 private:
  static constexpr int kDepths = 40;

  double deviations_ = 0;
  std::vector<DepthRegression> regressions_;
  std::array<std::array<std::uint16_t, 65>, kDepths> numbers_{};  // from 1; 0: none
};

}  // namespace outflank
