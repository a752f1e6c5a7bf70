// Stochastic gradient descent for the value networks of Ng (2017): convolutions of 3 x 3, fully
// connected layers, one number. Batches are so small (5 states) that a step is mostly memory
// traffic: a weight and its momentum are read and written once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/pages.hpp"

namespace outflank::nets {

struct ValueShape {
  int planes, conv_layers, maps, dense_layers, nodes;
};

struct DescentOptions {
  float conv_dropout = 0, dense_dropout = 0;
  float momentum = 0;
  float max_norm = 0;  // of the weights into a unit; 0: no limit
};

class ValueDescent {
 public:
  ValueDescent(const ValueShape& shape, const DescentOptions& options, std::uint64_t seed);

  // All weights, or their momentum, layer by layer: weights as [out][in][3][3] or [out][in], then
  // biases. The fully connected layers see the maps one after the other.
  std::size_t size() const { return size_; }
  void set_weights(std::span<const float> from) { copy_in(from, false); }
  void set_momentum(std::span<const float> from) { copy_in(from, true); }
  void get_weights(std::span<float> to) const { copy_out(to, false); }
  void get_momentum(std::span<float> to) const { copy_out(to, true); }

  // One step. planes: int8[states][planes][64]; batch: which states. Dropout depends on the seed
  // and the number of the step alone. Returns the sum of the squared errors before the step.
  double step(const std::int8_t* planes, const float* values, std::span<const std::int64_t> batch,
              float rate, std::uint64_t number);

 private:
  // A padded layout: what lies behind the last unit or channel is zero and stays zero.
  struct Layer {
    bool convolution = false;
    bool active = false;            // rectified and dropped out
    int inputs = 0, outputs = 0;    // without padding; inputs of a convolution are channels
    int in_stride = 0, stride = 0;  // with padding
    LargeVector<float> weight, weight_momentum;
    std::vector<float> bias, bias_momentum;
    std::vector<float> out;     // of a batch, rectified: [batch][64][stride] or [batch][stride]
    std::vector<float> factor;  // of dropout, in the same layout
    std::vector<float> d_out;   // derivatives
    std::vector<float> padded;  // of a convolution: its inputs, [batch][10][10][in_stride]

    std::size_t weights() const;  // without padding and biases

    // Calls each(place in the order of size(), place here) for all weights. flat_stride: of a
    // square in the inputs if they are a board; 0: they are units.
    template <typename Each>
    void each_weight(int flat_stride, Each&& each) const;
  };

  template <typename Layers, typename Each>
  void each_number(Layers& layers, bool momentum, Each&& each) const;
  void copy_in(std::span<const float> from, bool momentum);
  void copy_out(std::span<float> to, bool momentum) const;
  void show(const std::int8_t* planes, std::span<const std::int64_t> batch);
  void drop(Layer& layer, std::uint64_t number, std::size_t at);
  const float* inputs_of(std::size_t at) const;
  void forward(std::size_t at, int batch, std::uint64_t number);
  void backward(std::size_t at, int batch, float rate);
  void backward_dense(Layer& layer, const float* inputs, float* d_inputs, int batch,
                      float rate) const;
  void backward_convolution(Layer& layer, float* d_inputs, int batch, float rate);
  void limit_convolution(Layer& layer) const;

  const ValueShape shape_;
  const DescentOptions options_;
  const std::uint64_t seed_;
  int flat_stride_ = 0;  // numbers of a square that the first fully connected layer sees
  std::size_t size_ = 0;
  std::vector<Layer> layers_;
  std::vector<float> flat_, d_flat_;      // inputs of a network without convolutions
  std::vector<float> gradient_, turned_;  // of one convolution
  std::vector<float> padded_d_;           // [10][10][stride]
};

}  // namespace outflank::nets
