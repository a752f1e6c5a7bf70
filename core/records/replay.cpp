#include "records/replay.hpp"

#include <algorithm>

#include "othello/moves.hpp"

namespace outflank {

std::size_t count_moves(std::span<const std::uint8_t> moves) {
  return static_cast<std::size_t>(std::ranges::find(moves, kNoMove) - moves.begin());
}

ReplayedGame replay(std::span<const std::uint8_t> moves, const PositionsOut& out, std::size_t at) {
  ReplayedGame game;
  Board board = kStart;
  const std::size_t played = count_moves(moves);
  for (std::size_t i = 0; i < played; ++i, ++at) {
    const int move = moves[i];
    if (move >= kSquares) {
      game.legal = false;
      break;
    }
    Bits legal = legal_moves(board);
    if (legal == 0) {
      legal = legal_moves(board.passed());
      if (legal) {
        board = board.passed();
        game.white_to_move = !game.white_to_move;
      }
    }
    if (!(legal & bit(move))) {
      game.legal = false;
      break;
    }
    out.own[at] = board.own;
    out.other[at] = board.other;
    out.move[at] = static_cast<std::uint8_t>(move);
    out.white_to_move[at] = game.white_to_move;
    board = play(board, move);
    game.white_to_move = !game.white_to_move;
    ++game.moves;
  }
  const auto padding = moves.subspan(played);
  if (std::ranges::any_of(padding, [](std::uint8_t move) { return move != kNoMove; }))
    game.legal = false;
  game.over = is_over(board);
  game.black = game.white_to_move ? board.other : board.own;
  game.white = game.white_to_move ? board.own : board.other;
  return game;
}

}  // namespace outflank
