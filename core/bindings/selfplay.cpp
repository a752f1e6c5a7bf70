// Games of self-play by Monte Carlo tree search.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <chrono>
#include <limits>
#include <optional>

#include "bindings/arguments.hpp"
#include "bindings/listening.hpp"
#include "bindings/mcts_evaluators.hpp"
#include "bindings/stop.hpp"
#include "mcts/selfplay.hpp"

namespace outflank {
namespace {

using mcts::Options;
using mcts::SelfPlayOptions;

constexpr int kMostParallel = 1 << 20;

std::unique_ptr<SelfPlayOptions> make_selfplay_options(
    int simulations, int fast_simulations, double full_share, double temperature,
    int temperature_plies, double late_temperature, int random_plies, double uneven_share,
    int uneven_plies, double wiped_share, int solve_at, bool teach_endings, bool reuse,
    bool count_reused) {
  auto options = std::make_unique<SelfPlayOptions>();
  options->simulations = within("simulations", simulations, 1, kMostSimulations);
  options->fast_simulations = within("fast_simulations", fast_simulations, 0, kMostSimulations);
  options->full_share = within("full_share", full_share, 0.0, 1.0);
  options->temperature = within("temperature", temperature, 0.0, 100.0);
  options->temperature_plies = within("temperature_plies", temperature_plies, 0, 60);
  options->late_temperature = within("late_temperature", late_temperature, 0.0, 100.0);
  options->random_plies = within("random_plies", random_plies, 0, 60);
  options->uneven_share = within("uneven_share", uneven_share, 0.0, 1.0);
  options->uneven_plies = within("uneven_plies", uneven_plies, 0, 60);
  options->wiped_share = within("wiped_share", wiped_share, 0.0, 1.0);
  options->solve_at = within("solve_at", solve_at, 0, 20);
  options->teach_endings = teach_endings;
  options->reuse = reuse;
  options->count_reused = count_reused;
  return options;
}

// Arrays over all positions of finished games, and over the games.
nb::dict as_arrays(const std::vector<mcts::SelfPlayGame>& games, std::int32_t first_game) {
  std::size_t size = 0, finished = 0;
  for (const auto& game : games)
    if (game.finished) size += game.samples.size(), ++finished;
  auto own = new_array<Bits>({size}), other = new_array<Bits>({size});
  auto policy = new_array<float>({size, kSquares});
  auto value = new_array<float>({size}), surprise = new_array<float>({size});
  auto move = new_array<std::uint8_t>({size}), ply = new_array<std::uint8_t>({size});
  auto outcome = new_array<std::int8_t>({size});
  auto number = new_array<std::int32_t>({size});
  auto full = new_array<bool>({size});
  auto game_number = new_array<std::int32_t>({finished});
  auto game_score = new_array<std::int8_t>({finished});
  auto game_moves = new_array<std::uint8_t>({finished});
  auto game_solved = new_array<bool>({finished});
  std::size_t i = 0, g = 0;
  for (std::size_t n = 0; n < games.size(); ++n) {
    const auto& game = games[n];
    if (!game.finished) continue;
    const std::int32_t numbered = first_game + static_cast<std::int32_t>(n);
    game_number.data()[g] = numbered;
    game_score.data()[g] = game.score;
    game_moves.data()[g] = game.moves;
    game_solved.data()[g++] = game.solved;
    for (const mcts::Sample& sample : game.samples) {
      own.data()[i] = sample.board.own;
      other.data()[i] = sample.board.other;
      std::copy(sample.policy.begin(), sample.policy.end(), policy.data() + i * kSquares);
      value.data()[i] = sample.value;
      surprise.data()[i] = sample.surprise;
      move.data()[i] = sample.move;
      ply.data()[i] = static_cast<std::uint8_t>(kSquares - 4 - count(sample.board.empties()));
      outcome.data()[i] = sample.outcome;
      number.data()[i] = numbered;
      full.data()[i++] = sample.full;
    }
  }
  nb::dict arrays;
  arrays["own"] = own;
  arrays["other"] = other;
  arrays["policy"] = policy;
  arrays["value"] = value;
  arrays["surprise"] = surprise;
  arrays["move"] = move;
  arrays["ply"] = ply;
  arrays["outcome"] = outcome;
  arrays["game"] = number;
  arrays["full"] = full;
  arrays["game_number"] = game_number;
  arrays["game_score"] = game_score;
  arrays["game_moves"] = game_moves;
  arrays["game_solved"] = game_solved;
  return arrays;
}

nb::dict selfplay(nb::object evaluator, std::int64_t games, const Options& options,
                  const SelfPlayOptions& play, std::uint64_t seed, std::int64_t first_game,
                  const std::optional<Boards>& start_own, const std::optional<Boards>& start_other,
                  int parallel, int threads, Stop* stop, const nb::object& on_progress,
                  double interval) {
  constexpr std::int64_t kMostGames = std::numeric_limits<std::int32_t>::max();
  within<std::int64_t>("games", games, 1, 1 << 24);
  within<std::int64_t>("first_game", first_game, 0, kMostGames - games);
  within("interval", interval, 0.0, 1e9);
  const auto asked = make_evaluator(evaluator);
  std::vector<Board> starts;
  if (start_own.has_value() != start_other.has_value())
    refuse("starts need both start_own and start_other");
  if (start_own) {
    starts = boards_of(*start_own, *start_other);
    same_length(static_cast<std::size_t>(games), starts.size());
  }
  if (!on_progress.is_none() && !PyCallable_Check(on_progress.ptr()))
    refuse("on_progress must be a function");
  mcts::SelfPlayRun run;
  run.starts = starts;
  run.seed = seed;
  run.first_game = static_cast<std::uint64_t>(first_game);
  run.parallel = within("parallel", parallel, 1, kMostParallel);
  run.threads = threads_for(threads);
  if (stop) run.stop = &stop->flag;
  auto last = std::chrono::steady_clock::now();
  const auto report = [&](std::size_t finished, std::size_t samples) {
    const auto now = std::chrono::steady_clock::now();
    if (on_progress.is_none() || std::chrono::duration<double>(now - last).count() < interval)
      return;
    last = now;
    nb::gil_scoped_acquire acquire;
    on_progress(finished, samples);
  };
  std::vector<mcts::SelfPlayGame> played(static_cast<std::size_t>(games));
  listening([&] {
    const Steps steps;
    run.on_progress = [&](std::size_t finished, std::size_t samples) {
      steps.end_if_asked();
      report(finished, samples);
    };
    mcts::play_selfplay(*asked, options, play, run, played);
  });
  return as_arrays(played, static_cast<std::int32_t>(first_game));
}

}  // namespace

void bind_selfplay(nb::module_& module) {
  nb::class_<SelfPlayOptions>(module, "SelfPlayOptions", "How games of self-play are played.")
      .def(nb::new_(&make_selfplay_options), nb::kw_only(), "simulations"_a = 100,
           "fast_simulations"_a = 0, "full_share"_a = 1.0, "temperature"_a = 1.0,
           "temperature_plies"_a = 14, "late_temperature"_a = 0.35, "random_plies"_a = 0,
           "uneven_share"_a = 0.0, "uneven_plies"_a = 0, "wiped_share"_a = 0.0, "solve_at"_a = 0,
           "teach_endings"_a = false, "reuse"_a = true, "count_reused"_a = false,
           "Args:\n"
           "    simulations: of a full search.\n"
           "    fast_simulations: of a fast one, without noise and without a policy to learn;\n"
           "        0: all searches are full.\n"
           "    full_share: probability that a search is full.\n"
           "    temperature: of the draw by the policy, in the first plies.\n"
           "    temperature_plies: how many plies of the board (60 less empties) those are.\n"
           "    late_temperature: after them; 0: the best move.\n"
           "    random_plies: the most random moves a game can begin with.\n"
           "    uneven_share: probability that a game begins, instead, with moves of which one\n"
           "        side's mostly flip as many discs as they can and the other's as few.\n"
           "    uneven_plies: the most moves of such an opening.\n"
           "    wiped_share: probability that a game begins, instead, a few moves before such\n"
           "        moves take a side's last disc.\n"
           "    solve_at: end the game and let the solver score it at this many empty\n"
           "        squares; 0: play to the end.\n"
           "    teach_endings: add the solver's own moves from there on, each position with its\n"
           "        exact score as outcome and its best moves as policy.\n"
           "    reuse: keep the subtree of the move that was played.\n"
           "    count_reused: visits that were kept count as simulations.")
      .def_ro("simulations", &SelfPlayOptions::simulations)
      .def_ro("fast_simulations", &SelfPlayOptions::fast_simulations)
      .def_ro("full_share", &SelfPlayOptions::full_share)
      .def_ro("temperature", &SelfPlayOptions::temperature)
      .def_ro("temperature_plies", &SelfPlayOptions::temperature_plies)
      .def_ro("late_temperature", &SelfPlayOptions::late_temperature)
      .def_ro("random_plies", &SelfPlayOptions::random_plies)
      .def_ro("uneven_share", &SelfPlayOptions::uneven_share)
      .def_ro("uneven_plies", &SelfPlayOptions::uneven_plies)
      .def_ro("wiped_share", &SelfPlayOptions::wiped_share)
      .def_ro("solve_at", &SelfPlayOptions::solve_at)
      .def_ro("teach_endings", &SelfPlayOptions::teach_endings)
      .def_ro("reuse", &SelfPlayOptions::reuse)
      .def_ro("count_reused", &SelfPlayOptions::count_reused);

  module.def(
      "play_selfplay", &selfplay, "evaluator"_a.none(), "games"_a, "options"_a = Options{},
      "play"_a = SelfPlayOptions{}, nb::kw_only(), "seed"_a = 0, "first_game"_a = 0,
      "start_own"_a = nb::none(), "start_other"_a = nb::none(), "parallel"_a = 256, "threads"_a = 0,
      "stop"_a = nb::none(), "on_progress"_a = nb::none(), "interval"_a = 0.5,
      nb::sig("def play_selfplay(evaluator: LineNetwork | Callable[[NDArray[numpy.uint64], "
              "NDArray[numpy.uint64]], tuple[NDArray[numpy.float32], NDArray[numpy.float32]]] | "
              "str, games: int, options: MctsOptions = ..., play: SelfPlayOptions = ..., *, seed: "
              "int = 0, first_game: int = 0, start_own: NDArray[numpy.uint64] | None = None, "
              "start_other: NDArray[numpy.uint64] | None = None, parallel: int = 256, threads: "
              "int = 0, stop: Stop | None = None, on_progress: Callable[[int, int], object] | "
              "None = None, interval: float = 0.5) -> dict[str, NDArray[typing.Any]]"),
      "Play games of self-play. Game i depends on the seed, its number first_game + i, its start,\n"
      "the evaluator and the options alone: not on parallel, nor on threads.\n\n"
      "Args:\n"
      "    evaluator: as of Forest.\n"
      "    games: how many.\n"
      "    start_own, start_other: where the games start; all from the start position without.\n"
      "    parallel: games at the same time.\n"
      "    threads: 0: all cores.\n"
      "    stop: ends the run from another thread; games under way are left out.\n"
      "    on_progress: is given the games and the positions finished so far.\n\n"
      "Returns arrays over the positions that were searched, in the order of games and plies: "
      "own,\n"
      "other; policy, float32 of shape (n, 64), zeros unless full; value (of the search), "
      "surprise\n"
      "(divergence of policy from the evaluator's), move, outcome (final score), ply (60 less\n"
      "empties), game, full. All from the mover's view. And over finished games: game_number,\n"
      "game_score (of who moved first), game_moves, game_solved.");
}

}  // namespace outflank
