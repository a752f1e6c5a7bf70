// Random games to the end.
#pragma once

#include <array>
#include <cstddef>

#include "othello/hash.hpp"
#include "othello/moves.hpp"

namespace outflank {

// A game of uniformly random moves under way.
class Playout {
 public:
  Playout() : random_(0) {}
  Playout(const Board& board, const Random& random) : board_(board), random_(random) {}

  Bits moves() const { return legal_moves(board_); }

  // Plays a ply, given the legal moves; true if the game is over.
  bool step(Bits moves) {
    if (moves == 0 && passed_) return true;
    passed_ = moves == 0;
    board_ = passed_ ? board_.passed() : play(board_, select(moves, random_.below(count(moves))));
    sign_ = -sign_;
    return false;
  }

  // The final score from the view of whoever was to move at the beginning.
  int score() const { return sign_ * final_score(board_); }

 private:
  Board board_;
  Random random_;
  int sign_ = 1;
  bool passed_ = false;
};

// Plays the games begin..end, which start(i) makes, and gives each score to finish(i, score).
//
// A ply is a long chain of instructions that wait for each other. Several games at once fill the
// waiting: four take about half the time of four in turn.
template <typename Start, typename Finish>
void play_out(std::size_t begin, std::size_t end, Start&& start, Finish&& finish) {
  constexpr std::size_t kAtOnce = 4;
  std::array<Playout, kAtOnce> games;
  std::array<std::size_t, kAtOnce> numbers;
  std::size_t going = 0, next = begin;
  while (next < end && going < kAtOnce) {
    games[going] = start(next);
    numbers[going++] = next++;
  }
  const auto replace = [&](std::size_t i) {
    finish(numbers[i], games[i].score());
    if (next < end) {
      games[i] = start(next);
      numbers[i] = next++;
    } else if (i != --going) {
      games[i] = games[going];
      numbers[i] = numbers[going];
    }
  };
  while (going == kAtOnce) {
    std::array<Bits, kAtOnce> moves;
    for (std::size_t i = 0; i < kAtOnce; ++i) moves[i] = games[i].moves();
    for (std::size_t i = kAtOnce; i-- > 0;)
      if (games[i].step(moves[i])) replace(i);
  }
  while (going > 0)
    for (std::size_t i = going; i-- > 0;)
      if (games[i].step(games[i].moves())) replace(i);
}

// One game; the final score from the given mover's view.
inline int random_playout(const Board& board, const Random& random) {
  Playout game(board, random);
  while (!game.step(game.moves())) {
  }
  return game.score();
}

}  // namespace outflank
