// The contents of all places of all shapes, kept up to date move by move.
//
// A content is a number of base 3. It is kept as two sums of powers of three, of the mover's discs
// and of the opponent's: a pass exchanges them, a move adds the powers of what it changed, and the
// content is the first plus twice the second. A lane is a place.
#pragma once

#include <array>

#include "evaluation/champion_shapes.hpp"

namespace outflank::champion {

using Lanes = std::array<std::uint16_t, kMostPlaces>;

// What each square counts in each place; 0 where it is not part of it.
struct alignas(64) SquarePowers {
  std::array<Lanes, kSquares> of;
};

constexpr SquarePowers make_powers() {
  SquarePowers powers{};
  for (int lane = 0; lane < kPlaceCount; ++lane) {
    const Place place = kPlaces.all[lane];
    const Shape& shape = kShapes[place.shape];
    for (int i = 0; i < shape.length; ++i)
      powers.of[transform_move(shape.squares[i], place.symmetry)][lane] =
          static_cast<std::uint16_t>(power_of_three(i));
  }
  return powers;
}

inline constexpr SquarePowers kPowers = make_powers();

struct alignas(64) Indices {
  Lanes own{}, other{};

  Indices() = default;
  explicit Indices(const Board& board) {
    add(own, board.own);
    add(other, board.other);
  }

  // After a move, from the next mover's view.
  Indices after(Bits flipped, int square) const {
    Indices next;
    next.own = other;
    next.other = own;
    Lanes moved{};
    add(moved, flipped);
    const Lanes& placed = kPowers.of[square];
    for (int lane = 0; lane < kMostPlaces; ++lane) {
      next.own[lane] = static_cast<std::uint16_t>(other[lane] - moved[lane]);
      next.other[lane] = static_cast<std::uint16_t>(own[lane] + moved[lane] + placed[lane]);
    }
    return next;
  }

  Indices passed() const {
    Indices next;
    next.own = other;
    next.other = own;
    return next;
  }

  // The contents from the mover's view.
  void contents(Lanes& into) const {
    for (int lane = 0; lane < kMostPlaces; ++lane)
      into[lane] = static_cast<std::uint16_t>(own[lane] + 2 * other[lane]);
  }

  // The contents after a move, from the next mover's view, without all that after() keeps.
  void contents_after(Bits flipped, int square, Lanes& into) const {
    const Lanes& placed = kPowers.of[square];
    for (int lane = 0; lane < kMostPlaces; ++lane)
      into[lane] = static_cast<std::uint16_t>(other[lane] + 2 * (own[lane] + placed[lane]));
    add(into, flipped);
  }

 private:
  static void add(Lanes& sums, Bits discs) {
    while (discs) {
      const Lanes& powers = kPowers.of[pop(discs)];
      for (int lane = 0; lane < kMostPlaces; ++lane)
        sums[lane] = static_cast<std::uint16_t>(sums[lane] + powers[lane]);
    }
  }
};

}  // namespace outflank::champion
