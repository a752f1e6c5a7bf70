// The rules on arrays of boards.
#include "batch/parallel.hpp"
#include "batch/planes.hpp"
#include "bindings/arguments.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"
#include "othello/features.hpp"
#include "othello/hash.hpp"
#include "othello/moves.hpp"
#include "othello/playout.hpp"
#include "othello/symmetry.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <limits>
#include <tuple>

namespace outflank {
namespace {

constexpr std::size_t kGrain = 16384;  // boards a thread must have to be worth starting
constexpr std::size_t kAllGood = std::numeric_limits<std::size_t>::max();

// Remembers the lowest index that went wrong, whatever thread found it.
void note_failure(std::atomic<std::size_t>& failure, std::size_t index) {
  std::size_t known = failure.load();
  while (index < known && !failure.compare_exchange_weak(known, index)) {
  }
}

// One result for each board: the shape of most functions below.
template <typename T, typename Function>
ArrayOut<T> map_boards(const Boards& own, const Boards& other, int threads, Function&& function,
                       bool any_words = false) {
  const std::size_t size = same_length(own.shape(0), other.shape(0));
  auto out = new_array<T>({size});
  const Bits *mine = own.data(), *theirs = other.data();
  T* result = out.data();
  std::atomic<std::size_t> failure{kAllGood};
  const auto work = [=, &function, &failure](std::size_t begin, std::size_t end) {
    Bits overlap = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Board board{mine[i], theirs[i]};
      overlap |= board.own & board.other;
      result[i] = static_cast<T>(function(board));
    }
    if (overlap) note_failure(failure, begin);
  };
  listening_for(size, kGrain, threads, work);
  if (failure != kAllGood && !any_words) check_boards(own, other);
  return out;
}

auto play_all(const Boards& own, const Boards& other, const ArrayIn<std::uint8_t>& moves,
              int threads) {
  const std::size_t size = same_length(own.shape(0), other.shape(0));
  same_length(size, moves.shape(0));
  auto next_own = new_array<Bits>({size}), next_other = new_array<Bits>({size});
  std::atomic<std::size_t> failure{kAllGood};
  listening_for(size, kGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Board board{own.data()[i], other.data()[i]};
      const int move = moves.data()[i];
      Board next = board.passed();
      bool legal;
      if (move < kSquares) {
        const Bits flipped = flips(board.own, board.other, move);
        legal = flipped && (board.empties() & bit(move));
        next = {board.other ^ flipped, board.own ^ (flipped | bit(move))};
      } else {
        legal = move == kPass && !legal_moves(board) && legal_moves(next);
      }
      if (!legal || (board.own & board.other)) note_failure(failure, i);
      next_own.data()[i] = next.own;
      next_other.data()[i] = next.other;
    }
  });
  if (const std::size_t index = failure; index != kAllGood) {
    check_boards(own, other);
    refuse("illegal move " + std::to_string(moves.data()[index]) + " at index " +
           std::to_string(index));
  }
  return std::tuple(next_own, next_other);
}

auto transform_all(const Boards& bits, const ArrayIn<std::uint8_t>& symmetries, int threads) {
  const std::size_t size = same_length(bits.shape(0), symmetries.shape(0));
  auto out = new_array<Bits>({size});
  listening_for(size, kGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      out.data()[i] = transform(bits.data()[i], symmetries.data()[i] & 7);
  });
  return out;
}

auto transform_one_way(const Boards& bits, int symmetry, int threads) {
  if (symmetry < 0 || symmetry >= kSymmetries)
    refuse("no such symmetry (0..7): " + std::to_string(symmetry));
  auto out = new_array<Bits>({bits.shape(0)});
  listening_for(bits.shape(0), kGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out.data()[i] = transform(bits.data()[i], symmetry);
  });
  return out;
}

auto transform_moves(const ArrayIn<std::uint8_t>& moves, const ArrayIn<std::uint8_t>& symmetries) {
  const std::size_t size = same_length(moves.shape(0), symmetries.shape(0));
  auto out = new_array<std::uint8_t>({size});
  for (std::size_t i = 0; i < size; ++i) {
    const int move = moves.data()[i];
    out.data()[i] = static_cast<std::uint8_t>(
        move < kSquares ? transform_move(move, symmetries.data()[i] & 7) : move);
  }
  return out;
}

