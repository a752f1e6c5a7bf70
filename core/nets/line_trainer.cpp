#include "nets/line_trainer.hpp"

#include <algorithm>
#include <cmath>

#include "batch/parallel.hpp"
#include "nets/matrix.hpp"
#include "othello/hash.hpp"

namespace outflank::nets {

namespace {

// A batch is cut into this many parts, whatever the number of threads: sums of floats depend on
// their order, and results must not depend on the machine's cores.
constexpr std::size_t kLanes = 8;

// Gradients of shorter patterns are gathered over so many steps: to move one means to move all
// rows that contain it.
constexpr std::uint64_t kStepsOfKeys = 32;

float mean_square(const float* g, int channels) {
  Eight sums = {};
  for (int c = 0; c < channels; c += 8) sums += load(g + c) * load(g + c);
  float total = 0;
  for (int c = 0; c < 8; ++c) total += sums[c];
  return total / static_cast<float>(channels);
}

// One by the root of the mean square of a row's gradients, of which `now` is the latest: the mean
// of the first, then a moving one. Zero, and no visit, if there is no gradient. `floor` is added to
// the square: rows whose gradients are tiny are to take tiny steps.
float row_scale(float now, float moment, float floor, float& square, std::uint32_t& visits) {
  if (now == 0) return 0;
  square += std::max(1 - moment, 1.0f / static_cast<float>(++visits)) * (now - square);
  return 1 / std::sqrt(square + floor + 1e-20f);
}

}  // namespace

LineTrainer::LineTrainer(LineNetwork& network, const TrainingOptions& options, std::uint64_t seed)
    : first(network.dense.size()),
      second(network.dense.size()),
      table_square(network.tables.size()),
      network_(network),
      options_(options),
      seed_(seed) {
  for (const Table& table : network.tables) {
    row_square.emplace_back(table.rows);
    row_visits.emplace_back(table.rows);
    row_clock.emplace_back(table.rows);
    slot_.emplace_back(table.rows, -1);
  }
  if (options.table_decay > 0) {
    LineNetwork start(network.config);
    start.initialise(seed);
    for (Table& table : start.tables) started.push_back(std::move(table.weights));
  }
  back_off_.resize(network.tables.size());
  keys.resize(network.tables.size());
  if (options.back_off > 0) {
    for (int type = 0; type < kLineTypes; ++type) back_off_[type] = line_back_off(type);
    if (network.config.afterstates)
      for (int type = 0; type < kPatternTypes; ++type)
        back_off_[LineNetwork::kPatternTable + type] = pattern_back_off(type);
    for (std::size_t table = 0; table < keys.size(); ++table) {
      const std::size_t count = back_off_[table].keys;
      keys[table] = {std::vector<float>(count * network.config.channels), std::vector<float>(count),
                     std::vector<std::uint32_t>(count)};
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) lanes_.emplace_back(network);
}

TrainingReport LineTrainer::step(const Batch& batch, const Rates& rates, int threads) {
  const std::size_t size = batch.own.size();
  std::array<Totals, kLanes> totals;
  parallel_for(kLanes, 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t lane = begin; lane < end; ++lane) {
      lanes_[lane].clear();
      totals[lane] =
          run_lane(batch, lane * size / kLanes, (lane + 1) * size / kLanes, lanes_[lane]);
    }
  });

  Gradients& sum = lanes_[0];
  const auto reduce = [&](std::vector<float>& into, auto&& part) {
    parallel_for(into.size(), 4096, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t lane = 1; lane < kLanes; ++lane) {
        const std::vector<float>& from = part(lanes_[lane]);
        for (std::size_t i = begin; i < end; ++i) into[i] += from[i];
      }
    });
  };
  reduce(sum.dense, [](Gradients& lane) -> std::vector<float>& { return lane.dense; });
  for (std::size_t b = 0; b < sum.square_mixing.size(); ++b)
    reduce(sum.square_mixing[b],
           [b](Gradients& lane) -> std::vector<float>& { return lane.square_mixing[b]; });

  ++steps;
  positions += size;
  clock += options_.table_decay * rates.lines;
  const std::size_t tables = network_.tables.size();
  parallel_for(tables + 1, 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t task = begin; task < end; ++task) {
      if (task == tables)
        update_dense(rates.dense);
      else
        update_table(static_cast<int>(task), task < kLineTypes ? rates.lines : rates.moves);
    }
  });

  TrainingReport report;
  std::size_t taught = size;
  for (const Totals& total : totals) taught -= total.untaught;
  const auto n = static_cast<double>(size),
             policies = static_cast<double>(std::max<std::size_t>(taught, 1));
  for (const Totals& total : totals) {
    report.policy_loss += total.policy_loss / policies;
    report.value_loss += total.value_loss / n;
    report.accuracy += total.right / policies;
  }
  return report;
}

