// What an evaluation is: a number for a position that need not be the end of a game.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "othello/board.hpp"

namespace outflank {

// Values are whole numbers, so that sums come out the same in every order and on every machine,
// from the mover's view. One disc, weight or whatever the evaluation's own unit is, counts
// `units()`; a value is within +-kValueLimit.
using Value = std::int32_t;
inline constexpr Value kValueLimit = 1'000'000'000;

class Evaluation {
 public:
  virtual ~Evaluation() = default;

  // Black's discs are board.own if black is to move; evaluations that know no colours ignore it.
  virtual Value evaluate(const Board& board, bool white_to_move) const = 0;

  // The values of many boards, all with the same colour to move.
  virtual void evaluate_all(std::span<const Board> boards, bool white_to_move,
                            Value* values) const {
    for (const Board& board : boards) *values++ = evaluate(board, white_to_move);
  }

  // Boards that evaluate_all takes about as long for as for one.
  virtual int lanes() const { return 1; }

  // How many units of Value make one of the evaluation's own numbers (1 for disc counts).
  virtual double units() const { return 1.0; }

  // Whether the evaluation's own numbers are discs; others mean something only beside each other.
  virtual bool in_discs() const { return false; }
};

}  // namespace outflank
