#include "evaluation/n_tuples.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "othello/moves.hpp"

namespace outflank {
namespace {

// Addresses that are computed together. Compilers turn this type into whatever vectors there are.
constexpr std::size_t kLanes = 32;
using Lanes [[gnu::vector_size(2 * kLanes)]] = std::uint16_t;

constexpr int kFineBits = 24;  // of a weight behind the point, so that few sums round wrong
// Weights are multiplied by two to this power at most: small ones need no more digits than others.
constexpr int kFinestScale = 30;
// Values this close count as equal: the rule of the Othello League's published code.
constexpr double kTie = 1e-6;

constexpr std::size_t power_of_3(std::size_t exponent) {
  std::size_t power = 1;
  while (exponent-- > 0) power *= 3;
  return power;
}

void check(std::span<const Placement> placements, std::span<const double> weights) {
  if (placements.empty()) throw std::invalid_argument("a network needs at least one tuple");
  if (placements.size() > NTupleNetwork::kPlacements)
    throw std::invalid_argument("a network may have at most " +
                                std::to_string(NTupleNetwork::kPlacements) + " placements");
  for (const Placement& placement : placements) {
    if (placement.squares.empty() || placement.squares.size() > NTupleNetwork::kLongest)
      throw std::invalid_argument("a tuple has 1 to " + std::to_string(NTupleNetwork::kLongest) +
                                  " squares");
    for (const int square : placement.squares)
      if (square >= kSquares) throw std::invalid_argument("squares are numbered 0 to 63");
    const std::size_t needed = power_of_3(placement.squares.size());
    if (placement.offset > weights.size() || weights.size() - placement.offset < needed)
      throw std::invalid_argument("a tuple's weights go beyond the end");
  }
  for (const double weight : weights)
    if (!std::isfinite(weight)) throw std::invalid_argument("weights must be finite numbers");
}

// The greatest power of two by which the weights may be multiplied, as an exponent: no sum may
// exceed kValueLimit.
int scale_of(std::span<const Placement> placements, std::span<const double> weights) {
  double largest = 0;
  for (const Placement& placement : placements) {
    double most = 0;
    for (std::size_t i = 0; i < power_of_3(placement.squares.size()); ++i)
      most = std::max(most, std::abs(weights[placement.offset + i]));
    largest += most;
  }
  if (!std::isfinite(largest)) throw std::invalid_argument("the weights are too large");
  if (largest == 0) return kFinestScale;
  return std::min(kFinestScale, std::ilogb(kValueLimit / largest));
}

}  // namespace

NTupleNetwork::NTupleNetwork(std::span<const Placement> placements, std::span<const double> weights,
                             Convention convention)
    : convention_(convention), weights_(weights.begin(), weights.end()) {
  check(placements, weights);
  width_ = (placements.size() + kLanes - 1) / kLanes * kLanes;

  // A square adds its power of 3 to the address for a black disc and takes it away for a white
  // one. So an address is a sum over the rows of the board.
  rows_.resize(8 * kRowStates * width_);
  all_empty_.resize(width_);
  offsets_.resize(width_, static_cast<std::uint32_t>(weights.size()));
  for (std::size_t i = 0; i < placements.size(); ++i) {
    std::size_t power = power_of_3(placements[i].squares.size());
    all_empty_[i] = static_cast<std::uint16_t>(power / 2);  // a 1 in every digit
    offsets_[i] = static_cast<std::uint32_t>(placements[i].offset);
    for (const std::size_t square : placements[i].squares) {
      power /= 3;
      for (std::size_t discs = 0; discs < kRowStates; ++discs)
        if (discs >> square % 8 & 1) {
          std::uint16_t& part = rows_[row_place(square / 8, discs) + i];
          part = static_cast<std::uint16_t>(part + power);
        }
    }
  }

  const int scale = scale_of(placements, weights);
  units_ = std::ldexp(1.0, scale);
  for (const double weight : weights_)
    fine_.push_back(std::llround(std::ldexp(weight, scale + kFineBits)));
  // What the lanes beyond the last placement look up.
  weights_.push_back(0);
  fine_.push_back(0);
}

NTupleNetwork::Sides NTupleNetwork::sides(const Board& board, bool white_to_move) const {
  const bool other_is_black = convention_ == Convention::invert || white_to_move;
  return other_is_black ? Sides{board.other, board.own} : Sides{board.own, board.other};
}

double NTupleNetwork::sign(bool white_to_move) const {
  return convention_ == Convention::invert || white_to_move ? -1 : 1;
}

template <typename Number>
Number NTupleNetwork::sum(const std::vector<Number>& weights, const Sides& sides) const {
  std::array<const std::uint16_t*, 8> black, white;
  for (int row = 0; row < 8; ++row) {
    black[row] = &rows_[row_place(row, row_bits(sides.black, row))];
    white[row] = &rows_[row_place(row, row_bits(sides.white, row))];
  }
  constexpr std::size_t sums = 4;  // several, as each addition waits for the one before
  Number totals[sums] = {};
  for (std::size_t begin = 0; begin < width_; begin += kLanes) {
    Lanes addresses, part;
    std::memcpy(&addresses, &all_empty_[begin], sizeof addresses);
    for (std::size_t row = 0; row < 8; ++row) {
      std::memcpy(&part, black[row] + begin, sizeof part);
      addresses += part;
      std::memcpy(&part, white[row] + begin, sizeof part);
      addresses -= part;
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      totals[lane % sums] += weights[offsets_[begin + lane] + addresses[lane]];
  }
  return (totals[0] + totals[1]) + (totals[2] + totals[3]);
}

Value NTupleNetwork::evaluate(const Board& board, bool white_to_move) const {
  constexpr std::int64_t half = std::int64_t{1} << (kFineBits - 1);
  const auto value =
      static_cast<Value>((sum(fine_, sides(board, white_to_move)) + half) >> kFineBits);
  return sign(white_to_move) < 0 ? -value : value;
}

double NTupleNetwork::value(const Board& board, bool white_to_move) const {
  return sign(white_to_move) * sum(weights_, sides(board, white_to_move));
}

int NTupleNetwork::choose(const Board& board, bool white_to_move, Random random) const {
  double best = -std::numeric_limits<double>::infinity();
  Bits equals = 0;
  for (Bits moves = legal_moves(board); moves;) {
    const int square = pop(moves);
    const double found = -value(play(board, square), !white_to_move);
    if (std::abs(found - best) < kTie) {
      equals |= bit(square);
    } else if (found > best) {
      best = found;
      equals = bit(square);
    }
  }
  return equals ? select(equals, random.below(count(equals))) : kPass;
}

}  // namespace outflank
