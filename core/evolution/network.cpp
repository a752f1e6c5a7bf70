// Evolution is to come out the same on every machine: no product and sum may be rounded as one.
#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("fp-contract=off")
#endif

#include "evolution/network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

// Vectors pass between functions that are always inlined, so how they would be passed matters not.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace outflank::evolution {

namespace {

template <int Size>
struct Vectors;
template <>
struct Vectors<8> {
  using Floats = float __attribute__((vector_size(32)));
  using Ints = std::int32_t __attribute__((vector_size(32)));
};
template <>
struct Vectors<16> {
  using Floats = float __attribute__((vector_size(64)));
  using Ints = std::int32_t __attribute__((vector_size(64)));
};

constexpr int kSpatial = 91, kSpatialWeights = 1799, kFirst = 40, kSecond = 10;

#if defined(__AVX512F__)
constexpr int kWidest = 16;  // lanes of a register
#else
constexpr int kWidest = 8;
#endif

// The values of one node for all boards that are evaluated together: eight for each part.
template <int Parts>
struct Lanes {
  static constexpr int kWidth = std::min(8 * Parts, kWidest), kVectors = 8 * Parts / kWidth;
  using Floats = typename Vectors<kWidth>::Floats;
  using Ints = typename Vectors<kWidth>::Ints;
  Floats vector[kVectors];
};
static_assert(sizeof(Lanes<2>) == sizeof(float) * Network::kLanes);

// 1 - 2 / (exp(2x) + 1), exp being 2^n times a polynomial on what remains. Within 2e-7.
template <typename Floats, typename Ints>
inline void apply_tanh(Floats& x) {
  constexpr float kLimit = 9.0f;  // beyond it the result is 1
  x = x > kLimit ? Floats{} + kLimit : x;
  x = x < -kLimit ? Floats{} - kLimit : x;
  const Floats power = x * 2.8853900817779268f;  // 2 / log 2
  const Ints whole =
      __builtin_convertvector(power + (power < 0 ? Floats{} - 0.5f : Floats{} + 0.5f), Ints);
  const Floats rest = (power - __builtin_convertvector(whole, Floats)) * 0.69314718055994531f;
  Floats sum = Floats{} + 1.0f / 5040;
  sum = sum * rest + 1.0f / 720;
  sum = sum * rest + 1.0f / 120;
  sum = sum * rest + 1.0f / 24;
  sum = sum * rest + 1.0f / 6;
  sum = sum * rest + 0.5f;
  sum = sum * rest + 1.0f;
  sum = sum * rest + 1.0f;
  const Ints exponent = (whole + 127) << 23;
  Floats scale;
  std::memcpy(&scale, &exponent, sizeof scale);
  x = 1.0f - 2.0f / (sum * scale + 1.0f);
}

template <int Parts>
void tanh_all(Lanes<Parts>* values, int count) {
  for (int i = 0; i < count; ++i)
    for (auto& vector : values[i].vector)
      apply_tanh<typename Lanes<Parts>::Floats, typename Lanes<Parts>::Ints>(vector);
}

// 1, -1 and 0 for each square of up to eight boards for each part.
template <int Parts>
void read_boards(std::span<const Board> boards, Lanes<Parts>* squares) {
  alignas(32) std::array<std::array<std::int32_t, 8 * Parts>, 4> words{};
  for (std::size_t lane = 0; lane < boards.size(); ++lane) {
    words[0][lane] = static_cast<std::int32_t>(boards[lane].own);
    words[1][lane] = static_cast<std::int32_t>(boards[lane].own >> 32);
    words[2][lane] = static_cast<std::int32_t>(boards[lane].other);
    words[3][lane] = static_cast<std::int32_t>(boards[lane].other >> 32);
  }
  using Node = Lanes<Parts>;
  for (int half = 0; half < 2; ++half)  // of the board
    for (int v = 0; v < Node::kVectors; ++v) {
      typename Node::Ints own, other;
      std::memcpy(&own, words[half].data() + Node::kWidth * v, sizeof own);
      std::memcpy(&other, words[2 + half].data() + Node::kWidth * v, sizeof other);
      for (int square = 0; square < 32; ++square)
        squares[32 * half + square].vector[v] = __builtin_convertvector(
            ((own >> square) & 1) - ((other >> square) & 1), typename Node::Floats);
    }
}

// Adds one weighted input to the sum of a node.
template <int Parts>
void add(Lanes<Parts>& sum, float weight, const Lanes<Parts>& in) {
  for (int v = 0; v < Lanes<Parts>::kVectors; ++v) sum.vector[v] += weight * in.vector[v];
}

template <int Parts>
Lanes<Parts> filled(float number) {
  Lanes<Parts> lanes;
  for (auto& vector : lanes.vector) vector = typename Lanes<Parts>::Floats{} + number;
  return lanes;
}

template <int Size, int Parts>
const float* sub_squares(const float* weights, const Lanes<Parts>* squares, Lanes<Parts>*& out) {
  for (int top = 0; top + Size <= 8; ++top)
    for (int left = 0; left + Size <= 8; ++left, weights += Size * Size + 1, ++out) {
      Lanes<Parts> sum = filled<Parts>(weights[Size * Size]);
      for (int row = 0; row < Size; ++row)
        for (int column = 0; column < Size; ++column)
          add(sum, weights[Size * row + column], squares[8 * (top + row) + left + column]);
      *out = sum;
    }
  return weights;
}

// The first layer: returns what follows its weights.
template <int Parts>
const float* spatial_layer(const float* weights, const Lanes<Parts>* squares, Lanes<Parts>* out) {
  weights = sub_squares<3>(weights, squares, out);
  weights = sub_squares<4>(weights, squares, out);
  weights = sub_squares<5>(weights, squares, out);
  weights = sub_squares<6>(weights, squares, out);
  weights = sub_squares<7>(weights, squares, out);
  return sub_squares<8>(weights, squares, out);
}

template <int Nodes, int Parts>
const float* some_nodes(const float* weights, const Lanes<Parts>* in, int inputs,
                        Lanes<Parts>* out) {
  Lanes<Parts> sums[Nodes];
  for (int node = 0; node < Nodes; ++node)
    sums[node] = filled<Parts>(weights[node * (inputs + 1) + inputs]);
  for (int i = 0; i < inputs; ++i)
    for (int node = 0; node < Nodes; ++node)
      add(sums[node], weights[node * (inputs + 1) + i], in[i]);
  std::copy(sums, sums + Nodes, out);
  return weights + Nodes * (inputs + 1);
}

// A layer whose nodes see all inputs, before tanh.
template <int Parts>
const float* full_layer(const float* weights, const Lanes<Parts>* in, int inputs, Lanes<Parts>* out,
                        int nodes) {
  constexpr int kTogether = 8 / Lanes<Parts>::kVectors;  // nodes, as there are registers for
  int done = 0;
  for (; done + kTogether <= nodes; done += kTogether)
    weights = some_nodes<kTogether>(weights, in, inputs, out + done);
  for (; done < nodes; ++done) weights = some_nodes<1>(weights, in, inputs, out + done);
  return weights;
}

}  // namespace

