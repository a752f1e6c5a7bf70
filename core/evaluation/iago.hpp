// Iago, the Othello program of P. Rosenbloom (1982), as far as it is known.
//
// Rosenbloom's sum is ESAC(n) * edge stability + 36 * internal stability + CMAC(n) * current
// mobility + 99 * potential mobility, with ESAC(n) = 312 + 6.24 n and CMAC(n) = 50 + 2 n up to
// move 25 and 75 + n from there on; each feature is between -1000 and 1000. What the sources at
// hand leave open is decided here:
//
// - n, the number of the move about to be made, is that of the position that is evaluated (from 1
//   for the start to 60), by the discs on the board, and not that of the root of a search.
// - Edge stability is Norvig's edge table (edge_table.hpp), the sum of four edges divided by 32
//   as in his program.
// - Internal stability is the difference of stable discs (features.hpp) on the 36 squares inside
//   the border, as a share of 36.
// - Current mobility is 1000 (P - O) / (P + O + 2) without its fraction, P being twice the moves
//   that only the mover has and once those that both have, O likewise for the opponent.
// - Potential mobility is the mean of three measures on the other side's discs: how many touch an
//   empty square, how many empty squares touch them, and how many such pairs there are; each
//   compared as current mobility is.
#pragma once

#include "evaluation/evaluation.hpp"

namespace outflank {

// The terms of edge and internal stability alone: the "positional strategy of Iago".
class IagoPositional final : public Evaluation {
 public:
  Value evaluate(const Board& board, bool) const override;
};

// The whole sum.
class Iago final : public Evaluation {
 public:
  Value evaluate(const Board& board, bool) const override;
};

// Norvig's approximation (Paradigms of Artificial Intelligence Programming, section 18.12): edge
// table, legal moves, and empty squares beside the other side's discs.
class PaipIago final : public Evaluation {
 public:
  Value evaluate(const Board& board, bool) const override;
};

}  // namespace outflank
