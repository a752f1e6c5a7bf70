// N-tuple networks: a table of weights for each tuple of squares, looked up by what is on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/evaluation.hpp"
#include "othello/hash.hpp"

namespace outflank {

// How a network that was made for black's view values a position for white.
enum class Convention {
  negate,  // black prefers high values, white low ones
  invert,  // the colours are swapped, so that the side that has just moved is black
};

// A tuple in one place: its squares in order, and where its 3^length weights begin. Several
// placements, each other's images under a symmetry, share their weights.
struct Placement {
  std::span<const std::uint8_t> squares;
  std::size_t offset = 0;
};

class NTupleNetwork final : public Evaluation {
 public:
  static constexpr std::size_t kLongest = 10;       // squares in a tuple
  static constexpr std::size_t kPlacements = 4096;  // more would need over 16 MB

  // A weight's place among those of its tuple is a number of base 3, the first square its highest
  // digit: 0 for white, 1 for empty, 2 for black. Throws std::invalid_argument for placements or
  // weights that make no sense.
  NTupleNetwork(std::span<const Placement> placements, std::span<const double> weights,
                Convention convention);

  // From the mover's view such that a search of one ply prefers what the network prefers: it is
  // the value after the opponent's move, negated.
  Value evaluate(const Board& board, bool white_to_move) const override;
  double units() const override { return units_; }

  // The same in the network's own numbers.
  double value(const Board& board, bool white_to_move) const;

  // The move after which the network's value is best, a pass if there is none. Values closer
  // than 1e-6 to the best count as equal to it; `random` chooses among them. This is the rule of
  // the Othello League's published code.
  int choose(const Board& board, bool white_to_move, Random random) const;

 private:
  struct Sides {
    Bits black, white;
  };
  // Who is black and who is white for the network, when the other side has just moved.
  Sides sides(const Board& board, bool white_to_move) const;
  double sign(bool white_to_move) const;

  static constexpr std::size_t kRowStates = 256;  // sets of discs of one colour in a row
  // Where the parts of addresses begin that a set of discs in a row adds.
  std::size_t row_place(std::size_t row, std::size_t discs) const {
    return (row * kRowStates + discs) * width_;
  }

  template <typename Number>
  Number sum(const std::vector<Number>& weights, const Sides& sides) const;

  Convention convention_;
  std::size_t width_;                     // placements, rounded up to whole lanes
  std::vector<std::uint16_t> rows_;       // [row][discs in it][placement]: part of the address
  std::vector<std::uint16_t> all_empty_;  // [placement]: its address on an empty board
  std::vector<std::uint32_t> offsets_;    // [placement]
  std::vector<double> weights_;
  std::vector<std::int64_t> fine_;  // the weights times units() and 2^kFineBits
  double units_ = 1.0;
};

}  // namespace outflank
