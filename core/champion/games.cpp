#include "champion/games.hpp"

#include <algorithm>

#include "othello/hash.hpp"
#include "othello/moves.hpp"

namespace outflank {
namespace {

constexpr int kStartDiscs = 4;

int random_move(Bits legal, Random& random) { return select(legal, random.below(count(legal))); }

// The positions of a game as they come, whose scores are filled in at its end.
class Record {
 public:
  void add(const Board& board, bool white, float value) {
    positions_.push_back({{board, 0, value}, white});
  }

  std::vector<TrainingPosition> finish(int score_of_black) {
    std::vector<TrainingPosition> finished;
    finished.reserve(positions_.size());
    for (auto [position, white] : positions_) {
      position.score = static_cast<std::int8_t>(white ? -score_of_black : score_of_black);
      finished.push_back(position);
    }
    return finished;
  }

 private:
  struct Entry {
    TrainingPosition position;
    bool white;
  };
  std::vector<Entry> positions_;
};

}  // namespace

std::vector<TrainingPosition> play_training_game(const Board& start, std::uint64_t key,
                                                 const Evaluation& evaluation, MidgameTable& table,
                                                 EndgameTable& endgames,
                                                 const Selectivity& selectivity,
                                                 const TrainingGameOptions& options) {
  Random random(key);
  SearchOptions searching;
  searching.ends = Ends::discs;
  searching.selectivity = &selectivity;
  const auto searched = [&](const Board& board, bool white, int depth) {
    return search(board, white, evaluation, table, {depth, 0, 0}, searching).lines[0];
  };

  // Step 1: the opening. Which side is called white matters to nobody.
  Board board = start;
  bool white = false;
  const auto pass = [&] {
    board = board.passed();
    white = !white;
  };
  const auto make = [&](int move) {
    board = play(board, move);
    white = !white;
  };
  const int plies = options.least_opening +
                    random.below(std::max(0, options.most_opening - options.least_opening) + 1);
  const int chance = static_cast<int>(options.randomness * (1 << 20));
  while (count(board.own | board.other) - kStartDiscs < plies && !is_over(board)) {
    const Bits legal = legal_moves(board);
    if (!legal)
      pass();
    else if (random.below(1 << 20) < chance)
      make(random_move(legal, random));
    else
      make(searched(board, white, 1).moves[0]);
  }

  // Step 2: searches decide, until the end can be solved.
  Record record;
  while (!is_over(board) && count(board.empties()) > options.solve_from) {
    if (!legal_moves(board)) {
      pass();
      continue;
    }
    const Line line = searched(board, white, options.depth);
    record.add(board, white, static_cast<float>(line.value / evaluation.units()));
    make(line.moves[0]);
  }

  // Step 3: the end, by the best moves of both sides.
  int score = final_score(board);
  const bool last = white;
  if (!is_over(board)) {
    const Solution solution = solve(board, endgames, {});
    score = solution.score;
    for (const int move : solution.line) {
      if (move == kPass) {
        pass();
        continue;
      }
      record.add(board, white, static_cast<float>(white == last ? score : -score));
      make(move);
    }
  }
  return record.finish(last ? -score : score);
}

}  // namespace outflank
