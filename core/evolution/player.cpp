#include "evolution/player.hpp"

#include <algorithm>
#include <vector>

#include "othello/moves.hpp"
#include "search/midgame.hpp"

namespace outflank::evolution {

namespace {

constexpr int kMostMoves = 34;  // no position has more

// The boards one ply further. Where there is no move, the only one is that after a pass; where
// the game is over there is none.
struct Children {
  std::array<Board, kMostMoves> boards;
  std::array<std::uint8_t, kMostMoves> moves;
  int size = 0;

  void add(const Board& board, int move) {
    boards[size] = board;
    moves[size++] = static_cast<std::uint8_t>(move);
  }
};

// One search. Its memory is used again for every node.
class Minimax {
 public:
  explicit Minimax(const Mind& mind) : mind_(mind) {}

  // The best move, the lowest square among equals, and what it is worth.
  Choice best(const Board& board, bool white, int depth) {
    Children children = children_of(board);
    if (!children.size) return {kPass, value_of_end(final_score(board))};
    if (depth <= 2) return best_of_last_plies(children, white, depth);
    order(children);
    Choice found{kPass, -kInfinite};
    for (int i = 0; i < children.size; ++i) {
      // One less than the best so far: another move that is worth as much shows that it is.
      const Value value =
          -value_of(children.boards[i], !white, depth - 1, -kInfinite, -(found.value - 1));
      if (value > found.value || (value == found.value && children.moves[i] < found.move))
        found = {children.moves[i], value};
    }
    return found;
  }

 private:
  // Alpha-beta: exact if it is within the bounds, else on the same side of them as the exact one.
  Value value_of(const Board& board, bool white, int depth, Value alpha, Value beta) {
    Children children = children_of(board);
    if (!children.size) return value_of_end(final_score(board));
    if (depth <= 2) return best_of_last_plies(children, white, depth).value;
    order(children);
    Value found = -kInfinite;
    for (int i = 0; i < children.size && found < beta; ++i)
      found = std::max(
          found, -value_of(children.boards[i], !white, depth - 1, -beta, -std::max(alpha, found)));
    return found;
  }

  Children children_of(const Board& board) {
    Bits allowed;
    allow({&board, 1}, &allowed);
    return make_children(board, allowed);
  }

  // Those first that leave the opponent the fewest moves: more of the others can be left out.
  static void order(Children& children) {
    std::array<int, kMostMoves> replies;
    for (int i = 0; i < children.size; ++i) {
      const Board board = children.boards[i];
      const std::uint8_t move = children.moves[i];
      const int number = count(legal_moves(board));
      int place = i;
      for (; place > 0 && replies[place - 1] > number; --place) {
        replies[place] = replies[place - 1];
        children.boards[place] = children.boards[place - 1];
        children.moves[place] = children.moves[place - 1];
      }
      replies[place] = number, children.boards[place] = board, children.moves[place] = move;
    }
  }

  static Children make_children(const Board& board, Bits allowed) {
    Children children;
    for (Bits moves = allowed; moves; moves &= moves - 1) {
      const int square = first(moves);
      children.add(outflank::play(board, square), square);
    }
    if (!children.size && legal_moves(board.passed())) children.add(board.passed(), kPass);
    return children;
  }

  // The moves that are looked at on each board.
  void allow(std::span<const Board> boards, Bits* allowed) {
    for (std::size_t i = 0; i < boards.size(); ++i) allowed[i] = legal_moves(boards[i]);
    if (!mind_.filter) return;
    scores_.resize(boards.size() * kSquares);
    mind_.filter->rank(boards, scores_.data());
    for (std::size_t i = 0; i < boards.size(); ++i) {
      const float* scores = scores_.data() + i * kSquares;
      Bits kept = 0;
      for (int n = 0; n < mind_.window && kept != allowed[i]; ++n) {
        int best = -1;
        for (Bits rest = allowed[i] & ~kept; rest; rest &= rest - 1) {
          const int square = first(rest);
          if (best < 0 || scores[square] > scores[best]) best = square;
        }
        kept |= bit(best);
      }
      allowed[i] = kept;
    }
  }

  Choice best_of_last_plies(const Children& children, bool white, int depth) {
    return depth == 1 ? best_of_one_ply(children, white) : best_of_two_plies(children, white);
  }

  Choice best_of_one_ply(const Children& children, bool white) {
    leaves_.assign(children.boards.begin(), children.boards.begin() + children.size);
    value_leaves(!white);
    Choice found{children.moves[0], -kInfinite};
    for (int i = 0; i < children.size; ++i)
      if (-values_[i] > found.value) found = {children.moves[i], -values_[i]};
    return found;
  }

  // All leaves of the last two plies are evaluated together: networks are fastest so.
  Choice best_of_two_plies(const Children& children, bool white) {
    std::array<Bits, kMostMoves> allowed;
    allow({children.boards.data(), static_cast<std::size_t>(children.size)}, allowed.data());
    std::array<std::size_t, kMostMoves + 1> ends{};
    leaves_.clear();
    for (int i = 0; i < children.size; ++i) {
      const Children replies = make_children(children.boards[i], allowed[i]);
      leaves_.insert(leaves_.end(), replies.boards.begin(), replies.boards.begin() + replies.size);
      ends[i + 1] = leaves_.size();
    }
    value_leaves(white);
    Choice found{children.moves[0], -kInfinite};
    for (int i = 0; i < children.size; ++i) {
      const Value* replies = values_.data() + ends[i];
      const Value* last = values_.data() + ends[i + 1];
      const Value value = replies == last ? -value_of_end(final_score(children.boards[i]))
                                          : *std::min_element(replies, last);
      if (value > found.value) found = {children.moves[i], value};
    }
    return found;
  }

  // values_: of each of leaves_ to its mover.
  void value_leaves(bool white) {
    values_.resize(leaves_.size());
    mind_.evaluation->evaluate_all(leaves_, white, values_.data());
    for (std::size_t i = 0; i < leaves_.size(); ++i)
      if (is_over(leaves_[i])) values_[i] = value_of_end(final_score(leaves_[i]));
  }

  const Mind& mind_;
  std::vector<Board> leaves_;
  std::vector<Value> values_;
  std::vector<float> scores_;
};

}  // namespace

Choice choose(const Mind& mind, const Board& board, bool white_to_move) {
  return Minimax(mind).best(board, white_to_move, mind.depth);
}

PlayedGame play(const Mind& black, const Mind& white, int most_passes,
                std::span<const std::uint8_t> opening) {
  PlayedGame game;
  Board board = kStart;
  bool white_to_move = false;
  const auto go_on = [&](int move) {
    board = move == kPass ? board.passed() : outflank::play(board, move);
    game.moves[game.plies++] = static_cast<std::uint8_t>(move);
    white_to_move = !white_to_move;
  };
  for (const std::uint8_t move : opening) go_on(move);
  for (int passes = 0; passes < most_passes && !is_over(board);) {
    const int move = choose(white_to_move ? white : black, board, white_to_move).move;
    passes += move == kPass;
    go_on(move);
  }
  game.score = white_to_move ? -final_score(board) : final_score(board);
  return game;
}

}  // namespace outflank::evolution
