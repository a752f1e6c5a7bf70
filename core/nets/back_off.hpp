// Shorter patterns behind the rows of the line network's tables.
//
// A table over whole lines has rows that occur once in a million positions. What is known of them
// are the shorter patterns they consist of, which occur everywhere. So each row is a sum: a part of
// its own, and the parts of its shorter patterns, which all rows that contain them share. They are
// learned together; a network that is used has only the sums.
#pragma once

#include <cstdint>
#include <vector>

namespace outflank::nets {

struct BackOff {
  int keys = 0;                  // how many shorter patterns the table's rows consist of
  int per_row = 0;               // of how many each row consists
  std::vector<std::int32_t> of;  // rows x per_row
};

// Of the tables of lines: what stands on either side of the square.
BackOff line_back_off(int type);

// Of the tables of patterns after a move: windows of three to six squares.
BackOff pattern_back_off(int type);

}  // namespace outflank::nets
