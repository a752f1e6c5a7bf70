// Training of the line network on policies and values: of experts' games, or of self-play.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "nets/back_off.hpp"
#include "nets/line_pass.hpp"

namespace outflank::nets {

struct TrainingOptions {
  float value_weight = 0.2f;    // of the squared error of the value, beside the cross-entropy
  float square_logits = 1e-4f;  // weight of log(sum exp)^2, which keeps logits near zero
  float smoothing = 0;          // share of the target spread over all legal moves
  float dense_decay = 0.01f;    // decoupled weight decay of the dense weights
  float table_decay = 0;        // the same of table rows, towards where they started
  float first_moment = 0.9f, second_moment = 0.99f;  // Adam's
  float row_moment = 0.99f;                          // of the mean square of a row's gradient
  float row_floor = 0.1f;  // share of the table's mean square that is added to each row's
  float back_off = 0;      // rate of the shorter patterns, as a share of their tables'
  Dropout dropout;
};

// Positions with what is to be learned of them; all spans have one entry for each position.
struct Batch {
  std::span<const Bits> own, other;
  std::span<const std::uint8_t> move;  // the move to predict; or
  std::span<const float> policy;       // 64 for each position: shares of the legal moves, or
                                       // zeros if it teaches its value alone
  std::span<const float> value;        // result from the mover's view, in [-1, 1]
  std::span<const float> weight;       // how much the position counts; empty: 1 each
};

// Whether a position's 64 shares are all zero.
inline bool teaches_no_policy(std::span<const float> shares) {
  return std::all_of(shares.begin(), shares.begin() + kSquares, [](float s) { return s == 0; });
}

struct Rates {
  float dense, lines, moves;  // of the dense weights, of line rows, of the moves' rows
};

struct TrainingReport {
  // Means over the batch; of the policy over the positions that teach one.
  double policy_loss = 0, value_loss = 0;
  double accuracy = 0;  // share of positions whose most likely move is likeliest
};

class LineTrainer {
 public:
  LineTrainer(LineNetwork& network, const TrainingOptions& options, std::uint64_t seed);

  // One step down the gradient. The result does not depend on the number of threads.
  TrainingReport step(const Batch& batch, const Rates& rates, int threads);

  // Gives every row the decay that it is due; to be called before weights are saved or used.
  void settle();

  // Everything that a resumed run must have back; the network's weights aside.
  std::vector<float> first, second;            // Adam's moments of the dense weights
  std::vector<float> table_square;             // mean square of the gradients of a table's rows
  std::vector<std::vector<float>> row_square;  // for each table and row
  std::vector<std::vector<std::uint32_t>> row_visits;
  std::vector<std::vector<float>> row_clock;  // decay up to the row's last visit
  struct Keys {                               // of a table's shorter patterns
    std::vector<float> gradient;  // keys x channels: what has gathered since they last moved
    std::vector<float> square;
    std::vector<std::uint32_t> visits;
  };
  std::vector<Keys> keys;  // for each table; empty without back-off
  // Where decay leads each table: as it was initialised, and what its shorter patterns gave since.
  // Empty without decay.
  std::vector<Floats> started;
  std::uint64_t steps = 0, positions = 0;
  double clock = 0;  // decay up to now

  const LineNetwork& network() const { return network_; }

 private:
  struct Totals {
    double policy_loss = 0, value_loss = 0, right = 0;
    std::size_t untaught = 0;  // positions that teach no policy
  };
  Totals run_lane(const Batch& batch, std::size_t begin, std::size_t end, Gradients& into) const;
  void update_dense(float rate);
  void update_table(int table, float rate);
  void add_to_keys(int table, const std::vector<std::uint32_t>& rows,
                   const std::vector<float>& sums);
  void move_keys(int table, float rate);
  void decay_row(int table, std::size_t row, float* weights);

  LineNetwork& network_;
  const TrainingOptions options_;
  const std::uint64_t seed_;
  std::vector<Gradients> lanes_;
  std::vector<BackOff> back_off_;                // for each table
  std::vector<std::vector<std::int32_t>> slot_;  // for each table and row: where its sum is, or -1
};

}  // namespace outflank::nets
