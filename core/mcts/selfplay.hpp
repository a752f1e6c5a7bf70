// Games that a searcher plays against itself, to learn from.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mcts/evaluator.hpp"
#include "mcts/options.hpp"
#include "othello/board.hpp"

namespace outflank::mcts {

struct SelfPlayOptions {
  int simulations = 100;
  // Playout cap randomisation (D. J. Wu, 2019): most searches are fast and play on, some are full
  // and are learned from.
  int fast_simulations = 0;  // 0: every search is full
  double full_share = 1;     // probability that a search is full
  double temperature = 1;    // of the first plies
  int temperature_plies = 14;
  double late_temperature = 0.35;  // after them; 0: always the best move
  int random_plies = 0;            // the most random moves a game can begin with
  // Uneven openings: one side mostly flips as many discs as it can, the other as few.
  double uneven_share = 0;     // probability of such an opening, in the place of a random one
  int uneven_plies = 0;        // the most moves that it can have
  double wiped_share = 0;      // probability of one that ends just before a wipe-out
  int solve_at = 0;            // let the solver end games at this many empty squares
  bool teach_endings = false;  // and learn from the moves that it would play there
  bool reuse = true;           // keep the subtree of the move that was played
  bool count_reused = false;   // its visits count as simulations
};

// A position that was searched or solved.
struct Sample {
  Board board;
  std::array<float, kSquares> policy;  // target; zeros unless the search was full
  float value;                         // the search's, from the mover's view; exact if solved
  float surprise;                      // divergence of the target from the evaluator's policy
  std::uint8_t move;
  std::int8_t outcome;  // final score from the mover's view; if solved, under perfect play
  bool full;
};

struct SelfPlayGame {
  bool finished = false;
  bool solved = false;    // ended by the solver
  std::int8_t score = 0;  // from the view of who moved first
  std::uint8_t moves = 0;
  std::vector<Sample> samples;
};

struct SelfPlayRun {
  std::span<const Board> starts = {};  // one for each game, or none: all from the start
  std::uint64_t seed = 0;
  std::uint64_t first_game = 0;  // games are numbered from here on
  int parallel = 256;            // games at the same time
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  // Called on the calling thread now and then, with the games and samples finished so far.
  std::function<void(std::size_t, std::size_t)> on_progress = {};
};

// Plays games.size() games. Each depends on the seed, its number, its start, the evaluator and the
// options alone: not on how many are played at the same time, nor on the number of threads.
// Games that were not finished when somebody said stop stay unfinished.
void play_selfplay(Evaluator& evaluator, const Options& options, const SelfPlayOptions& play,
                   const SelfPlayRun& run, std::span<SelfPlayGame> games);

}  // namespace outflank::mcts
