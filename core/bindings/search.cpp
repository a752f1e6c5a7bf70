// Searches: alpha-beta over an evaluation, and the exact solver.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

#include "batch/parallel.hpp"
#include "bindings/arguments.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"
#include "bindings/stop.hpp"
#include "endgame/solver.hpp"
#include "othello/moves.hpp"
#include "search/batched.hpp"
#include "search/midgame.hpp"

namespace outflank {
namespace {

void refuse_finished(const Board& board) {
  if (is_over(board)) throw nb::value_error("the game is over: there is nothing to search");
}

std::size_t table_size(int megabytes) {
  return static_cast<std::size_t>(within("megabytes", megabytes, 1, kMostMegabytes));
}

class Solver {
 public:
  explicit Solver(int megabytes) : table_(table_size(megabytes)) {}

  Solution solve(Bits own, Bits other, bool win_draw_loss, int threads, Stop* stop, double seconds,
                 double deviations) {
    const Board board = checked_board(own, other);
    SolverOptions wanted = options(win_draw_loss, threads, stop, seconds);
    within("deviations", deviations, 0.0, 1000.0);
    if (deviations > 0 && endings_.empty())
      refuse("a selective solution needs a guide with endings");
    if (!guide_) return listening([&] { return outflank::solve(board, table_, wanted); });
    const Selectivity endings(deviations, endings_);
    const EndgameGuide guide{*guide_, *guide_table_, midgame_, endings};
    wanted.guide = &guide;
    return listening([&] { return outflank::solve(board, table_, wanted); });
  }

  std::tuple<std::vector<std::tuple<int, int>>, std::uint64_t> solve_moves(Bits own, Bits other,
                                                                           int threads,
                                                                           Stop* stop) {
    std::uint64_t nodes = 0;
    std::vector<std::tuple<int, int>> scored;
    const Board board = checked_board(own, other);
    SolverOptions wanted = options(false, threads, stop);
    std::optional<EndgameGuide> guide;
    if (guide_) wanted.guide = &guide.emplace(*guide_, *guide_table_, midgame_, kNoSelectivity);
    const auto found =
        listening([&] { return outflank::solve_moves(board, table_, wanted, nodes); });
    for (const auto& [move, score] : found) scored.emplace_back(move, score);
    return {scored, nodes};
  }

  void set_guide(std::shared_ptr<const ChampionEvaluation> evaluation, double deviations,
                 std::vector<DepthRegression> regressions, std::vector<DepthRegression> endings) {
    if (!evaluation) refuse("a guide needs an evaluation");
    within("deviations", deviations, 0.0, 1000.0);
    guide_ = std::move(evaluation);
    guide_table_ = std::make_unique<MidgameTable>(kGuideMegabytes);
    midgame_ = Selectivity(deviations, std::move(regressions));
    endings_ = std::move(endings);
    table_.clear();
  }

  void clear() {
    table_.clear();
    if (guide_table_) guide_table_->clear();
  }

 private:
  static SolverOptions options(bool win_draw_loss, int threads, Stop* stop, double seconds = 0) {
    return {threads_for(threads), win_draw_loss, stop ? &stop->flag : nullptr,
            within("seconds", seconds, 0.0, kMostSeconds), nullptr};
  }

  static constexpr std::size_t kGuideMegabytes = 16;

