#include "endgame/solver.hpp"

#include <algorithm>
#include <optional>

#include "endgame/last_empties.hpp"
#include "endgame/ordering.hpp"
#include "othello/features.hpp"
#include "search/midgame_tree.hpp"
#include "search/shared_moves.hpp"

namespace outflank {
namespace {

// Numbers of empty squares from which something is done; with fewer it costs more than it gives.
constexpr int kTable = 8;           // a table, and mobility; with fewer, parity alone
constexpr int kLookAhead = 10;      // replies' entries are looked at before any is searched
constexpr int kStop = 10;           // nodes ask whether to stop; smaller ones take microseconds
constexpr int kOrderBySearch = 12;  // a small search orders the moves
constexpr int kShare = 12;          // moves are shared among threads
constexpr int kOrderByGuide = 11;   // a learned evaluation orders the moves
constexpr int kEndCut = 11;         // nodes may be left out
constexpr int kListen = 12;         // nodes listen whether the whole call must end

// Stable discs are looked for only if alpha is this high: the more squares are empty, the fewer
// discs are stable, and the less they bound.
constexpr int stability_threshold(int empties) { return empties <= 24 ? 2 * empties - 2 : 46; }

class EndgameSearch {
 public:
  EndgameSearch(EndgameTable& table, const SolverOptions& options)
      : table_(table), crew_(options.threads, options.stop, options.seconds) {
    if (!options.guide) return;
    guide_.emplace(*options.guide);
    if (options.guide->endings.is_on())
      sureness_ = static_cast<std::uint8_t>(
          std::min(kSure - 1.0, kSurenessUnits * options.guide->endings.deviations()));
  }

  std::uint64_t nodes() const { return crew_.nodes(); }
  bool stopped() const { return crew_.stopped(); }

  // Scores the root's moves one after the other, in an order that depends on the board alone:
  // the first move that reaches the best score is the same whatever the threads do.
  ScoredMove root(const Board& board, int alpha, int beta);

  // The exact score if it lies between alpha and beta, else a bound.
  int principal(Worker& worker, const Board& board, int alpha, int beta);

  // Whether the score is above alpha; fail-soft.
  int null_window(Worker& worker, const Board& board, int alpha) {
    const Bits empties = board.empties();
    return null_window(worker, board, alpha, empties, count(empties), parity_of(empties));
  }

  Worker& captain() { return crew_.captain(); }

 private:
  struct Node;

  // A learned evaluation and the searches over it.
  struct Guide {
    explicit Guide(const EndgameGuide& given)
        : evaluation(given.evaluation), endings(given.endings) {
      options.ends = Ends::discs;
      options.selectivity = &given.midgame;
      tree.emplace(given.table, limits, options);
    }
    Guide(const Guide&) = delete;
    Guide& operator=(const Guide&) = delete;

    const ChampionEvaluation& evaluation;
    const Selectivity& endings;
    Limits limits;
    SearchOptions options;
    std::optional<MidgameTree<ChampionView>> tree;
  };
  static constexpr double kSurenessUnits = 50;  // of a deviation

  int shallow(Worker& worker, Bits own, Bits other, int alpha, Bits empties, int number,
              unsigned parity);
  int null_window(Worker& worker, const Board& board, int alpha, Bits empties, int number,
                  unsigned parity);
  bool list_moves(Worker& worker, const Board& board, Bits legal, int number, unsigned parity,
                  const EndgameFinding& known, MoveList& list);
  bool list_guided(Worker& worker, const Board& board, Bits legal, int number, unsigned parity,
                   const EndgameFinding& known, MoveList& list);
  bool leave_out(Worker& worker, const Board& board, int alpha, int number, int& score);
  bool probe(std::uint64_t hash, EndgameFinding& known) const {
    if (!table_.probe(hash, known)) return false;
    if (known.sureness >= sureness_) return true;
    known.lower = -kSquares;
    known.upper = kSquares;
    return true;
  }
  int order_value(Worker& worker, const Board& board, int depth, int alpha, int beta);
  MoveList root_moves(Worker& worker, const Board& board);
  void remember(std::uint64_t hash, EndgameFinding finding, int alpha, int beta, BestMove best,
                std::uint64_t nodes);

