// The networks of paper 4 (Chong, Tan and White, Observing the Evolution of Neural Networks
// Learning to Play the Game of Othello): small perceptrons over all sub-squares of the board.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "evaluation/evaluation.hpp"

namespace outflank::evolution {

enum class Shape {
  spatial,  // 91 sub-squares of 3x3 to 8x8, then 40, 10 and 1 nodes
  flat,     // the board itself, then 40, 10 and 1
  only,     // the 91 sub-squares, then 1
  filter,   // the 91 sub-squares, then one node for each square to play on
};

// Throws std::invalid_argument if there is no shape of this name.
Shape shape_of(std::string_view name);

// Weights and biases of a shape: 5,900, 3,021, 1,891 and 7,687.
std::size_t weights_of(Shape shape);

// One network. Its weights lie layer by layer and node by node, each node's bias behind its
// weights. The nodes of the first layer are the sub-squares by size, then row by row of their
// upper left squares. Inputs are 1 for own discs, -1 for the other's and 0; every node applies
// tanh to its sum.
//
// Results are the same in every build: nothing depends on which instructions a machine has.
class Network {
 public:
  // One unit of what the output node adds up. Of the output only the sum before its tanh is used:
  // tanh changes no order, and by sums a search tells apart what tanh rounds to one.
  static constexpr double kUnits = 1 << 20;
  static constexpr int kLanes = 16;  // boards that are evaluated together

  // piece_weight: what each disc of difference adds to the output node's sum. Throws
  // std::invalid_argument if there are not as many weights as the shape has.
  Network(Shape shape, std::span<const float> weights, float piece_weight);

  Shape shape() const { return shape_; }

  // What boards are worth to their movers. Not for filters.
  void evaluate(std::span<const Board> boards, Value* values) const;

  // How a filter ranks the 64 squares of each board: 64 numbers for each. For filters alone.
  void rank(std::span<const Board> boards, float* scores) const;

 private:
  // The same for boards that fit into Parts times eight lanes.
  template <int Parts>
  void evaluate_some(std::span<const Board> boards, Value* values) const;
  template <int Parts>
  void rank_some(std::span<const Board> boards, float* scores) const;

  Shape shape_;
  std::vector<float> weights_;
  float piece_weight_;
};

// A network as an evaluation for alpha-beta.
class NetworkEvaluation final : public Evaluation {
 public:
  explicit NetworkEvaluation(Network network) : network_(std::move(network)) {}
  Value evaluate(const Board& board, bool) const override {
    Value value;
    network_.evaluate({&board, 1}, &value);
    return value;
  }
  void evaluate_all(std::span<const Board> boards, bool, Value* values) const override {
    network_.evaluate(boards, values);
  }
  int lanes() const override { return Network::kLanes; }
  double units() const override { return Network::kUnits; }

 private:
  Network network_;
};

}  // namespace outflank::evolution