  EndgameTable table_;
  std::shared_ptr<const ChampionEvaluation> guide_;  // and what belongs to it
  std::unique_ptr<MidgameTable> guide_table_;
  Selectivity midgame_;
  std::vector<DepthRegression> endings_;
};

// How deep to search; no game is longer, and an entry of the table has room for no more.
int checked_depth(int depth) {
  constexpr int deepest = 63;
  return std::min(within("depth", depth, 0, kMostDepth), deepest);
}

std::shared_ptr<const Evaluation> given(std::shared_ptr<const Evaluation> evaluation) {
  if (!evaluation) refuse("a search needs an evaluation");
  return evaluation;
}

// A prediction by a deeper search, or one without spread, would prune for ever.
DepthRegression* make_regression(int depth, int shallow, int from_discs, int to_discs, double slope,
                                 double offset, double error) {
  within("depth", depth, 1, kMostDepth);
  within("shallow", shallow, 0, depth - 1);
  within("from_discs", from_discs, 0, kSquares);
  within("to_discs", to_discs, from_discs, kSquares);
  within("slope", slope, 1e-6, 1e6);
  within("offset", offset, -1e9, 1e9);
  within("error", error, 1e-9, 1e9);
  return new DepthRegression{depth, shallow, from_discs, to_discs, slope, offset, error};
}

Ends ends_named(const std::string& name) {
  if (name == "score") return Ends::score;
  if (name == "evaluate") return Ends::evaluate;
  if (name == "discs") return Ends::discs;
  throw nb::value_error(("ends are score, evaluate or discs, not " + name).c_str());
}

class Searcher {
 public:
  Searcher(std::shared_ptr<const Evaluation> evaluation, int megabytes, const std::string& ends)
      : evaluation_(given(std::move(evaluation))),
        table_(table_size(megabytes)),
        ends_(ends_named(ends)) {}

  SearchReport search(Bits own, Bits other, bool white_to_move, int depth, std::uint64_t nodes,
                      double seconds, int threads, int lines, Stop* stop,
                      const std::function<void(const SearchReport&)>& on_depth) {
    const Board board = checked_board(own, other);
    refuse_finished(board);
    const Limits limits{checked_depth(depth), nodes, within("seconds", seconds, 0.0, kMostSeconds)};
    SearchOptions options;
    options.threads = threads_for(threads);
    options.lines = within("lines", lines, 1, kSquares);
    options.ends = ends_;
    options.selectivity = &selectivity_;
    if (on_depth)
      options.on_depth = [&](const SearchReport& report) {
        nb::gil_scoped_acquire acquire;
        on_depth(report);
      };
    if (stop) options.stop = &stop->flag;
    return listening([&] { return search_in_table(board, white_to_move, limits, options); });
  }

  // Searches many boards to the same limits, one thread each: the move of each.
  ArrayOut<std::uint8_t> search_many(const Boards& own, const Boards& other,
                                     const ArrayIn<bool>& white_to_move, int depth,
                                     std::uint64_t nodes, int threads) {
    const std::size_t size = check_boards(own, other);
    same_length(size, white_to_move.shape(0));
    depth = checked_depth(depth);
    auto moves = new_array<std::uint8_t>({size});
    listening_for(size, 1, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Board board{own.data()[i], other.data()[i]};
        moves.data()[i] = kPass;
        if (!legal_moves(board)) continue;
        SearchOptions options;
        options.ends = ends_;
        options.selectivity = &selectivity_;
        const SearchReport report =
            search_in_table(board, white_to_move.data()[i], {depth, nodes, 0}, options);
        moves.data()[i] = static_cast<std::uint8_t>(report.lines[0].moves[0]);
      }
    });
    return moves;
  }

