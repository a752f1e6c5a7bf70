#include "search/batched.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "othello/moves.hpp"

namespace outflank {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Child {
  Board board;
  int square;
  double value;  // from its mover's view
};

class BatchedSearch {
 public:
  BatchedSearch(const BatchedOptions& options, const BatchEvaluator& evaluator)
      : horizon_(std::max(1, options.horizon)), options_(options), evaluator_(evaluator) {}

  double search(const Board& board, bool white, int depth, double alpha, double beta, int* move);

  BatchedResult result;

 private:
  // Whether a line ends here without being evaluated.
  bool ends_here(const Board& board, double& value) const {
    if (options_.ends != Ends::score || !is_over(board)) return false;
    value = value_of_end(final_score(board));
    return true;
  }
  static bool has_moves(const Board& board) { return legal_moves(board) != 0; }

  double unpruned(const Board& board, bool white, int depth, int* move);
  void collect(const Board& board, bool white, int depth);
  double back_up(const Board& board, bool white, int depth, int* move);
  void evaluate(const std::vector<Board>& boards, bool white, std::vector<double>& values);
  void ask(const std::vector<Board>& boards, bool white, std::vector<double>& values);

  const int horizon_;
  const BatchedOptions& options_;
  const BatchEvaluator& evaluator_;
  // Leaves by side to move, in the order in which they are met, and how far back_up() has read.
  std::vector<Board> leaves_[2];
  std::vector<double> values_[2];
  std::size_t read_[2] = {0, 0};
};

void BatchedSearch::ask(const std::vector<Board>& boards, bool white, std::vector<double>& values) {
  values.assign(boards.size(), 0);
  if (boards.empty()) return;
  evaluator_(boards, white, values);
  result.evaluated += boards.size();
  ++result.batches;
}

void BatchedSearch::evaluate(const std::vector<Board>& boards, bool white,
                             std::vector<double>& values) {
  ValueMemory* memory = options_.memory;
  if (!memory) return ask(boards, white, values);
  // Who is asked may clear the memory meanwhile, so all that is known is read before.
  std::vector<Board> unknown;
  std::vector<std::optional<double>> known(boards.size());
  for (std::size_t i = 0; i < boards.size(); ++i) {
    if (const double* value = memory->find(boards[i], white))
      known[i] = *value;
    else
      unknown.push_back(boards[i]);
  }
  std::ranges::sort(unknown);  // lines that meet again are asked about once
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  std::vector<double> answers;
  ask(unknown, white, answers);
  for (std::size_t i = 0; i < unknown.size(); ++i) memory->keep(unknown[i], white, answers[i]);
  values.resize(boards.size());
  for (std::size_t i = 0; i < boards.size(); ++i)
    values[i] = known[i] ? *known[i]
                         : answers[std::ranges::lower_bound(unknown, boards[i]) - unknown.begin()];
}

void BatchedSearch::collect(const Board& board, bool white, int depth) {
  ++result.nodes;
  double value;
  if (ends_here(board, value)) return;
  Bits legal = legal_moves(board);
  if (depth == 0 || (!legal && !has_moves(board.passed()))) {
    leaves_[white].push_back(board);
    return;
  }
  if (!legal) return collect(board.passed(), !white, depth - 1);
  while (legal) collect(play(board, pop(legal)), !white, depth - 1);
}

double BatchedSearch::back_up(const Board& board, bool white, int depth, int* move) {
  double best;
  if (ends_here(board, best)) return best;
  Bits legal = legal_moves(board);
  if (depth == 0 || (!legal && !has_moves(board.passed()))) return values_[white][read_[white]++];
  if (!legal) return -back_up(board.passed(), !white, depth - 1, nullptr);
  best = -kEndless;
  while (legal) {
    const int square = pop(legal);
    const double value = -back_up(play(board, square), !white, depth - 1, nullptr);
    if (value > best) {
      best = value;
      if (move) *move = square;
    }
  }
  return best;
}

double BatchedSearch::unpruned(const Board& board, bool white, int depth, int* move) {
  for (int side : {0, 1}) {
    leaves_[side].clear();
    read_[side] = 0;
  }
  collect(board, white, depth);
  for (int side : {0, 1}) evaluate(leaves_[side], side != 0, values_[side]);
  return back_up(board, white, depth, move);
}

double BatchedSearch::search(const Board& board, bool white, int depth, double alpha, double beta,
                             int* move) {
  if (depth <= horizon_) return unpruned(board, white, depth, move);
  ++result.nodes;
  double value;
  if (ends_here(board, value)) return value;
  Bits legal = legal_moves(board);
  if (!legal) {
    if (!has_moves(board.passed())) return unpruned(board, white, 0, nullptr);
    return -search(board.passed(), !white, depth - 1, -beta, -alpha, nullptr);
  }

  if (options_.chooser && (legal & (legal - 1))) legal = options_.chooser(board, legal);
  std::vector<Child> children;
  std::vector<Board> boards;
  while (legal) {
    const int square = pop(legal);
    boards.push_back(play(board, square));
    children.push_back({boards.back(), square, 0});
  }
  std::vector<double> guesses;
  evaluate(boards, !white, guesses);
  for (std::size_t i = 0; i < children.size(); ++i) children[i].value = guesses[i];
  std::ranges::stable_sort(children, {}, &Child::value);

  double best = -kEndless;
  int first_best = kPass;
  for (const Child& child : children) {
    // At the root equal moves must be told from worse ones, so that the first by square wins.
    const double floor = std::max(alpha, best);
    const double window = move ? std::nextafter(floor, -kEndless) : floor;
    const double score = -search(child.board, !white, depth - 1, -beta, -window, nullptr);
    if (score > best || (score == best && child.square < first_best)) {
      best = score;
      first_best = child.square;
      if (best >= beta) break;
    }
  }
  if (move) *move = first_best;
  return best;
}

}  // namespace

BatchedResult search_batched(const Board& board, bool white_to_move, int depth,
                             const BatchedOptions& options, const BatchEvaluator& evaluator) {
  BatchedSearch search(options, evaluator);
  int move = kPass;
  const double value =
      search.search(board, white_to_move, std::max(1, depth), -kEndless, kEndless, &move);
  search.result.value = value;
  search.result.move = move;
  return search.result;
}

}  // namespace outflank
