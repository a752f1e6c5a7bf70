// The search of a tree below its root, over any evaluation: see midgame.hpp.
#pragma once

#include <atomic>
#include <cmath>

#include "othello/moves.hpp"
#include "search/midgame.hpp"
#include "search/shared_moves.hpp"
#include "search/views.hpp"

namespace outflank {

// The same board has two entries in the table, one for each side to move: some evaluations differ.
inline std::uint64_t key_of(const Board& board, bool white) {
  return hash(board) ^ (white ? kGolden : 0);
}

template <typename View>
class MidgameTree {
 public:
  MidgameTree(MidgameTable& table, const Limits& limits, const SearchOptions& options)
      : table_(table), limits_(limits), options_(options), selectivity_(*options.selectivity) {}

  // The value of a board to its mover, within the window; white: the side, for evaluations that
  // know colours.
  Value search(Worker& worker, const Board& board, const View& view, bool white, int depth,
               Value alpha, Value beta);

  // The value of the board after a move, from the view of whoever made it, to be searched one ply
  // less deep than `depth`.
  Value reply(Worker& worker, const Board& next, const View& view, bool white, int depth,
              Value alpha, Value beta, bool first) {
    if (first) return -search(worker, next, view, white, depth - 1, -beta, -alpha);
    const Value value = -search(worker, next, view, white, depth - 1, -alpha - 1, -alpha);
    if (value <= alpha || value >= beta || worker.must_stop()) return value;
    return -search(worker, next, view, white, depth - 1, -beta, -alpha);
  }

  // Lists the moves in the order in which a search of this depth should try them.
  void list_moves(const Board& board, const View& view, bool white, Bits legal, int depth,
                  int first, MoveList& list) const;

  // Whether nothing may end the search: the first depth is always completed.
  bool unstoppable = false;
  // Whether a line ended before its game did, since it was last set to false.
  std::atomic<bool> evaluated{false};

 private:
  // Depths from which something is done; nearer to the leaves it costs more than it gives.
  static constexpr int kOrder = 2;      // moves are ordered by more than their squares
  static constexpr int kTable = 2;      // values are looked up and remembered
  static constexpr int kProbcut = 3;    // the least depth that is calibrated
  static constexpr int kLookAhead = 4;  // replies' values are looked up before any is searched
  static constexpr int kShare = 5;      // moves are shared among threads

  // What a reply of the opponent costs where squares order the moves: only these decide between
  // moves that leave equally many.
  static constexpr int kReplyWorth = 12;

  // Nodes of a thread between two looks at the limit of nodes; a power of two.
  static constexpr std::uint64_t kNodesBetweenLooks = 1024;

  struct Node;

  Value frontier(Worker& worker, const Board& board, const View& view, bool white, Bits legal,
                 Value beta);
  bool prune(Worker& worker, const Board& board, const View& view, bool white, int depth,
             Value alpha, Value beta, Value& value);
  // Findings of another depth count only where values are estimates anyway.
  bool is_deep_enough(const MidgameFinding& known, int depth) const {
    return known.depth() == depth || (selectivity_.is_on() && known.depth() > depth);
  }
  // What a finished game is worth to its mover.
  Value end_of(const Board& board, const View& view, bool white) const {
    switch (options_.ends) {
      case Ends::score: return value_of_end(final_score(board));
      case Ends::discs: return static_cast<Value>(final_score(board) * view.units());
      default: return view.value(board, white);
    }
  }
  void note_evaluated() {
    if (!evaluated.load(std::memory_order_relaxed))
      evaluated.store(true, std::memory_order_relaxed);
  }

  MidgameTable& table_;
  const Limits& limits_;
  const SearchOptions& options_;
  const Selectivity& selectivity_;
};

template <typename View>
void MidgameTree<View>::list_moves(const Board& board, const View& view, bool white, Bits legal,
                                   int depth, int first, MoveList& list) const {
  while (legal) {
    const int square = pop(legal);
    Move move{flips(board.own, board.other, square), square, kSquareWorth[square]};
    if (square == first) {
      move.priority = kInfinite;
    } else if (depth >= kOrder) {
      const Board next = move.after(board);
      const Bits replies = legal_moves(next);
      if (depth >= View::kOrderByEvaluation)
        move.priority = -view.value_after(move, next, replies, !white) - view.price_of(replies);
      else
        move.priority -= kReplyWorth * count(replies);
    }
    list.add(move.flipped, square, move.priority);
  }
}

// A node as search_moves() sees it.
template <typename View>
struct MidgameTree<View>::Node {
  int reply(Worker& worker, const Move& move, int alpha, bool first) const {
    return tree.reply(worker, move.after(board), view.after(move), !white, depth, alpha, beta,
                      first);
  }
  // The first move is searched alone: its value narrows the window of the others.
  bool may_share(int tried) const { return tried > 0 && depth >= kShare; }
  bool must_stop(const Worker& worker) const { return worker.must_stop() && !tree.unstoppable; }

