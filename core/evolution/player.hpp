// Players of paper 4: minimax to a fixed depth over a network or another evaluation, with or
// without a network that says which moves are looked at.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "evolution/network.hpp"

namespace outflank::evolution {

// filter: leaves at most `window` moves at each node, those that it ranks first; none: all.
struct Mind {
  std::shared_ptr<const Evaluation> evaluation;
  int depth = 2;  // plies, a pass being one
  std::shared_ptr<const Network> filter;
  int window = 3;
};

struct Choice {
  int move;
  Value value;  // to the mover
};

// The best move, the lowest square among equals, or kPass. A game that ends within the depth is
// worth its score and more than any evaluation (see value_of_end).
Choice choose(const Mind& mind, const Board& board, bool white_to_move);

struct PlayedGame {
  std::array<std::uint8_t, 128> moves{};  // passes included
  int plies = 0;
  int score = 0;  // black's discs less white's, the empty squares going to the winner
};

// Plays from the start, the moves of an opening first; these must be legal. The game also ends with
// so many passes of the players.
PlayedGame play(const Mind& black, const Mind& white, int most_passes,
                std::span<const std::uint8_t> opening = {});

}  // namespace outflank::evolution
