// Exponential and logarithm that are the same on every machine.
//
// Priors, noise and UCT need them, and one differing last bit can turn a whole search another way.
// The libraries of different systems differ in such bits; sums and products of doubles do not.
#pragma once

#include "mcts/rounding.hpp"

#include <cstdint>

#include "othello/hash.hpp"

namespace outflank::mcts {

// To about one unit in the last place; 0 below the smallest normal number.
double portable_exp(double x);

// Of a positive normal number.
double portable_log(double x);

// Uniform between 0 and 1, both excluded.
inline double uniform(Random& random) {
  return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53;
}

// The gamma distribution (G. Marsaglia and W. W. Tsang, 2000), by the polar method's normals.
double gamma(Random& random, double shape);

// -log(-log u): adding it to logits and taking the largest draws from their softmax.
inline double gumbel(Random& random) { return -portable_log(-portable_log(uniform(random))); }

}  // namespace outflank::mcts
