#include "search/midgame.hpp"

#include <algorithm>
#include <chrono>

#include "search/midgame_tree.hpp"

namespace outflank {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kAspire = 4;  // the root's window is narrow at first from this depth on

// The first window reaches one of the evaluation's own numbers to either side, but at least this
// far; each further one is so many times as wide.
constexpr double kNarrow = 2;
constexpr double kWider = 8;

// The search of the root: deeper and deeper, until a limit is reached.
template <typename View>
class MidgameSearch {
 public:
  MidgameSearch(const Evaluation& evaluation, MidgameTable& table, const Limits& limits,
                const SearchOptions& options)
      : evaluation_(evaluation),
        table_(table),
        limits_(limits),
        options_(options),
        crew_(options.threads, options.stop, limits.seconds),
        tree_(table, limits, options) {}

  SearchReport run(const Board& board, const View& view, bool white_to_move);

 private:
  struct RootMove {
    Move move;
    Value value = 0;
  };

  Value search_root(const Board& board, const View& view, bool white, int depth, Value alpha,
                    Value beta, std::size_t from);
  Value aspire(const Board& board, const View& view, bool white, int depth, std::size_t from);
  std::vector<int> expected_line(Board board, bool white, int move, int depth);
  bool stopped() const { return crew_.stopped() && !tree_.unstoppable; }

  const Evaluation& evaluation_;
  MidgameTable& table_;
  const Limits& limits_;
  const SearchOptions& options_;
  Crew crew_;
  MidgameTree<View> tree_;
  std::vector<RootMove> root_;
  bool improved_ = false;  // whether the last search of the root found a value above its alpha
};

// Searches the root's moves from `from` on, best so far first, and puts the best at `from`.
template <typename View>
Value MidgameSearch<View>::search_root(const Board& board, const View& view, bool white, int depth,
                                       Value alpha, Value beta, std::size_t from) {
  Worker& worker = crew_.captain();
  Value best = -kInfinite;
  improved_ = false;
  for (std::size_t i = from; i < root_.size(); ++i) {
    const Move& move = root_[i].move;
    const Value value = tree_.reply(worker, move.after(board), view.after(move), !white, depth,
                                    alpha, beta, i == from);
    if (stopped()) break;
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
template <typename View>
Value MidgameSearch<View>::aspire(const Board& board, const View& view, bool white, int depth,
                                  std::size_t from) {
  const Value guessed = root_[from].value;
  if (depth < kAspire || std::abs(guessed) >= kValueLimit)
    return search_root(board, view, white, depth, -kInfinite, kInfinite, from);
  // Where the windows lie depends on the last depth's value alone, so that searches by one thread
  // and by many try the moves in the same order.
  double below = std::max(kNarrow, evaluation_.units()), above = below;
  for (;;) {
    const Value alpha = below > kValueLimit ? -kInfinite : static_cast<Value>(guessed - below);
    const Value beta = above > kValueLimit ? kInfinite : static_cast<Value>(guessed + above);
    const Value value = search_root(board, view, white, depth, alpha, beta, from);
    if (crew_.stopped()) return value;
    if (value <= alpha && alpha > -kInfinite)
      below *= kWider;
    else if (value >= beta && beta < kInfinite)
      above *= kWider;
    else
      return value;
  }
}

template <typename View>
std::vector<int> MidgameSearch<View>::expected_line(Board board, bool white, int move, int depth) {
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

template <typename View>
SearchReport MidgameSearch<View>::run(const Board& board, const View& view, bool white_to_move) {
  const auto began = Clock::now();
  table_.new_search();
  MoveList list;
  tree_.list_moves(board, view, white_to_move, legal_moves(board), kAspire, kNoSquare, list);
  for (int i = 0; i < list.size; ++i) root_.push_back({list.pick(i), 0});

  SearchReport report;
  const int empties = count(board.empties());
  const auto wanted = std::min<std::size_t>(std::max(1, options_.lines), root_.size());
  for (int depth = 1; depth <= std::max(1, limits_.depth); ++depth) {
    tree_.unstoppable = depth == 1;
    tree_.evaluated = false;
    std::vector<Line> lines;
    for (std::size_t i = 0; i < wanted; ++i) {
      const Value value = aspire(board, view, white_to_move, depth, i);
      if (stopped() && !improved_) break;
      root_[i].value = value;
      lines.push_back({value, expected_line(board, white_to_move, root_[i].move.square, depth)});
      if (stopped()) break;
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
    if (depth >= empties && !tree_.evaluated) break;
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
  constexpr int kListen = 4;  // below it a subtree takes milliseconds at most
  Value best = -kInfinite;
  while (legal && !(depth >= kListen && must_end())) {
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

template <typename View, typename Kind>
SearchReport search_with(const Board& board, bool white_to_move, const Kind& evaluation,
                         MidgameTable& table, const Limits& limits, const SearchOptions& options) {
  return MidgameSearch<View>(evaluation, table, limits, options)
      .run(board, View(evaluation, board), white_to_move);
}

// The view is chosen once for a search, by the evaluation's type.
SearchReport search_moves_of(const Board& board, bool white_to_move, const Evaluation& evaluation,
                             MidgameTable& table, const Limits& limits,
                             const SearchOptions& options) {
  if (const auto* champion = dynamic_cast<const ChampionEvaluation*>(&evaluation))
    return search_with<ChampionView>(board, white_to_move, *champion, table, limits, options);
  return search_with<PlainView>(board, white_to_move, evaluation, table, limits, options);
}

}  // namespace

SearchReport search(const Board& board, bool white_to_move, const Evaluation& evaluation,
                    MidgameTable& table, const Limits& limits, const SearchOptions& options) {
  if (legal_moves(board))
    return search_moves_of(board, white_to_move, evaluation, table, limits, options);
  // A pass is a ply: the opponent's position is searched one ply less deep.
  Limits rest = limits;
  rest.depth = std::max(1, limits.depth - 1);
  SearchReport report =
      search_moves_of(board.passed(), !white_to_move, evaluation, table, rest, options);
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
