#include "evaluation/champion_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

#include "batch/parallel.hpp"
#include "calls/long_call.hpp"
#include "othello/hash.hpp"
#include "othello/moves.hpp"
#include "othello/quadrants.hpp"

namespace outflank {
namespace champion {
namespace {

using Features = std::array<std::uint32_t, kFeatures>;
using Vector = std::array<float, kChannels>;
using Units = std::array<float, kHidden>;

constexpr float kFirstRow = 0.02f, kFirstSum = 0.5f;  // at first all channels are active
constexpr float kMostRow = 127.0f / kScale;           // that eight bits hold
constexpr double kWarmUp = 0.02;                      // share of the steps in which the rate rises
constexpr float kFirstMoment = 0.9f, kSecondMoment = 0.99f, kTiny = 1e-8f;  // Adam's
constexpr int kChunks = 8;  // of a batch, each with gradients of its own, added up in their order

// The row that stands for each: the smallest of those that the symmetries map onto each other. Only
// these are trained; the others are copies.
std::vector<std::uint32_t> make_shared() {
  std::vector<std::uint32_t> shared(kRows);
  for (std::uint32_t i = 0; i < kRows; ++i) shared[i] = i;
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
        std::uint32_t& row = shared[kShapeBegins[number] + content];
        row = std::min(row, kShapeBegins[number] + image);
      }
    }
  }
  for (unsigned parity = 0; parity < kParities; ++parity)
    for (int symmetry = 1; symmetry < kSymmetries; ++symmetry) {
      const unsigned image = parity_of(transform(kQuadrantMarks[parity], symmetry));
      std::uint32_t& row = shared[kParityBegin + parity];
      row = std::min(row, kParityBegin + image);
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

// Everything but the rows.
struct Dense {
  std::array<Vector, kMostEmpties + 1> empties{};
  std::array<std::array<Vector, kHidden>, kStages> inner{};
  std::array<Units, kStages> inner_bias{};
  std::array<Units, kStages> outer{};
  std::array<float, kStages> outer_bias{};

  static constexpr std::size_t kSize = Parts::kNumbers - Parts::kRow;
  float* begin() { return empties.front().data(); }
  float* end() { return begin() + kSize; }
  const float* begin() const { return empties.front().data(); }
  const float* end() const { return begin() + kSize; }
};
// Its parts follow each other as those of the weights do.
static_assert(sizeof(Dense) == Dense::kSize * sizeof(float));

void step_of_adam(float gradient, float rate, float& first, float& second, float& weight) {
  first = kFirstMoment * first + (1 - kFirstMoment) * gradient;
  second = kSecondMoment * second + (1 - kSecondMoment) * gradient * gradient;
  weight -= rate * first / (std::sqrt(second) + kTiny);
}

class Fitting {
 public:
  Fitting(std::span<const Bits> own, std::span<const Bits> other, std::span<const float> scores,
          std::span<const float> start, const ChampionFit& fit)
      : own_(own), other_(other), scores_(scores), fit_(fit), batch_(std::size_t(fit.batch)) {
    batch_ = std::min(batch_, own.size());
    rows_.resize(Parts::kRow);
    gradient_.resize(Parts::kRow);
    first_.resize(Parts::kRow);
    second_.resize(Parts::kRow);
    if (start.empty()) {
      begin_at_random();
    } else {
      std::copy_n(start.begin(), Parts::kRow, rows_.begin());
      std::copy(start.begin() + Parts::kRow, start.end(), dense_->begin());
    }
  }

  std::vector<float> run() {
    if (!batch_) return weights();
    const auto steps = static_cast<std::size_t>(fit_.passes * static_cast<double>(own_.size()) /
                                                static_cast<double>(batch_));
    order_.resize(own_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
    features_.resize(batch_);
    flow_.resize(batch_);
    std::size_t next = order_.size();
    for (std::size_t step = 0; step < steps && !must_end(); ++step, next += batch_) {
      if (next + batch_ > order_.size()) {
        for (std::size_t i = order_.size(); i > 1; --i)
          std::swap(order_[i - 1], order_[random_.next() % i]);
        next = 0;
      }
      const double done = static_cast<double>(step) / static_cast<double>(steps);
      const double risen = std::min(1.0, static_cast<double>(step + 1) / (kWarmUp * steps));
      const double fallen = 0.5 * (1 + std::cos(std::numbers::pi * done));
      learn({order_.data() + next, batch_}, static_cast<float>(fit_.rate * risen * fallen));
    }
    return weights();
  }

 private:
  // All weights, the rows that the symmetries share copied to each of their places.
  std::vector<float> weights() const {
    std::vector<float> all(Parts::kNumbers);
    for (std::uint32_t i = 0; i < kRows; ++i)
      std::copy_n(rows_.data() + std::size_t{shared_[i]} * kChannels, kChannels,
                  all.data() + std::size_t{i} * kChannels);
    std::copy(dense_->begin(), dense_->end(), all.begin() + Parts::kRow);
    return all;
  }

  // Uniform with this standard deviation.
  float draw(float deviation) {
    constexpr float kWidth = 3.46410162f;  // of a uniform variable of deviation 1
    return deviation * kWidth * (static_cast<float>(random_.next() >> 40) * 0x1p-24f - 0.5f);
  }

  // The layers of all stages begin alike.
  void begin_at_random() {
    for (float& weight : rows_) weight = draw(kFirstRow);
    for (Vector& sum : dense_->empties) sum.fill(kFirstSum);
    for (Vector& unit : dense_->inner[0])
      for (float& weight : unit) weight = draw(1 / std::sqrt(float{kChannels}));
    for (float& weight : dense_->outer[0]) weight = draw(0.5f / std::sqrt(float{kHidden}));
    dense_->inner.fill(std::array(dense_->inner[0]));
    dense_->outer.fill(Units(dense_->outer[0]));
  }

  void learn(std::span<const std::uint32_t> chosen, float rate) {
    // Step 1: the gradients of the layers, and what flows back to the sums of each position.
    parallel_for(kChunks, 1, fit_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t chunk = first; chunk < last; ++chunk) {
        gradients_[chunk] = {};
        for (std::size_t i = chunk * chosen.size() / kChunks;
             i < (chunk + 1) * chosen.size() / kChunks; ++i)
          look_at(i, chosen[i], gradients_[chunk]);
      }
    });
    // Step 2: the rows, a shape at a time, since its places share them.
    parallel_for(kShapeCount + 1, 1, fit_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t shape = first; shape < last; ++shape) change_rows(shape, rate);
    });
    // Step 3: the layers.
    for (std::size_t i = 0; i < Dense::kSize; ++i) {
      float gradient = 0;
      for (const Dense& one : gradients_) gradient += one.begin()[i];
      step_of_adam(gradient, rate, dense_first_->begin()[i], dense_second_->begin()[i],
                   dense_->begin()[i]);
    }
  }

  // Forward and back, for the position `index` in the place `at` of the batch.
  void look_at(std::size_t at, std::size_t index, Dense& gradient) {
    constexpr float kLimit = kMostActive;
    const Board board{own_[index], other_[index]};
    const int empties = std::min(count(board.empties()), kMostEmpties), stage = stage_of(empties);
    const Features& features = features_[at] = features_of(board, shared_);
    Vector sum = dense_->empties[empties], active;
    for (const std::uint32_t row : features) {
      const float* weights = rows_.data() + std::size_t{row} * kChannels;
      for (int c = 0; c < kChannels; ++c) sum[c] += weights[c];
    }
    for (int c = 0; c < kChannels; ++c) {
      const float cut = std::clamp(sum[c], 0.0f, kLimit);
      active[c] = cut * cut / kSquare;
    }
    const auto& inner = dense_->inner[stage];
    float out = dense_->outer_bias[stage];
    Units unit;
    for (int h = 0; h < kHidden; ++h) {
      unit[h] = dense_->inner_bias[stage][h] + dot(inner[h], active);
      out += std::clamp(unit[h], 0.0f, kLimit) * dense_->outer[stage][h];
    }
    const float wrong = 2 * (out - scores_[index] / kDiscs) / static_cast<float>(batch_);
    gradient.outer_bias[stage] += wrong;
    Vector& back = flow_[at];
    back.fill(0);
    for (int h = 0; h < kHidden; ++h) {
      if (unit[h] <= 0) continue;
      gradient.outer[stage][h] += wrong * std::min(unit[h], kLimit);
      if (unit[h] >= kLimit) continue;
      const float through = wrong * dense_->outer[stage][h];
      gradient.inner_bias[stage][h] += through;
      for (int c = 0; c < kChannels; ++c) {
        gradient.inner[stage][h][c] += through * active[c];
        back[c] += through * inner[h][c];
      }
    }
    for (int c = 0; c < kChannels; ++c) {
      back[c] *= sum[c] > 0 && sum[c] < kLimit ? 2 * sum[c] / kSquare : 0.0f;
      gradient.empties[empties][c] += back[c];
    }
  }

  // In parts that a vector holds, so that they can be added up side by side.
  static float dot(const Vector& a, const Vector& b) {
    std::array<float, 8> parts{};
    for (int c = 0; c < kChannels; c += 8)
      for (int i = 0; i < 8; ++i) parts[i] += a[c + i] * b[c + i];
    float total = 0;
    for (const float part : parts) total += part;
    return total;
  }

  // Changes the rows of a shape, or behind the shapes those of mobility and parity.
  void change_rows(std::size_t shape, float rate) {
    std::vector<std::uint32_t>& touched = touched_[shape];
    touched.clear();
    for (int feature = 0; feature < kFeatures; ++feature) {
      const std::size_t its = feature < kPlaceCount ? kPlaces.all[feature].shape : kShapeCount;
      if (its != shape) continue;
      for (std::size_t i = 0; i < features_.size(); ++i) {
        const std::uint32_t row = features_[i][feature];
        if (!is_touched_[row]) {
          is_touched_[row] = 1;
          touched.push_back(row);
        }
        float* gradient = gradient_.data() + std::size_t{row} * kChannels;
        for (int c = 0; c < kChannels; ++c) gradient[c] += flow_[i][c];
      }
    }
    for (const std::uint32_t row : touched) {
      is_touched_[row] = 0;
      const std::size_t begin = std::size_t{row} * kChannels;
      for (std::size_t i = begin; i < begin + kChannels; ++i) {
        step_of_adam(gradient_[i], rate, first_[i], second_[i], rows_[i]);
        rows_[i] = std::clamp(rows_[i], -kMostRow, kMostRow);
        gradient_[i] = 0;
      }
    }
  }

  const std::span<const Bits> own_, other_;
  const std::span<const float> scores_;
  const ChampionFit& fit_;
  std::size_t batch_;
  Random random_{fit_.seed};
  const std::vector<std::uint32_t> shared_ = make_shared();
  std::vector<float> rows_, gradient_, first_, second_;  // and Adam's moments
  std::unique_ptr<Dense> dense_ = std::make_unique<Dense>(),
                         dense_first_ = std::make_unique<Dense>(),
                         dense_second_ = std::make_unique<Dense>();
  std::vector<Dense> gradients_ = std::vector<Dense>(kChunks);
  std::vector<std::uint32_t> order_;
  std::vector<Features> features_;                                    // of the positions of a batch
  std::vector<Vector> flow_;                                          // back to their sums
  std::vector<std::vector<std::uint32_t>> touched_{kShapeCount + 1};  // rows, by shape
  std::vector<char> is_touched_ = std::vector<char>(kRows);
};

