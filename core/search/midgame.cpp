#include "search/midgame.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "othello/moves.hpp"
#include "search/shared_moves.hpp"

namespace outflank {
namespace {

using Clock = std::chrono::steady_clock;

// Depths from which something is done; nearer to the leaves it costs more than it gives.
constexpr int kOrderByEvaluation = 2;  // moves are ordered by their evaluations
constexpr int kTable = 2;              // values are looked up and remembered
constexpr int kProbcut = 3;            // the least depth that is calibrated (players/probcut.py)
constexpr int kLookAhead = 4;          // replies' values are looked up before any is searched
constexpr int kAspire = 4;             // the root's window is narrow at first
constexpr int kShare = 5;              // moves are shared among threads

// The first window reaches one of the evaluation's own numbers to either side, but at least this
// far; each further one is so many times as wide.
constexpr double kNarrow = 2;
constexpr double kWider = 8;

// Nodes of a thread between two looks at the limit of nodes; a power of two.
constexpr std::uint64_t kNodesBetweenLooks = 1024;

// The same board has two entries in the table, one for each side to move: some evaluations differ.
std::uint64_t key_of(const Board& board, bool white) { return hash(board) ^ (white ? kGolden : 0); }

class MidgameSearch {
 public:
  MidgameSearch(const Evaluation& evaluation, MidgameTable& table, const Limits& limits,
                const SearchOptions& options)
      : evaluation_(evaluation),
        table_(table),
        limits_(limits),
        options_(options),
        crew_(options.threads, options.stop, limits.seconds) {}

  SearchReport run(const Board& board, bool white_to_move);

 private:
  struct Node;
  struct RootMove {
    Move move;
    Value value = 0;
  };

  // A node: the board, and the side, for evaluations that know colours.
  Value search(Worker& worker, const Board& board, bool white, int depth, Value alpha, Value beta);
  Value reply(Worker& worker, const Board& next, bool white, int depth, Value alpha, Value beta,
              bool first);
  bool prune(Worker& worker, const Board& board, bool white, int depth, Value alpha, Value beta,
             Value& value);
  void list_moves(const Board& board, bool white, Bits legal, int depth, int first,
                  MoveList& list) const;
  Value end_of(const Board& board, bool white) const {
    return options_.ends == Ends::score ? value_of_end(final_score(board))
                                        : evaluation_.evaluate(board, white);
  }
  Value search_root(const Board& board, bool white, int depth, Value alpha, Value beta,
                    std::size_t from);
  Value aspire(const Board& board, bool white, int depth, std::size_t from);
  std::vector<int> expected_line(Board board, bool white, int move, int depth);
  // Assumes that all threads have searched as many nodes as this one.
  void end_if_out_of_nodes(const Worker& worker) {
    if (limits_.nodes && worker.nodes * options_.threads >= limits_.nodes) crew_.end();
  }

  const Evaluation& evaluation_;
  MidgameTable& table_;
  const Limits& limits_;
  const SearchOptions& options_;
  Crew crew_;
  std::vector<RootMove> root_;
  bool improved_ = false;    // whether the last search of the root found a value above its alpha
  bool unstoppable_ = true;  // the first depth is always completed
  std::atomic<bool> evaluated_{false};  // whether a line ended before its game did
};

void MidgameSearch::list_moves(const Board& board, bool white, Bits legal, int depth, int first,
                               MoveList& list) const {
  while (legal) {
    const int square = pop(legal);
    const Bits flipped = flips(board.own, board.other, square);
    int priority = kSquareWorth[square];
    if (square == first) {
      priority = kInfinite;
    } else if (depth >= kOrderByEvaluation) {
      priority = -evaluation_.evaluate(Move{flipped, square, 0}.after(board), !white);
    }
    list.add(flipped, square, priority);
  }
}

// A node as search_moves() sees it.
struct MidgameSearch::Node {
  int reply(Worker& worker, const Move& move, int alpha, bool first) const {
    return search.reply(worker, move.after(board), !white, depth, alpha, beta, first);
  }
  // The first move is searched alone: its value narrows the window of the others.
  bool may_share(int tried) const { return tried > 0 && depth >= kShare; }
  bool must_stop(const Worker& worker) const { return worker.must_stop() && !search.unstoppable_; }

