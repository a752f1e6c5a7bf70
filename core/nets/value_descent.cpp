#include "nets/value_descent.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nets/matrix.hpp"
#include "othello/board.hpp"
#include "othello/hash.hpp"

namespace outflank::nets {
namespace {

constexpr int kSide = 8, kPaddedSide = kSide + 2, kPadded = kPaddedSide * kPaddedSide;
constexpr int kSpan = 3, kTaps = kSpan * kSpan;
constexpr int kNarrow = 64;  // units of the last hidden layer
constexpr int kGroup = 8;    // states that a pass over the weights sees at once

int padded_to_16(int size) { return (size + 15) / 16 * 16; }

float total(const Eight& sum) {
  float all = 0;
  for (int i = 0; i < 8; ++i) all += sum[i];
  return all;
}

// out (8 x 8 x columns) += the 3 x 3 convolution of a padded board with weights
// [3][3][depth][columns].
void add_convolution(const float* padded, int depth, const float* weight, int columns, float* out) {
  for (int y = 0; y < kSide; ++y)
    for (int dy = 0; dy < kSpan; ++dy)
      add_product(
          kSide, columns, kSpan * depth, {padded + (y + dy) * kPaddedSide * depth, depth, 1},
          weight + dy * kSpan * depth * columns, columns, out + y * kSide * columns, columns);
}

// gradient [3][3][depth][columns] += what a board adds to it.
void add_gradient(const float* padded, int depth, const float* d_out, int columns,
                  float* gradient) {
  for (int dy = 0; dy < kSpan; ++dy)
    for (int y = 0; y < kSide; ++y)
      add_product(kSpan * depth, columns, kSide,
                  {padded + (y + dy) * kPaddedSide * depth, 1, depth}, d_out + y * kSide * columns,
                  columns, gradient + dy * kSpan * depth * columns, columns);
}

void pad(const float* board, int channels, float* padded) {
  for (int y = 0; y < kSide; ++y)
    std::copy_n(board + y * kSide * channels, kSide * channels,
                padded + ((y + 1) * kPaddedSide + 1) * channels);
}

// y (of each state, Rows units) += weights (Rows x in) * x (of each state).
template <int States, int Rows>
void add_units(const float* weight, int in, const float* x, float* y, int y_stride) {
  Eight sum[Rows][States] = {};
  for (int i = 0; i < in; i += 8) {
    Eight value[States];
    for (int s = 0; s < States; ++s) value[s] = load(x + s * in + i);
    for (int r = 0; r < Rows; ++r) {
      const Eight w = load(weight + r * in + i);
      for (int s = 0; s < States; ++s) sum[r][s] += w * value[s];
    }
  }
  for (int r = 0; r < Rows; ++r)
    for (int s = 0; s < States; ++s) y[s * y_stride + r] += total(sum[r][s]);
}

template <int States>
void add_all_units(const float* weight, int in, int out, const float* x, float* y, int y_stride) {
  int o = 0;
  for (; o + 4 <= out; o += 4) add_units<States, 4>(weight + o * in, in, x, y + o, y_stride);
  for (; o < out; ++o) add_units<States, 1>(weight + o * in, in, x, y + o, y_stride);
}

// What a pass back over the weights of a layer does with them.
struct Change {
  float keep;  // share of the momentum that is kept: less than 1 in the first group of a batch
  float rate;
  bool last;  // group of the batch: only then do the weights change
};

// d_x += weights * d_y, with the weights before they change; then momentum and weights change.
// squares: of the changed weights of each unit, added up.
template <int States, int Rows>
void pass_back(float* weight, float* momentum, int in, const float* x, const float* d_y,
               int y_stride, float* d_x, const Change& change, float* squares) {
  float slope[Rows][States];
  for (int r = 0; r < Rows; ++r)
    for (int s = 0; s < States; ++s) slope[r][s] = d_y[s * y_stride + r];
  Eight square[Rows] = {};
  for (int i = 0; i < in; i += 8) {
    Eight value[States], d_value[States];
    for (int s = 0; s < States; ++s) {
      value[s] = load(x + s * in + i);
      d_value[s] = load(d_x + s * in + i);
    }
    for (int r = 0; r < Rows; ++r) {
      float* const w = weight + r * in + i;
      float* const m = momentum + r * in + i;
      Eight now = load(w), moved = change.keep * load(m);
      for (int s = 0; s < States; ++s) {
        d_value[s] += slope[r][s] * now;
        moved += slope[r][s] * value[s];
      }
      store(m, moved);
      if (!change.last) continue;
      now -= change.rate * moved;
      square[r] += now * now;
      store(w, now);
    }
    for (int s = 0; s < States; ++s) store(d_x + s * in + i, d_value[s]);
  }
  for (int r = 0; r < Rows; ++r) squares[r] = total(square[r]);
}

template <int States>
void pass_all_back(float* weight, float* momentum, int in, int out, const float* x,
                   const float* d_y, int y_stride, float* d_x, const Change& change,
                   float* squares) {
  const auto rows = [&]<int Rows>(int o) {
    pass_back<States, Rows>(weight + o * in, momentum + o * in, in, x, d_y + o, y_stride, d_x,
                            change, squares + o);
  };
  int o = 0;
  for (; o + 2 <= out; o += 2) rows.template operator()<2>(o);
  for (; o < out; ++o) rows.template operator()<1>(o);
}

// Calls work<n>(first state) for groups of n <= kGroup states.
template <int States = kGroup, typename Work>
void in_groups(int batch, int first, Work&& work) {
  if constexpr (States > 0) {
    for (; batch - first >= States; first += States) work.template operator()<States>(first);
    in_groups<States - 1>(batch, first, work);
  }
}

// Momentum and weight of one number.
void descend(float gradient, float keep, float rate, float& momentum, float& weight) {
  momentum = keep * momentum + gradient;
  weight -= rate * momentum;
}

}  // namespace

std::size_t ValueDescent::Layer::weights() const {
  return std::size_t(inputs) * outputs * (convolution ? kTaps : 1);
}

template <typename Each>
void ValueDescent::Layer::each_weight(int flat_stride, Each&& each) const {
  std::size_t place = 0;
  for (int o = 0; o < outputs; ++o)
    for (int i = 0; i < inputs; ++i) {
      if (convolution) {
        for (int tap = 0; tap < kTaps; ++tap)
          each(place++, (std::size_t(tap) * in_stride + i) * stride + o);
        continue;
      }
      // A flat input lies as (channel, square) outside and as (square, channel) here.
      const int at = flat_stride ? i % kSquares * flat_stride + i / kSquares : i;
      each(place++, std::size_t(o) * in_stride + at);
    }
}

ValueDescent::ValueDescent(const ValueShape& shape, const DescentOptions& options,
                           std::uint64_t seed)
    : shape_(shape), options_(options), seed_(seed) {
  const auto add = [&](bool convolution, bool active, int inputs, int in_stride, int outputs) {
    Layer layer;
    layer.convolution = convolution;
    layer.active = active;
    layer.inputs = inputs;
    layer.outputs = outputs;
    layer.in_stride = in_stride;
    layer.stride = padded_to_16(outputs);
    const std::size_t size = convolution ? std::size_t(kTaps) * in_stride * layer.stride
                                         : std::size_t(outputs) * in_stride;
    layer.weight.resize(size);
    layer.weight_momentum.resize(size);
    layer.bias.resize(layer.stride);
    layer.bias_momentum.resize(layer.stride);
    size_ += layer.weights() + outputs;
    layers_.push_back(std::move(layer));
    return layers_.back().stride;
  };
  int inputs = shape.planes, stride = shape.planes;
  for (int i = 0; i < shape.conv_layers; ++i) {
    stride = add(true, true, inputs, stride, shape.maps);
    inputs = shape.maps;
  }
  flat_stride_ = stride;
  inputs *= kSquares;
  stride *= kSquares;
  for (int i = 0; i < shape.dense_layers; ++i) {
    stride = add(false, true, inputs, stride, shape.nodes);
    inputs = shape.nodes;
  }
  stride = add(false, false, inputs, stride, kNarrow);
  add(false, false, kNarrow, stride, 1);
}

template <typename Layers, typename Each>
void ValueDescent::each_number(Layers& layers, bool momentum, Each&& each) const {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < layers.size(); ++at) {
    auto& layer = layers[at];
    auto& weight = momentum ? layer.weight_momentum : layer.weight;
    auto& bias = momentum ? layer.bias_momentum : layer.bias;
    const bool flat = int(at) == shape_.conv_layers;
    layer.each_weight(flat ? flat_stride_ : 0, [&](std::size_t place, std::size_t here) {
      each(begin + place, weight[here]);
    });
    begin += layer.weights();
    for (int o = 0; o < layer.outputs; ++o) each(begin + o, bias[o]);
    begin += layer.outputs;
  }
}

