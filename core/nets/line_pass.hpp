// A few positions on their way through the line network, forwards and backwards.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "nets/line_network.hpp"

namespace outflank::nets {

// A row of a table that a position used, and where the gradient of what it gave lies.
struct Reference {
  std::uint32_t row;
  std::uint32_t vector;  // number of a vector in Gradients::vectors
};

// What the backward passes of some positions add up to.
struct Gradients {
  explicit Gradients(const LineNetwork& network)
      : dense(network.dense.size()),
        square_mixing(network.blocks.size()),
        references(network.tables.size()) {
    for (std::size_t b = 0; b < network.blocks.size(); ++b)
      square_mixing[b].resize(network.square_mixing[b].size());
  }
  void clear();

  std::vector<float> dense;
  std::vector<std::vector<float>> square_mixing;   // [group][to][from], not yet tied
  std::vector<std::vector<Reference>> references;  // by table
  std::vector<float> vectors;                      // channels each
};

// What is left out at random while training, so that no part relies on another being there.
struct Dropout {
  float lines = 0;     // share of lines
  float patterns = 0;  // share of patterns of the afterstates
  float channels = 0;  // share of channels in blocks and layers
  std::uint64_t seed = 0;
};

class Pass {
 public:
  static constexpr int kPositions = 4;

  explicit Pass(const LineNetwork& network);

  // Takes up to kPositions boards and looks at what is to be looked up.
  void describe(std::span<const Bits> own, std::span<const Bits> other);

  // `first_key` numbers the positions among all of a run, for the random numbers of dropout.
  void forward() { forward(Dropout{}, 0); }
  void forward(const Dropout& dropout, std::uint64_t first_key);

  // Given the derivatives of the loss by each logit and each value, adds to the gradients.
  void backward(std::span<const float> by_logit, std::span<const float> by_value, Gradients& into);

  // Moves are numbered through all positions of the pass.
  std::pair<int, int> moves_of(std::size_t position) const {
    return {places_[position].first_move, places_[position].last_move};
  }
  int moves() const { return static_cast<int>(squares_.size()); }
  int square(int move) const { return squares_[move]; }
  float logit(int move) const { return logits_[move]; }
  float value(std::size_t position) const { return values_[position]; }

 private:
  struct Place {
    Board board;
    int empties, first_move, last_move;
    std::array<LineEntry, kLines> lines;
    std::array<std::int32_t, kPatterns> patterns;  // rows of the board as it is
    std::uint64_t lines_kept, patterns_kept;
  };
  struct Change {  // a pattern that a move changes
    int move, pattern;
    std::int32_t row;
  };
  struct MoveRow {
    int move, table;
    std::int32_t row;
  };
  struct Range {
    std::size_t begin, end;
  };

  void describe_moves(Place& place);
  void drop(const Dropout& dropout, std::uint64_t first_key);
  void look_up_squares();
  void block_forward(int block);
  void value_forward();
  void look_up_moves();
  template <int Vectors>
  void add_rows(int move, int channel, const Range& rows, const Range& changes);
  void layer_forward(int layer);
  void layer_backward(int layer, Gradients& into);
  void value_backward(std::span<const float> by_value, Gradients& into);
  void block_backward(int block, Gradients& into);
  void refer_to_squares(Gradients& into);
  void refer_to_moves(Gradients& into);

  const float* table_row(int table, std::int32_t row) const {
    return network_.tables[table].weights.data() + static_cast<std::size_t>(row) * channels_;
  }
  const float* pattern_row(int pattern, std::int32_t row) const {
    return table_row(LineNetwork::kPatternTable + geometry_.patterns[pattern].type, row);
  }
  float* at(Floats& states, int position) const {
    return states.data() + static_cast<std::size_t>(position) * kSquares * channels_;
  }

  const LineNetwork& network_;
  const Geometry& geometry_;
  const int channels_, hidden_, groups_;
  int positions_ = 0;
  float lines_scale_ = 1, patterns_scale_ = 1;

  std::array<Place, kPositions> places_;
  std::vector<std::uint8_t> squares_;  // of the moves
  std::vector<std::uint8_t> owner_;    // position of each move
  std::vector<Change> changes_;
  std::vector<MoveRow> move_rows_;

  // Square states are [position][rank of square][channel].
  std::vector<Floats> states_;  // before each block, then after the last one
  std::vector<Floats> normal_;  // the same, scaled to length one
  std::vector<Floats> scale_;   // by which
  std::vector<Floats> active_;  // after each block's channel mixing
  Floats keep_;                 // [block or layer][position][channel]: 0 or 1 / kept
  Floats pooled_, context_;     // [position][channel]
  Floats value_active_, values_;
  std::vector<Floats> moves_;  // [move][channel] before each layer, then at the end
  std::vector<Floats> move_normal_, move_scale_, move_active_, mean_active_;
  Floats logits_;

  Floats d_states_, d_active_, d_moves_, d_context_, d_hidden_, d_normal_, pack_a_, pack_b_;
};

}  // namespace outflank::nets
