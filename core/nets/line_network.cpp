#include "nets/line_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "batch/parallel.hpp"
#include "nets/line_pass.hpp"
#include "othello/hash.hpp"

namespace outflank::nets {

namespace {

constexpr int kStages = 16;  // of four empty squares each
// How many numbers each fact distinguishes; larger ones count as the last.
constexpr std::array<int, kFacts> kFactNumbers = {kClasses * 4, 24, 16, 16, 24, 24,
                                                  25,           16, 32, 32, 16};

constexpr std::array<int, kFacts + 1> make_fact_begin() {
  std::array<int, kFacts + 1> begin{};
  for (int i = 0; i < kFacts; ++i) begin[i + 1] = begin[i] + kFactNumbers[i] * kStages;
  return begin;
}
constexpr std::array<int, kFacts + 1> kFactBegin = make_fact_begin();

// A number near the normal distribution that is the same on every machine: no libm.
float normal(Random& random) {
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t bits = random.next();
    for (int shift = 0; shift < 64; shift += 16)
      sum += static_cast<float>(bits >> shift & 0xffff) / 65536.0f - 0.5f;
  }
  return sum;  // twelve uniform numbers: variance 1
}

// What one side of a square in its line looks like, in several degrees of detail; each is the key
// of a random vector.
struct Side {
  std::array<int, 8> keys;
};

Side describe_side(const Outwards& side) {
  const int length = side.length(), near = side.at(0) * 4 + side.at(1);
  int run = 0;
  while (run < length && side.at(run) != 0) ++run;
  const int own = side.flips(1, 2), other = side.flips(2, 1);
  return {{side.at(0), near, near * 4 + side.at(2), own, own > 0, other, other > 0,
           (run == length) * 8 + std::min(length, 7)}};
}

}  // namespace

int fact_row(Fact fact, int number, int empties) {
  const int i = static_cast<int>(fact);
  return kFactBegin[i] + std::min(number, kFactNumbers[i] - 1) * kStages +
         std::min(empties / 4, kStages - 1);
}

std::size_t fact_rows() { return kFactBegin[kFacts]; }

LineNetwork::LineNetwork(const LineConfig& c) : config(c) {
  const Geometry& geometry = Geometry::instance();
  const std::size_t channels = c.channels, hidden = c.hidden;
  class_bias = slice("class_bias", {kClasses, channels});
  for (int b = 0; b < c.blocks; ++b) {
    const std::string name = "block" + std::to_string(b) + ".";
    blocks.push_back({slice(name + "channel", {kClasses, channels, channels}),
                      slice(name + "bias", {kClasses, channels}),
                      slice(name + "squares", {channels / 16, kPairOrbits})});
  }
  pool = slice("pool", {kClasses, channels});
  stage = slice("stage", {kSquares, channels});
  value_in = slice("value.in", {channels, kValueHidden});
  value_bias = slice("value.bias", {kValueHidden});
  value_out = slice("value.out", {kValueHidden});
  value_offset = slice("value.offset", {1});
  for (int i = 0; i < c.layers; ++i) {
    const std::string name = "layer" + std::to_string(i) + ".";
    layers.push_back({slice(name + "in", {channels, hidden}),
                      slice(name + "context", {channels, hidden}),
                      slice(name + "others", {i ? hidden : 0, hidden}),
                      slice(name + "bias", {hidden}), slice(name + "out", {hidden, channels})});
  }
  logit = slice("logit", {kClasses, channels});
  logit_bias = slice("logit_bias", {kClasses});

  const auto add = [&](const std::string& name, std::size_t rows) {
    tables.push_back({name, rows, Floats(rows * channels)});
  };
  for (int type = 0; type < kLineTypes; ++type)
    add("line" + std::to_string(type), geometry.line_rows[type]);
  add("facts", fact_rows());
  if (c.afterstates) {
    for (int type = 0; type < kPatternTypes; ++type)
      add("pattern" + std::to_string(type), geometry.pattern_rows[type]);
    add("pairs", std::size_t{kPairKinds} * kPairOrbits);
  }
}

Slice LineNetwork::slice(const std::string& name, std::vector<std::size_t> shape) {
  std::size_t size = 1;
  for (std::size_t length : shape) size *= length;
  const Slice made{name, std::move(shape), dense.size(), size};
  dense.resize(dense.size() + size);
  return made;
}

std::vector<Slice> LineNetwork::slices() const {
  std::vector<Slice> all = {class_bias};
  for (const Block& block : blocks)
    all.insert(all.end(), {block.channel, block.bias, block.squares});
  all.insert(all.end(), {pool, stage, value_in, value_bias, value_out, value_offset});
  for (const Layer& layer : layers)
    all.insert(all.end(), {layer.in, layer.context, layer.others, layer.bias, layer.out});
  all.insert(all.end(), {logit, logit_bias});
  return all;
}

