// The exact solver: the final score under perfect play by both sides.
#pragma once

#include <atomic>
#include <vector>

#include "evaluation/champion.hpp"
#include "search/midgame.hpp"
#include "search/transposition.hpp"

namespace outflank {

// What is known of a position's final score, from its mover's view.
struct EndgameFinding {
  std::int8_t lower = -64;
  std::int8_t upper = 64;
  std::uint8_t best = kNoSquare;
  std::uint8_t second = kNoSquare;  // the best move before that
  // How sure the bounds are: kSure, or less if a selective search found them. Those that are less
  // sure than the search wants are not used; the moves are.
  std::uint8_t sureness = 255;
  std::uint8_t unused = 0;
  std::uint8_t effort = 0;
  std::uint8_t age = 0;
};

using EndgameTable = TranspositionTable<EndgameFinding>;

inline constexpr std::uint8_t kSure = 255;

// What a learned evaluation does for the solver: it orders moves and, if `endings` is switched on,
// leaves out what a shallow search makes almost certain.
struct EndgameGuide {
  const ChampionEvaluation& evaluation;
  MidgameTable& table;         // of its searches
  const Selectivity& midgame;  // of its searches
  // How shallow searches predict exact scores: `depth` is the number of empty squares, and the
  // deep values are discs in the evaluation's units.
  const Selectivity& endings;
};

struct SolverOptions {
  int threads = 1;
  // Only who wins: the score is then the sign of the true one.
  bool win_draw_loss = false;
  // Set by somebody else to end the search at once.
  const std::atomic<bool>* stop = nullptr;
  double seconds = 0;  // after which it is stopped; 0: no limit
  const EndgameGuide* guide = nullptr;
};

struct Solution {
  int score = 0;          // from the mover's view, the empty squares going to the winner
  int best = kPass;       // first among equals in an order that is always the same
  std::vector<int> line;  // best play to the end, passes included; empty for win_draw_loss
  std::uint64_t nodes = 0;
  bool complete = true;  // false if it was stopped: score and best mean nothing then
};

// Solves a position. The score and the best move do not depend on the number of threads, on what
// the table holds, or on the build, unless the guide leaves something out.
Solution solve(const Board& board, EndgameTable& table, const SolverOptions& options);

// The score of each legal move (kPass if it is the only one), best first.
struct ScoredMove {
  int move;
  int score;
};
std::vector<ScoredMove> solve_moves(const Board& board, EndgameTable& table,
                                    const SolverOptions& options, std::uint64_t& nodes);

}  // namespace outflank