Shape shape_of(std::string_view name) {
  if (name == "spatial") return Shape::spatial;
  if (name == "flat") return Shape::flat;
  if (name == "only") return Shape::only;
  if (name == "filter") return Shape::filter;
  throw std::invalid_argument("no such shape of network: " + std::string(name));
}

std::size_t weights_of(Shape shape) {
  constexpr int tail = kSecond * (kFirst + 1) + kSecond + 1;
  switch (shape) {
    case Shape::spatial: return kSpatialWeights + kFirst * (kSpatial + 1) + tail;
    case Shape::flat: return kFirst * (kSquares + 1) + tail;
    case Shape::only: return kSpatialWeights + kSpatial + 1;
    case Shape::filter: return kSpatialWeights + kSquares * (kSpatial + 1);
  }
  return 0;
}

Network::Network(Shape shape, std::span<const float> weights, float piece_weight)
    : shape_(shape), weights_(weights.begin(), weights.end()), piece_weight_(piece_weight) {
  if (weights.size() != weights_of(shape))
    throw std::invalid_argument("a network of this shape has " + std::to_string(weights_of(shape)) +
                                " weights, not " + std::to_string(weights.size()));
}

namespace {

// Calls `some` with one part of the boards after the other: the Lanes that they need, and where
// they begin.
template <typename Some>
void part_by_part(std::span<const Board> boards, const Some& some) {
  for (std::size_t begin = 0; begin < boards.size(); begin += Network::kLanes) {
    const auto part =
        boards.subspan(begin, std::min<std::size_t>(Network::kLanes, boards.size() - begin));
    if (part.size() <= 8)
      some(std::integral_constant<int, 1>{}, part, begin);
    else
      some(std::integral_constant<int, 2>{}, part, begin);
  }
}

}  // namespace

