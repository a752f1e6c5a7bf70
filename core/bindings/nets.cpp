// The line network and its training.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include "bindings/arguments.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"
#include "nets/line_trainer.hpp"
#include "othello/moves.hpp"

namespace outflank {
namespace {

using namespace nets;
using Views = std::map<std::string, nb::ndarray<nb::numpy, float>>;

std::unique_ptr<LineNetwork> make_network(int channels, int blocks, int layers, int hidden,
                                          bool afterstates, std::optional<std::uint64_t> seed) {
  if (channels < 16 || channels > 256 || channels % 16)
    throw nb::value_error("channels must be a multiple of 16 from 16 to 256");
  if (hidden < 16 || hidden > 1024 || hidden % 16)
    throw nb::value_error("hidden must be a multiple of 16 from 16 to 1024");
  if (blocks < 0 || blocks > 32) throw nb::value_error("blocks must be from 0 to 32");
  if (layers < 0 || layers > 16) throw nb::value_error("layers must be from 0 to 16");
  auto network =
      std::make_unique<LineNetwork>(LineConfig{channels, blocks, layers, hidden, afterstates});
  if (seed)
    network->initialise(*seed);
  else
    network->refresh();
  return network;
}

template <typename Numbers>
nb::ndarray<nb::numpy, float> view(Numbers& of, std::size_t begin,
                                   const std::vector<std::size_t>& shape, nb::handle owner) {
  return nb::ndarray<nb::numpy, float>(of.data() + begin, shape.size(), shape.data(), owner);
}

Views parameters(nb::handle self) {
  auto& network = nb::cast<LineNetwork&>(self);
  const auto channels = static_cast<std::size_t>(network.config.channels);
  Views views;
  for (const Slice& slice : network.slices())
    if (slice.size) views.emplace(slice.name, view(network.dense, slice.begin, slice.shape, self));
  for (Table& table : network.tables)
    views.emplace(table.name, view(table.weights, 0, {table.rows, channels}, self));
  return views;
}

auto predict_all(const LineNetwork& network, const Boards& own, const Boards& other, int threads) {
  const std::size_t size = check_boards(own, other);
  threads = threads_for(threads);
  auto logits = new_array<float>({size, kSquares}), value = new_array<float>({size});
  listening([&] {
    predict(network, {own.data(), size}, {other.data(), size}, {logits.data(), value.data()},
            threads);
  });
  return std::tuple(logits, value);
}

constexpr double kMostClock = 1e12;

struct Trainer {
  nb::object network;  // kept alive
  LineTrainer trainer;
};

template <typename T>
std::span<const T> span_of(const ArrayIn<T>& array) {
  return {array.data(), array.shape(0)};
}

// What a batch says must be possible; one bad number would spoil all weights.
void check_batch(const Batch& batch) {
  const auto wrong = [](std::size_t i, const std::string& what) {
    throw nb::value_error(("position " + std::to_string(i) + " of the batch: " + what).c_str());
  };
  for (std::size_t i = 0; i < batch.own.size(); ++i) {
    if (!(std::abs(batch.value[i]) <= 1)) wrong(i, "its value is not in [-1, 1]");
    if (!batch.weight.empty() && !(batch.weight[i] >= 0 && std::isfinite(batch.weight[i])))
      wrong(i, "its weight is not a number from 0 up");
    const Bits legal = legal_moves(Board{batch.own[i], batch.other[i]});
    if (legal == 0) continue;
    if (!batch.move.empty()) {
      if (batch.move[i] >= kSquares || !(legal >> batch.move[i] & 1))
        wrong(i, "its move is not legal");
      continue;
    }
    float sum = 0, least = 0;
    for (Bits left = legal; left;) {
      const float share = batch.policy[i * kSquares + pop(left)];
      sum += share;
      least = std::min(least, share);
    }
    const bool none = teaches_no_policy(batch.policy.subspan(i * kSquares));
    if (!none && !(std::abs(sum - 1) <= 1e-3f && least >= 0))
      wrong(i, "the shares of its legal moves do not add up to 1");
  }
}

std::map<std::string, double> train_step(Trainer& self, const Boards& own, const Boards& other,
                                         const std::optional<ArrayIn<std::uint8_t>>& move,
                                         const std::optional<MatrixIn<float>>& policy,
                                         const ArrayIn<float>& value,
                                         const std::optional<ArrayIn<float>>& weight,
                                         const std::tuple<float, float, float>& rates,
                                         int threads) {
  const std::size_t size = check_boards(own, other);
  same_length(size, value.shape(0));
  if (size == 0) throw nb::value_error("a batch needs at least one position");
  if (move.has_value() == policy.has_value())
    throw nb::value_error("a batch has either moves or policies");
  Batch batch{span_of<Bits>(own), span_of<Bits>(other), {}, {}, span_of<float>(value), {}};
  if (move) {
    same_length(size, move->shape(0));
    batch.move = span_of<std::uint8_t>(*move);
  }
  if (policy) {
    same_length(size, policy->shape(0));
    if (policy->shape(1) != kSquares) throw nb::value_error("a policy has 64 shares");
    batch.policy = {policy->data(), size * kSquares};
  }
  if (weight) {
    same_length(size, weight->shape(0));
    batch.weight = span_of<float>(*weight);
  }
  check_batch(batch);
  for (const float rate : {std::get<0>(rates), std::get<1>(rates), std::get<2>(rates)})
    within("a rate", rate, 0.0f, 1000.0f);
  threads = threads_for(threads);
  const TrainingReport report = undisturbed([&] {
    return self.trainer.step(batch, {std::get<0>(rates), std::get<1>(rates), std::get<2>(rates)},
                             threads);
  });
  return {{"policy_loss", report.policy_loss},
          {"value_loss", report.value_loss},
          {"accuracy", report.accuracy}};
}

// Rows that were looked up, and the shorter patterns behind them: what a resumed run needs.
Views trainer_state(nb::handle self) {
  LineTrainer& trainer = nb::cast<Trainer&>(self).trainer;
  Views state;
  state.emplace("first", view(trainer.first, 0, {trainer.first.size()}, self));
  state.emplace("second", view(trainer.second, 0, {trainer.second.size()}, self));
  state.emplace("table_square", view(trainer.table_square, 0, {trainer.table_square.size()}, self));
  for (std::size_t i = 0; i < trainer.row_square.size(); ++i) {
    const std::string name = trainer.network().tables[i].name;
    const std::size_t rows = trainer.row_square[i].size();
    state.emplace(name + ".square", view(trainer.row_square[i], 0, {rows}, self));
    state.emplace(name + ".clock", view(trainer.row_clock[i], 0, {rows}, self));
    LineTrainer::Keys& keys = trainer.keys[i];
    if (const std::size_t count = keys.square.size()) {
      state.emplace(name + ".keys.gradient",
                    view(keys.gradient, 0, {count, keys.gradient.size() / count}, self));
      state.emplace(name + ".keys.square", view(keys.square, 0, {count}, self));
      if (!trainer.started.empty())
        state.emplace(name + ".start",
                      view(trainer.started[i], 0, {rows, trainer.started[i].size() / rows}, self));
    }
  }
  return state;
}

std::map<std::string, nb::ndarray<nb::numpy, std::uint32_t>> trainer_visits(nb::handle self) {
  LineTrainer& trainer = nb::cast<Trainer&>(self).trainer;
  std::map<std::string, nb::ndarray<nb::numpy, std::uint32_t>> visits;
  const auto add = [&](const std::string& name, std::vector<std::uint32_t>& of) {
    if (!of.empty())
      visits.emplace(name + ".visits",
                     nb::ndarray<nb::numpy, std::uint32_t>(of.data(), {of.size()}, self));
  };
  for (std::size_t i = 0; i < trainer.row_visits.size(); ++i) {
    const std::string name = trainer.network().tables[i].name;
    add(name, trainer.row_visits[i]);
    add(name + ".keys", trainer.keys[i].visits);
  }
  return visits;
}

}  // namespace

void bind_nets(nb::module_& module) {
  nb::class_<LineNetwork>(module, "LineNetwork",
                          "A network over tables of lines: a policy and a value. See "
                          "docs/line-network.md.")
      .def(nb::new_(&make_network), nb::kw_only(), "channels"_a = 64, "blocks"_a = 1,
           "layers"_a = 2, "hidden"_a = 128, "afterstates"_a = true, "seed"_a.none() = 0,
           R"(Args:
    channels: length of the vectors of squares and moves; a multiple of 16, at most 256.
    blocks: how many blocks mix channels and squares, at most 32.
    layers: how many residual layers the legal moves go through, at most 16.
    hidden: width of those layers; a multiple of 16, at most 1024.
    afterstates: whether to look at the board after each legal move.
    seed: of the random weights to start with; None: all weights are zero.)")
      .def_prop_ro("channels", [](const LineNetwork& n) { return n.config.channels; })
      .def_prop_ro("blocks", [](const LineNetwork& n) { return n.config.blocks; })
      .def_prop_ro("layers", [](const LineNetwork& n) { return n.config.layers; })
      .def_prop_ro("hidden", [](const LineNetwork& n) { return n.config.hidden; })
      .def_prop_ro("afterstates", [](const LineNetwork& n) { return n.config.afterstates; })
      .def("parameters", &parameters,
           "All weights by name. The arrays are views: call refresh() after writing to them.")
      .def("refresh", &LineNetwork::refresh, "Take changed weights into use.")
      .def("predict", &predict_all, "own"_a, "other"_a, "threads"_a = 0,
           R"(Predict moves and results.

Returns (logits, values): float32 of shape (boards, 64), -inf where a move is not legal; and
float32, the expected results in [-1, 1] from the movers' view.)");

  nb::class_<Trainer>(module, "LineTrainer", "Trains a LineNetwork, which it changes in place.")
      .def(nb::new_([](nb::object network, std::uint64_t seed, float value_weight,
                       float square_logits, float smoothing, float dense_decay, float table_decay,
                       float row_floor, float back_off, float line_dropout, float pattern_dropout,
                       float channel_dropout) {
             auto& net = nb::cast<LineNetwork&>(network);
             TrainingOptions options;
             options.value_weight = within("value_weight", value_weight, 0.0f, 1000.0f);
             options.square_logits = within("square_logits", square_logits, 0.0f, 1000.0f);
             options.smoothing = within("smoothing", smoothing, 0.0f, 1.0f);
             options.dense_decay = within("dense_decay", dense_decay, 0.0f, 1000.0f);
             options.table_decay = within("table_decay", table_decay, 0.0f, 1000.0f);
             options.row_floor = within("row_floor", row_floor, 0.0f, 1000.0f);
             options.back_off = within("back_off", back_off, 0.0f, 1000.0f);
             options.dropout = {within("line_dropout", line_dropout, 0.0f, 0.9375f),
                                within("pattern_dropout", pattern_dropout, 0.0f, 0.9375f),
                                within("channel_dropout", channel_dropout, 0.0f, 0.9375f), 0};
             return new Trainer{network, LineTrainer(net, options, seed)};
           }),
           "network"_a, nb::kw_only(), "seed"_a = 0, "value_weight"_a = 0.2f,
           "square_logits"_a = 1e-4f, "smoothing"_a = 0.0f, "dense_decay"_a = 0.01f,
           "table_decay"_a = 0.0f, "row_floor"_a = 0.1f, "back_off"_a = 0.0f,
           "line_dropout"_a = 0.0f, "pattern_dropout"_a = 0.0f, "channel_dropout"_a = 0.0f,
           R"(Args:
    network: the LineNetwork to train.
    seed: of the dropout.
    value_weight: weight of the value's squared error beside the policy's cross-entropy.
    square_logits: weight of log(sum(exp(logits)))**2, which keeps logits near zero.
    smoothing: share of the policy target that is spread over all legal moves.
    dense_decay: decoupled weight decay of the dense weights.
    table_decay: the same of table rows, towards where they started.
    row_floor: share of a table's mean squared gradient that is added to each row's.
    back_off: learning rate of the shorter patterns behind the rows, as a share of the tables'.
    line_dropout, pattern_dropout, channel_dropout: share of each that is left out at random.)")
      .def("step", &train_step, "own"_a, "other"_a, nb::kw_only(), "move"_a = nb::none(),
           "policy"_a = nb::none(), "value"_a, "weight"_a = nb::none(), "rates"_a, "threads"_a = 0,
           R"(Take one step down the gradient of a batch, which has either moves or policies.

Args:
    own, other: the positions.
    move: uint8, the squares to predict.
    policy: float32 of shape (boards, 64), probabilities of the legal moves. A row of zeros teaches
        no policy: only the value of its position is learned.
    value: float32, results from the movers' view in [-1, 1].
    weight: float32, how much each position counts; None: 1 each.
    rates: learning rates of the dense weights, of line rows, and of the moves' rows.
    threads: see the module.

Returns the batch's means: policy_loss, value_loss, accuracy.)")
      .def(
          "settle", [](Trainer& t) { t.trainer.settle(); },
          "Apply the weight decay that rows are due; call this before saving or using weights.")
      .def("state", &trainer_state,
           "What a resumed run needs besides visits(), as views of the trainer's memory.")
      .def("visits", &trainer_visits,
           "How often each row and each shorter pattern has changed, as views, too.")
      .def_prop_rw(
          "steps", [](const Trainer& t) { return t.trainer.steps; },
          [](Trainer& t, std::uint64_t steps) { t.trainer.steps = steps; })
      .def_prop_rw(
          "positions", [](const Trainer& t) { return t.trainer.positions; },
          [](Trainer& t, std::uint64_t positions) { t.trainer.positions = positions; })
      .def_prop_rw(
          "clock", [](const Trainer& t) { return t.trainer.clock; },
          [](Trainer& t, double clock) {
            t.trainer.clock = within("clock", clock, 0.0, kMostClock);
          });
}

}  // namespace outflank