  MidgameTree& tree;
  const Board& board;
  const View& view;
  const bool white;
  const int depth;
  const Value beta;
};

// The last ply: every reply is evaluated, and no node is made of it.
template <typename View>
Value MidgameTree<View>::frontier(Worker& worker, const Board& board, const View& view, bool white,
                                  Bits legal, Value beta) {
  MoveList list;
  list_moves(board, view, white, legal, 1, kNoSquare, list);
  Value best = -kInfinite;
  for (int i = 0; i < list.size; ++i) {
    const Move& move = list.pick(i);
    const Board next = move.after(board);
    const Bits replies = legal_moves(next);
    ++worker.nodes;
    Value value;
    if (!replies && options_.ends != Ends::evaluate && !legal_moves(next.passed())) {
      value = -end_of(next, view, !white);
    } else {
      note_evaluated();
      value = -view.value_after(move, next, replies, !white);
    }
    if (value > best) {
      best = value;
      if (best >= beta) break;
    }
  }
  return best;
}

// Probcut: true if a shallow search makes a deep one outside the window almost certain.
template <typename View>
bool MidgameTree<View>::prune(Worker& worker, const Board& board, const View& view, bool white,
                              int depth, Value alpha, Value beta, Value& value) {
  if (beta - alpha != 1 || std::abs(alpha) >= kValueLimit) return false;
  const DepthRegression* measured = selectivity_.find(depth, count(board.own | board.other));
  if (!measured) return false;
  const double margin = selectivity_.deviations() * measured->error;
  // The evaluation alone says on which side of the window to try.
  if (view.value(board, white) >= alpha) {
    const Value high = measured->threshold(beta + margin);
    if (search(worker, board, view, white, measured->shallow, high - 1, high) < high) return false;
    value = beta;
  } else {
    const Value low = measured->threshold(alpha - margin);
    if (search(worker, board, view, white, measured->shallow, low, low + 1) > low) return false;
    value = alpha;
  }
  return true;
}

template <typename View>
Value MidgameTree<View>::search(Worker& worker, const Board& board, const View& view, bool white,
                                int depth, Value alpha, Value beta) {
  ++worker.nodes;

  // Step 1: the end of the search.
  if (depth == 0) {
    if (options_.ends != Ends::evaluate && is_over(board)) return end_of(board, view, white);
    note_evaluated();
    return view.value(board, white);
  }
  // Assumes that all threads have searched as many nodes as this one.
  if (worker.nodes % kNodesBetweenLooks == 0) {
    worker.crew->listen();
    if (limits_.nodes && !unstoppable && worker.nodes * options_.threads >= limits_.nodes)
      worker.crew->end();
  }

  // Step 2: the table. Without selectivity only findings of the same depth count, so that a value
  // is the minimax value of its depth.
  const std::uint64_t key = key_of(board, white);
  MidgameFinding known;
  if (depth >= kTable && table_.probe(key, known) && is_deep_enough(known, depth)) {
    if (known.is_lower_bound() && known.value >= beta) return known.value;
    if (known.is_upper_bound() && known.value <= alpha) return known.value;
    if (known.is_exact()) return known.value;
  }

  // Step 3: no move is a pass, which is a ply, or the end.
  const Bits legal = legal_moves(board);
  if (!legal) {
    if (!legal_moves(board.passed())) return end_of(board, view, white);
    return -search(worker, board.passed(), view.passed(), !white, depth - 1, -beta, -alpha);
  }
  if (depth == 1) return frontier(worker, board, view, white, legal, beta);

  // Step 4: probcut.
  Value predicted;
  if (depth >= kProbcut && prune(worker, board, view, white, depth, alpha, beta, predicted))
    return predicted;

  // Step 5: list the moves; a reply that is known to be bad for the opponent cuts at once.
  const std::uint64_t before = worker.nodes;
  MoveList list;
  list_moves(board, view, white, legal, depth, known.best, list);
  if (depth >= kLookAhead)
    for (int i = 0; i < list.size; ++i) {
      MidgameFinding after;
      if (table_.probe(key_of(list.moves[i].after(board), !white), after) &&
          is_deep_enough(after, depth - 1) && after.is_upper_bound() && -after.value >= beta)
        return -after.value;
    }

  // Step 6: search the moves, some of them with whoever is idle.
  BestMove best{-kInfinite, kNoSquare};
  const Node node{*this, board, view, white, depth, beta};
  if (!search_moves(worker, node, list, alpha, beta, best)) return best.value;

  // Step 7: remember.
  const Bound bound = best.value >= beta    ? Bound::lower
                      : best.value <= alpha ? Bound::upper
                                            : Bound::exact;
  table_.store(key, {best.value, depth, bound, best.square, worker.nodes - before});
  return best.value;
}

}  // namespace outflank