  // Searches many boards to the same depth, one thread each: what each is worth to its mover.
  ArrayOut<Value> value_many(const Boards& own, const Boards& other,
                             const ArrayIn<bool>& white_to_move, int depth, int threads) {
    const std::size_t size = check_boards(own, other);
    same_length(size, white_to_move.shape(0));
    depth = checked_depth(depth);
    auto values = new_array<Value>({size});
    listening_for(size, 1, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Board board{own.data()[i], other.data()[i]};
        const bool white = white_to_move.data()[i];
        if (is_over(board)) {
          values.data()[i] = value_of_end(final_score(board));
        } else if (depth < 1) {
          values.data()[i] = evaluation_->evaluate(board, white);
        } else {
          SearchOptions options;
          options.ends = ends_;
          options.selectivity = &selectivity_;
          values.data()[i] = search_in_table(board, white, {depth, 0, 0}, options).lines[0].value;
        }
      }
    });
    return values;
  }

  std::tuple<Value, int, std::uint64_t> minimax(Bits own, Bits other, bool white_to_move,
                                                int depth) const {
    const Board board = checked_board(own, other);
    checked_depth(depth);
    const Minimax found = listening(
        [&] { return outflank::minimax(board, white_to_move, *evaluation_, depth, ends_); });
    return {found.value, found.move, found.nodes};
  }

  void set_selectivity(double deviations, std::vector<DepthRegression> regressions) {
    selectivity_ =
        Selectivity(within("deviations", deviations, 0.0, 1000.0), std::move(regressions));
    table_.clear();
  }

  void clear() { table_.clear(); }

 private:
  // What a search to a number of nodes finds depends on what the table holds: it gets a new one,
  // so that the same position always gets the same answer.
  SearchReport search_in_table(const Board& board, bool white_to_move, const Limits& limits,
                               const SearchOptions& options) {
    if (!limits.nodes)
      return outflank::search(board, white_to_move, *evaluation_, table_, limits, options);
    constexpr std::uint64_t nodes_of_megabyte = 1 << 15;  // two entries for each
    constexpr std::uint64_t most_megabytes = 64;
    MidgameTable fresh(
        std::clamp<std::uint64_t>(limits.nodes / nodes_of_megabyte, 1, most_megabytes));
    return outflank::search(board, white_to_move, *evaluation_, fresh, limits, options);
  }

  std::shared_ptr<const Evaluation> evaluation_;
  MidgameTable table_;
  Ends ends_;
  Selectivity selectivity_;
};

// Alpha-beta whose leaves a Python function evaluates, many at a time.
std::tuple<double, int, std::uint64_t, std::uint64_t, std::uint64_t> search_python(
    Bits own, Bits other, bool white_to_move, int depth, nb::callable evaluator, int horizon,
    const std::string& ends, ValueMemory* memory, std::optional<nb::callable> chooser) {
  constexpr int most_horizon = 6;  // its leaves must fit into memory
  const Board board = checked_board(own, other);
  refuse_finished(board);
  checked_depth(depth);
  horizon = std::min(within("horizon", horizon, 0, kMostDepth), most_horizon);
  BatchedOptions options{horizon, ends_named(ends), memory, {}};
  if (chooser)
    options.chooser = [&](const Board& seen, Bits legal) {
      const Bits chosen = nb::cast<Bits>((*chooser)(seen.own, seen.other)) & legal;
      return chosen ? chosen : legal;
    };
  const auto ask = [&](const std::vector<Board>& boards, bool white, std::vector<double>& values) {
    auto mine = new_array<Bits>({boards.size()}), theirs = new_array<Bits>({boards.size()});
    for (std::size_t i = 0; i < boards.size(); ++i) {
      mine.data()[i] = boards[i].own;
      theirs.data()[i] = boards[i].other;
    }
    const auto answer = nb::cast<ArrayIn<double>>(evaluator(mine, theirs, white));
    same_length(boards.size(), answer.shape(0));
    std::copy(answer.data(), answer.data() + boards.size(), values.begin());
  };
  const BatchedResult found = search_batched(board, white_to_move, depth, options, ask);
  return {found.value, found.move, found.nodes, found.evaluated, found.batches};
}

}  // namespace

