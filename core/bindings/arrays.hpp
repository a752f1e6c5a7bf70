// NumPy arrays in and out of the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <string>

#include "othello/board.hpp"

namespace outflank {

namespace nb = nanobind;
using namespace nb::literals;

template <typename T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using MatrixIn = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <typename T>
using ArrayOut = nb::ndarray<nb::numpy, T, nb::c_contig>;

using Boards = ArrayIn<Bits>;

// A new array that Python will own; its contents are not initialised.
template <typename T>
ArrayOut<T> new_array(std::initializer_list<std::size_t> shape) {
  std::size_t size = 1;
  for (std::size_t length : shape) size *= length;
  T* data = new T[size];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return ArrayOut<T>(data, shape, owner);
}

// Two arrays of one batch must be equally long.
inline std::size_t same_length(std::size_t left, std::size_t right) {
  if (left != right)
    throw nb::value_error(("arrays of one batch differ in length: " + std::to_string(left) +
                           " and " + std::to_string(right))
                              .c_str());
  return left;
}

void bind_rules(nb::module_& module);
void bind_batch(nb::module_& module);
void bind_records(nb::module_& module);
void bind_data(nb::module_& module);
void bind_evaluation(nb::module_& module);
void bind_nets(nb::module_& module);
void bind_value_descent(nb::module_& module);
void bind_champion(nb::module_& module);
void bind_search(nb::module_& module);
void bind_evolution(nb::module_& module);
void bind_mcts(nb::module_& module);
void bind_selfplay(nb::module_& module);

}  // namespace outflank