LineTrainer::Totals LineTrainer::run_lane(const Batch& batch, std::size_t begin, std::size_t end,
                                          Gradients& into) const {
  Totals totals;
  Pass pass(network_);
  const float mean = 1.0f / static_cast<float>(batch.own.size());
  Dropout dropout = options_.dropout;
  dropout.seed = mix(seed_ + kGolden) ^ dropout.seed;
  std::vector<float> by_logit, by_value, target;
  for (std::size_t from = begin; from < end; from += Pass::kPositions) {
    const std::size_t n = std::min<std::size_t>(Pass::kPositions, end - from);
    pass.describe(batch.own.subspan(from, n), batch.other.subspan(from, n));
    pass.forward(dropout, positions + from);
    by_logit.assign(pass.moves(), 0.0f);
    by_value.assign(n, 0.0f);
    for (std::size_t p = 0; p < n; ++p) {
      const float weight = batch.weight.empty() ? 1.0f : batch.weight[from + p];
      const float error = pass.value(p) - batch.value[from + p];
      totals.value_loss += weight * error * error;
      by_value[p] = 2 * options_.value_weight * weight * mean * error;
      const auto [first_move, last_move] = pass.moves_of(p);
      if (last_move - first_move < 2) {  // no choice, nothing to learn
        totals.right += last_move - first_move;
        continue;
      }

      if (!batch.policy.empty() && teaches_no_policy(batch.policy.subspan((from + p) * kSquares))) {
        ++totals.untaught;
        continue;
      }
      const int moves = last_move - first_move;
      target.assign(moves, options_.smoothing / static_cast<float>(moves));
      for (int m = 0; m < moves; ++m) {
        const int square = pass.square(first_move + m);
        const float share = batch.policy.empty()
                                ? static_cast<float>(square == batch.move[from + p])
                                : batch.policy[(from + p) * kSquares + square];
        target[m] += (1 - options_.smoothing) * share;
      }
      float highest = pass.logit(first_move);
      for (int m = first_move; m < last_move; ++m) highest = std::max(highest, pass.logit(m));
      float sum = 0;
      for (int m = first_move; m < last_move; ++m) sum += std::exp(pass.logit(m) - highest);
      const float log_sum = highest + std::log(sum);
      int best = 0, wanted = 0;
      for (int m = 0; m < moves; ++m) {
        const float logit = pass.logit(first_move + m), share = std::exp(logit - log_sum);
        if (target[m] > 0) totals.policy_loss += weight * target[m] * (log_sum - logit);
        if (logit > pass.logit(first_move + best)) best = m;
        if (target[m] > target[wanted]) wanted = m;
        by_logit[first_move + m] =
            weight * mean * (share - target[m] + 2 * options_.square_logits * log_sum * share);
      }
      totals.right += best == wanted;
    }
    pass.backward(by_logit, by_value, into);
  }
  return totals;
}

void LineTrainer::update_dense(float rate) {
  const Geometry& geometry = Geometry::instance();
  Gradients& sum = lanes_[0];
  // Entries of a mixing matrix that are tied share the sum of their gradients.
  const int groups = network_.config.channels / 16;
  for (std::size_t b = 0; b < network_.blocks.size(); ++b) {
    const float* from = sum.square_mixing[b].data();
    float* to = network_.blocks[b].squares.in(sum.dense);
    for (int group = 0; group < groups; ++group)
      for (int row = 0; row < kSquares; ++row)
        for (int column = 0; column < kSquares; ++column)
          to[group * kPairOrbits +
             geometry.pair_orbit[geometry.square_of[row]][geometry.square_of[column]]] += *from++;
  }
  const auto n = static_cast<double>(steps);
  const auto correct_first = static_cast<float>(1 / (1 - std::pow(options_.first_moment, n)));
  const auto correct_second = static_cast<float>(1 / (1 - std::pow(options_.second_moment, n)));
  const float keep = 1 - rate * options_.dense_decay;
  float* weights = network_.dense.data();
  for (std::size_t i = 0; i < network_.dense.size(); ++i) {
    const float g = sum.dense[i];
    first[i] += (1 - options_.first_moment) * (g - first[i]);
    second[i] += (1 - options_.second_moment) * (g * g - second[i]);
    weights[i] = keep * weights[i] -
                 rate * correct_first * first[i] / (std::sqrt(correct_second * second[i]) + 1e-8f);
  }
  network_.refresh();
}