void bind_search(nb::module_& module) {
  module.attr("VALUE_LIMIT") = kValueLimit;
  module.attr("GAME_VALUE") = kGameValue;
  module.attr("DISC_VALUE") = kDiscValue;

  nb::class_<Stop>(module, "Stop", "Ends a search from another thread.")
      .def(nb::init<>())
      .def(
          "set", [](Stop& stop) { stop.flag = true; }, "End the search at once.")
      .def_prop_ro(
          "is_set", [](const Stop& stop) { return stop.flag.load(); },
          "True if somebody ended the search with set().");

  nb::class_<Solution>(module, "Solution", "What the solver found.")
      .def_ro("score", &Solution::score,
              "Final score under perfect play, from the mover's view; its sign for\n"
              "win_draw_loss.")
      .def_ro("best", &Solution::best, "The best move, or PASS.")
      .def_ro("line", &Solution::line, "Best play to the end, passes included.")
      .def_ro("nodes", &Solution::nodes, "Positions looked at.")
      .def_ro("complete", &Solution::complete, "False if the search was stopped.");

  nb::class_<Solver>(module, "Solver", "The exact endgame solver and its transposition table.")
      .def(nb::init<int>(), "megabytes"_a = 64,
           R"(Args:
    megabytes: size of the transposition table, rounded down to a power of two.)")
      .def("solve", &Solver::solve, "own"_a, "other"_a, "win_draw_loss"_a = false, "threads"_a = 1,
           "stop"_a = nb::none(), "seconds"_a = 0.0, "deviations"_a = 0.0,
           R"(Solve a position exactly.

Args:
    own, other: the position.
    win_draw_loss: find out who wins, not by how much: faster.
    threads: see the module.
    stop: ends the search from another thread.
    seconds: stop after this time; 0: never.
    deviations: leave out what the guide's shallow searches make so sure, in standard deviations;
        0: nothing. The score is then an estimate.)")
      .def("set_guide", &Solver::set_guide, "evaluation"_a, "deviations"_a = 0.0,
           "regressions"_a = std::vector<DepthRegression>{},
           "endings"_a = std::vector<DepthRegression>{},
           R"(Order moves by a learned evaluation; scores stay the same.

Args:
    evaluation: the champion's.
    deviations, regressions: of the searches that order moves, see Searcher.set_selectivity.
    endings: how shallow searches predict exact scores; `depth` is the number of empty squares.)")
      .def("solve_moves", &Solver::solve_moves, "own"_a, "other"_a, "threads"_a = 1,
           "stop"_a = nb::none(),
           R"(Score every legal move exactly.

Args:
    own, other: the position.
    threads: see the module.
    stop: ends the search from another thread.

Returns ([(move, score), ...] with the best first, nodes); the list is empty if it was stopped.)")
      .def("clear", &Solver::clear, "Empty the transposition table.");

  nb::class_<Line>(module, "Line", "A move and what is expected after it.")
      .def_ro("value", &Line::value, "From the mover's view, in the evaluation's units.")
      .def_ro("moves", &Line::moves, "Expected play, passes included.");

  nb::class_<SearchReport>(module, "SearchReport", "What a search found.")
      .def_ro("depth", &SearchReport::depth, "Plies searched.")
      .def_ro("lines", &SearchReport::lines, "Best lines, best first.")
      .def_ro("nodes", &SearchReport::nodes, "Positions looked at.")
      .def_ro("seconds", &SearchReport::seconds, "Time since the search began.");

  nb::class_<DepthRegression>(module, "DepthRegression",
                              "How well a shallow search predicts a deep one: for probcut.")
      .def(nb::new_(&make_regression), "depth"_a, "shallow"_a, "from_discs"_a, "to_discs"_a,
           "slope"_a, "offset"_a, "error"_a,
           R"(The deep value is about slope * shallow value + offset.

Args:
    depth: of the deep search.
    shallow: depth of the search that predicts it.
    from_discs, to_discs: the stage of the game that this was measured in, both included.
    slope, offset: of the regression line, in the evaluation's units.
    error: standard deviation around the line, in the evaluation's units.)");

  nb::class_<ValueMemory>(module, "ValueMemory",
                          "What an evaluator said about positions, so that none is asked twice.")
      .def(nb::init<>())
      .def("forget_before", &ValueMemory::forget_before, "discs"_a,
           "Drop the positions that have fewer discs: no game reaches them any more.")
      .def("clear", &ValueMemory::clear, "Forget everything.")
      .def("__len__", &ValueMemory::size);

  module.def(
      "search_python", &search_python, "own"_a, "other"_a, "white_to_move"_a, "depth"_a,
      "evaluator"_a, "horizon"_a = 2, "ends"_a = "score", "memory"_a = nb::none(),
      "chooser"_a = nb::none(),
      nb::sig(
          "def search_python(own: int, other: int, white_to_move: bool, depth: int, "
          "evaluator: Callable[[NDArray[numpy.uint64], NDArray[numpy.uint64], bool], "
          "NDArray[numpy.float64]], horizon: int = 2, ends: str = 'score', "
          "memory: ValueMemory | None = None, "
          "chooser: Callable[[int, int], int] | None = None) -> tuple[float, int, int, int, int]"),
      R"(Search with alpha-beta to a fixed depth over an evaluator that takes many boards at once.

Args:
    own, other, white_to_move: the position; it must not be over.
    depth: plies to search.
    evaluator: called with arrays (own, other) of n boards that all have the same side to move, and
        with that side; returns their values from the movers' view, float64[n].
    horizon: how many of the last plies are searched without pruning, so that their leaves form one
        batch.
    ends: what a finished game is worth: "score", its score, more than any evaluation; or
        "evaluate", what the evaluator says.
    memory: what was evaluated before, and what is evaluated now; nothing in it is asked about again.
    chooser: called with a board above the horizon that has several legal moves; returns the squares
        worth searching, as bits. All are searched if none of them is legal.

Returns (value, first best move by square, nodes, positions evaluated, batches).)");

  nb::class_<Searcher>(module, "Searcher",
                       "Alpha-beta over an evaluation, and its transposition table.")
      .def(nb::init<std::shared_ptr<const Evaluation>, int, const std::string&>(), "evaluation"_a,
           "megabytes"_a = 64, "ends"_a = "score",
           R"(Args:
    evaluation: what the leaves are worth.
    megabytes: size of the transposition table, rounded down to a power of two.
    ends: what a finished game is worth: "score", its score, more than any evaluation; or
        "evaluate", what the evaluation says; or "discs", its score as an evaluation in discs
        would say it.)")
      .def("search", &Searcher::search, "own"_a, "other"_a, "white_to_move"_a, "depth"_a = 60,
           "nodes"_a = 0, "seconds"_a = 0.0, "threads"_a = 1, "lines"_a = 1, "stop"_a = nb::none(),
           "on_depth"_a = nb::none(),
           R"(Search deeper and deeper until a limit is reached.

Args:
    own, other, white_to_move: the position; it must not be over.
    depth: plies to search at most. Depth 1 is always completed.
    nodes: positions to look at, about; 0: no limit. The search then starts with an empty table.
    seconds: time to search; 0: no limit.
    threads: how many take part; 0: all cores. To a given depth the result is the same with any.
    lines: how many of the best moves to report.
    stop: ends the search from another thread.
    on_depth: called with a SearchReport after each depth.)")
      .def("search_many", &Searcher::search_many, "own"_a, "other"_a, "white_to_move"_a,
           "depth"_a = 60, "nodes"_a = 0, "threads"_a = 0,
           R"(Search many positions to the same limits, each with one thread.

Args:
    own, other, white_to_move: the positions.
    depth, nodes: as for search.
    threads: see the module.

Returns the best moves, uint8[n], PASS where there is none.)")
      .def("value_many", &Searcher::value_many, "own"_a, "other"_a, "white_to_move"_a, "depth"_a,
           "threads"_a = 0,
           R"(Value many positions by searches of the same depth, each with one thread.

Args:
    own, other, white_to_move: the positions; finished games get their scores.
    depth: plies to search; 0: take the evaluation itself.
    threads: see the module.

Returns values from the movers' view, int32[n].)")
      .def("minimax", &Searcher::minimax, "own"_a, "other"_a, "white_to_move"_a, "depth"_a,
           "Minimax without pruning or table: (value, first best move by square, nodes).")
      .def("set_selectivity", &Searcher::set_selectivity, "deviations"_a, "regressions"_a,
           R"(Switch probcut on or off, and empty the table.

Args:
    deviations: how many standard deviations a shallow search must lie outside the window for the
        deep one to be left out; 0: off.
    regressions: how well shallow searches predict deep ones, measured for this evaluation.)")
      .def("clear", &Searcher::clear, "Empty the transposition table.");
}

}  // namespace outflank
