// The networks and players of paper 4.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "batch/parallel.hpp"
#include "bindings/arguments.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"
#include "evolution/network.hpp"
#include "evolution/player.hpp"
#include "othello/moves.hpp"

namespace outflank {

namespace {

using namespace evolution;

Network network_of(const std::string& shape, const ArrayIn<float>& weights, float piece_weight) {
  check_numbers("weights", weights.data(), weights.size());
  check_numbers("piece_weight", &piece_weight, 1);
  return Network(shape_of(shape), {weights.data(), weights.size()}, piece_weight);
}

using Played = std::tuple<ArrayOut<std::int32_t>, ArrayOut<std::uint8_t>, ArrayOut<std::int32_t>>;

constexpr int kMostPasses = 60;  // no game has more

// Throws where a move is not legal.
void check_opening(std::span<const std::uint8_t> moves) {
  Board board = kStart;
  for (const std::uint8_t move : moves) {
    const Bits legal = legal_moves(board);
    const bool passes = move == kPass && !legal && !is_over(board);
    if (!passes && (move >= kSquares || !(legal & bit(move))))
      throw nb::value_error("an opening has a move that is not legal");
    board = passes ? board.passed() : outflank::play(board, move);
  }
}

Played play_games(const std::vector<const Mind*>& minds, const ArrayIn<std::int32_t>& black,
                  const ArrayIn<std::int32_t>& white,
                  const std::optional<MatrixIn<std::uint8_t>>& openings, int most_passes,
                  int threads) {
  const std::size_t games = same_length(black.shape(0), white.shape(0));
  within("most_passes", most_passes, 0, kMostPasses);
  if (std::ranges::find(minds, nullptr) != minds.end()) refuse("minds must not be None");
  const auto count = static_cast<std::int32_t>(minds.size());
  for (std::size_t i = 0; i < games; ++i)
    for (const std::int32_t number : {black.data()[i], white.data()[i]})
      if (number < 0 || number >= count) throw nb::index_error("no such player");
  const std::size_t given = openings ? openings->shape(1) : 0;
  const auto opening_of = [&](std::size_t game) {
    return std::span(given ? openings->data() + game * given : nullptr, given);
  };
  if (openings) {
    same_length(games, openings->shape(0));
    for (std::size_t i = 0; i < games; ++i) check_opening(opening_of(i));
  }
  constexpr std::size_t longest = std::tuple_size_v<decltype(PlayedGame::moves)>;
  auto moves = new_array<std::uint8_t>({games, longest});
  auto plies = new_array<std::int32_t>({games});
  auto scores = new_array<std::int32_t>({games});
  listening_for(games, 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const PlayedGame game =
          play(*minds[black.data()[i]], *minds[white.data()[i]], most_passes, opening_of(i));
      std::copy(game.moves.begin(), game.moves.end(), moves.data() + i * longest);
      plies.data()[i] = game.plies;
      scores.data()[i] = game.score;
    }
  });
  return {scores, moves, plies};
}

}  // namespace

void bind_evolution(nb::module_& module) {
  module.def(
      "evolved_weights", [](const std::string& shape) { return weights_of(shape_of(shape)); },
      "shape"_a, "How many weights a shape of network has: spatial, flat, only or filter.");
  nb::class_<NetworkEvaluation, Evaluation>(module, "EvolvedEvaluation",
                                            "A network of paper 4 that evaluates boards.")
      .def(
          nb::new_([](const std::string& shape, const ArrayIn<float>& weights, float piece_weight) {
            return new NetworkEvaluation(network_of(shape, weights, piece_weight));
          }),
          "shape"_a, "weights"_a, "piece_weight"_a,
          R"(Args:
    shape: spatial, flat or only.
    weights: float32, layer by layer and node by node, each node's bias behind its weights.
    piece_weight: what each disc of difference adds to the output node's sum.)");
  nb::class_<Network>(module, "MoveFilter", "A network of paper 4 that ranks moves.")
      .def(nb::new_([](const ArrayIn<float>& weights) {
             return new Network(network_of("filter", weights, 0));
           }),
           "weights"_a)
      .def(
          "rank",
          [](const Network& network, const Boards& own, const Boards& other) {
            const auto boards = boards_of(own, other);
            auto scores = new_array<float>({boards.size(), std::size_t{kSquares}});
            undisturbed([&] { network.rank(boards, scores.data()); });
            return scores;
          },
          "own"_a, "other"_a,
          "How it ranks the squares of each board, float32[n, 64]: high first.");
  nb::class_<Mind>(module, "Mind",
                   "A player that searches to a fixed depth, with or without a filter of moves.")
      .def(nb::new_([](std::shared_ptr<const Evaluation> evaluation, int depth,
                       std::shared_ptr<const Network> filter, int window) {
             if (!evaluation) refuse("a mind needs an evaluation");
             within("depth", depth, 1, kMostDepth);
             within("window", window, 1, kSquares);
             return new Mind{std::move(evaluation), depth, std::move(filter), window};
           }),
           "evaluation"_a, "depth"_a = 2, "filter"_a = nb::none(), "window"_a = 3,
           R"(Args:
    evaluation: what the leaves are worth.
    depth: plies to search; a pass is a ply.
    filter: ranks the moves of each node; None: all are searched.
    window: how many of the moves that a filter ranks first are searched.)")
      .def(
          "choose",
          [](const Mind& mind, const Boards& own, const Boards& other,
             const ArrayIn<bool>& white_to_move, int threads) {
            const auto boards = boards_of(own, other);
            same_length(boards.size(), white_to_move.shape(0));
            auto moves = new_array<std::uint8_t>({boards.size()});
            auto values = new_array<Value>({boards.size()});
            listening_for(boards.size(), 1, threads, [&](std::size_t first, std::size_t last) {
              for (std::size_t i = first; i < last; ++i) {
                const Choice found = choose(mind, boards[i], white_to_move.data()[i]);
                moves.data()[i] = static_cast<std::uint8_t>(found.move);
                values.data()[i] = found.value;
              }
            });
            return std::tuple{moves, values};
          },
          "own"_a, "other"_a, "white_to_move"_a, "threads"_a = 0,
          R"(Choose a move on each board.

Returns (moves, values): uint8[n], the lowest square among equals, PASS where there is no move; and
what they are worth, int32[n].)");
  module.def("play_minds", &play_games, "minds"_a, "black"_a, "white"_a, "openings"_a = nb::none(),
             "most_passes"_a = 10, "threads"_a = 0,
             R"(Play games from the start position.

Args:
    minds: the players.
    black, white: int32[n], who plays each game, as indexes into minds.
    openings: uint8[n, k], legal moves that each game begins with; None: no opening.
    most_passes: a game also ends after this many passes, those of the opening not counted.
    threads: see the module.

Returns (scores, moves, plies): black's final scores int32[n]; the moves, passes included,
uint8[n, 128]; and how many there are, int32[n].)");
}

}  // namespace outflank