auto canonical_all(const Boards& own, const Boards& other, int threads) {
  const std::size_t size = check_boards(own, other);
  auto least_own = new_array<Bits>({size}), least_other = new_array<Bits>({size});
  auto symmetry = new_array<std::uint8_t>({size});
  listening_for(size, kGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Canonical found = canonical({own.data()[i], other.data()[i]});
      least_own.data()[i] = found.board.own;
      least_other.data()[i] = found.board.other;
      symmetry.data()[i] = static_cast<std::uint8_t>(found.symmetry);
    }
  });
  return std::tuple(least_own, least_other, symmetry);
}

Plane plane_named(const std::string& name) {
  constexpr const char* names[] = {"own", "other", "empty", "legal", "ones", "border"};
  for (int i = 0; i < 6; ++i)
    if (name == names[i]) return static_cast<Plane>(i);
  throw nb::value_error(
      ("no such plane: " + name + "; planes are own, other, empty, legal, ones, border").c_str());
}

template <typename T>
ArrayOut<T> planes(const Boards& own, const Boards& other, const std::vector<std::string>& names,
                   int threads) {
  const std::size_t size = check_boards(own, other);
  std::vector<Plane> wanted;
  for (const auto& name : names) wanted.push_back(plane_named(name));
  auto out = new_array<T>({size, wanted.size(), 8, 8});
  listening_for(size, kGrain / 16, threads, [&](std::size_t begin, std::size_t end) {
    T* place = out.data() + begin * wanted.size() * kSquares;
    for (std::size_t i = begin; i < end; ++i)
      for (const Plane plane : wanted) {
        write_plane(plane_bits({own.data()[i], other.data()[i]}, plane), place);
        place += kSquares;
      }
  });
  return out;
}

// Where the random numbers of each board come from: a stream of one seed, or a key of its own.
// Either way the split among threads cannot matter.
struct OneSeed {
  std::uint64_t seed;
  Random stream(std::size_t board, std::size_t game, std::size_t games) const {
    return Random(seed, board * games + game);
  }
};
struct OwnKeys {
  const std::uint64_t* keys;
  Random stream(std::size_t board, std::size_t game, std::size_t) const {
    return Random(keys[board], game);
  }
};

template <typename Source>
auto playouts_from(const Boards& own, const Boards& other, Source source, int games, int threads) {
  const std::size_t size = check_boards(own, other);
  within("games", games, 1, kMostSimulations);
  const auto each = static_cast<std::size_t>(games);
  auto out = new_array<std::int8_t>({size, each});
  listening_for(size * each, 256, threads, [&](std::size_t begin, std::size_t end) {
    play_out(
        begin, end,
        [&](std::size_t i) {
          const std::size_t board = i / each;
          return Playout({own.data()[board], other.data()[board]},
                         source.stream(board, i % each, each));
        },
        [&](std::size_t i, int score) { out.data()[i] = static_cast<std::int8_t>(score); });
  });
  return out;
}

template <typename Source>
auto moves_from(const Boards& own, const Boards& other, Source source, int threads) {
  const std::size_t size = check_boards(own, other);
  auto out = new_array<std::uint8_t>({size});
  listening_for(size, kGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Random random = source.stream(i, 0, 1);
      const Bits legal = legal_moves(own.data()[i], other.data()[i]);
      out.data()[i] =
          static_cast<std::uint8_t>(legal ? select(legal, random.below(count(legal))) : kPass);
    }
  });
  return out;
}

OwnKeys keys_for(const Boards& own, const ArrayIn<std::uint64_t>& keys) {
  same_length(own.shape(0), keys.shape(0));
  return {keys.data()};
}

}  // namespace

