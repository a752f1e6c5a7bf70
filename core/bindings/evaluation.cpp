// Evaluations of boards and of arrays of boards.
#include "evaluation/evaluation.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "batch/parallel.hpp"
#include "bindings/arguments.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"
#include "evaluation/edge_table.hpp"
#include "evaluation/n_tuples.hpp"
#include "evaluation/named.hpp"
#include "evaluation/pattern_learning.hpp"
#include "evaluation/pattern_network.hpp"
#include "evaluation/patterns.hpp"
#include "evaluation/square_tables.hpp"

namespace outflank {
namespace {

// Boards a thread must have to be worth starting: to evaluate, or to choose a move.
constexpr std::size_t kEvaluateGrain = 1024, kChooseGrain = 64;

// One result for each board and the side to move on it.
template <typename T, typename Function>
ArrayOut<T> map_boards(const Boards& own, const Boards& other, const ArrayIn<bool>& white_to_move,
                       int threads, Function&& function, std::size_t grain = kEvaluateGrain) {
  const std::size_t size = check_boards(own, other);
  same_length(size, white_to_move.shape(0));
  auto out = new_array<T>({size});
  const Bits *mine = own.data(), *theirs = other.data();
  const bool* white = white_to_move.data();
  T* result = out.data();
  listening_for(size, grain, threads, [=, &function](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      result[i] = static_cast<T>(function(i, Board{mine[i], theirs[i]}, white[i]));
  });
  return out;
}

using Names = std::vector<std::tuple<std::string, std::string, std::string>>;

Names names() {
  Names all;
  for (const NamedEvaluation& named : named_evaluations())
    all.emplace_back(named.name, named.summary, named.source);
  return all;
}

std::unique_ptr<NTupleNetwork> make_network(const ArrayIn<std::uint8_t>& lengths,
                                            const ArrayIn<std::uint8_t>& squares,
                                            const ArrayIn<std::uint32_t>& offsets,
                                            const ArrayIn<double>& weights, bool inverts) {
  const std::size_t size = same_length(lengths.shape(0), offsets.shape(0));
  std::vector<Placement> placements;
  std::size_t at = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t length = lengths.data()[i];
    if (length > squares.shape(0) - at) throw nb::value_error("there are too few squares");
    placements.push_back({{squares.data() + at, length}, offsets.data()[i]});
    at += length;
  }
  if (at != squares.shape(0)) throw nb::value_error("there are too many squares");
  return std::make_unique<NTupleNetwork>(placements, std::span(weights.data(), weights.shape(0)),
                                         inverts ? Convention::invert : Convention::negate);
}

void bind_evaluations(nb::module_& module) {
  nb::class_<Evaluation>(module, "Evaluation",
                         R"(What a position is worth, without searching.

Values are whole numbers from the mover's view: the evaluation's own numbers times `units`.)")
      .def_static("named", &make_evaluation, "name"_a,
                  "The evaluation with this name; named_evaluations() lists them all.")
      .def_prop_ro("units", &Evaluation::units,
                   "What 1 in the evaluation's own numbers counts as a value.")
      .def_prop_ro("in_discs", &Evaluation::in_discs,
                   "Whether the evaluation's own numbers are discs.")
      .def(
          "evaluate",
          [](const Evaluation& evaluation, Bits own, Bits other, bool white_to_move) {
            return evaluation.evaluate(checked_board(own, other), white_to_move);
          },
          "own"_a, "other"_a, "white_to_move"_a, "The value of one board.")
      .def(
          "evaluate",
          [](const Evaluation& evaluation, const Boards& own, const Boards& other,
             const ArrayIn<bool>& white_to_move, int threads) {
            return map_boards<Value>(own, other, white_to_move, threads,
                                     [&](std::size_t, const Board& board, bool white) {
                                       return evaluation.evaluate(board, white);
                                     });
          },
          "own"_a, "other"_a, "white_to_move"_a, "threads"_a = 0,
          "The value of each board, int32.");
}

template <class Number>
auto by_stages(std::span<const Number> weights) {
  const std::size_t stages = PatternEvaluation::kStages;
  auto out = new_array<Number>({stages, weights.size() / stages});
  std::copy(weights.begin(), weights.end(), out.data());
  return out;
}

constexpr int kMostPasses = 1'000'000;
constexpr float kMostRate = 1000, kMostPrior = 1e9f, kMostScore = 1000;

// What positions and their scores are learned from must be possible; how many there are.
std::size_t check_scored(const Boards& own, const Boards& other, const ArrayIn<float>& scores,
                         float rate) {
  const std::size_t size = check_boards(own, other);
  same_length(size, scores.shape(0));
  check_numbers("scores", scores.data(), size, kMostScore);
  within("rate", rate, 0.0f, kMostRate);
  return size;
}

auto fit_all(const Boards& own, const Boards& other, const ArrayIn<float>& scores, int passes,
             float rate, float prior, int threads) {
  const std::size_t size = check_scored(own, other, scores, rate);
  const PatternFit fit{within("passes", passes, 0, kMostPasses), rate,
                       within("prior", prior, 1e-6f, kMostPrior), threads_for(threads)};
  const auto weights = listening([&] {
    return fit_patterns({own.data(), size}, {other.data(), size}, {scores.data(), size}, fit);
  });
  return by_stages<std::int16_t>(weights);
}

void bind_patterns(nb::module_& module) {
  nb::class_<PatternEvaluation, Evaluation>(
      module, "PatternEvaluation",
      "Sums of weights of patterns and of both sides' mobility, which depend on the game's stage.")
      .def(nb::new_([](const MatrixIn<std::int16_t>& weights) {
             return new PatternEvaluation({weights.data(), weights.size()});
           }),
           "weights"_a,
           R"(An evaluation from its weights.

Args:
    weights: int16 of shape (stages, weights per stage), as fit_patterns returns them.)");
  module.def(
      "fit_patterns", &fit_all, "own"_a, "other"_a, "scores"_a, nb::kw_only(), "passes"_a = 60,
      "rate"_a = 1.0f, "prior"_a = 8.0f, "threads"_a = 0,
      R"(Fit the weights of a PatternEvaluation to scores, by gradient descent on all positions.

Args:
    own, other: the positions.
    scores: float32, final scores from the movers' view, in discs.
    passes: how many passes over all positions.
    rate: learning rate, as a share of the step that would suit independent patterns.
    prior: a weight that occurs this often moves half as far as one that occurs always.
    threads: see the module.)");
  nb::class_<PatternLearner>(module, "PatternLearner",
                             "Learns the weights of a PatternEvaluation batch by batch.")
      .def(nb::new_([](const MatrixIn<std::int16_t>& weights) {
             return new PatternLearner(
                 std::span<const std::int16_t>{weights.data(), weights.size()});
           }),
           "weights"_a,
           R"(Args:
    weights: where to start, as PatternEvaluation takes them.)")
      .def(nb::new_([](const MatrixIn<float>& exact_weights) {
             check_numbers("exact_weights", exact_weights.data(), exact_weights.size());
             return new PatternLearner(
                 std::span<const float>{exact_weights.data(), exact_weights.size()});
           }),
           "exact_weights"_a,
           R"(Args:
    exact_weights: of a learner that this one goes on from.)")
      .def(
          "step",
          [](PatternLearner& learner, const Boards& own, const Boards& other,
             const ArrayIn<float>& scores, float rate, float prior, int threads) {
            const std::size_t size = check_scored(own, other, scores, rate);
            within("prior", prior, 0.0f, kMostPrior);
            threads = threads_for(threads);
            return undisturbed([&] {
              return learner.step({own.data(), size}, {other.data(), size}, {scores.data(), size},
                                  rate, prior, threads);
            });
          },
          "own"_a, "other"_a, "scores"_a, nb::kw_only(), "rate"_a = 1.0f, "prior"_a = 1.0f,
          "threads"_a = 0,
          R"(Take one step towards the scores of a batch.

Args:
    own, other: the positions.
    scores: float32, from the movers' view, in discs.
    rate: learning rate, as a share of the step that would suit independent patterns.
    prior: how many errors of zero each weight's mean error is averaged with.
    threads: see the module.

Returns the mean squared error before the step.)")
      .def(
          "weights",
          [](const PatternLearner& learner) { return by_stages<std::int16_t>(learner.weights()); },
          "The weights so far, as PatternEvaluation takes them.")
      .def(
          "exact_weights",
          [](const PatternLearner& learner) { return by_stages<float>(learner.exact_weights()); },
          "In discs, unrounded: all that a learner has to keep between steps.");
}

template <typename T>
std::span<const T> flat(const MatrixIn<T>& matrix) {
  return {matrix.data(), matrix.size()};
}

// The rows of a PatternNetwork that each board uses.
auto rows_of_all(const Boards& own, const Boards& other, int threads) {
  const std::size_t size = check_boards(own, other);
  auto rows = new_array<std::uint32_t>({size, kPatternRows});
  const Bits *mine = own.data(), *theirs = other.data();
  std::uint32_t* out = rows.data();
  nb::gil_scoped_release release;
  parallel_for(size, kEvaluateGrain, threads, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      pattern_rows({mine[i], theirs[i]}, out + i * kPatternRows);
  });
  return rows;
}