  EndgameTable& table_;
  Crew crew_;
  std::optional<Guide> guide_;
  std::uint8_t sureness_ = kSure;
};

// Few empty squares: no table, no mobility, odd quadrants first.
int EndgameSearch::shallow(Worker& worker, Bits own, Bits other, int alpha, Bits empties,
                           int number, unsigned parity) {
  if (number == 4) return solve_4(own, other, alpha, empties, parity, worker.nodes);
  ++worker.nodes;
  int best = -kNoScore;
  for (bool passed : {false, true}) {
    for (Bits part : {empties & kOddSquares[parity], empties & ~kOddSquares[parity]})
      while (part) {
        const int square = pop(part);
        const Bits flipped = flips_if_near(own, other, square);
        if (!flipped) continue;
        const int score = -shallow(worker, other ^ flipped, own ^ (flipped | bit(square)), ~alpha,
                                   empties ^ bit(square), number - 1, parity ^ quadrant(square));
        if (score > alpha) return passed ? -score : score;
        best = std::max(best, score);
      }
    if (best != -kNoScore) return passed ? -best : best;
    std::swap(own, other);
    alpha = ~alpha;
  }
  return final_score({own, other});
}

// Any number of empty squares below five, without assumptions on parity.
int solve_few(Worker& worker, const Board& board, int alpha, Bits empties, int number,
              unsigned parity) {
  int squares[2] = {0, 0};
  switch (number) {
    case 0: ++worker.nodes; return final_score(board);
    case 1: return solve_1(board.own, first(empties), worker.nodes);
    case 2:
      list_by_parity<2>(empties, parity, squares);
      return solve_2(board.own, board.other, alpha, squares[0], squares[1], worker.nodes);
    case 3: return solve_3(board.own, board.other, alpha, empties, parity, worker.nodes);
    default: return solve_4(board.own, board.other, alpha, empties, parity, worker.nodes);
  }
}

// Looks some plies ahead and evaluates; only for ordering.
int EndgameSearch::order_value(Worker& worker, const Board& board, int depth, int alpha, int beta) {
  ++worker.nodes;
  if (depth == 0) return guess(board);
  Bits moves = legal_moves(board);
  if (!moves) {
    if (!legal_moves(board.passed())) return final_score(board) * kDecided;
    return -order_value(worker, board.passed(), depth, -beta, -alpha);
  }
  int best = -kMostGuess - 1;
  while (moves && best < beta) {
    const Board next = play(board, pop(moves));
    best = std::max(best, -order_value(worker, next, depth - 1, -beta, -std::max(alpha, best)));
  }
  return best;
}

// Lists the moves in the order of a learned evaluation, which looks a few plies ahead.
bool EndgameSearch::list_guided(Worker& worker, const Board& board, Bits legal, int number,
                                unsigned parity, const EndgameFinding& known, MoveList& list) {
  const ChampionView view(guide_->evaluation, board);
  const int depth = guided_depth(number);
  while (legal) {
    const int square = pop(legal);
    Move move{flips(board.own, board.other, square), square, 0};
    if (move.flipped == board.other) return true;
    if (square == known.best) {
      move.priority = kBestBefore;
    } else if (square == known.second) {
      move.priority = kBestBefore - 1;
    } else {
      const Board next = move.after(board);
      const Bits replies = legal_moves(next);
      const Value value = depth == 0 ? view.value_after(move, next, replies, false)
                                     : guide_->tree->search(worker, next, view.after(move), false,
                                                            depth, -kInfinite, kInfinite);
      move.priority = priority_by_guide(replies, square, parity & quadrant(square), value);
    }
    list.add(move.flipped, square, move.priority);
  }
  return false;
}

// End-cut: true if a shallow search makes it almost certain on which side of alpha the score is.
bool EndgameSearch::leave_out(Worker& worker, const Board& board, int alpha, int number,
                              int& score) {
  const Selectivity& endings = guide_->endings;
  const DepthRegression* measured = endings.find(number, kSquares - number);
  if (!measured) return false;
  const ChampionView view(guide_->evaluation, board);
  const double margin = endings.deviations() * measured->error;
  const double low_score = alpha * ChampionEvaluation::kUnits;
  const double high_score = (alpha + 1) * ChampionEvaluation::kUnits;
  if (view.value(board, false) >= low_score) {
    const Value high = measured->threshold(high_score + margin);
    if (guide_->tree->search(worker, board, view, false, measured->shallow, high - 1, high) < high)
      return false;
    score = alpha + 1;
  } else {
    const Value low = measured->threshold(low_score - margin);
    if (guide_->tree->search(worker, board, view, false, measured->shallow, low, low + 1) > low)
      return false;
    score = alpha;
  }
  return true;
}

// Lists the moves with their priorities; true if one of them takes the opponent's last disc.
bool EndgameSearch::list_moves(Worker& worker, const Board& board, Bits legal, int number,
                               unsigned parity, const EndgameFinding& known, MoveList& list) {
  if (guide_ && number >= kOrderByGuide)
    return list_guided(worker, board, legal, number, parity, known, list);
  while (legal) {
    const int square = pop(legal);
    const Bits flipped = flips(board.own, board.other, square);
    if (flipped == board.other) return true;
    const Move move{flipped, square, 0};
    const Board next = move.after(board);
    const bool odd = parity & quadrant(square);
    int priority;
    if (square == known.best) {
      priority = kBestBefore;
    } else if (square == known.second) {
      priority = kBestBefore - 1;
    } else if (number >= kOrderBySearch) {
      const int guessed =
          order_value(worker, next, ordering_depth(number), -kMostGuess, kMostGuess);
      priority = priority_by_search(next, square, odd, guessed);
    } else {
      priority = priority_by_mobility(next, square, odd);
    }
    list.add(flipped, square, priority);
  }
  return false;
}

void EndgameSearch::remember(std::uint64_t hash, EndgameFinding finding, int alpha, int beta,
                             BestMove best, std::uint64_t nodes) {
  const auto score = static_cast<std::int8_t>(best.value);
  if (score > alpha) finding.lower = std::max(finding.lower, score);
  if (score < beta) finding.upper = std::min(finding.upper, score);
  if (finding.best != best.square) {
    finding.second = finding.best;
    finding.best = static_cast<std::uint8_t>(best.square);
  }
  finding.sureness = sureness_;
  finding.effort = effort_of(nodes);
  table_.store(hash, finding);
}

// A node as search_moves() sees it.
struct EndgameSearch::Node {
  int reply(Worker& worker, const Move& move, int alpha, bool) const {
    return -search.null_window(worker, move.after(board), ~alpha, empties ^ bit(move.square),
                               number - 1, parity ^ quadrant(move.square));
  }
  // The first two moves are searched alone: where neither cuts, mostly none does.
  bool may_share(int tried) const { return tried > 1 && number >= kShare; }
  bool must_stop(const Worker& worker) const { return number >= kStop && worker.must_stop(); }