void bind_batch(nb::module_& module) {
  const auto bind = [&](const char* name, auto function, const char* doc) {
    using Result = decltype(function(Board{}));
    module.def(
        name,
        [function](const Boards& own, const Boards& other, int threads) {
          return map_boards<Result>(own, other, threads, function);
        },
        "own"_a, "other"_a, "threads"_a = 0, doc);
  };
  // The portable form has no branches and no tables: the compiler turns the loop over an array
  // into vector code that treats several boards at once.
  bind(
      "legal_moves", [](const Board& b) { return portable::legal_moves(b.own, b.other); },
      "Legal moves of each board, as bitboards.");
  bind("is_over", [](const Board& b) { return is_over(b); }, "True where neither side can move.");
  bind(
      "final_score", [](const Board& b) { return static_cast<std::int8_t>(final_score(b)); },
      "Final scores from each mover's view, the empty squares going to the winner.");
  module.def(
      "hash",
      [](const Boards& own, const Boards& other, int threads) {
        return map_boards<std::uint64_t>(
            own, other, threads, [](const Board& b) { return hash(b); }, true);
      },
      "own"_a, "other"_a, "threads"_a = 0,
      "64-bit hashes of the boards, or of any pairs of words.");
  bind(
      "stable_discs", [](const Board& b) { return stable_discs(b); },
      "Stable discs of both colours of each board.");
  bind(
      "frontier", [](const Board& b) { return frontier(b); },
      "Discs of both colours that touch an empty square, for each board.");
  bind(
      "potential_mobility", [](const Board& b) { return potential_mobility(b); },
      "Empty squares that touch an opponent's disc, for each board.");

  module.def("play", &play_all, "own"_a, "other"_a, "moves"_a, "threads"_a = 0,
             R"(Play one move on each board.

Returns (own, other) from the next movers' view.

Raises ValueError for an illegal move, with its index.)");
  module.def("transform", &transform_one_way, "bits"_a, "symmetry"_a, "threads"_a = 0,
             "Bitboards, all under the same symmetry.");
  module.def("transform", &transform_all, "bits"_a, "symmetry"_a, "threads"_a = 0,
             "Bitboards, each under its own symmetry (uint8).");
  module.def("transform_move", &transform_moves, "move"_a, "symmetry"_a,
             "Moves, each under its own symmetry; values above 63 stay as they are.");
  module.def("canonical", &canonical_all, "own"_a, "other"_a, "threads"_a = 0,
             "Canonical boards and the symmetries that lead to them: (own, other, symmetry).");
  module.def("planes", &planes<float>, "own"_a, "other"_a, "names"_a, "threads"_a = 0,
             R"(Boards as input of a network: float32 of shape (boards, planes, 8, 8), rows first.

Args:
    own, other: the boards.
    names: which planes, in order: own, other, empty, legal, ones, border.
    threads: see the module.)");
  module.def("planes_uint8", &planes<std::uint8_t>, "own"_a, "other"_a, "names"_a, "threads"_a = 0,
             "Like planes, but uint8.");
  module.def(
      "random_playouts",
      [](const Boards& own, const Boards& other, std::uint64_t seed, int games, int threads) {
        return playouts_from(own, other, OneSeed{seed}, games, threads);
      },
      "own"_a, "other"_a, "seed"_a, "games"_a = 1, "threads"_a = 0,
      R"(Play random games from each board to the end.

Args:
    own, other: the boards.
    seed: determines the games.
    games: how many to play from each board.
    threads: see the module.

Returns the final scores, int8 of shape (boards, games), from the view of the mover on the board
that the games began with.)");
  module.def(
      "random_playouts",
      [](const Boards& own, const Boards& other, const ArrayIn<std::uint64_t>& keys, int games,
         int threads) { return playouts_from(own, other, keys_for(own, keys), games, threads); },
      "own"_a, "other"_a, "keys"_a, "games"_a = 1, "threads"_a = 0,
      "As above, but the games of each board depend on its own key (uint64) alone.");
  module.def(
      "random_moves",
      [](const Boards& own, const Boards& other, std::uint64_t seed, int threads) {
        return moves_from(own, other, OneSeed{seed}, threads);
      },
      "own"_a, "other"_a, "seed"_a, "threads"_a = 0,
      "A uniformly random legal move for each board (uint8), PASS where there is none.");
  module.def(
      "random_moves",
      [](const Boards& own, const Boards& other, const ArrayIn<std::uint64_t>& keys, int threads) {
        return moves_from(own, other, keys_for(own, keys), threads);
      },
      "own"_a, "other"_a, "keys"_a, "threads"_a = 0,
      "As above, but the move of each board depends on its own key (uint64) alone.");
}

}  // namespace outflank