void ValueDescent::copy_in(std::span<const float> from, bool momentum) {
  each_number(layers_, momentum, [&](std::size_t at, float& number) { number = from[at]; });
}

void ValueDescent::copy_out(std::span<float> to, bool momentum) const {
  each_number(layers_, momentum, [&](std::size_t at, const float& number) { to[at] = number; });
}

double ValueDescent::step(const std::int8_t* planes, const float* values,
                          std::span<const std::int64_t> batch, float rate, std::uint64_t number) {
  const int size = static_cast<int>(batch.size());

  // Step 1: the states' planes, channels last.
  show(planes, batch);

  // Step 2: forward through all layers.
  for (std::size_t at = 0; at < layers_.size(); ++at) forward(at, size, number);

  // Step 3: the derivatives of the mean squared error.
  Layer& last = layers_.back();
  last.d_out.assign(last.out.size(), 0.0f);
  double squares = 0;
  for (int s = 0; s < size; ++s) {
    const float error = last.out[s * last.stride] - values[batch[s]];
    last.d_out[s * last.stride] = 2 * error / static_cast<float>(size);
    squares += double(error) * error;
  }

  // Step 4: back through all layers; each changes its weights on the way.
  for (std::size_t at = layers_.size(); at-- > 0;) backward(at, size, rate);
  return squares;
}

