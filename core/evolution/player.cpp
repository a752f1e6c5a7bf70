#include "evolution/player.hpp"

#include <algorithm>
#include <vector>

#include "calls/long_call.hpp"
#include "evolution/children.hpp"
#include "evolution/two_plies.hpp"
#include "othello/moves.hpp"
#include "search/midgame.hpp"

namespace outflank::evolution {

namespace {

constexpr int kMostTogether = 128;  // leaves of a filtered search that are evaluated at once

// Those first that leave the opponent the fewest moves: more of the others can be left out.
void order(Children& children) {
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

// How many of the last plies are looked at whole. Networks are fastest with many boards at once,
// which is worth more than the boards that alpha-beta would leave out; behind a filter, which
// leaves few moves, more plies make as many boards. Other evaluations gain nothing from it.
int plies_together(const Mind& mind) {
  if (!mind.filter) return mind.evaluation->lanes() > 1 ? 2 : 0;
  const int window = std::max(mind.window, 2);
  int plies = 2;
  for (int leaves = window * window * window; leaves <= kMostTogether; leaves *= window) ++plies;
  return plies;
}

// The searches of a game. Their memory is used again for every node.
class Minimax {
 public:
  explicit Minimax(const Mind& mind)
      : mind_(mind), together_(plies_together(mind)), two_plies_(*mind.evaluation) {}

  // The best move, the lowest square among equals, and what it is worth.
  Choice best(const Board& board, bool white, int depth) {
    Children children = children_of(board, allowed_on(board));
    if (!children.size) return {kPass, value_of_end(final_score(board))};
    Choice found{kPass, -kInfinite};
    if (best_first(depth)) {
      const TwoPlies::Found best = two_plies_.best(children, white, -kInfinite);
      return {children.moves[best.move], best.value};
    }
    if (depth <= together_) {
      const std::span<const Value> values = values_together(children, !white, depth - 1);
      for (int i = 0; i < children.size; ++i)
        if (-values[i] > found.value) found = {children.moves[i], -values[i]};
      return found;
    }
    order(children);
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
  // All boards so many plies further. The children of each begin in the next ply where those of
  // the one before end.
  struct Ply {
    std::vector<Board> boards;
    std::vector<std::size_t> ends;
    std::vector<Value> values;  // to the movers
  };

  // Alpha-beta: exact if it is within the bounds, else on the same side of them as the exact one.
  Value value_of(const Board& board, bool white, int depth, Value alpha, Value beta) {
    if (depth == 0) return value_of_leaf(board, white);
    Children children = children_of(board, allowed_on(board));
    if (!children.size) return value_of_end(final_score(board));
    if (best_first(depth)) return two_plies_.best(children, white, alpha).value;
    if (depth <= together_) {
      const std::span<const Value> values = values_together(children, !white, depth - 1);
      return -*std::min_element(values.begin(), values.end());
    }
    if (depth > 1) order(children);
    Value found = -kInfinite;
    for (int i = 0; i < children.size && found < beta && !must_stop(depth); ++i)
      found = std::max(
          found, -value_of(children.boards[i], !white, depth - 1, -beta, -std::max(alpha, found)));
    return found;
  }

  // Whether these plies are the last two, without a filter.
  bool best_first(int depth) const { return depth == 2 && together_ == 2 && !mind_.filter; }

  static bool must_stop(int depth) {
    constexpr int kListen = 4;  // below it a subtree takes milliseconds at most
    return depth >= kListen && must_end();
  }

  Value value_of_leaf(const Board& board, bool white) const {
    return is_over(board) ? value_of_end(final_score(board))
                          : mind_.evaluation->evaluate(board, white);
  }

  // What children are worth to their movers, nothing left out: ply by ply down to the leaves,
  // which are evaluated at once, and back.
  std::span<const Value> values_together(const Children& children, bool white, int depth) {
    if (plies_.size() <= static_cast<std::size_t>(depth)) plies_.resize(depth + 1);
    plies_[0].boards.assign(children.boards.begin(), children.boards.begin() + children.size);
    for (int i = 0; i < depth; ++i) expand(plies_[i], plies_[i + 1]);
    value_leaves(plies_[depth], white != (depth % 2 != 0));
    for (int i = depth; i-- > 0;) back_up(plies_[i], plies_[i + 1]);
    return plies_[0].values;
  }

  void expand(Ply& ply, Ply& next) {
    allowed_.resize(ply.boards.size());
    allow(ply.boards, allowed_.data());
    ply.ends.clear();
    next.boards.clear();
    for (std::size_t i = 0; i < ply.boards.size(); ++i) {
      const Children children = children_of(ply.boards[i], allowed_[i]);
      next.boards.insert(next.boards.end(), children.boards.begin(),
                         children.boards.begin() + children.size);
      ply.ends.push_back(next.boards.size());
    }
  }

  void value_leaves(Ply& ply, bool white) const {
    ply.values.resize(ply.boards.size());
    mind_.evaluation->evaluate_all(ply.boards, white, ply.values.data());
    for (std::size_t i = 0; i < ply.boards.size(); ++i)
      if (is_over(ply.boards[i])) ply.values[i] = value_of_end(final_score(ply.boards[i]));
  }

  static void back_up(Ply& ply, const Ply& next) {
    ply.values.clear();
    auto begin = next.values.begin();
    for (std::size_t i = 0; i < ply.boards.size(); ++i) {
      const auto end = next.values.begin() + static_cast<std::ptrdiff_t>(ply.ends[i]);
      ply.values.push_back(begin == end ? value_of_end(final_score(ply.boards[i]))
                                        : -*std::min_element(begin, end));
      begin = end;
    }
  }

  Bits allowed_on(const Board& board) {
    Bits allowed;
    allow({&board, 1}, &allowed);
    return allowed;
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

  const Mind& mind_;
  const int together_;
  TwoPlies two_plies_;
  std::vector<Ply> plies_;
  std::vector<Bits> allowed_;
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
  Minimax of_black(black), of_white(white);
  for (int passes = 0; passes < most_passes && !is_over(board);) {
    const int move = white_to_move ? of_white.best(board, true, white.depth).move
                                   : of_black.best(board, false, black.depth).move;
    passes += move == kPass;
    go_on(move);
  }
  game.score = white_to_move ? -final_score(board) : final_score(board);
  return game;
}

}  // namespace outflank::evolution
