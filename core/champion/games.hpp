// Games to learn from: random first moves, then searches, then the exact solver to the end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "endgame/solver.hpp"
#include "search/midgame.hpp"

namespace outflank {

struct TrainingGameOptions {
  int depth = 6;            // of the searches
  int solve_from = 14;      // empty squares from which the game is solved
  int least_opening = 4;    // plies that a game begins with before searches decide
  int most_opening = 24;    //
  double randomness = 0.5;  // share of random moves among them; the others look one ply ahead
  double slips = 0;         // share of random moves once the game is solved
  int siblings = 0;         // other moves, drawn at random, that are looked at in each position
  int endings = 0;          // that the game is given besides, each after a few random moves
};

// A position and what it was worth, from its mover's view. Positions of the opening are left out:
// what followed them was partly luck.
struct TrainingPosition {
  Board board;
  // That the solver found where the searches ended; once solved, its own. Of a sibling, the value.
  std::int8_t score;
  float value;  // what the search that chose the move found, in discs; the score once solved
};

// Plays one game from a board on. The game depends on the key, the board and the evaluation, and
// on what the tables hold if the search is selective.
std::vector<TrainingPosition> play_training_game(const Board& start, std::uint64_t key,
                                                 const Evaluation& evaluation, MidgameTable& table,
                                                 EndgameTable& endgames,
                                                 const Selectivity& selectivity,
                                                 const TrainingGameOptions& options);

}  // namespace outflank