void ValueDescent::show(const std::int8_t* planes, std::span<const std::int64_t> batch) {
  const int channels = shape_.planes;
  const bool padded = shape_.conv_layers > 0;
  std::vector<float>& to = padded ? layers_.front().padded : flat_;
  const std::size_t size = std::size_t(padded ? kPadded : kSquares) * channels;
  to.assign(size * batch.size(), 0.0f);
  for (std::size_t s = 0; s < batch.size(); ++s)
    for (int c = 0; c < channels; ++c) {
      const std::int8_t* const plane = planes + (batch[s] * channels + c) * kSquares;
      for (int square = 0; square < kSquares; ++square) {
        const int y = square / kSide, x = square % kSide;
        const int at = padded ? (y + 1) * kPaddedSide + x + 1 : square;
        to[s * size + std::size_t(at) * channels + c] = plane[square];
      }
    }
}

// Draws which units of a layer are left out; the others count more, so that sums stay as they were.
void ValueDescent::drop(Layer& layer, std::uint64_t number, std::size_t at) {
  const float share = layer.convolution ? options_.conv_dropout : options_.dense_dropout;
  layer.factor.assign(layer.out.size(), 1.0f);
  if (share <= 0) return;
  constexpr int kBits = 16, kDraws = 64 / kBits;
  const auto limit = static_cast<std::uint64_t>(std::lround(share * (1 << kBits)));
  const float kept = 1 / (1 - share);
  Random random(seed_, number * layers_.size() + at);
  for (std::size_t i = 0; i < layer.factor.size(); i += kDraws) {  // strides are multiples of 16
    std::uint64_t bits = random.next();
    for (int draw = 0; draw < kDraws; ++draw, bits >>= kBits)
      layer.factor[i + draw] = (bits & ((1 << kBits) - 1)) < limit ? 0.0f : kept;
  }
}

const float* ValueDescent::inputs_of(std::size_t at) const {
  return at ? layers_[at - 1].out.data() : flat_.data();
}

void ValueDescent::forward(std::size_t at, int batch, std::uint64_t number) {
  Layer& layer = layers_[at];
  const int rows = layer.convolution ? batch * kSquares : batch;
  layer.out.resize(std::size_t(rows) * layer.stride);
  for (int row = 0; row < rows; ++row)
    std::copy(layer.bias.begin(), layer.bias.end(), layer.out.begin() + row * layer.stride);
  if (layer.convolution) {
    const std::size_t in = std::size_t(kPadded) * layer.in_stride;
    if (at) {
      layer.padded.assign(in * batch, 0.0f);
      for (int s = 0; s < batch; ++s)
        pad(inputs_of(at) + s * kSquares * layer.in_stride, layer.in_stride,
            layer.padded.data() + s * in);
    }
    for (int s = 0; s < batch; ++s)
      add_convolution(layer.padded.data() + s * in, layer.in_stride, layer.weight.data(),
                      layer.stride, layer.out.data() + s * kSquares * layer.stride);
  } else {
    const float* const inputs = inputs_of(at);
    in_groups(batch, 0, [&]<int States>(int first) {
      add_all_units<States>(layer.weight.data(), layer.in_stride, layer.outputs,
                            inputs + std::size_t(first) * layer.in_stride,
                            layer.out.data() + first * layer.stride, layer.stride);
    });
  }
  if (!layer.active) return;
  drop(layer, number, at);
  rectify(layer.out.data(), layer.factor.data(), static_cast<int>(layer.out.size()));
}

