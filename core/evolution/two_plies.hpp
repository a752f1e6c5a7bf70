// The last two plies of a search over a network that evaluates many boards at once.
#pragma once

#include <span>
#include <vector>

#include "evaluation/evaluation.hpp"
#include "evolution/children.hpp"

namespace outflank::evolution {

// Looks for the best of some moves by what the opponent's best replies leave. Best first: a move is
// worth at most what follows the worst reply seen so far, and the move that may still be worth most
// is looked at further, in batches that the evaluation takes at once. Nearly half of the replies
// are never evaluated; the move and its value are those of a full search. What replies were worth
// on earlier boards only decides which ones are looked at first.
class TwoPlies {
 public:
  explicit TwoPlies(const Evaluation& evaluation)
      : evaluation_(evaluation), batch_(evaluation.lanes()) {}

  struct Found {
    int move;     // its number; the first among equals
    Value value;  // to the side that makes it
  };

  // moves: at least one. white: whether white makes them. If no move is worth more than alpha, the
  // value may be too high, but not above alpha.
  Found best(const Children& moves, bool white, Value alpha);

 private:
  struct Line {  // a move: what it may be worth, and its replies not yet looked at
    std::size_t begin, end;
    Value most;
  };

  struct Owner {  // of a board in the batch: the move that led to it, and the reply
    Line* line;
    std::uint8_t square;
  };
  struct Replies {  // on a square: what they left
    double sum = 0, count = 0, mean = 0;
  };

  void list_replies(const Children& moves);
  void sort();
  void take(Line& line);
  void evaluate(bool white);

  const Evaluation& evaluation_;
  const std::size_t batch_;
  std::vector<Line> lines_;
  std::vector<int> order_;             // of the lines
  std::vector<Board> replies_;         // to one move after the other
  std::vector<std::uint8_t> squares_;  // of the replies
  std::vector<Board> boards_;          // of the batch
  std::vector<Owner> owners_;
  std::vector<Value> values_;
  std::array<Replies, kPass + 1> known_;
};

}  // namespace outflank::evolution