void LineNetwork::initialise(std::uint64_t seed) {
  const Geometry& geometry = Geometry::instance();
  const int channels = config.channels;
  std::uint64_t stream = 0;
  const auto fill = [&](const Slice& part, float deviation) {
    Random random(seed, stream++);
    for (std::size_t i = 0; i < part.size; ++i) part.in(dense)[i] = deviation * normal(random);
  };
  const float narrow = 1.0f / std::sqrt(static_cast<float>(channels));
  for (const Block& block : blocks) {
    fill(block.channel, 1.4f * narrow);
    fill(block.squares, 0.05f);
  }
  fill(pool, 0.5f);
  fill(value_in, 1.4f * narrow);
  fill(value_out, 0.1f);
  for (const Layer& layer : layers) {
    fill(layer.in, 1.4f * narrow);
    fill(layer.context, 0.5f * narrow);
    fill(layer.out, 0.5f / std::sqrt(static_cast<float>(config.hidden)));
  }
  fill(logit, 0.5f * narrow);

  // Line rows: sums of random vectors, one for each thing that is true of the square in its line.
  std::map<std::uint64_t, std::vector<float>> vectors;
  const auto add_key = [&](float* row, int kind, int content, int key) {
    const std::uint64_t number = ((static_cast<std::uint64_t>(kind) * 4 + content) << 16) + key;
    std::vector<float>& vector = vectors[number];
    if (vector.empty()) {
      Random random(mix(seed + kGolden), number);
      for (int c = 0; c < channels; ++c) vector.push_back(0.125f * normal(random));
    }
    for (int c = 0; c < channels; ++c) row[c] += vector[c];
  };
  for (int type = 0; type < kLineTypes; ++type) {
    const int length = type < 4 ? 8 : type - 3;
    const auto& entries = geometry.line_entries[type];
    std::fill(tables[type].weights.begin(), tables[type].weights.end(), 0.0f);
    for (std::size_t state = 0; state < entries.size(); ++state) {
      if (entries[state].fold == Fold::kBackward) continue;
      std::vector<int> content(length);
      for (int i = 0, rest = static_cast<int>(state); i < length; ++i, rest /= 3)
        content[i] = rest % 3;
      for (int i = 0; i < length; ++i) {
        if (entries[state].fold == Fold::kPalindrome && i > length - 1 - i) break;
        float* row = tables[type].weights.data() +
                     static_cast<std::size_t>(Geometry::row(entries[state], length, i)) * channels;
        const Side left = describe_side({{content.rend() - i, content.rend()}});
        const Side right = describe_side({{content.begin() + i + 1, content.end()}});
        for (int kind = 0; kind < 8; ++kind) {
          add_key(row, kind, content[i], left.keys[kind]);
          add_key(row, kind, content[i], right.keys[kind]);
        }
      }
    }
  }
  refresh();
}

void LineNetwork::refresh() {
  const Geometry& geometry = Geometry::instance();
  const int groups = config.channels / 16;
  square_mixing.resize(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    square_mixing[b].resize(static_cast<std::size_t>(kSquares) * kSquares * groups);
    const float* orbits = blocks[b].squares.in(dense);
    float* to = square_mixing[b].data();
    for (int row = 0; row < kSquares; ++row)
      for (int column = 0; column < kSquares; ++column)
        for (int group = 0; group < groups; ++group)
          *to++ = orbits[group * kPairOrbits +
                         geometry.pair_orbit[geometry.square_of[row]][geometry.square_of[column]]];
  }
  transposed.resize(dense.size());
  const auto turn = [&](std::size_t begin, std::size_t rows, std::size_t columns) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        transposed[begin + j * rows + i] = dense[begin + i * columns + j];
  };
  for (const Block& block : blocks)
    for (int c = 0; c < kClasses; ++c) {
      const std::size_t size = block.channel.shape[1] * block.channel.shape[2];
      turn(block.channel.begin + c * size, block.channel.shape[1], block.channel.shape[2]);
    }
  for (const Layer& layer : layers)
    for (const Slice* part : {&layer.in, &layer.context, &layer.others, &layer.out})
      turn(part->begin, part->shape[0], part->shape[1]);
  turn(value_in.begin, value_in.shape[0], value_in.shape[1]);
}

void predict(const LineNetwork& network, std::span<const Bits> own, std::span<const Bits> other,
             const Prediction& out, int threads) {
  constexpr std::size_t kTile = Pass::kPositions;
  const std::size_t tiles = (own.size() + kTile - 1) / kTile;
  parallel_for(tiles, 4, threads, [&](std::size_t begin, std::size_t end) {
    Pass pass(network);
    for (std::size_t tile = begin; tile < end; ++tile) {
      const std::size_t from = tile * kTile, size = std::min(kTile, own.size() - from);
      pass.describe(own.subspan(from, size), other.subspan(from, size));
      pass.forward();
      for (std::size_t i = 0; i < size; ++i) {
        float* logits = out.logits + (from + i) * kSquares;
        std::fill(logits, logits + kSquares, -std::numeric_limits<float>::infinity());
        const auto [first_move, last_move] = pass.moves_of(i);
        for (int m = first_move; m < last_move; ++m) logits[pass.square(m)] = pass.logit(m);
        out.value[from + i] = pass.value(i);
      }
    }
  });
}

}  // namespace outflank::nets
