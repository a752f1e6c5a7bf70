#include "evaluation/champion_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "batch/parallel.hpp"
#include "calls/long_call.hpp"
#include "othello/moves.hpp"
#include "othello/quadrants.hpp"

namespace outflank {
namespace champion {
namespace {

constexpr int kFeatures = kPlaceCount + 3;  // the places, both mobilities, parity
using Features = std::array<std::uint32_t, kFeatures>;

// The place in a stage of the weight that stands for each: the smallest of those that the
// symmetries map onto each other. Only these are fitted; the others are copies.
std::vector<std::uint32_t> make_shared() {
  std::vector<std::uint32_t> shared(kStageWeights);
  for (std::uint32_t i = 0; i < kStageWeights; ++i) shared[i] = i;
  for (int number = 0; number < kShapeCount; ++number) {
    const Shape& shape = kShapes[number];
    for (int symmetry = 1; symmetry < kSymmetries; ++symmetry) {
      if (mask_of(shape, symmetry) != mask_of(shape, 0)) continue;
      // Where each square of the shape goes: the digit that it becomes.
      std::array<std::uint32_t, kLongest> becomes{};
      for (int i = 0; i < shape.length; ++i)
        for (int j = 0; j < shape.length; ++j)
          if (transform_move(shape.squares[i], symmetry) == shape.squares[j])
            becomes[i] = power_of_three(j);
      for (std::uint32_t content = 0; content < power_of_three(shape.length); ++content) {
        std::uint32_t image = 0, rest = content;
        for (int i = 0; i < shape.length; ++i, rest /= 3) image += rest % 3 * becomes[i];
        std::uint32_t& place = shared[kShapeBegins[number] + content];
        place = std::min(place, kShapeBegins[number] + image);
      }
    }
  }
  for (unsigned parity = 0; parity < kParities; ++parity)
    for (int symmetry = 1; symmetry < kSymmetries; ++symmetry) {
      const unsigned image = parity_of(transform(kQuadrantMarks[parity], symmetry));
      std::uint32_t& place = shared[kParityBegin + parity];
      place = std::min(place, kParityBegin + image);
    }
  return shared;
}

Features features_of(const Board& board, const std::vector<std::uint32_t>& shared) {
  Features features;
  Lanes contents;
  Indices(board).contents(contents);
  for (int lane = 0; lane < kPlaceCount; ++lane)
    features[lane] = shared[kShapeBegins[kPlaces.all[lane].shape] + contents[lane]];
  features[kPlaceCount] = kOwnMobilityBegin + count(legal_moves(board));
  features[kPlaceCount + 1] = kOtherMobilityBegin + count(legal_moves(board.passed()));
  features[kPlaceCount + 2] = shared[kParityBegin + parity_of(board.empties())];
  return features;
}

float sum(const Features& features, const std::vector<float>& weights) {
  float total = 0;
  for (const std::uint32_t place : features) total += weights[place];
  return total;
}

double product(const std::vector<float>& a, const std::vector<float>& b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += double{a[i]} * b[i];
  return total;
}

// Conjugate gradients, preconditioned by how often each weight occurs, for the d that minimises
//   sum over boards of (score - features . (weights + d))^2 + pull * |weights + d - towards|^2.
void descend(std::span<const Features> boards, std::span<const float> scores,
             const std::vector<float>& towards, double pull, int iterations,
             std::vector<float>& weights) {
  const std::size_t size = weights.size();
  std::vector<float> times(size, static_cast<float>(pull)), residual(size), direction(size),
      image(size), step(size);
  for (std::size_t i = 0; i < size; ++i)
    residual[i] = static_cast<float>(pull) * (towards[i] - weights[i]);
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const float error = scores[i] - sum(boards[i], weights);
    for (const std::uint32_t place : boards[i]) residual[place] += error, times[place] += 1;
  }
  for (std::size_t i = 0; i < size; ++i) direction[i] = step[i] = residual[i] / times[i];
  double strength = product(residual, step);
  for (int iteration = 0; iteration < iterations && strength > 0 && !must_end(); ++iteration) {
    for (std::size_t i = 0; i < size; ++i) image[i] = static_cast<float>(pull) * direction[i];
    for (const Features& features : boards) {
      const float along = sum(features, direction);
      for (const std::uint32_t place : features) image[place] += along;
    }
    const auto length = static_cast<float>(strength / product(direction, image));
    for (std::size_t i = 0; i < size; ++i) {
      weights[i] += length * direction[i];
      residual[i] -= length * image[i];
      step[i] = residual[i] / times[i];
    }
    const double before = strength;
    strength = product(residual, step);
    const auto kept = static_cast<float>(strength / before);
    for (std::size_t i = 0; i < size; ++i) direction[i] = step[i] + kept * direction[i];
  }
}

// The stages of one parity, from the end of the game on.
std::vector<int> stages_of_parity(int parity) {
  std::vector<int> stages;
  for (std::size_t empties = parity; empties < kStageOf.size(); empties += 2)
    if (stages.empty() || stages.back() != kStageOf[empties]) stages.push_back(kStageOf[empties]);
  return stages;
}

// The stages that begin or end next to one: two of its own parity, and those of the other parity
// that share a border with it or lie between them.
std::vector<int> neighbours_of(int stage) {
  std::vector<int> found;
  for (int empties = 0; empties < static_cast<int>(kStageOf.size()); ++empties) {
    if (kStageOf[empties] != stage) continue;
    for (const int near : {empties - 2, empties - 1, empties + 1, empties + 2})
      if (near >= 0 && near < static_cast<int>(kStageOf.size()) && kStageOf[near] != stage &&
          std::ranges::find(found, kStageOf[near]) == found.end())
        found.push_back(kStageOf[near]);
  }
  return found;
}

class Fitting {
 public:
  Fitting(std::span<const Bits> own, std::span<const Bits> other, std::span<const float> scores,
          std::span<const float> start, const ChampionFit& fit)
      : own_(own), other_(other), scores_(scores), fit_(fit), members_(kStages) {
    for (std::size_t i = 0; i < own.size(); ++i)
      members_[kStageOf[std::min(count(~(own[i] | other[i])), 60)]].push_back(i);
    for (int stage = 0; stage < kStages; ++stage) {
      weights_.emplace_back(kStageWeights, 0.0f);
      if (!start.empty())
        std::copy_n(start.data() + std::size_t{kStageWeights} * stage, kStageWeights,
                    weights_[stage].begin());
    }
    is_known_.assign(kStages, !start.empty());
    if (fit_.prior > 0) start_ = weights_;
  }