void bind_pattern_network(nb::module_& module) {
  nb::class_<PatternNetwork, Evaluation>(
      module, "PatternNetwork",
      "A small network over patterns. The hyperbolic tangent of value / units is the expected "
      "result.")
      .def_prop_ro_static(
          "rows", [](nb::handle) { return PatternNetwork::row_count(); },
          "How many rows the table has.")
      .def(nb::new_(
               [](const MatrixIn<std::int8_t>& rows, const MatrixIn<std::int16_t>& empties,
                  const MatrixIn<std::int16_t>& inner, const MatrixIn<std::int32_t>& inner_bias,
                  const MatrixIn<std::int16_t>& outer, const ArrayIn<std::int32_t>& outer_bias) {
                 return new PatternNetwork({static_cast<int>(rows.shape(1)),
                                            static_cast<int>(outer.shape(1)),
                                            flat(rows),
                                            flat(empties),
                                            flat(inner),
                                            flat(inner_bias),
                                            flat(outer),
                                            {outer_bias.data(), outer_bias.shape(0)}});
               }),
           "rows"_a, "empties"_a, "inner"_a, "inner_bias"_a, "outer"_a, "outer_bias"_a,
           R"(A network from its weights. There are 16 stages, of four empty squares each.

Args:
    rows: int8[rows, channels], in 1/64: what each pattern adds to the sums.
    empties: int16[61, channels], in 1/64: added by the number of empty squares.
    inner: int16[stages * hidden, channels], in 1/1024.
    inner_bias: int32[stages, hidden], in 1/(64 * 1024).
    outer: int16[stages, hidden], in 1/256.
    outer_bias: int32[stages], in 1/(64 * 256).)");
  module.def("pattern_rows", &rows_of_all, "own"_a, "other"_a, "threads"_a = 0,
             "The rows of a PatternNetwork that each board uses, uint32[n, 52].");
}

