// The exact solver: the final score under perfect play by both sides.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "search/transposition.hpp"

namespace outflank {

// What is known of a position's final score, from its mover's view.
struct EndgameFinding {
  std::int8_t lower = -64;
  std::int8_t upper = 64;
  std::uint8_t best = kNoSquare;
  std::uint8_t second = kNoSquare;  // the best move before that
  std::array<std::uint8_t, 2> unused{};
  std::uint8_t effort = 0;
  std::uint8_t age = 0;
};

using EndgameTable = TranspositionTable<EndgameFinding>;

struct SolverOptions {
  int threads = 1;
  // Only who wins: the score is then the sign of the true one.
  bool win_draw_loss = false;
  // Set by somebody else to end the search at once.
  const std::atomic<bool>* stop = nullptr;
  double seconds = 0;  // after which it is stopped; 0: no limit
};

struct Solution {
  int score = 0;          // from the mover's view, the empty squares going to the winner
  int best = kPass;       // first among equals in an order that is always the same
  std::vector<int> line;  // best play to the end, passes included; empty for win_draw_loss
  std::uint64_t nodes = 0;
  bool complete = true;  // false if it was stopped: score and best mean nothing then
};

// Solves a position. The score and the best move do not depend on the number of threads, on what
// the table holds, or on the build.
Solution solve(const Board& board, EndgameTable& table, const SolverOptions& options);

// The score of each legal move (kPass if it is the only one), best first.
struct ScoredMove {
  int move;
  int score;
};
std::vector<ScoredMove> solve_moves(const Board& board, EndgameTable& table,
                                    const SolverOptions& options, std::uint64_t& nodes);

}  // namespace outflank