void LineTrainer::decay_row(int table, std::size_t row, float* weights) {
  if (options_.table_decay <= 0) return;
  const auto due = static_cast<float>(clock - row_clock[table][row]);
  row_clock[table][row] = static_cast<float>(clock);
  if (due <= 0) return;
  const float keep = std::exp(-due);
  const float* start = started[table].data() + row * network_.config.channels;
  for (int c = 0; c < network_.config.channels; ++c)
    weights[c] = start[c] + keep * (weights[c] - start[c]);
}

void LineTrainer::settle() {
  if (options_.table_decay <= 0) return;
  for (std::size_t table = 0; table < network_.tables.size(); ++table) {
    for (std::size_t row = 0; row < network_.tables[table].rows; ++row)
      decay_row(static_cast<int>(table), row,
                network_.tables[table].weights.data() + row * network_.config.channels);
  }
}

// Adds up the gradients of each row that occurred, and moves it by its own scale: rows that occur
// often and rarely take steps of the same size.
void LineTrainer::update_table(int table, float rate) {
  const int channels = network_.config.channels;
  std::vector<std::int32_t>& slot = slot_[table];
  std::vector<std::uint32_t> rows;
  std::vector<float> sums;
  for (const Gradients& lane : lanes_)
    for (const Reference& use : lane.references[table]) {
      const float* from = lane.vectors.data() + static_cast<std::size_t>(use.vector) * channels;
      if (slot[use.row] < 0) {
        slot[use.row] = static_cast<std::int32_t>(rows.size());
        rows.push_back(use.row);
        sums.insert(sums.end(), from, from + channels);
      } else {
        float* to = sums.data() + static_cast<std::size_t>(slot[use.row]) * channels;
        for (int c = 0; c < channels; c += 8) store(to + c, load(to + c) + load(from + c));
      }
    }
  const float floor = options_.row_floor * table_square[table];
  double total = 0;
  std::size_t moved = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t row = rows[i];
    slot[row] = -1;
    const float* g = sums.data() + i * channels;
    const float now = mean_square(g, channels);
    total += now;
    moved += now > 0;
    const float scale = rate * row_scale(now, options_.row_moment, floor, row_square[table][row],
                                         row_visits[table][row]);
    float* weights =
        network_.tables[table].weights.data() + static_cast<std::size_t>(row) * channels;
    decay_row(table, row, weights);
    for (int c = 0; c < channels; ++c) weights[c] -= scale * g[c];
  }
  if (moved) {
    const auto mean = static_cast<float>(total / static_cast<double>(moved));
    const float share = std::max(1 - options_.row_moment, 1.0f / static_cast<float>(steps));
    table_square[table] += share * (mean - table_square[table]);
  }
  if (!back_off_[table].keys) return;
  add_to_keys(table, rows, sums);
  if (steps % kStepsOfKeys == 0) move_keys(table, rate * options_.back_off);
}

void LineTrainer::add_to_keys(int table, const std::vector<std::uint32_t>& rows,
                              const std::vector<float>& sums) {
  const int channels = network_.config.channels;
  const BackOff& back_off = back_off_[table];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float* g = sums.data() + i * channels;
    const std::int32_t* of =
        back_off.of.data() + static_cast<std::size_t>(rows[i]) * back_off.per_row;
    for (int k = 0; k < back_off.per_row; ++k) {
      float* to = keys[table].gradient.data() + static_cast<std::size_t>(of[k]) * channels;
      for (int c = 0; c < channels; c += 8) store(to + c, load(to + c) + load(g + c));
    }
  }
}

// Moves the shorter patterns by what has gathered, and with them all rows that contain them.
void LineTrainer::move_keys(int table, float rate) {
  const int channels = network_.config.channels;
  const BackOff& back_off = back_off_[table];
  std::vector<float>& moved = keys[table].gradient;
  for (int key = 0; key < back_off.keys; ++key) {
    float* g = moved.data() + static_cast<std::size_t>(key) * channels;
    const float scale = -rate * row_scale(mean_square(g, channels), options_.row_moment, 0,
                                          keys[table].square[key], keys[table].visits[key]);
    for (int c = 0; c < channels; ++c) g[c] *= scale;
  }
  const auto move = [&](float* weights, std::size_t row) {
    for (int k = 0; k < back_off.per_row; ++k) {
      const float* from =
          moved.data() +
          static_cast<std::size_t>(back_off.of[row * back_off.per_row + k]) * channels;
      for (int c = 0; c < channels; c += 8) store(weights + c, load(weights + c) + load(from + c));
    }
  };
  for (std::size_t row = 0; row < network_.tables[table].rows; ++row) {
    move(network_.tables[table].weights.data() + row * channels, row);
    // Decay leads to where a row would be without a part of its own.
    if (!started.empty()) move(started[table].data() + row * channels, row);
  }
  std::fill(moved.begin(), moved.end(), 0.0f);
}

}  // namespace outflank::nets
