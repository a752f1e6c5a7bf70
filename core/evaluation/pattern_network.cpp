#include "evaluation/pattern_network.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "evaluation/pattern_features.hpp"

namespace outflank {
namespace {

constexpr int kMostChannels = 64, kMostHidden = 256;

const patterns::Begins& begins() {
  static const patterns::Begins made = patterns::make_begins();
  return made;
}

template <typename T>
std::vector<T> copy_of(const char* name, std::span<const T> given, std::size_t wanted) {
  if (given.size() != wanted)
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(given.size()) +
                                " weights; needed are " + std::to_string(wanted));
  return {given.begin(), given.end()};
}

}  // namespace

void pattern_rows(const Board& board, std::uint32_t* rows) {
  std::ranges::copy(patterns::features(board, begins()), rows);
}

std::size_t PatternNetwork::row_count() { return PatternEvaluation::weights_of_stage(); }

PatternNetwork::PatternNetwork(const PatternNetworkWeights& weights)
    : channels_(weights.channels), hidden_(weights.hidden) {
  if (channels_ != 16 && channels_ != 32 && channels_ != 64)
    throw std::invalid_argument("channels must be 16, 32 or 64");
  if (hidden_ < 1 || hidden_ > kMostHidden) throw std::invalid_argument("hidden must be 1 to 256");
  const auto channels = static_cast<std::size_t>(channels_);
  const auto units = static_cast<std::size_t>(kStages * hidden_);
  rows_ = copy_of("rows", weights.rows, row_count() * channels);
  empties_ = copy_of("empties", weights.empties, 61 * channels);
  const auto inner = copy_of("inner", weights.inner, units * channels);
  inner_.resize(inner.size());
  for (std::size_t unit = 0; unit < units; ++unit)
    for (std::size_t c = 0; c < channels; ++c) {
      const std::size_t stage = unit / hidden_, h = unit % hidden_;
      inner_[(stage * channels + c) * hidden_ + h] = inner[unit * channels + c];
    }
  inner_bias_ = copy_of("inner_bias", weights.inner_bias, units);
  outer_ = copy_of("outer", weights.outer, units);
  outer_bias_ = copy_of("outer_bias", weights.outer_bias, std::size_t{kStages});
}

// A number of hidden units that is known here (0: it is not) lets the compiler unroll the layers.
template <int kChannels, int kHidden>
Value PatternNetwork::evaluate_with(const Board& board) const {
  const int hidden = kHidden ? kHidden : hidden_;
  std::uint32_t rows[kPatternRows];
  pattern_rows(board, rows);
  alignas(64) std::int16_t sum[kChannels];
  const int empty = std::min(count(board.empties()), 60);
  // Block by block, so that the sums of a block stay in registers over all rows.
  constexpr int kBlock = 16;
  for (int block = 0; block < kChannels; block += kBlock) {
    std::int16_t part[kBlock];
    std::copy_n(empties_.data() + empty * kChannels + block, kBlock, part);
    for (const std::uint32_t row : rows) {
      const std::int8_t* weights = rows_.data() + std::size_t{row} * kChannels + block;
      for (int c = 0; c < kBlock; ++c) part[c] = static_cast<std::int16_t>(part[c] + weights[c]);
    }
    std::copy_n(part, kBlock, sum + block);
  }
  for (int c = 0; c < kChannels; ++c) sum[c] = std::clamp<std::int16_t>(sum[c], 0, kMost);

  const int stage = patterns::stage_of(board);
  alignas(64) std::int32_t units[kMostHidden];
  std::copy_n(inner_bias_.data() + stage * hidden, hidden, units);
  const std::int16_t* inner = inner_.data() + std::size_t(stage) * kChannels * hidden;
  for (int c = 0; c < kChannels; ++c, inner += hidden) {
    if (sum[c] == 0) continue;  // as about half of them are
    const std::int32_t active = sum[c];
    for (int h = 0; h < hidden; ++h) units[h] += active * inner[h];
  }
  const std::int16_t* outer = outer_.data() + stage * hidden;
  std::int32_t out = outer_bias_[stage];
  for (int h = 0; h < hidden; ++h) out += std::clamp(units[h] / kInnerScale, 0, kMost) * outer[h];
  return static_cast<Value>(std::int64_t{out} * static_cast<int>(kUnits) / (kScale * kOuterScale));
}

template <int kChannels>
Value PatternNetwork::evaluate_channels(const Board& board) const {
  switch (hidden_) {
    case 16: return evaluate_with<kChannels, 16>(board);
    case 32: return evaluate_with<kChannels, 32>(board);
    default: return evaluate_with<kChannels, 0>(board);
  }
}

Value PatternNetwork::evaluate(const Board& board, bool) const {
  switch (channels_) {
    case 16: return evaluate_channels<16>(board);
    case 32: return evaluate_channels<32>(board);
    default: return evaluate_channels<kMostChannels>(board);
  }
}

}  // namespace outflank
