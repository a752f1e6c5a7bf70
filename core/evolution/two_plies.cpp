#include "evolution/two_plies.hpp"

#include <algorithm>
#include <numeric>

#include "search/midgame.hpp"

namespace outflank::evolution {

namespace {

constexpr int kRounds = 4;      // in which the rest of a batch is given away
constexpr double kFade = 0.25;  // what earlier boards of a game still say of the replies

}  // namespace

TwoPlies::Found TwoPlies::best(const Children& moves, bool white, Value alpha) {
  // Step 1: all replies, none looked at. A move that ends the game has its value at once.
  list_replies(moves);

  // Step 2: a reply to each move, and further ones until no batch is left half empty.
  for (Line& line : lines_) take(line);
  for (int round = 0; round < kRounds; ++round)
    for (Line& line : lines_)
      if (boards_.size() % batch_) take(line);
  evaluate(white);

  for (;;) {
    // Step 3: the moves that may be worth most come first, among equals the one with the lower
    // number. If all replies to the first have been looked at, no other is better.
    sort();
    const Line& first = lines_[order_.front()];
    if (first.begin == first.end || first.most <= alpha) return {order_.front(), first.most};

    // Step 4: replies to these moves, more to those in front, until a batch is full: one to the
    // first, then one to each of the first two, and so on.
    const std::size_t size = lines_.size();
    for (std::size_t last = 1; last <= size + kRounds; ++last)
      for (std::size_t i = 0; i < std::min(last, size); ++i)
        if (boards_.size() < batch_) take(lines_[order_[i]]);
    evaluate(white);
  }
}

void TwoPlies::list_replies(const Children& moves) {
  lines_.clear();
  replies_.clear();
  squares_.clear();
  for (Replies& known : known_) known.sum *= kFade, known.count *= kFade;
  for (int i = 0; i < moves.size; ++i) {
    const Board& board = moves.boards[i];
    const Children replies = children_of(board, legal_moves(board));
    const std::size_t begin = replies_.size();
    replies_.insert(replies_.end(), replies.boards.begin(), replies.boards.begin() + replies.size);
    squares_.insert(squares_.end(), replies.moves.begin(), replies.moves.begin() + replies.size);
    const Value most = replies.size ? kInfinite : -value_of_end(final_score(board));
    lines_.push_back({begin, replies_.size(), most});
  }
  order_.resize(lines_.size());
  std::iota(order_.begin(), order_.end(), 0);
}

// Few moves, and mostly in order already.
void TwoPlies::sort() {
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const int move = order_[i];
    std::size_t place = i;
    for (; place > 0; --place) {
      const int before = order_[place - 1];
      const Value most = lines_[before].most;
      if (most > lines_[move].most || (most == lines_[move].most && before < move)) break;
      order_[place] = before;
    }
    order_[place] = move;
  }
}

// Puts a move's likeliest reply into the batch: that on the square which left least so far.
void TwoPlies::take(Line& line) {
  if (line.begin == line.end) return;
  std::size_t best = line.begin;
  for (std::size_t i = line.begin + 1; i < line.end; ++i)
    if (known_[squares_[i]].mean < known_[squares_[best]].mean) best = i;
  std::swap(replies_[best], replies_[line.begin]);
  std::swap(squares_[best], squares_[line.begin]);
  boards_.push_back(replies_[line.begin]);
  owners_.push_back({&line, squares_[line.begin]});
  ++line.begin;
}

void TwoPlies::evaluate(bool white) {
  values_.resize(boards_.size());
  evaluation_.evaluate_all(boards_, white, values_.data());
  for (std::size_t i = 0; i < boards_.size(); ++i) {
    const auto [line, square] = owners_[i];
    const Value value = is_over(boards_[i]) ? value_of_end(final_score(boards_[i])) : values_[i];
    line->most = std::min(line->most, value);
    Replies& known = known_[square];
    known.sum += value;
    known.mean = known.sum / ++known.count;
  }
  boards_.clear();
  owners_.clear();
}

}  // namespace outflank::evolution