void Network::evaluate(std::span<const Board> boards, Value* values) const {
  if (shape_ == Shape::filter) throw std::invalid_argument("a filter evaluates no boards");
  part_by_part(boards, [&](auto parts, std::span<const Board> some, std::size_t begin) {
    evaluate_some<parts>(some, values + begin);
  });
}

template <int Parts>
void Network::evaluate_some(std::span<const Board> boards, Value* values) const {
  Lanes<Parts> squares[kSquares], spatial[kSpatial], first[kFirst], second[kSecond], sum;
  read_boards(boards, squares);
  const float* weights = weights_.data();
  const Lanes<Parts>* in = squares;
  int inputs = kSquares;
  if (shape_ != Shape::flat) {
    weights = spatial_layer(weights, squares, spatial);
    tanh_all(spatial, kSpatial);
    in = spatial, inputs = kSpatial;
  }
  if (shape_ != Shape::only) {
    weights = full_layer(weights, in, inputs, first, kFirst);
    tanh_all(first, kFirst);
    weights = full_layer(weights, first, kFirst, second, kSecond);
    tanh_all(second, kSecond);
    in = second, inputs = kSecond;
  }
  full_layer(weights, in, inputs, &sum, 1);
  float sums[8 * Parts];
  std::memcpy(sums, &sum, sizeof sums);
  for (std::size_t lane = 0; lane < boards.size(); ++lane) {
    const int ahead = count(boards[lane].own) - count(boards[lane].other);
    const float total = sums[lane] + piece_weight_ * static_cast<float>(ahead);
    const double value = std::clamp(total * kUnits, -double{kValueLimit}, double{kValueLimit});
    values[lane] = static_cast<Value>(std::lrint(value));
  }
}

void Network::rank(std::span<const Board> boards, float* scores) const {
  if (shape_ != Shape::filter) throw std::invalid_argument("only a filter ranks squares");
  part_by_part(boards, [&](auto parts, std::span<const Board> some, std::size_t begin) {
    rank_some<parts>(some, scores + begin * kSquares);
  });
}

template <int Parts>
void Network::rank_some(std::span<const Board> boards, float* scores) const {
  Lanes<Parts> squares[kSquares], spatial[kSpatial], out[kSquares];
  read_boards(boards, squares);
  const float* weights = spatial_layer(weights_.data(), squares, spatial);
  tanh_all(spatial, kSpatial);
  full_layer(weights, spatial, kSpatial, out, kSquares);
  for (std::size_t lane = 0; lane < boards.size(); ++lane)
    for (int square = 0; square < kSquares; ++square)
      scores[lane * kSquares + square] =
          out[square].vector[lane / Lanes<Parts>::kWidth][lane % Lanes<Parts>::kWidth];
}

}  // namespace outflank::evolution
