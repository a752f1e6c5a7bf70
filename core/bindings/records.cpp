// Replay of many games at once.
#include "records/replay.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>
#include <vector>

#include "batch/parallel.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"

namespace outflank {
namespace {

auto replay_games(const MatrixIn<std::uint8_t>& moves, int threads) {
  const std::size_t games = moves.shape(0), width = moves.shape(1);
  const auto row = [&](std::size_t game) {
    return std::span<const std::uint8_t>(moves.data() + game * width, width);
  };
  auto offsets = new_array<std::int64_t>({games + 1});
  offsets.data()[0] = 0;
  for (std::size_t game = 0; game < games; ++game)
    offsets.data()[game + 1] =
        offsets.data()[game] + static_cast<std::int64_t>(count_moves(row(game)));
  const auto places = static_cast<std::size_t>(offsets.data()[games]);

  auto own = new_array<Bits>({places}), other = new_array<Bits>({places});
  auto move = new_array<std::uint8_t>({places}), white_to_move = new_array<std::uint8_t>({places});
  auto black = new_array<Bits>({games}), white = new_array<Bits>({games});
  auto legal_moves = new_array<std::uint8_t>({games});
  auto legal = new_array<bool>({games}), over = new_array<bool>({games});
  const PositionsOut out{own.data(), other.data(), move.data(), white_to_move.data()};
  listening_for(games, 1024, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t game = begin; game < end; ++game) {
      const auto at = static_cast<std::size_t>(offsets.data()[game]);
      const ReplayedGame result = replay(row(game), out, at);
      // Places of moves that could not be played stay recognisable: no discs, no move.
      const auto stop = static_cast<std::size_t>(offsets.data()[game + 1]);
      for (std::size_t i = at + result.moves; i < stop; ++i) {
        out.own[i] = out.other[i] = 0;
        out.move[i] = kNoMove;
        out.white_to_move[i] = 0;
      }
      black.data()[game] = result.black;
      white.data()[game] = result.white;
      legal_moves.data()[game] = result.moves;
      legal.data()[game] = result.legal;
      over.data()[game] = result.over;
    }
  });
  return std::tuple(own, other, move, white_to_move, offsets, black, white, legal_moves, legal,
                    over);
}

}  // namespace

void bind_records(nb::module_& module) {
  module.attr("NO_MOVE") = kNoMove;
  module.def("replay_games", &replay_games, "moves"_a, "threads"_a = 0,
             R"(Replay games from the start position, up to the first illegal move of each.

Args:
    moves: uint8 of shape (games, width): squares 0..63, padded with NO_MOVE. Passes are implied.
    threads: see the module.

Returns a tuple of arrays. One entry for each move, with the position before it:
    own, other, move, white_to_move; from an illegal move on, move is NO_MOVE.
One entry for each game:
    offsets: where the game's entries begin; one more at the end.
    black, white: the last position reached.
    moves: how many moves were legal.
    legal: whether all were.
    over: whether the game was over after them.)");
}

}  // namespace outflank
