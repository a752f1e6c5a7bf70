// Probcut (M. Buro, 1995): leaving out what a shallow search says will be left out anyway.
//
// A shallow search's value v predicts the deep one's as a normal variable of mean v * slope +
// offset and deviation `error`. When the window lies so many deviations away that the deep search
// would almost surely fall outside, it is not made.
#pragma once

#include <vector>

#include "evaluation/evaluation.hpp"

namespace outflank {

// One such measurement: of a depth, at a stage of the game.
struct DepthRegression {
  int depth = 0;                            // of the deep search
  int shallow = 0;                          // of the search that predicts it
  int from_discs = 4, to_discs = 64;        // the stage of the game it was measured in
  double slope = 1, offset = 0, error = 0;  // in the evaluation's units
};

struct Selectivity {
  double deviations = 0;  // how sure it must be; 0 switches it off
  std::vector<DepthRegression> regressions;

  const DepthRegression* find(int depth, int discs) const {
    if (deviations <= 0) return nullptr;
    for (const DepthRegression& regression : regressions)
      if (regression.depth == depth && discs >= regression.from_discs &&
          discs <= regression.to_discs)
        return &regression;
    return nullptr;
  }
};

}  // namespace outflank
