// What a search keeps of a node so that its evaluation is quick: a View.
//
//   View(evaluation, board)            from scratch
//   View after(move) const             of the board after a move
//   View passed() const                after a pass
//   Value value(board, white) const    what the node is worth to its mover
//   Value value_after(move, next, moves, white) const
//       what the board after a move is worth to whoever moves next; `moves` are legal there
//   Value price_of(replies) const      what moves lose in the order for what they allow: few
//                                      replies are quickly searched
//   double units() const               of the evaluation
//   kOrderByEvaluation                 the least depth at which moves are ordered by their
//                                      values; below it, by the replies that they allow
//
// Searches are templates over it: an evaluation with a view of its own costs no virtual call.
#pragma once

#include "evaluation/champion.hpp"
#include "evaluation/evaluation.hpp"
#include "search/move_list.hpp"

namespace outflank {

// Of any evaluation: it keeps nothing.
class PlainView {
 public:
  static constexpr int kOrderByEvaluation = 2;

  PlainView(const Evaluation& evaluation, const Board&) : evaluation_(&evaluation) {}

  PlainView after(const Move&) const { return *this; }
  PlainView passed() const { return *this; }
  Value value(const Board& board, bool white) const { return evaluation_->evaluate(board, white); }
  Value value_after(const Move&, const Board& next, Bits, bool white) const {
    return evaluation_->evaluate(next, white);
  }
  Value price_of(Bits) const { return 0; }
  double units() const { return evaluation_->units(); }

 private:
  const Evaluation* evaluation_;
};

// Of the champion's evaluation: the contents of its shapes, changed move by move.
class ChampionView {
 public:
  // At depth 2, replies order as well as values do, and far faster.
  static constexpr int kOrderByEvaluation = 3;

  ChampionView(const ChampionEvaluation& evaluation, const Board& board)
      : evaluation_(&evaluation), indices_(board) {}

  ChampionView after(const Move& move) const {
    return {evaluation_, indices_.after(move.flipped, move.square)};
  }
  ChampionView passed() const { return {evaluation_, indices_.passed()}; }
  Value value(const Board& board, bool) const {
    champion::Lanes contents;
    indices_.contents(contents);
    return evaluation_->evaluate(board, contents, legal_moves(board), legal_moves(board.passed()));
  }
  Value value_after(const Move& move, const Board& next, Bits moves, bool) const {
    champion::Lanes contents;
    indices_.contents_after(move.flipped, move.square, contents);
    return evaluation_->evaluate(next, contents, moves, legal_moves(next.passed()));
  }
  Value price_of(Bits replies) const { return kReplyPrice * count(replies); }
  double units() const { return ChampionEvaluation::kUnits; }

 private:
  // Searches to depth 12 have 8% fewer nodes than with 0; much more than a disc gains no more.
  static constexpr Value kReplyPrice = static_cast<Value>(0.8 * ChampionEvaluation::kUnits);

  ChampionView(const ChampionEvaluation* evaluation, const champion::Indices& indices)
      : evaluation_(evaluation), indices_(indices) {}

  const ChampionEvaluation* evaluation_;
  champion::Indices indices_;
};

}  // namespace outflank
