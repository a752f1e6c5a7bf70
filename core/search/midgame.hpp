// Alpha-beta over an evaluation: iterative deepening with principal-variation search.
//
// Depth is counted in plies, a pass being a ply as everywhere in this project. Without selectivity
// the value of a search to depth n is the minimax value to depth n, whatever the table holds and
// however many threads take part; so is the move, the first among equals in an order that the
// board and the evaluation decide.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "evaluation/evaluation.hpp"
#include "search/selectivity.hpp"
#include "search/transposition.hpp"

namespace outflank {

// Beyond all evaluations: a game that is over, by its final score.
inline constexpr Value kGameValue = kValueLimit + 1;
inline constexpr Value kDiscValue = 1000;  // of each disc that it is won by
// Beyond all values, even that of a game won by 64 discs.
inline constexpr Value kInfinite = kGameValue + 100 * kDiscValue;

constexpr Value value_of_end(int final_score) {
  if (final_score == 0) return 0;
  return final_score > 0 ? kGameValue + kDiscValue * final_score
                         : -kGameValue + kDiscValue * final_score;
}

// What a finished game is worth to a search.
enum class Ends {
  score,     // more than anything else: a win is better than any evaluation
  evaluate,  // what the evaluation says, as in programs that do not look for the end
  discs,     // its score, as an evaluation in discs would say it: for those alone
};

// What a value says about the minimax value: it is at least as great, at most, or the same.
enum class Bound : std::uint8_t { lower = 1, upper = 2, exact = lower | upper };

// What a search to some depth found out about a position.
class MidgameFinding {
 public:
  MidgameFinding() = default;
  // nodes: what the search cost.
  MidgameFinding(Value value, int depth, Bound bound, int best, std::uint64_t nodes)
      : value(value),
        best(static_cast<std::uint8_t>(best)),
        effort(effort_of(nodes)),
        depth_and_bound_(static_cast<std::uint8_t>(depth << kBoundBits | static_cast<int>(bound))) {
  }

  int depth() const { return depth_and_bound_ >> kBoundBits; }
  // An exact value is a lower and an upper bound, too.
  bool is_lower_bound() const { return has(Bound::lower); }
  bool is_upper_bound() const { return has(Bound::upper); }
  bool is_exact() const { return is_lower_bound() && is_upper_bound(); }

  Value value = 0;
  std::uint8_t best = kNoSquare;
  std::uint8_t effort = 0;
  std::uint8_t age = 0;

 private:
  bool has(Bound bound) const { return depth_and_bound_ & static_cast<std::uint8_t>(bound); }

  static constexpr int kBoundBits = 2;
  std::uint8_t depth_and_bound_ = 0;  // Bound in the lowest bits, depth in the others: below 64
};

using MidgameTable = TranspositionTable<MidgameFinding>;

struct Limits {
  int depth = 60;
  std::uint64_t nodes = 0;  // 0: no limit
  double seconds = 0;       // 0: no limit
};

struct Line {
  Value value = 0;         // from the mover's view
  std::vector<int> moves;  // expected play, passes included
};

struct SearchReport {
  int depth = 0;            // completed, or begun if the first line of it is known
  std::vector<Line> lines;  // best first, as many as were asked for
  std::uint64_t nodes = 0;
  double seconds = 0;
};

inline const Selectivity kNoSelectivity;

struct SearchOptions {
  int threads = 1;
  int lines = 1;  // how many of the best moves are wanted
  Ends ends = Ends::score;
  const Selectivity* selectivity = &kNoSelectivity;   // if the evaluation was calibrated
  std::function<void(const SearchReport&)> on_depth;  // called after each depth
  const std::atomic<bool>* stop = nullptr;            // set by somebody else to end the search
};

// Searches until a limit is reached or it is stopped, and reports the last depth that gave a
// move. At least depth 1 is completed, whatever the limits. The position must not be over; if
// the mover must pass, the line begins with a pass.
SearchReport search(const Board& board, bool white_to_move, const Evaluation& evaluation,
                    MidgameTable& table, const Limits& limits, const SearchOptions& options);

// Plain minimax to a fixed depth: slow and obvious. Returns the value and the first best move by
// square (kPass if there is none).
struct Minimax {
  Value value;
  int move;
  std::uint64_t nodes;
};
Minimax minimax(const Board& board, bool white_to_move, const Evaluation& evaluation, int depth,
                Ends ends);

}  // namespace outflank
