#include "bindings/mcts_evaluators.hpp"

#include <algorithm>
#include <cmath>

#include "bindings/arguments.hpp"
#include "othello/moves.hpp"

namespace outflank {
namespace {

using mcts::Evaluator;
using mcts::LeafBatch;

// A Python function (own, other) -> (logits, values).
class PythonEvaluator : public Evaluator {
 public:
  explicit PythonEvaluator(nb::handle function) : function_(function) {}

  void evaluate(LeafBatch& batch, int) override {
    nb::gil_scoped_acquire acquire;
    const std::size_t size = batch.size();
    auto own = new_array<Bits>({size}), other = new_array<Bits>({size});
    std::copy(batch.own.begin(), batch.own.end(), own.data());
    std::copy(batch.other.begin(), batch.other.end(), other.data());
    const nb::object answer = function_(own, other);
    MatrixIn<float> logits;
    ArrayIn<float> values;
    if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2 ||
        !nb::try_cast(answer[0], logits) || !nb::try_cast(answer[1], values))
      refuse("the evaluator must return (logits, values), float32 of shape (n, 64) and (n,)");
    if (logits.shape(0) != size || logits.shape(1) != kSquares || values.shape(0) != size)
      refuse("the evaluator was given " + std::to_string(size) +
             " boards and returned logits of (" + std::to_string(logits.shape(0)) + ", " +
             std::to_string(logits.shape(1)) + ") and " + std::to_string(values.shape(0)) +
             " values");
    std::copy_n(logits.data(), size * kSquares, batch.logits.data());
    for (std::size_t i = 0; i < size; ++i) {
      check(batch, i, values.data()[i]);
      batch.values[i] = std::clamp(values.data()[i], -1.0f, 1.0f);
    }
  }

 private:
  // One bad number would spoil the whole tree above it.
  static void check(const LeafBatch& batch, std::size_t i, float value) {
    constexpr float kRounding = 1e-3f;
    if (!(std::abs(value) <= 1 + kRounding)) refuse("the evaluator gave a value beyond [-1, 1]");
    for (Bits left = legal_moves(Board{batch.own[i], batch.other[i]}); left;)
      if (!std::isfinite(batch.logits[i * kSquares + pop(left)]))
        refuse("the evaluator's logits of legal moves must be finite");
  }

  nb::handle function_;  // kept alive by whoever holds the evaluator
};

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(nb::handle given) {
  if (nb::isinstance<nets::LineNetwork>(given))
    return std::make_unique<mcts::LineEvaluator>(nb::cast<const nets::LineNetwork&>(given));
  if (nb::isinstance<nb::str>(given)) {
    const std::string name = nb::cast<nb::str>(given).c_str();
    if (name == "uniform") return std::make_unique<mcts::UniformEvaluator>();
    if (name == "rollouts") return std::make_unique<mcts::RolloutEvaluator>();
    refuse("an evaluator is a LineNetwork, a function, uniform or rollouts, not " + name);
  }
  if (!PyCallable_Check(given.ptr()))
    refuse("an evaluator is a LineNetwork, a function, uniform or rollouts");
  return std::make_unique<PythonEvaluator>(given);
}

}  // namespace outflank