void ValueDescent::backward(std::size_t at, int batch, float rate) {
  Layer& layer = layers_[at];
  if (layer.active)
    rectify_backward(layer.out.data(), layer.d_out.data(), layer.factor.data(),
                     static_cast<int>(layer.out.size()));
  std::vector<float>& d_inputs = at ? layers_[at - 1].d_out : d_flat_;
  if (!layer.convolution || at)
    d_inputs.assign(at ? layers_[at - 1].out.size() : flat_.size(), 0.0f);
  if (layer.convolution) {
    backward_convolution(layer, at ? d_inputs.data() : nullptr, batch, rate);
  } else {
    backward_dense(layer, inputs_of(at), d_inputs.data(), batch, rate);
  }
  const int rows = layer.convolution ? batch * kSquares : batch;
  for (int o = 0; o < layer.outputs; ++o) {
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += layer.d_out[row * layer.stride + o];
    descend(sum, options_.momentum, rate, layer.bias_momentum[o], layer.bias[o]);
  }
}

void ValueDescent::backward_dense(Layer& layer, const float* inputs, float* d_inputs, int batch,
                                  float rate) const {
  std::vector<float> squares(layer.outputs);
  in_groups(batch, 0, [&]<int States>(int first) {
    const Change change{first ? 1.0f : options_.momentum, rate, first + States == batch};
    const std::size_t from = std::size_t(first) * layer.in_stride;
    pass_all_back<States>(layer.weight.data(), layer.weight_momentum.data(), layer.in_stride,
                          layer.outputs, inputs + from, layer.d_out.data() + first * layer.stride,
                          layer.stride, d_inputs + from, change, squares.data());
  });
  if (options_.max_norm <= 0) return;
  for (int o = 0; o < layer.outputs; ++o) {
    const float norm = std::sqrt(squares[o]);
    if (norm <= options_.max_norm) continue;
    float* const row = layer.weight.data() + std::size_t(o) * layer.in_stride;
    for (int i = 0; i < layer.in_stride; ++i) row[i] *= options_.max_norm / norm;
  }
}

void ValueDescent::backward_convolution(Layer& layer, float* d_inputs, int batch, float rate) {
  const int in = layer.in_stride, out = layer.stride;
  gradient_.assign(layer.weight.size(), 0.0f);
  for (int s = 0; s < batch; ++s)
    add_gradient(layer.padded.data() + std::size_t(s) * kPadded * in, in,
                 layer.d_out.data() + std::size_t(s) * kSquares * out, out, gradient_.data());

  if (d_inputs) {  // a convolution with the kernel turned round and its two kinds of channels
                   // swapped
    turned_.resize(layer.weight.size());
    for (int tap = 0; tap < kTaps; ++tap)
      for (int i = 0; i < in; ++i)
        for (int o = 0; o < out; ++o)
          turned_[(std::size_t(kTaps - 1 - tap) * out + o) * in + i] =
              layer.weight[(std::size_t(tap) * in + i) * out + o];
    padded_d_.assign(std::size_t(kPadded) * out, 0.0f);
    for (int s = 0; s < batch; ++s) {
      pad(layer.d_out.data() + std::size_t(s) * kSquares * out, out, padded_d_.data());
      add_convolution(padded_d_.data(), out, turned_.data(), in,
                      d_inputs + std::size_t(s) * kSquares * in);
    }
  }

  for (std::size_t i = 0; i < layer.weight.size(); ++i)
    descend(gradient_[i], options_.momentum, rate, layer.weight_momentum[i], layer.weight[i]);
  if (options_.max_norm > 0) limit_convolution(layer);
}

void ValueDescent::limit_convolution(Layer& layer) const {
  const float most = options_.max_norm;
  std::vector<float> scale(layer.stride);
  for (auto row = layer.weight.begin(); row != layer.weight.end(); row += layer.stride)
    for (int o = 0; o < layer.stride; ++o) scale[o] += row[o] * row[o];
  for (float& unit : scale) unit = unit > most * most ? most / std::sqrt(unit) : 1.0f;
  for (auto row = layer.weight.begin(); row != layer.weight.end(); row += layer.stride)
    for (int o = 0; o < layer.stride; ++o) row[o] *= scale[o];
}

}  // namespace outflank::nets
