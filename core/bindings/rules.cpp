// The rules for one board at a time.
#include "bindings/arguments.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"
#include "othello/features.hpp"
#include "othello/hash.hpp"
#include "othello/moves.hpp"
#include "othello/perft.hpp"
#include "othello/symmetry.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

namespace outflank {
namespace {

constexpr int kMostPerft = 60;  // plies

int checked_square(int square) {
  if (square < 0 || square >= kSquares)
    throw nb::value_error(("no such square: " + std::to_string(square)).c_str());
  return square;
}

int checked_symmetry(int symmetry) {
  if (symmetry < 0 || symmetry >= kSymmetries)
    throw nb::value_error(("no such symmetry (0..7): " + std::to_string(symmetry)).c_str());
  return symmetry;
}

using Pair = std::tuple<Bits, Bits>;

Pair play_checked(Bits own, Bits other, int move) {
  const Board board = checked_board(own, other);
  const Bits legal = legal_moves(board);
  if (move == kPass) {
    if (legal || !legal_moves(board.passed())) throw nb::value_error("illegal pass");
    return {other, own};
  }
  if (!(legal & bit(checked_square(move))))
    throw nb::value_error(("illegal move: " + std::to_string(move)).c_str());
  const Board next = play(board, move);
  return {next.own, next.other};
}

}  // namespace

void bind_rules(nb::module_& module) {
  module.def(
      "legal_moves", [](Bits own, Bits other) { return legal_moves(checked_board(own, other)); },
      "own"_a, "other"_a, "Squares where the mover may play, as a bitboard.");
  module.def(
      "flips",
      [](Bits own, Bits other, int square) {
        checked_board(own, other);
        return flips(own, other, checked_square(square));
      },
      "own"_a, "other"_a, "square"_a,
      "The discs that a disc on this square would flip, even if the square is not empty.");
  module.def("play", &play_checked, "own"_a, "other"_a, "move"_a,
             "Play a legal move or pass: (own, other) from the next mover's view.");
  module.def(
      "is_over", [](Bits own, Bits other) { return is_over(checked_board(own, other)); }, "own"_a,
      "other"_a, "True if neither side can move.");
  module.def(
      "final_score", [](Bits own, Bits other) { return final_score(checked_board(own, other)); },
      "own"_a, "other"_a,
      "Disc difference from the mover's view, the empty squares going to the winner.");
  module.def(
      "transform",
      [](Bits bits, int symmetry) { return transform(bits, checked_symmetry(symmetry)); }, "bits"_a,
      "symmetry"_a,
      R"(A bitboard under one of the eight symmetries.

Bit 2 of the symmetry's number transposes; then bit 0 mirrors left and right, and bit 1 top and
bottom.)");
  module.def(
      "transform_move",
      [](int move, int symmetry) {
        if (move != kPass) checked_square(move);
        return transform_move(move, checked_symmetry(symmetry));
      },
      "move"_a, "symmetry"_a, "Where a move goes under a symmetry; a pass stays a pass.");
  module.def(
      "canonical",
      [](Bits own, Bits other) {
        const Canonical found = canonical(checked_board(own, other));
        return std::tuple(found.board.own, found.board.other, found.symmetry);
      },
      "own"_a, "other"_a,
      "The smallest of the board's eight images, and the symmetry that gives it: (own, other, "
      "symmetry).");
  module.def(
      "hash", [](Bits own, Bits other) { return hash(Board{own, other}); }, "own"_a, "other"_a,
      "A 64-bit hash of the board, or of any two words, the same in every build.");
  module.def(
      "stable_discs", [](Bits own, Bits other) { return stable_discs(checked_board(own, other)); },
      "own"_a, "other"_a, "Discs of both colours that can never be flipped (a lower bound).");
  module.def(
      "frontier", [](Bits own, Bits other) { return frontier(checked_board(own, other)); }, "own"_a,
      "other"_a, "Discs of both colours that touch an empty square.");
  module.def(
      "potential_mobility",
      [](Bits own, Bits other) { return potential_mobility(checked_board(own, other)); }, "own"_a,
      "other"_a, "Empty squares that touch an opponent's disc.");
  module.def(
      "perft",
      [](Bits own, Bits other, int depth) {
        const Board board = checked_board(own, other);
        within("depth", depth, 0, kMostPerft);
        return listening([&] { return perft(board, depth); });
      },
      "own"_a, "other"_a, "depth"_a,
      "Count the sequences of `depth` plies; a pass is a ply, and a finished game is one leaf.");
}

}  // namespace outflank
