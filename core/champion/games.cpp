#include "champion/games.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "calls/long_call.hpp"
#include "othello/hash.hpp"
#include "othello/moves.hpp"

namespace outflank {
namespace {

constexpr int kStartDiscs = 4;

// One game, and the other endings that it might have had.
class TrainingGame {
 public:
  TrainingGame(std::uint64_t key, const Evaluation& evaluation, MidgameTable& table,
               EndgameTable& endgames, const Selectivity& selectivity,
               const TrainingGameOptions& options)
      : random_(key),
        evaluation_(evaluation),
        table_(table),
        endgames_(endgames),
        options_(options) {
    searching_.ends = Ends::discs;
    searching_.selectivity = &selectivity;
    if (const auto* learned = dynamic_cast<const ChampionEvaluation*>(&evaluation)) {
      guide_.emplace(EndgameGuide{*learned, table, selectivity, exact_});
      solving_.guide = &*guide_;
    }
  }

  std::vector<TrainingPosition> run(const Board& start) {
    board_ = start;
    open();
    play_on();
    const std::size_t length = positions_.size();
    for (int i = 0; i < options_.endings; ++i) {
      // Somewhere in the last part of the game, if it has been searched.
      const int empties = options_.solve_from + 1 + random_.below(kEarliestOtherEnding);
      const auto from =
          std::find_if(positions_.begin(), positions_.begin() + static_cast<std::ptrdiff_t>(length),
                       [&](const auto& one) { return count(one.board.empties()) <= empties; });
      if (from == positions_.begin() + static_cast<std::ptrdiff_t>(length)) break;
      board_ = from->board;
      for (int slips = 1 + random_.below(kMostOtherMoves); slips && legal_moves(board_); --slips)
        make(random_move(legal_moves(board_)));
      play_on();
    }
    positions_.insert(positions_.end(), siblings_.begin(), siblings_.end());
    return std::move(positions_);
  }

 private:
  static constexpr int kEarliestOtherEnding = 10;  // plies before the game is solved
  static constexpr int kMostOtherMoves = 2;        // random ones, with which it begins

  Line searched(int depth) { return searched(board_, white_, depth); }
  Line searched(const Board& board, bool white, int depth) {
    return search(board, white, evaluation_, table_, {depth, 0, 0}, searching_).lines[0];
  }
  float discs_of(const Line& line) const {
    return static_cast<float>(line.value / evaluation_.units());
  }
  bool draw(double share) { return random_.below(1 << 20) < static_cast<int>(share * (1 << 20)); }
  int random_move(Bits legal) { return select(legal, random_.below(count(legal))); }
  void pass() {
    board_ = board_.passed();
    white_ = !white_;
  }
  void make(int move) {
    board_ = play(board_, move);
    white_ = !white_;
  }

  // Step 1: the opening. Which side is called white matters to nobody.
  void open() {
    const int plies =
        options_.least_opening +
        random_.below(std::max(0, options_.most_opening - options_.least_opening) + 1);
    while (count(board_.own | board_.other) - kStartDiscs < plies && !is_over(board_)) {
      const Bits legal = legal_moves(board_);
      if (!legal)
        pass();
      else if (draw(options_.randomness))
        make(random_move(legal));
      else
        make(searched(1).moves[0]);
    }
  }

  // What other moves lead to. Games show good moves alone, and a search must know the bad ones.
  // Those that could be solved are left to the endings.
  void add_siblings(int best) {
    if (count(board_.empties()) - 1 <= options_.solve_from) return;
    for (int i = 0; i < options_.siblings; ++i) {
      const int move = random_move(legal_moves(board_));
      const Board next = play(board_, move);
      if (move == best || !legal_moves(next)) continue;
      const float value = discs_of(searched(next, !white_, std::max(1, options_.depth - 1)));
      const float score = std::clamp(std::round(value), -float{kSquares}, float{kSquares});
      siblings_.push_back({next, static_cast<std::int8_t>(score), value});
    }
  }

  void play_on() {
    // Step 2: searches decide, until the end can be solved.
    const std::size_t first = positions_.size();
    std::vector<bool> whites;
    while (!is_over(board_) && count(board_.empties()) > options_.solve_from) {
      if (!legal_moves(board_)) {
        pass();
        continue;
      }
      const Line line = searched(options_.depth);
      positions_.push_back({board_, 0, discs_of(line)});
      whites.push_back(white_);
      add_siblings(line.moves[0]);
      make(line.moves[0]);
    }
    // Where the searches ended, the score is known: that of all positions so far.
    const auto settle = [&](int score) {
      for (std::size_t i = 0; i < whites.size(); ++i)
        positions_[first + i].score =
            static_cast<std::int8_t>(whites[i] == white_ ? score : -score);
    };
    if (is_over(board_)) settle(final_score(board_));

    // Step 3: the end, by the best moves of both sides. After a random one it is solved again.
    for (bool settled = false; !is_over(board_) && !must_end(); settled = true) {
      const Solution solution = solve(board_, endgames_, solving_);
      if (!settled) settle(solution.score);
      const bool mover = white_;
      for (const int move : solution.line) {
        if (move == kPass) {
          pass();
          continue;
        }
        const int score = white_ == mover ? solution.score : -solution.score;
        positions_.push_back({board_, static_cast<std::int8_t>(score), static_cast<float>(score)});
        if (draw(options_.slips)) {
          make(random_move(legal_moves(board_)));
          break;
        }
        make(move);
      }
    }
  }

  Random random_;
  const Evaluation& evaluation_;
  MidgameTable& table_;
  EndgameTable& endgames_;
  const TrainingGameOptions& options_;
  const Selectivity exact_;
  SearchOptions searching_;
  SolverOptions solving_;
  std::optional<EndgameGuide> guide_;
  Board board_;
  bool white_ = false;
  std::vector<TrainingPosition> positions_, siblings_;
};

}  // namespace

std::vector<TrainingPosition> play_training_game(const Board& start, std::uint64_t key,
                                                 const Evaluation& evaluation, MidgameTable& table,
                                                 EndgameTable& endgames,
                                                 const Selectivity& selectivity,
                                                 const TrainingGameOptions& options) {
  return TrainingGame(key, evaluation, table, endgames, selectivity, options).run(start);
}

}  // namespace outflank
