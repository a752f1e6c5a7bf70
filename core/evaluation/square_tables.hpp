// Published tables of weighted squares.
#pragma once

#include "evaluation/squares.hpp"

namespace outflank {

struct SquareTable {
  SquareWeights weights;
  double units;  // the published weights are these divided by it
};

// The lower half of a table that is the mirror image of the upper one.
constexpr SquareWeights mirrored(const std::array<std::int32_t, 32>& upper) {
  SquareWeights weights{};
  for (std::size_t square = 0; square < 32; ++square)
    weights[square] = weights[square ^ 56] = upper[square];
  return weights;
}

// clang-format off

// SWH: the standard heuristic of the Othello League, made by hand.
inline constexpr SquareTable kSwh{mirrored({
    100, -25, 10, 5, 5, 10, -25, 100,
    -25, -25,  1, 1, 1,  1, -25, -25,
     10,   1,  5, 2, 2,  5,   1,  10,
      5,   1,  2, 1, 1,  2,   1,   5,
}), 100};

// LR06: coevolved by Lucas and Runarsson, 2006.
inline constexpr SquareTable kLr06{{
    4622507, -1477853,  1409644,  -66975, -305214,  1633019, -1050899, 4365550,
   -1329145, -2245663, -1060633, -541089, -332716,  -475830, -2274535,  -32595,
    2681550,  -906628,   229372,   59260, -150415,   321982, -1145060, 2986767,
    -746066,  -317389,   140040,  -45266,  236595,   158543,  -720833, -131124,
    -305566,  -328398,    73872, -131472, -172101,    16603,  -511448, -264125,
    2777411,  -769551,   676483,  282190,    7184,   269876, -1408169, 2396238,
   -1566175, -3049899,  -637408,  -77690, -648382,  -911066, -3329772, -870962,
    5046583, -1468806,  1545046,  -31175,  263998,  2063148,  -148002, 5781035,
}, 1e6};

// SJK09: learned by coevolution and temporal differences; Szubert, Jaśkowski, Krawiec, 2009.
inline constexpr SquareTable kSjk09{{
    102, -27,  55, -10,   8,  47, -38, 100,
    -13, -52, -18,  -7, -18, -29, -68, -44,
     55, -24,   2,  -1,  -1,  10, -13,  77,
    -10, -10,   1,  -1,   0,  -1,  -9,  -5,
      5, -17,   2,  -4,  -3,   3,  -9,  -5,
     56, -25,   5,   2,  -2,  17, -35,  42,
    -25, -71, -24, -23,  -8, -29, -63, -24,
     93, -44,  55,  22, -15,  74, -57,  97,
}, 100};

// SJK11: the best of the same authors' study of 2011.
inline constexpr SquareTable kSjk11{{
    101, -43,  38,   7,   0,  42, -20, 102,
    -27, -74, -16, -14, -13, -25, -65, -39,
     56, -30,  12,   5,  -4,   7, -15,  48,
      1,  -8,   1,  -1,  -4,  -2, -12,   3,
    -10,  -8,   1,  -1,  -3,   2,  -4, -20,
     59, -23,   6,   1,   4,   6, -19,  35,
     -6, -55, -18,  -8, -15, -31, -82, -58,
     96, -42,  67,  -2,  -3,  81, -51, 101,
}, 100};

// Attributed to Maggs, 1979: Rosenbloom's example of a weighted square strategy.
inline constexpr SquareTable kMaggs{mirrored({
     64, -30, 10, 5, 5, 10, -30,  64,
    -30, -40,  2, 2, 2,  2, -40, -30,
     10,   2,  5, 1, 1,  5,   2,  10,
      5,   2,  1, 1, 1,  1,   2,   5,
}), 1};

// Norvig, Paradigms of Artificial Intelligence Programming, 1992, chapter 18.
inline constexpr SquareTable kPaip{mirrored({
    120, -20, 20,  5,  5, 20, -20, 120,
    -20, -40, -5, -5, -5, -5, -40, -20,
     20,  -5, 15,  3,  3, 15,  -5,  20,
      5,  -5,  3,  3,  3,  3,  -5,   5,
}), 1};

// The two tables of the course evaluation of paper 3, for fewer than 32 discs and for more.
inline constexpr SquareTable kCourseEarly{mirrored({
     500, -100, 100,  50,  50, 100, -100,  500,
    -100, -200, -50, -50, -50, -50, -200, -100,
     100,  -50,  60,   4,   4,  60,  -50,  100,
      50,  -50,   4,   2,   2,   4,  -50,   50,
}), 1};
inline constexpr SquareTable kCourseLate{mirrored({
    99,  -8,  8,  6,  6,  8,  -8, 99,
    -8, -24, -4, -3, -3, -4, -24, -8,
     8,  -4,  7,  4,  4,  7,  -4,  8,
     6,  -3,  4,  1,  1,  4,  -3,  6,
}), 2};

// clang-format on

}  // namespace outflank
