// The champion's evaluation: a small network over shapes of the whole board, both sides' mobility
// and parity. Its values are discs.
//
// Each content of a shape, each number of moves and each parity has a row: a vector of kChannels
// numbers. The rows of a board are added up and squared. Two layers, of each stage of the game its
// own, turn that into a value. All numbers are whole, so every build gives the same values.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "evaluation/champion_indices.hpp"
#include "evaluation/evaluation.hpp"

namespace outflank {
namespace champion {

inline constexpr int kChannels = 32;
inline constexpr int kHidden = 32;  // units of the inner layer

// One in the whole numbers of each part.
inline constexpr int kScale = 64;         // rows, sums and activations
inline constexpr int kInnerScale = 1024;  // weights of the inner layer
inline constexpr int kOuterScale = 256;   // weights of the outer layer
inline constexpr int kMostActive = 8;     // sums and units are cut off here, and at 0
inline constexpr int kSquare = 4;         // divides the squares of sums
inline constexpr int kDiscs = 16;         // that one is worth when it comes out

// The parts of the weights, in their order. As whole numbers they follow each other in one array
// of bytes, so that a file can be mapped into memory.
struct Parts {
  static constexpr std::size_t kRow = std::size_t{kRows} * kChannels;                 // int8
  static constexpr std::size_t kEmpties = std::size_t{kMostEmpties + 1} * kChannels;  // int16
  static constexpr std::size_t kInner = std::size_t{kStages} * kHidden * kChannels;   // int16
  static constexpr std::size_t kInnerBias = std::size_t{kStages} * kHidden;           // int32
  static constexpr std::size_t kOuter = std::size_t{kStages} * kHidden;               // int16
  static constexpr std::size_t kOuterBias = kStages;                                  // int32
  static constexpr std::size_t kNumbers =
      kRow + kEmpties + kInner + kInnerBias + kOuter + kOuterBias;
  static constexpr std::size_t kBytes =
      kRow + 2 * (kEmpties + kInner + kOuter) + 4 * (kInnerBias + kOuterBias);
};

}  // namespace champion

class ChampionEvaluation final : public Evaluation {
 public:
  static constexpr double kUnits = 128;  // of a disc
  static constexpr Value kMost = static_cast<Value>(64 * kUnits);

  // Parts::kBytes bytes. The rows are not copied: `owner` keeps them alive, be it an array or a
  // file that is mapped into memory. Throws std::invalid_argument if there are more or fewer.
  ChampionEvaluation(std::span<const std::int8_t> weights, std::shared_ptr<const void> owner);

  // From scratch; a search keeps Indices instead.
  Value evaluate(const Board& board, bool white_to_move) const override;
  double units() const override { return kUnits; }
  bool in_discs() const override { return true; }

  // The value of a board whose contents are known, and the legal moves of both sides.
  Value evaluate(const Board& board, const champion::Lanes& contents, Bits own_moves,
                 Bits other_moves) const;

 private:
  // The layers of a stage, laid out for evaluate().
  struct alignas(64) Layers {
    // Of each pair of channels, the weights into every unit: vectors add up two products at once.
    std::int16_t inner[champion::kChannels / 2][champion::kHidden][2];
    std::int32_t inner_bias[champion::kHidden];
    std::int16_t outer[champion::kHidden];
    std::int32_t outer_bias;
  };

  std::span<const std::int8_t> rows_;
  std::vector<std::int16_t> empties_;
  std::vector<Layers> layers_;
  std::shared_ptr<const void> owner_;
};

}  // namespace outflank
