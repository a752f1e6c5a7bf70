// The line network: moves and value of an Othello position, from tables over whole lines.
//
// A line of eight squares has 3^8 states, so what a line means is looked up, not computed. A
// square's vector is the sum of its four lines' rows. Blocks mix channels (by class of square) and
// squares (by matrices tied under the symmetries). The vectors of the legal squares, and of the
// board after each of these moves if the network looks at afterstates, go through small layers
// that end in one logit for each legal move. See docs/line-network.md.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "memory/pages.hpp"
#include "nets/geometry.hpp"

namespace outflank::nets {

// Numbers that begin a cache line, in large pages if they are many.
using Floats = LargeVector<float>;

struct LineConfig {
  int channels = 64;  // of every vector; a multiple of 16, of which each has its own square mixing
  int blocks = 1;
  int layers = 2;    // residual layers on the legal moves
  int hidden = 128;  // width of those layers; a multiple of 16
  bool afterstates = true;
};

// A part of the dense weights.
struct Slice {
  std::string name;
  std::vector<std::size_t> shape;
  std::size_t begin, size;
  template <typename Arena>
  auto in(Arena& arena) const {
    return arena.data() + begin;
  }
};

// Rows that are looked up: only those that occur in a batch change.
struct Table {
  std::string name;
  std::size_t rows;
  Floats weights;  // rows x channels
};

// Facts about a move that are small numbers, each crossed with the stage of the game.
enum class Fact : int {
  kSquare,
  kRegion,
  kOddRegions,
  kEvenRegions,  // of the board as it is
  kReplies,
  kOwnMoves,
  kCorners,
  kFlips,
  kPotentialReplies,
  kPotentialMoves,
  kDiscsKept,  // after the move
};
inline constexpr int kFacts = 11;

// Which relation a row of the table of pairs stands for: (move, square).
enum class Pair : int { kReply, kOwnMove, kFlip };
inline constexpr int kPairKinds = 3;

class LineNetwork {
 public:
  explicit LineNetwork(const LineConfig& config);

  // Random weights from which training starts; the seed determines them on every machine.
  void initialise(std::uint64_t seed);

  // To be called after the dense weights changed.
  void refresh();

  const LineConfig config;
  Floats dense;
  std::vector<Table> tables;  // 12 of lines, facts, then with afterstates 12 of patterns, pairs

  struct Block {
    Slice channel, bias, squares;
  };
  struct Layer {
    Slice in, context, others, bias, out;
  };
  Slice class_bias, pool, stage, value_in, value_bias, value_out, value_offset, logit, logit_bias;
  std::vector<Block> blocks;
  std::vector<Layer> layers;
  std::vector<Slice> slices() const;  // all, in order

  // Derived from the dense weights by refresh().
  std::vector<Floats> square_mixing;  // for each block [to][from][group], ranks
  Floats transposed;                  // dense weights whose products run backwards

  static constexpr int kFactTable = kLineTypes, kPatternTable = kFactTable + 1;
  static constexpr int kPairTable = kPatternTable + kPatternTypes;
  static constexpr int kValueHidden = 32;

 private:
  Slice slice(const std::string& name, std::vector<std::size_t> shape);
};

// Row of the table of facts.
int fact_row(Fact fact, int number, int empties);
std::size_t fact_rows();

struct Prediction {
  float* logits;  // 64 for each board; -infinity where the move is not legal
  float* value;   // expected result from the mover's view, in [-1, 1]
};

// Logits and values of many boards.
void predict(const LineNetwork& network, std::span<const Bits> own, std::span<const Bits> other,
             const Prediction& out, int threads);

}  // namespace outflank::nets