// Writes and reads numbers of one part after the other.
class Bytes {
 public:
  explicit Bytes(std::int8_t* at) : at_(at) {}

  template <typename Whole>
  void round(std::span<const float> numbers, double scale) {
    constexpr double most = std::numeric_limits<Whole>::max();  // either way
    for (const float number : numbers) {
      const auto whole = static_cast<Whole>(std::clamp(std::rint(number * scale), -most, most));
      std::memcpy(at_, &whole, sizeof whole);
      at_ += sizeof whole;
    }
  }

  template <typename Whole>
  void divide(std::span<float> numbers, double scale) {
    for (float& number : numbers) {
      Whole whole;
      std::memcpy(&whole, at_, sizeof whole);
      at_ += sizeof whole;
      number = static_cast<float>(whole / scale);
    }
  }

 private:
  std::int8_t* at_;
};

// Calls work.operator()<Whole>(part, scale) for each part of the numbers, in their order.
template <typename Number, typename Work>
void for_each_part(std::span<Number> numbers, Work&& work) {
  std::size_t begin = 0;
  const auto part = [&]<typename Whole>(std::size_t size, double scale) {
    work.template operator()<Whole>(numbers.subspan(begin, size), scale);
    begin += size;
  };
  part.template operator()<std::int8_t>(Parts::kRow, kScale);
  part.template operator()<std::int16_t>(Parts::kEmpties, kScale);
  part.template operator()<std::int16_t>(Parts::kInner, kInnerScale);
  part.template operator()<std::int32_t>(Parts::kInnerBias, double{kScale} * kInnerScale);
  part.template operator()<std::int16_t>(Parts::kOuter, kOuterScale);
  part.template operator()<std::int32_t>(Parts::kOuterBias, double{kScale} * kOuterScale);
}

}  // namespace
}  // namespace champion

std::vector<float> fit_champion(std::span<const Bits> own, std::span<const Bits> other,
                                std::span<const float> scores, std::span<const float> start,
                                const ChampionFit& fit) {
  return champion::Fitting(own, other, scores, start, fit).run();
}

std::vector<std::int8_t> quantise_champion(std::span<const float> weights) {
  using namespace champion;
  std::vector<std::int8_t> bytes(Parts::kBytes);
  Bytes into(bytes.data());
  for_each_part(weights, [&]<typename Whole>(std::span<const float> part, double scale) {
    into.round<Whole>(part, scale);
  });
  return bytes;
}

std::vector<float> champion_numbers(std::span<const std::int8_t> weights) {
  using namespace champion;
  std::vector<std::int8_t> bytes(weights.begin(), weights.end());
  std::vector<float> numbers(Parts::kNumbers);
  Bytes from(bytes.data());
  for_each_part(std::span<float>(numbers),
                [&]<typename Whole>(std::span<float> part, double scale) {
                  from.divide<Whole>(part, scale);
                });
  return numbers;
}

}  // namespace outflank
