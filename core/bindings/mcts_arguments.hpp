// Checks of what Python asks of the tree search: every bad argument is a ValueError.
#pragma once

#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "batch/parallel.hpp"
#include "bindings/arrays.hpp"

namespace outflank {

inline constexpr int kMostSimulations = 1 << 30;

[[noreturn]] inline void refuse(const std::string& what) { throw nb::value_error(what.c_str()); }

template <typename Number>
Number within(const char* name, Number value, Number least, Number greatest) {
  if (value >= least && value <= greatest) return value;
  const auto text = [](Number number) { return std::string(nb::str(nb::cast(number)).c_str()); };
  refuse(std::string(name) + " must be from " + text(least) + " to " + text(greatest) + ", not " +
         text(value));
}

inline std::vector<Board> boards_of(const Boards& own, const Boards& other) {
  const std::size_t size = same_length(own.shape(0), other.shape(0));
  std::vector<Board> boards(size);
  for (std::size_t i = 0; i < size; ++i) {
    boards[i] = {own.data()[i], other.data()[i]};
    if (boards[i].own & boards[i].other)
      refuse("board " + std::to_string(i) + " has discs of both sides on one square");
  }
  return boards;
}

inline int threads_for(int threads) {
  within("threads", threads, 0, 1024);
  return threads > 0 ? threads : available_threads();
}

// Ctrl-C ends a search as it ends anything else in Python.
inline void look_for_signals() {
  nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace outflank