void bind_n_tuples(nb::module_& module) {
  nb::class_<NTupleNetwork, Evaluation>(
      module, "NTupleNetwork",
      "A table of weights for each tuple of squares, indexed by the contents of its squares.")
      .def(nb::new_(&make_network), "lengths"_a, "squares"_a, "offsets"_a, "weights"_a, "inverts"_a,
           R"(A network from its placements; those that share an offset share their weights.

Args:
    lengths: uint8, how many squares each placement of a tuple has.
    squares: uint8, the squares of all placements, one after the other.
    offsets: uint32, where each placement's 3**length weights begin.
    weights: float64, those of each tuple in the order of its squares' contents, read as a number
        of base 3 (0 white, 1 empty, 2 black) whose highest digit is the first square.
    inverts: True: the side that has just moved counts as black. False: black prefers high values
        and white low ones.)")
      .def(
          "values",
          [](const NTupleNetwork& network, const Boards& own, const Boards& other,
             const ArrayIn<bool>& white_to_move, int threads) {
            return map_boards<double>(own, other, white_to_move, threads,
                                      [&](std::size_t, const Board& board, bool white) {
                                        return network.value(board, white);
                                      });
          },
          "own"_a, "other"_a, "white_to_move"_a, "threads"_a = 0,
          "The values of boards in the network's own numbers: float64, from the movers' view.")
      .def(
          "choose",
          [](const NTupleNetwork& network, const Boards& own, const Boards& other,
             const ArrayIn<bool>& white_to_move, const ArrayIn<std::uint64_t>& keys, int threads) {
            same_length(own.shape(0), keys.shape(0));
            return map_boards<std::uint8_t>(
                own, other, white_to_move, threads,
                [&, key = keys.data()](std::size_t i, const Board& board, bool white) {
                  return network.choose(board, white, Random(key[i]));
                },
                kChooseGrain);
          },
          "own"_a, "other"_a, "white_to_move"_a, "keys"_a, "threads"_a = 0,
          R"(Choose the move after which each board is worth most to its mover.

Args:
    own, other, white_to_move: the boards.
    keys: uint64, one for each board: decides among moves within 1e-6 of the best.
    threads: see the module.

Returns uint8, PASS where there is no move.)");
}

}  // namespace

void bind_evaluation(nb::module_& module) {
  bind_evaluations(module);
  bind_n_tuples(module);
  bind_patterns(module);
  bind_pattern_network(module);
  module.def("named_evaluations", &names,
             "The evaluations that have a name, as tuples (name, summary, source).");
  module.def(
      "edge_table",
      [] {
        auto out = new_array<std::int32_t>({kEdgeIndexes});
        std::copy(edge_table().begin(), edge_table().end(), out.data());
        return out;
      },
      R"(The edge table of the evaluations after Iago: int32 of length 3**10.

An index is a number of ten digits of base 3 (0 empty, 1 the mover's disc, 2 the opponent's): an
X-square, the eight squares of the edge, and the other X-square.)");
  module.def(
      "square_weights",
      [](const std::string& name) {
        const auto evaluation = make_evaluation(name);
        const auto* squares = dynamic_cast<const WeightedSquares*>(evaluation.get());
        if (!squares) throw nb::value_error((name + " has no weighted squares").c_str());
        auto out = new_array<double>({kSquares});
        for (int square = 0; square < kSquares; ++square)
          out.data()[square] = squares->sum(bit(square)) / squares->units();
        return out;
      },
      "name"_a, "The weights of the 64 squares in a named evaluation, row by row from a1.");
}

}  // namespace outflank