  MidgameSearch& search;
  const Board& board;
  const bool white;
  const int depth;
  const Value beta;
};

// The value of the position after a move, from the view of whoever made it. `next` is to be
// searched one ply less deep than `depth`.
Value MidgameSearch::reply(Worker& worker, const Board& next, bool white, int depth, Value alpha,
                           Value beta, bool first) {
  if (first) return -search(worker, next, white, depth - 1, -beta, -alpha);
  const Value value = -search(worker, next, white, depth - 1, -alpha - 1, -alpha);
  if (value <= alpha || value >= beta || worker.must_stop()) return value;
  return -search(worker, next, white, depth - 1, -beta, -alpha);
}

// Probcut: true if a shallow search makes a deep one outside the window almost certain.
bool MidgameSearch::prune(Worker& worker, const Board& board, bool white, int depth, Value alpha,
                          Value beta, Value& value) {
  if (beta - alpha != 1 || std::abs(alpha) >= kValueLimit) return false;
  const DepthRegression* measured =
      options_.selectivity.find(depth, count(board.own | board.other));
  if (!measured) return false;
  const double margin = options_.selectivity.deviations * measured->error;
  // What the shallow search must reach for the deep one to be above beta, or below alpha.
  const auto threshold = [&](double target) {
    return static_cast<Value>(std::clamp((target - measured->offset) / measured->slope,
                                         -double(kValueLimit), double(kValueLimit)));
  };
  const Value high = threshold(beta + margin), low = threshold(alpha - margin);
  if (search(worker, board, white, measured->shallow, high - 1, high) >= high) {
    value = beta;
    return true;
  }
  if (search(worker, board, white, measured->shallow, low, low + 1) <= low) {
    value = alpha;
    return true;
  }
  return false;
}

Value MidgameSearch::search(Worker& worker, const Board& board, bool white, int depth, Value alpha,
                            Value beta) {
  ++worker.nodes;

  // Step 1: the end of the search.
  if (depth == 0) {
    if (options_.ends == Ends::score && is_over(board)) return end_of(board, white);
    if (!evaluated_.load(std::memory_order_relaxed)) evaluated_ = true;
    return evaluation_.evaluate(board, white);
  }
  if (!unstoppable_ && worker.nodes % kNodesBetweenLooks == 0) end_if_out_of_nodes(worker);

  // Step 2: the table. Only findings of the same depth count, so that a value is the minimax
  // value of its depth.
  const std::uint64_t key = key_of(board, white);
  MidgameFinding known;
  if (depth >= kTable && table_.probe(key, known) && known.depth() == depth) {
    if (known.is_lower_bound() && known.value >= beta) return known.value;
    if (known.is_upper_bound() && known.value <= alpha) return known.value;
    if (known.is_exact()) return known.value;
  }

  // Step 3: no move is a pass, which is a ply, or the end.
  const Bits legal = legal_moves(board);
  if (!legal) {
    if (!legal_moves(board.passed())) return end_of(board, white);
    return -search(worker, board.passed(), !white, depth - 1, -beta, -alpha);
  }

  // Step 4: probcut.
  Value predicted;
  if (depth >= kProbcut && prune(worker, board, white, depth, alpha, beta, predicted))
    return predicted;

  // Step 5: list the moves; a reply that is known to be bad for the opponent cuts at once.
  const std::uint64_t before = worker.nodes;
  MoveList list;
  list_moves(board, white, legal, depth, known.best, list);
  if (depth >= kLookAhead)
    for (int i = 0; i < list.size; ++i) {
      MidgameFinding after;
      if (table_.probe(key_of(list.moves[i].after(board), !white), after) &&
          after.depth() == depth - 1 && after.is_upper_bound() && -after.value >= beta)
        return -after.value;
    }

  // Step 6: search the moves, some of them with whoever is idle.
  BestMove best{-kInfinite, kNoSquare};
  const Node node{*this, board, white, depth, beta};
  if (!search_moves(worker, node, list, alpha, beta, best)) return best.value;

  // Step 7: remember.
  if (depth >= kTable) {
    const Bound bound = best.value >= beta    ? Bound::lower
                        : best.value <= alpha ? Bound::upper
                                              : Bound::exact;
    table_.store(key, {best.value, depth, bound, best.square, worker.nodes - before});
  }
  return best.value;
}

// Searches the root's moves from `from` on, best so far first, and puts the best at `from`.
Value MidgameSearch::search_root(const Board& board, bool white, int depth, Value alpha, Value beta,
                                 std::size_t from) {
  Worker& worker = crew_.captain();
  Value best = -kInfinite;
  improved_ = false;
  for (std::size_t i = from; i < root_.size(); ++i) {
    const Board next = root_[i].move.after(board);
    const Value value = reply(worker, next, !white, depth, alpha, beta, i == from);
    if (crew_.stopped() && !unstoppable_) break;
    best = std::max(best, value);
    // Values up to alpha are bounds that depend on the table: they may not change the order.
    if (value > alpha) {
      improved_ = true;
      std::rotate(root_.begin() + from, root_.begin() + i, root_.begin() + i + 1);
      alpha = value;
      if (alpha >= beta) break;
    }
  }
  return best;
}

// Searches with a narrow window around the last depth's value, and wider ones if that fails.
Value MidgameSearch::aspire(const Board& board, bool white, int depth, std::size_t from) {
  const Value guessed = root_[from].value;
  if (depth < kAspire || std::abs(guessed) >= kValueLimit)
    return search_root(board, white, depth, -kInfinite, kInfinite, from);
  // Where the windows lie depends on the last depth's value alone, so that searches by one thread
  // and by many try the moves in the same order.
  double below = std::max(kNarrow, evaluation_.units()), above = below;
  for (;;) {
    const Value alpha = below > kValueLimit ? -kInfinite : static_cast<Value>(guessed - below);
    const Value beta = above > kValueLimit ? kInfinite : static_cast<Value>(guessed + above);
    const Value value = search_root(board, white, depth, alpha, beta, from);
    if (crew_.stopped()) return value;
    if (value <= alpha && alpha > -kInfinite)
      below *= kWider;
    else if (value >= beta && beta < kInfinite)
      above *= kWider;
    else
      return value;
  }
}

std::vector<int> MidgameSearch::expected_line(Board board, bool white, int move, int depth) {
  std::vector<int> line{move};
  board = play(board, move);
  for (white = !white, --depth; depth > 0 && !is_over(board); white = !white, --depth) {
    MidgameFinding known;
    if (!legal_moves(board)) {
      line.push_back(kPass);
      board = board.passed();
    } else if (table_.probe(key_of(board, white), known) && known.best < kSquares &&
               (legal_moves(board) & bit(known.best))) {
      line.push_back(known.best);
      board = play(board, known.best);
    } else {
      break;
    }
  }
  return line;
}

SearchReport MidgameSearch::run(const Board& board, bool white_to_move) {
  const auto began = Clock::now();
  table_.new_search();
  MoveList list;
  list_moves(board, white_to_move, legal_moves(board), kOrderByEvaluation, kNoSquare, list);
  for (int i = 0; i < list.size; ++i) root_.push_back({list.pick(i), 0});

  SearchReport report;
  const int empties = count(board.empties());
  const auto wanted = std::min<std::size_t>(std::max(1, options_.lines), root_.size());
  for (int depth = 1; depth <= std::max(1, limits_.depth); ++depth) {
    unstoppable_ = depth == 1;
    evaluated_ = false;
    std::vector<Line> lines;
    for (std::size_t i = 0; i < wanted; ++i) {
      const Value value = aspire(board, white_to_move, depth, i);
      const bool stopped = crew_.stopped() && !unstoppable_;
      if (stopped && !improved_) break;
      root_[i].value = value;
      lines.push_back({value, expected_line(board, white_to_move, root_[i].move.square, depth)});
      if (stopped) break;
    }
    report.nodes = crew_.nodes();
    report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    if (lines.size() == wanted || (!lines.empty() && report.lines.size() <= 1)) {
      report.depth = depth;
      report.lines = std::move(lines);
      if (options_.on_depth) options_.on_depth(report);
    }
    if (crew_.stopped()) break;
    // Where every line ran to the end of its game, nothing is left to search.
    if (depth >= empties && !evaluated_) break;
  }
  return report;
}

Value plain(const Board& board, bool white, const Evaluation& evaluation, int depth, Ends ends,
            std::uint64_t& nodes, int* move) {
  ++nodes;
  Bits legal = legal_moves(board);
  const bool over = !legal && !legal_moves(board.passed());
  if (over && ends == Ends::score) return value_of_end(final_score(board));
  if (depth == 0 || over) return evaluation.evaluate(board, white);
  if (!legal) return -plain(board.passed(), !white, evaluation, depth - 1, ends, nodes, nullptr);
  Value best = -kInfinite;
  while (legal) {
    const int square = pop(legal);
    const Value value =
        -plain(play(board, square), !white, evaluation, depth - 1, ends, nodes, nullptr);
    if (value > best) {
      best = value;
      if (move) *move = square;
    }
  }
  return best;
}

}  // namespace

SearchReport search(const Board& board, bool white_to_move, const Evaluation& evaluation,
                    MidgameTable& table, const Limits& limits, const SearchOptions& options) {
  if (legal_moves(board))
    return MidgameSearch(evaluation, table, limits, options).run(board, white_to_move);
  // A pass is a ply: the opponent's position is searched one ply less deep.
  Limits rest = limits;
  rest.depth = std::max(1, limits.depth - 1);
  SearchReport report =
      MidgameSearch(evaluation, table, rest, options).run(board.passed(), !white_to_move);
  report.lines.resize(1);
  report.lines[0].value = -report.lines[0].value;
  report.lines[0].moves.insert(report.lines[0].moves.begin(), kPass);
  ++report.depth;
  return report;
}

Minimax minimax(const Board& board, bool white_to_move, const Evaluation& evaluation, int depth,
                Ends ends) {
  Minimax result{0, kPass, 0};
  result.value = plain(board, white_to_move, evaluation, depth, ends, result.nodes, &result.move);
  return result;
}

}  // namespace outflank
