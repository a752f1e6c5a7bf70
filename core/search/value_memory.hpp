// What an evaluator said about positions, so that none is asked about twice: in deeper searches, in
// later moves, and after thinking on the opponent's time.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "othello/hash.hpp"

namespace outflank {

class ValueMemory {
 public:
  const double* find(const Board& board, bool white_to_move) const {
    const auto found = values_[white_to_move].find(board);
    return found == values_[white_to_move].end() ? nullptr : &found->second;
  }

  void keep(const Board& board, bool white_to_move, double value) {
    values_[white_to_move].emplace(board, value);
  }

  // Drops positions with fewer discs: no game can reach them any more.
  void forget_before(int discs) {
    for (auto& values : values_)
      std::erase_if(values, [=](const auto& entry) {
        return count(entry.first.own | entry.first.other) < discs;
      });
  }

  void clear() {
    for (auto& values : values_) values.clear();
  }

  std::size_t size() const { return values_[0].size() + values_[1].size(); }

 private:
  struct Hash {
    std::size_t operator()(const Board& board) const { return hash(board); }
  };
  std::unordered_map<Board, double, Hash> values_[2];
};

}  // namespace outflank