  EndgameSearch& search;
  const Board& board;
  const Bits empties;
  const int number;
  const unsigned parity;
};

int EndgameSearch::null_window(Worker& worker, const Board& board, int alpha, Bits empties,
                               int number, unsigned parity) {
  if (number < kTable) {
    if (number <= 4) return solve_few(worker, board, alpha, empties, number, parity);
    return shallow(worker, board.own, board.other, alpha, empties, number, parity);
  }
  ++worker.nodes;
  if (number >= kListen) crew_.listen();

  // Step 1: stable discs of the opponent bound what is left to win.
  if (alpha >= stability_threshold(number)) {
    const int bound = kSquares - 2 * count(stable_discs(board) & board.other);
    if (bound <= alpha) return bound;
  }

  // Step 2: the table.
  const std::uint64_t key = hash(board);
  EndgameFinding known;
  if (probe(key, known)) {
    if (known.lower > alpha) return known.lower;
    if (known.upper <= alpha) return known.upper;
  }

  // Step 3: no move is a pass, or the end.
  const Bits legal = legal_moves(board);
  if (!legal) {
    if (!legal_moves(board.passed())) return final_score(board);
    return -null_window(worker, board.passed(), ~alpha, empties, number, parity);
  }

  // Step 4: end-cut.
  int expected;
  if (sureness_ < kSure && number >= kEndCut && leave_out(worker, board, alpha, number, expected))
    return expected;

  // Step 5: list and order the moves.
  const std::uint64_t before = worker.nodes;
  MoveList list;
  if (list_moves(worker, board, legal, number, parity, known, list)) return kSquares;

  // Step 6: a reply that is already known to be bad for the opponent cuts at once.
  if (number >= kLookAhead)
    for (int i = 0; i < list.size; ++i) {
      EndgameFinding after;
      if (probe(hash(list.moves[i].after(board)), after) && -after.upper > alpha)
        return -after.upper;
    }

  // Step 7: search the moves, some of them with whoever is idle.
  BestMove best{-kNoScore, kNoSquare};
  const Node node{*this, board, empties, number, parity};
  if (!search_moves(worker, node, list, alpha, alpha + 1, best)) return alpha;

  // Step 8: remember.
  remember(key, known, alpha, alpha + 1, best, worker.nodes - before);
  return best.value;
}

int EndgameSearch::principal(Worker& worker, const Board& board, int alpha, int beta) {
  const Bits empties = board.empties();
  const int number = count(empties);
  ++worker.nodes;
  const Bits legal = legal_moves(board);
  if (!legal) {
    if (!legal_moves(board.passed())) return final_score(board);
    return -principal(worker, board.passed(), -beta, -alpha);
  }
  const std::uint64_t key = hash(board);
  EndgameFinding known;
  if (probe(key, known)) {
    if (known.lower >= beta) return known.lower;
    if (known.upper <= alpha) return known.upper;
    if (known.lower == known.upper) return known.lower;
  }
  const std::uint64_t before = worker.nodes;
  const int lowest = alpha;
  MoveList list;
  if (list_moves(worker, board, legal, number, parity_of(empties), known, list)) return kSquares;
  BestMove best{-kNoScore, kNoSquare};
  for (int i = 0; i < list.size && alpha < beta; ++i) {
    const Move& move = list.pick(i);
    const Board next = move.after(board);
    int score = kNoScore;
    if (i > 0) score = -null_window(worker, next, ~alpha);
    if (i == 0 || (score > alpha && score < beta))
      score = -principal(worker, next, -beta, -std::max(alpha, i ? score - 1 : -kSquares));
    if (worker.must_stop()) return best.value;
    if (score > best.value) {
      best = {score, move.square};
      alpha = std::max(alpha, score);
    }
  }
  remember(key, known, lowest, beta, best, worker.nodes - before);
  return best.value;
}

MoveList EndgameSearch::root_moves(Worker& worker, const Board& board) {
  MoveList list;
  const int number = count(board.empties());
  const int depth = root_ordering_depth(number);
  for (Bits legal = legal_moves(board); legal;) {
    const int square = pop(legal);
    const Bits flipped = flips(board.own, board.other, square);
    const Move move{flipped, square, 0};
    const Board next = move.after(board);
    list.add(flipped, square,
             guide_ ? -guide_->tree->search(worker, next, ChampionView(guide_->evaluation, next),
                                            false, depth, -kInfinite, kInfinite)
                    : -order_value(worker, next, depth, -kMostGuess, kMostGuess));
  }
  std::stable_sort(list.moves.begin(), list.moves.begin() + list.size,
                   [](const Move& a, const Move& b) { return a.priority > b.priority; });
  return list;
}

ScoredMove EndgameSearch::root(const Board& board, int alpha, int beta) {
  Worker& worker = captain();
  const MoveList list = root_moves(worker, board);
  ScoredMove best{kPass, -kNoScore};
  for (int i = 0; i < list.size && alpha < beta && !stopped(); ++i) {
    const Board next = list.moves[i].after(board);
    int score = kNoScore;
    if (i > 0) score = -null_window(worker, next, ~alpha);
    if (i == 0 || (score > alpha && score < beta)) score = -principal(worker, next, -beta, -alpha);
    if (stopped()) break;
    if (score > best.score) best = {list.moves[i].square, score};
    alpha = std::max(alpha, best.score);
  }
  return best;
}

int sign(int score) { return (score > 0) - (score < 0); }

// The best moves to the end, each found as at the root; the table makes it quick.
std::vector<int> best_line(EndgameSearch& search, Board board, int best) {
  std::vector<int> line;
  while (!is_over(board) && !search.stopped()) {
    if (!legal_moves(board)) {
      line.push_back(kPass);
      board = board.passed();
      continue;
    }
    if (best == kPass) best = search.root(board, -kSquares, kSquares).move;
    line.push_back(best);
    board = play(board, best);
    best = kPass;
  }
  return line;
}

}  // namespace

Solution solve(const Board& board, EndgameTable& table, const SolverOptions& options) {
  table.new_search();
  EndgameSearch search(table, options);
  Solution solution;
  const bool exact = !options.win_draw_loss;
  const int window = exact ? kSquares : 1;
  if (is_over(board)) {
    solution.score = final_score(board);
  } else if (!legal_moves(board)) {
    solution.score = -search.root(board.passed(), -window, window).score;
  } else {
    const ScoredMove best = search.root(board, -window, window);
    solution.score = best.score;
    solution.best = best.move;
  }
  if (!exact) solution.score = sign(solution.score);
  if (exact && !search.stopped()) solution.line = best_line(search, board, solution.best);
  solution.complete = !search.stopped();
  solution.nodes = search.nodes();
  return solution;
}

std::vector<ScoredMove> solve_moves(const Board& board, EndgameTable& table,
                                    const SolverOptions& options, std::uint64_t& nodes) {
  table.new_search();
  EndgameSearch search(table, options);
  std::vector<ScoredMove> scored;
  Bits legal = legal_moves(board);
  if (!legal && legal_moves(board.passed()))
    scored.push_back({kPass, -search.root(board.passed(), -kSquares, kSquares).score});
  while (legal && !search.stopped()) {
    const int square = pop(legal);
    const int score = -search.principal(search.captain(), play(board, square), -kSquares, kSquares);
    scored.push_back({square, score});
  }
  if (search.stopped()) scored.clear();
  std::ranges::stable_sort(scored, [](auto a, auto b) { return a.score > b.score; });
  nodes = search.nodes();
  return scored;
}

}  // namespace outflank
