// Stochastic gradient descent for Ng's value networks.
#include "nets/value_descent.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "bindings/arguments.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"

namespace outflank {
namespace {

using nets::ValueDescent;

using Planes = nb::ndarray<const std::int8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

struct Descent {
  ValueDescent descent;
  const int planes;
};

constexpr std::size_t kMostNumbers = std::size_t(1) << 28;  // weights of a network: a gigabyte

Descent* make_descent(int planes, int conv_layers, int maps, int dense_layers, int nodes,
                      float conv_dropout, float dense_dropout, float momentum, float max_norm,
                      std::uint64_t seed) {
  const nets::ValueShape shape{
      within("planes", planes, 1, 64), within("conv_layers", conv_layers, 0, 16),
      within("maps", maps, 1, 1024), within("dense_layers", dense_layers, 0, 16),
      within("nodes", nodes, 1, 1 << 16)};
  const nets::DescentOptions options{within("conv_dropout", conv_dropout, 0.0f, 0.95f),
                                     within("dense_dropout", dense_dropout, 0.0f, 0.95f),
                                     within("momentum", momentum, 0.0f, 1.0f),
                                     within("max_norm", max_norm, 0.0f, 1e6f)};
  const std::size_t board = std::size_t(kSquares) * (conv_layers ? maps : planes);
  if (board * nodes + std::size_t(dense_layers) * nodes * nodes > kMostNumbers)
    refuse("the network has too many weights");
  return new Descent{ValueDescent(shape, options, seed), planes};
}

std::span<const float> checked(const Descent& self, const char* name,
                               const ArrayIn<float>& numbers) {
  const std::size_t size = numbers.shape(0);
  if (size != self.descent.size())
    refuse("the network has " + std::to_string(self.descent.size()) + " numbers, not " +
           std::to_string(size));
  check_numbers(name, numbers.data(), size);
  return {numbers.data(), size};
}

double train(Descent& self, const Planes& planes, const ArrayIn<float>& values,
             const ArrayIn<std::int64_t>& order, int batch, const ArrayIn<float>& rates,
             std::uint64_t first) {
  const std::size_t states = same_length(planes.shape(0), values.shape(0));
  if (planes.shape(1) != std::size_t(self.planes) || planes.shape(2) != 8 || planes.shape(3) != 8)
    refuse("planes must have the shape (states, " + std::to_string(self.planes) + ", 8, 8)");
  check_numbers("values", values.data(), states);
  within("batch", batch, 1, 1 << 20);
  const std::size_t steps = rates.shape(0), size = order.shape(0);
  if (size > steps * batch || (steps && size <= (steps - 1) * batch))
    refuse("the order must have as many states as the steps need");
  for (std::size_t i = 0; i < steps; ++i) within("a rate", rates.data()[i], 0.0f, 1000.0f);
  for (std::size_t i = 0; i < size; ++i)
    within<std::int64_t>("a state", order.data()[i], 0, static_cast<std::int64_t>(states) - 1);
  return undisturbed([&] {
    double squares = 0;
    for (std::size_t step = 0; step < steps; ++step) {
      const std::size_t begin = step * batch, end = std::min(size, begin + batch);
      squares +=
          self.descent.step(planes.data(), values.data(), {order.data() + begin, end - begin},
                            rates.data()[step], first + step);
    }
    return squares;
  });
}

template <void (ValueDescent::*Get)(std::span<float>) const>
ArrayOut<float> numbers_of(const Descent& self) {
  auto numbers = new_array<float>({self.descent.size()});
  (self.descent.*Get)({numbers.data(), self.descent.size()});
  return numbers;
}

}  // namespace

void bind_value_descent(nb::module_& module) {
  nb::class_<Descent>(module, "ValueDescent",
                      "Stochastic gradient descent for a value network: 3 x 3 convolutions, fully "
                      "connected layers, one of 64 units, one number. Runs on one thread.")
      .def(nb::new_(&make_descent), nb::kw_only(), "planes"_a, "conv_layers"_a, "maps"_a,
           "dense_layers"_a, "nodes"_a, "conv_dropout"_a = 0.0f, "dense_dropout"_a = 0.0f,
           "momentum"_a = 0.0f, "max_norm"_a = 0.0f, "seed"_a = 0,
           R"(Args:
    planes: that a state has, at most 64.
    conv_layers, maps: how many convolutions, at most 16, and how many maps each has.
    dense_layers, nodes: how many layers before the one of 64 units, at most 16, and their width.
    conv_dropout, dense_dropout: share of units left out after each, at most 0.95.
    momentum: of the descent, at most 1.
    max_norm: greatest norm of the weights into a unit; 0: no limit.
    seed: of the dropout.

All weights are zero at first.)")
      .def_prop_ro(
          "size", [](const Descent& self) { return self.descent.size(); },
          "How many weights and biases there are.")
      .def("weights", &numbers_of<&ValueDescent::get_weights>,
           "All weights in one array, layer by layer: (out, in, 3, 3) or (out, in), then biases.")
      .def("momentum", &numbers_of<&ValueDescent::get_momentum>,
           "The momentum of each weight, in the same order.")
      .def(
          "set_weights",
          [](Descent& self, const ArrayIn<float>& weights) {
            self.descent.set_weights(checked(self, "weights", weights));
          },
          "weights"_a, "Take these weights.")
      .def(
          "set_momentum",
          [](Descent& self, const ArrayIn<float>& momentum) {
            self.descent.set_momentum(checked(self, "momentum", momentum));
          },
          "momentum"_a, "Take this momentum.")
      .def("train", &train, "planes"_a, "values"_a, "order"_a, nb::kw_only(), "batch"_a, "rates"_a,
           "first"_a,
           R"(Take some steps.

Args:
    planes: int8 of shape (states, planes, 8, 8).
    values: float32, what each state is worth.
    order: int64, the states of these steps, batch after batch; only the last may be smaller.
    batch: states in a step.
    rates: float32, the learning rate of each step.
    first: the number of the first step; with the seed, it determines what is dropped.

Returns the sum of the squared errors before each step.)");
}

}  // namespace outflank
