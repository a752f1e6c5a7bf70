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
#include "bindings/arrays.hpp"
#include "evaluation/edge_table.hpp"
#include "evaluation/n_tuples.hpp"
#include "evaluation/named.hpp"
#include "evaluation/pattern_learning.hpp"
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
  const std::size_t size = same_length(own.shape(0), other.shape(0));
  same_length(size, white_to_move.shape(0));
  auto out = new_array<T>({size});
  const Bits *mine = own.data(), *theirs = other.data();
  const bool* white = white_to_move.data();
  T* result = out.data();
  nb::gil_scoped_release release;
  parallel_for(size, grain, threads, [=, &function](std::size_t begin, std::size_t end) {
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
                         "A number for a position that need not be the end of a game.\n\n"
                         "Values are whole numbers from the mover's view, `units` times what they\n"
                         "are in the evaluation's own numbers.")
      .def_static("named", &make_evaluation, "name"_a,
                  "The evaluation of a name; named_evaluations lists them.")
      .def_prop_ro("units", &Evaluation::units,
                   "How much of a value makes one of the evaluation's own numbers.")
      .def(
          "evaluate",
          [](const Evaluation& evaluation, Bits own, Bits other, bool white_to_move) {
            return evaluation.evaluate({own, other}, white_to_move);
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

auto by_stages(const std::vector<std::int16_t>& weights) {
  const std::size_t stages = PatternEvaluation::kStages;
  auto out = new_array<std::int16_t>({stages, weights.size() / stages});
  std::copy(weights.begin(), weights.end(), out.data());
  return out;
}

auto fit_all(const Boards& own, const Boards& other, const ArrayIn<float>& scores, int passes,
             float rate, float prior, int threads) {
  const std::size_t size = same_length(own.shape(0), other.shape(0));
  same_length(size, scores.shape(0));
  std::vector<std::int16_t> weights;
  {
    nb::gil_scoped_release release;
    weights = fit_patterns({own.data(), size}, {other.data(), size}, {scores.data(), size},
                           {passes, rate, prior, threads});
  }
  return by_stages(weights);
}

void bind_patterns(nb::module_& module) {
  nb::class_<PatternEvaluation, Evaluation>(
      module, "PatternEvaluation",
      "Weights of patterns and of numbers of moves, other ones at each stage of the game.")
      .def(nb::new_([](const MatrixIn<std::int16_t>& weights) {
             return new PatternEvaluation({weights.data(), weights.size()});
           }),
           "weights"_a,
           "weights: int16 of shape (stages, weights of a stage), as fit_patterns returns.");
  module.def("fit_patterns", &fit_all, "own"_a, "other"_a, "scores"_a, nb::kw_only(),
             "passes"_a = 60, "rate"_a = 1.0f, "prior"_a = 8.0f, "threads"_a = 0,
             "Weights whose sums come near the scores (from the movers' views, in discs).");
  nb::class_<PatternLearner>(module, "PatternLearner",
                             "Weights of patterns that are moved towards scores batch by batch.")
      .def(nb::new_([](const MatrixIn<std::int16_t>& weights) {
             return new PatternLearner({weights.data(), weights.size()});
           }),
           "weights"_a, "weights: those to start with, as PatternEvaluation takes them.")
      .def(
          "step",
          [](PatternLearner& learner, const Boards& own, const Boards& other,
             const ArrayIn<float>& scores, float rate, float prior, int threads) {
            const std::size_t size = same_length(own.shape(0), other.shape(0));
            same_length(size, scores.shape(0));
            nb::gil_scoped_release release;
            return learner.step({own.data(), size}, {other.data(), size}, {scores.data(), size},
                                rate, prior, threads);
          },
          "own"_a, "other"_a, "scores"_a, nb::kw_only(), "rate"_a = 1.0f, "prior"_a = 1.0f,
          "threads"_a = 0,
          "Go one step towards the scores (from the movers' views, in discs); return the mean "
          "squared error before it. The result does not depend on threads.")
      .def(
          "weights", [](const PatternLearner& learner) { return by_stages(learner.weights()); },
          "As PatternEvaluation takes them.");
}

void bind_n_tuples(nb::module_& module) {
  nb::class_<NTupleNetwork, Evaluation>(
      module, "NTupleNetwork",
      "A table of weights for each tuple of squares, looked up by what is on them.")
      .def(nb::new_(&make_network), "lengths"_a, "squares"_a, "offsets"_a, "weights"_a, "inverts"_a,
           "lengths, offsets: for each placement of a tuple, its number of squares and where its\n"
           "3**length weights begin. squares: those of all placements, one after the other.\n"
           "Weights are in the order of the squares' contents read as a number of base 3, the\n"
           "first square its highest digit: 0 white, 1 empty, 2 black.\n\n"
           "inverts: the side that has just moved counts as black; else black prefers high\n"
           "values and white low ones.")
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
          "The value of each board in the network's own numbers, float64, from the mover's view.")
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
          "The move after which each board is worth most to its mover, PASS where there is none.\n"
          "Among values within 1e-6 of the best the board's key decides.");
}

}  // namespace

void bind_evaluation(nb::module_& module) {
  bind_evaluations(module);
  bind_n_tuples(module);
  bind_patterns(module);
  module.def("named_evaluations", &names,
             "All evaluations that have a name: (name, summary, source) of each.");
  module.def(
      "edge_table",
      [] {
        auto out = new_array<std::int32_t>({kEdgeIndexes});
        std::copy(edge_table().begin(), edge_table().end(), out.data());
        return out;
      },
      "Values of all edges with their X-squares, as the evaluations after Iago use them: int32\n"
      "of length 3**10, by ten digits of base 3 (0 empty, 1 the mover's, 2 the opponent's).");
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
