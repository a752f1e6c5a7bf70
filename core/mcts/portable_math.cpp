#include "mcts/portable_math.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace outflank::mcts {

namespace {

constexpr double kLog2 = 0.6931471805599453;

// 1 / n!, the terms of the series of exp.
constexpr int kTerms = 15;
constexpr std::array<double, kTerms> make_terms() {
  std::array<double, kTerms> terms{};
  double factorial = 1;
  for (int n = 0; n < kTerms; ++n) {
    terms[n] = 1 / factorial;
    factorial *= n + 1;
  }
  return terms;
}
constexpr std::array<double, kTerms> kSeries = make_terms();

}  // namespace

double portable_exp(double x) {
  if (!(x > -708.0)) return 0.0;
  if (x > 709.0) x = 709.0;
  // x = power * log 2 + rest; log 2 in two parts, so that nothing is lost in the product.
  const double power = std::floor(x / kLog2 + 0.5);
  const double rest = (x - power * 0.693147180369123816490) - power * 1.90821492927058770002e-10;
  double sum = 0;
  for (int n = kTerms - 1; n >= 0; --n) sum = sum * rest + kSeries[n];
  const auto exponent = static_cast<std::uint64_t>(static_cast<std::int64_t>(power) + 1023);
  return sum * std::bit_cast<double>(exponent << 52);
}

double portable_log(double x) {
  auto bits = std::bit_cast<std::uint64_t>(x);
  auto power = static_cast<std::int64_t>(bits >> 52) - 1023;
  bits = (bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL;
  double part = std::bit_cast<double>(bits);  // in [1, 2)
  if (part > 1.4142135623730951) {
    part *= 0.5;
    ++power;
  }
  // log part = 2 artanh((part - 1) / (part + 1)), by its series.
  const double ratio = (part - 1.0) / (part + 1.0), square = ratio * ratio;
  double sum = 0.0;
  for (int n = 23; n > 0; n -= 2) sum = sum * square + 1.0 / n;
  return 2.0 * ratio * sum + static_cast<double>(power) * kLog2;
}

double gamma(Random& random, double shape) {
  const double boosted = shape < 1 ? shape + 1 : shape, d = boosted - 1.0 / 3.0;
  for (;;) {
    double x, y, square;
    do {
      x = 2 * uniform(random) - 1;
      y = 2 * uniform(random) - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double normal = x * std::sqrt(-2 * portable_log(square) / square);
    const double root = 1 + normal / (3 * std::sqrt(d)), cube = root * root * root;
    if (root <= 0) continue;
    const double u = uniform(random);
    if (portable_log(u) >= 0.5 * normal * normal + d - d * cube + d * portable_log(cube)) continue;
    const double sample = d * cube;
    return shape < 1 ? sample * portable_exp(portable_log(uniform(random)) / shape) : sample;
  }
}

}  // namespace outflank::mcts
