// A 64-bit hash of a position and the random numbers derived from a seed: both are part of file
// formats and of reproducible runs, so their values are fixed for all builds.
#pragma once

#include "othello/board.hpp"

namespace outflank {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection with full avalanche.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

inline constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

constexpr std::uint64_t hash(const Board& board) {
  return mix(mix(board.own + kGolden) ^ board.other);
}

// SplitMix64. Streams of different (seed, stream) pairs are independent for our purposes.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(mix(mix(seed + kGolden) ^ (stream + kGolden))) {}

  constexpr std::uint64_t next() { return mix(state_ += kGolden); }

  // Uniform in 0..n-1 (n far below 2^32, so the bias of the multiplication is negligible).
  constexpr int below(int n) {
    return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace outflank
