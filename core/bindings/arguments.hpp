// Checks of what Python asks for: every bad argument is a ValueError.
#pragma once

#include <nanobind/stl/string.h>

#include <cmath>
#include <string>
#include <vector>

#include "batch/parallel.hpp"
#include "bindings/arrays.hpp"

namespace outflank {

inline constexpr int kMostSimulations = 1 << 30;
inline constexpr int kMostDepth = 120;        // plies of any search
inline constexpr double kMostSeconds = 1e9;   // of any search
inline constexpr int kMostThreads = 1024;     // that anybody may ask for
inline constexpr int kMostMegabytes = 65536;  // of a transposition table

[[noreturn]] inline void refuse(const std::string& what) { throw nb::value_error(what.c_str()); }

// A number that is in its range; what is not a number is in none.
template <typename Number>
Number within(const char* name, Number value, Number least, Number greatest) {
  if (value >= least && value <= greatest) return value;
  const auto text = [](Number number) { return std::string(nb::str(nb::cast(number)).c_str()); };
  refuse(std::string(name) + " must be from " + text(least) + " to " + text(greatest) + ", not " +
         text(value));
}

inline Board checked_board(Bits own, Bits other) {
  if (own & other) refuse("the board has discs of both sides on one square");
  return {own, other};
}

[[noreturn]] inline void refuse_overlap(std::size_t i) {
  refuse("board " + std::to_string(i) + " has discs of both sides on one square");
}

// Checks the boards of a batch and returns how many there are.
inline std::size_t check_boards(const Boards& own, const Boards& other) {
  const std::size_t size = same_length(own.shape(0), other.shape(0));
  const Bits *mine = own.data(), *theirs = other.data();
  Bits overlap = 0;
  for (std::size_t i = 0; i < size; ++i) overlap |= mine[i] & theirs[i];
  for (std::size_t i = 0; overlap && i < size; ++i)
    if (mine[i] & theirs[i]) refuse_overlap(i);
  return size;
}

inline std::vector<Board> boards_of(const Boards& own, const Boards& other) {
  std::vector<Board> boards(check_boards(own, other));
  for (std::size_t i = 0; i < boards.size(); ++i) boards[i] = {own.data()[i], other.data()[i]};
  return boards;
}

// Every number of an array must be finite, and not beyond `most` either way.
template <typename Number>
void check_numbers(const char* name, const Number* numbers, std::size_t size,
                   Number most = std::numeric_limits<Number>::max()) {
  for (std::size_t i = 0; i < size; ++i)
    if (!(std::abs(numbers[i]) <= most))
      refuse(std::string(name) + " must be numbers from " + nb::str(nb::cast(-most)).c_str() +
             " to " + nb::str(nb::cast(most)).c_str() + "; see number " + std::to_string(i));
}

inline int threads_for(int threads) {
  within("threads", threads, 0, kMostThreads);
  return threads > 0 ? std::min(threads, most_threads()) : available_threads();
}

}  // namespace outflank
