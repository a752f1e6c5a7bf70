// Examples, which are boards with the move that was played, and their duplicates. Everything here
// is exact: hashes only say where to look, and what is found is compared in full.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "othello/board.hpp"

namespace outflank {

struct Example {
  Board board;
  std::uint8_t move = kPass;  // kPass where only the board matters
  constexpr auto operator<=>(const Example&) const = default;
};

// Many examples in three arrays of one length, below kMostExamples. Moves are 0..64.
struct ExampleArrays {
  const Bits* own;
  const Bits* other;
  const std::uint8_t* move;
  std::size_t size;

  Example operator[](std::size_t i) const { return {{own[i], other[i]}, move[i]}; }
};

inline constexpr std::size_t kMostExamples = 0xffffffff;  // indices have 32 bits

// The least of the eight images, by own discs, the opponent's, and the move: a symmetric board has
// several moves that mean the same, of which this takes the lowest.
Example canonical(const Example& example);

// How many of the eight images differ: 8, or 4 where a mirroring leaves board and move in place.
int count_images(const Example& example);

// Distinct examples in the order in which they first appear.
struct UniqueExamples {
  std::vector<std::uint32_t> index;  // where each appears first
  std::vector<std::uint32_t> count;  // how often it appears
  std::vector<std::uint32_t> group;  // for all examples: which of the distinct ones it is
};
UniqueExamples unique_examples(const ExampleArrays& examples, int threads);

// Whether each of `examples` occurs in `among`, written to found[examples.size].
void find_examples(const ExampleArrays& examples, const ExampleArrays& among, bool* found,
                   int threads);

}  // namespace outflank