  std::vector<float> run() {
    for (int sweep = 0; sweep < fit_.sweeps; ++sweep) {
      before_ = weights_;
      was_known_ = is_known_;
      parallel_for(2, 1, fit_.threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t parity = first; parity < last; ++parity)
          for (const int stage : stages_of_parity(static_cast<int>(parity))) fit_stage(stage);
      });
    }
    std::vector<float> all;
    all.reserve(std::size_t{kStages} * kStageWeights);
    for (const auto& stage : weights_)
      for (std::uint32_t i = 0; i < kStageWeights; ++i) all.push_back(stage[shared_[i]]);
    return all;
  }

 private:
  void fit_stage(int stage) {
    const std::vector<std::size_t>& members = members_[stage];
    std::vector<Features> boards(members.size());
    std::vector<float> scores(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      boards[i] = features_of({own_[members[i]], other_[members[i]]}, shared_);
      scores[i] = scores_[members[i]];
    }
    std::vector<float> towards = mean_of_neighbours(stage);
    std::vector<float>& weights = weights_[stage];
    if (!is_known_[stage]) weights = towards;
    if (!start_.empty())
      for (std::uint32_t i = 0; i < kStageWeights; ++i)
        towards[i] = static_cast<float>((fit_.pull * towards[i] + fit_.prior * start_[stage][i]) /
                                        (fit_.pull + fit_.prior));
    descend(boards, scores, towards, fit_.pull + fit_.prior, fit_.iterations, weights);
    is_known_[stage] = true;
  }

  // The mean of the neighbours that have weights already. Those of the other parity are fitted at
  // the same time, perhaps, so what they were before this sweep counts.
  std::vector<float> mean_of_neighbours(int stage) const {
    std::vector<float> mean(kStageWeights);
    int known = 0;
    for (const int near : neighbours_of(stage)) {
      const bool same_parity = (near - stage) % 2 == 0;
      if (!(same_parity ? is_known_ : was_known_)[near]) continue;
      ++known;
      const std::vector<float>& weights = (same_parity ? weights_ : before_)[near];
      for (std::uint32_t i = 0; i < kStageWeights; ++i) mean[i] += weights[i];
    }
    if (known > 1)
      for (float& weight : mean) weight /= static_cast<float>(known);
    return mean;
  }

  const std::span<const Bits> own_, other_;
  const std::span<const float> scores_;
  const ChampionFit& fit_;
  const std::vector<std::uint32_t> shared_ = make_shared();
  std::vector<std::vector<std::size_t>> members_;  // positions of each stage
  std::vector<std::vector<float>> weights_;        // by stage
  std::vector<char> is_known_;                     // whether a stage has weights; no vector<bool>:
                                                   // two threads write different elements
  std::vector<std::vector<float>> before_;         // the weights before this sweep
  std::vector<char> was_known_;                    // whether there were any
  std::vector<std::vector<float>> start_;          // what the fit begins with, if that counts
};

}  // namespace
}  // namespace champion

std::vector<float> fit_champion(std::span<const Bits> own, std::span<const Bits> other,
                                std::span<const float> scores, std::span<const float> start,
                                const ChampionFit& fit) {
  return champion::Fitting(own, other, scores, start, fit).run();
}

std::vector<std::int16_t> quantise_champion(std::span<const float> weights) {
  constexpr long most = std::numeric_limits<std::int16_t>::max();  // either way
  std::vector<std::int16_t> whole;
  whole.reserve(weights.size());
  for (const float weight : weights)
    whole.push_back(static_cast<std::int16_t>(
        std::clamp(std::lround(weight * ChampionEvaluation::kUnits), -most, most)));
  return whole;
}

}  // namespace outflank
