// The champion: its evaluation, how it is trained, and the games that it learns from.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"
#include "champion/games.hpp"
#include "evaluation/champion.hpp"
#include "evaluation/champion_fit.hpp"
#include "othello/moves.hpp"

namespace outflank {
namespace {

using namespace champion;

using Weights = ArrayIn<std::int8_t>;

// Rows stay where they are: in Python's array, which may be a file mapped into memory.
ChampionEvaluation* make_evaluation(const Weights& weights) {
  const std::shared_ptr<const void> owner(new Weights(weights), [](const void* p) {
    nb::gil_scoped_acquire acquire;
    delete static_cast<const Weights*>(p);
  });
  return new ChampionEvaluation({weights.data(), weights.size()}, owner);
}

// The values of a board and of those after each move, by indices that are changed move by move.
ArrayOut<Value> evaluate_line(const ChampionEvaluation& evaluation, Bits own, Bits other,
                              const std::vector<int>& moves) {
  Board board = checked_board(own, other);
  Indices indices(board);
  auto values = new_array<Value>({moves.size() + 1});
  for (std::size_t i = 0;; ++i) {
    Lanes contents;
    indices.contents(contents);
    values.data()[i] =
        evaluation.evaluate(board, contents, legal_moves(board), legal_moves(board.passed()));
    if (i == moves.size()) return values;
    const int move = moves[i];
    if (move == kPass) {
      indices = indices.passed();
      board = board.passed();
      continue;
    }
    if (move < 0 || move >= kSquares || !(legal_moves(board) & bit(move)))
      throw nb::value_error(("move " + std::to_string(i) + " is not legal").c_str());
    const Bits flipped = flips(board.own, board.other, move);
    indices = indices.after(flipped, move);
    board = play(board, move);
  }
}

template <class Number>
auto array_of(const std::vector<Number>& numbers) {
  auto out = new_array<Number>({numbers.size()});
  std::copy(numbers.begin(), numbers.end(), out.data());
  return out;
}

void check_weights(const char* name, const ArrayIn<float>& weights) {
  if (weights.size() != Parts::kNumbers)
    refuse(std::string(name) + " has another size than the champion's weights");
  check_numbers(name, weights.data(), weights.size());
}

auto fit(const Boards& own, const Boards& other, const ArrayIn<float>& scores,
         const std::optional<ArrayIn<float>>& start, double passes, int batch, double rate,
         std::uint64_t seed, int threads) {
  const std::size_t size = check_boards(own, other);
  same_length(size, scores.shape(0));
  check_numbers("scores", scores.data(), size, 1e6f);
  within("passes", passes, 0.0, 1e6);
  within("batch", batch, 1, 1 << 20);
  within("rate", rate, 0.0, 10.0);
  threads = threads_for(threads);
  std::span<const float> from;
  if (start) {
    check_weights("start", *start);
    from = {start->data(), start->size()};
  }
  return array_of(listening([&] {
    return fit_champion({own.data(), size}, {other.data(), size}, {scores.data(), size}, from,
                        {passes, batch, rate, seed, threads});
  }));
}

auto quantise(const ArrayIn<float>& weights) {
  check_weights("weights", weights);
  return array_of(quantise_champion({weights.data(), weights.size()}));
}

auto numbers_of(const Weights& weights) {
  if (weights.size() != Parts::kBytes) refuse("these are not the champion's weights");
  return array_of(champion_numbers({weights.data(), weights.size()}));
}

TrainingGameOptions* make_game_options(int depth, int solve_from, int least_opening,
                                       int most_opening, double randomness, double slips,
                                       int siblings, int endings) {
  within("depth", depth, 1, kMostDepth);
  within("solve_from", solve_from, 0, 24);
  within("least_opening", least_opening, 0, kSquares);
  within("most_opening", most_opening, least_opening, kSquares);
  within("randomness", randomness, 0.0, 1.0);
  within("slips", slips, 0.0, 1.0);
  within("siblings", siblings, 0, 1000);
  within("endings", endings, 0, 1000);
  return new TrainingGameOptions{depth,      solve_from, least_opening, most_opening,
                                 randomness, slips,      siblings,      endings};
}

// Games that follow each other use the same tables: they are played in order, by one thread.
auto play_games(const Evaluation& evaluation, const Boards& own, const Boards& other,
                const ArrayIn<std::uint64_t>& keys, const TrainingGameOptions& options,
                double deviations, const std::vector<DepthRegression>& regressions, int megabytes) {
  const std::size_t games = check_boards(own, other);
  same_length(games, keys.shape(0));
  within("megabytes", megabytes, 1, kMostMegabytes);
  within("deviations", deviations, 0.0, 1000.0);
  if (!evaluation.in_discs()) throw nb::value_error("the evaluation must be in discs");
  std::vector<TrainingPosition> positions;
  std::vector<std::uint32_t> game_of;
  listening([&] {
    const Selectivity selectivity(deviations, regressions);
    MidgameTable table(static_cast<std::size_t>(megabytes));
    EndgameTable endgames(static_cast<std::size_t>(megabytes));
    for (std::size_t game = 0; game < games && !must_end(); ++game) {
      const auto played =
          play_training_game({own.data()[game], other.data()[game]}, keys.data()[game], evaluation,
                             table, endgames, selectivity, options);
      positions.insert(positions.end(), played.begin(), played.end());
      game_of.resize(positions.size(), static_cast<std::uint32_t>(game));
    }
  });
  auto mine = new_array<Bits>({positions.size()}), theirs = new_array<Bits>({positions.size()});
  auto scores = new_array<std::int8_t>({positions.size()});
  auto values = new_array<float>({positions.size()});
  auto numbers = new_array<std::uint32_t>({positions.size()});
  for (std::size_t i = 0; i < positions.size(); ++i) {
    mine.data()[i] = positions[i].board.own;
    theirs.data()[i] = positions[i].board.other;
    scores.data()[i] = positions[i].score;
    values.data()[i] = positions[i].value;
  }
  std::copy(game_of.begin(), game_of.end(), numbers.data());
  return std::tuple(mine, theirs, scores, values, numbers);
}

}  // namespace

void bind_champion(nb::module_& module) {
  nb::class_<ChampionEvaluation, Evaluation>(
      module, "ChampionEvaluation",
      "A small network over shapes of the whole board, mobility and parity, by stage.")
      .def(nb::new_(&make_evaluation), "weights"_a,
           R"(An evaluation from its weights, most of which are not copied.

Args:
    weights: int8[bytes], as quantise_champion returns them; it may be a file mapped into memory.)")
      .def("evaluate_line", &evaluate_line, "own"_a, "other"_a, "moves"_a,
           R"(Evaluate a board and those after each of some moves, updating move by move.

Args:
    own, other: the first board.
    moves: squares and PASS.

Returns int32, one value more than there are moves, each from its mover's view.)")
      .def_prop_ro_static(
          "bytes", [](nb::handle) { return std::size_t{Parts::kBytes}; },
          "The size of the weights as whole numbers.")
      .def_static(
          "stage_of",
          [](int empties) { return champion::stage_of(std::clamp(empties, 0, kMostEmpties)); },
          "empties"_a, "The stage of a number of empty squares.")
      .def_static(
          "shapes",
          [] {
            std::vector<std::vector<int>> all;
            for (const Shape& shape : kShapes)
              all.emplace_back(shape.squares.begin(), shape.squares.begin() + shape.length);
            return all;
          },
          "The squares of each shape, the first being the lowest digit of its contents.");

  module.def("fit_champion", &fit, "own"_a, "other"_a, "scores"_a, nb::kw_only(),
             "start"_a = nb::none(), "passes"_a = 2.0, "batch"_a = 2048, "rate"_a = 0.003,
             "seed"_a = 1, "threads"_a = 0,
             R"(Train the weights of a ChampionEvaluation on scores, by least squares.

Args:
    own, other: the positions.
    scores: float32, from the movers' view, in discs.
    start: float32, weights to begin with; None: random ones.
    passes: over the positions, each in another order.
    batch: positions of a step.
    rate: of learning; it rises briefly, then falls like a cosine.
    seed: of the first weights and of the order.
    threads: see the module.

Returns the weights, float32.)");
  module.def("quantise_champion", &quantise, "weights"_a,
             "Round weights that fit_champion returned to those that ChampionEvaluation takes.");
  module.def("champion_numbers", &numbers_of, "weights"_a,
             "Return weights that ChampionEvaluation takes as float32, to train them further.");

  nb::class_<TrainingGameOptions>(module, "TrainingGameOptions",
                                  "How games to learn from are played.")
      .def(nb::new_(&make_game_options), nb::kw_only(), "depth"_a = 6, "solve_from"_a = 14,
           "least_opening"_a = 4, "most_opening"_a = 24, "randomness"_a = 0.5, "slips"_a = 0.0,
           "siblings"_a = 0, "endings"_a = 0,
           R"(Args:
    depth: of the searches.
    solve_from: empty squares from which the game is solved.
    least_opening, most_opening: discs to be placed before searches decide, between these; those of
        the first board count.
    randomness: share of random moves in the opening; the others look one ply ahead.
    slips: share of random moves once the game is solved; after each it is solved again.
    siblings: other moves, drawn at random, whose positions are listed for each searched position
        of the game, with the value of a search one ply less deep as their score.
    endings: other endings of the game, each from one of its last positions before it is solved,
        after one or two random moves.)");
  module.def("play_training_games", &play_games, "evaluation"_a, "own"_a, "other"_a, "keys"_a,
             "options"_a, nb::kw_only(), "deviations"_a = 0.0,
             "regressions"_a = std::vector<DepthRegression>{}, "megabytes"_a = 16,
             R"(Play games to learn from, in their order, with one thread.

Args:
    evaluation: plays both sides; its values must be discs.
    own, other: where each game begins.
    keys: uint64, one for each game: decides its random moves.
    options: how they are played.
    deviations, regressions: see Searcher.set_selectivity.
    megabytes: of the tables, which are new for every call.

Returns (own, other, scores, values, games): the positions after the openings; their scores from
the movers' view, int8, which are exact once the game is solved, and before that the score of the
first position that was solved; what the searches found there, float32 in discs (the scores once
solved); and the number of each one's game, uint32.)");
}

}  // namespace outflank
