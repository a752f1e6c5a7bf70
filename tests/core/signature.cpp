// Prints one number for each function of the core, gathered over many random games. Every build
// of the core, on every processor, must print the same text.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "batch/parallel.hpp"
#include "batch/planes.hpp"
#include "othello/features.hpp"
#include "othello/hash.hpp"
#include "othello/moves.hpp"
#include "othello/perft.hpp"
#include "othello/playout.hpp"
#include "othello/symmetry.hpp"
#include "records/replay.hpp"

using namespace outflank;

namespace {

std::map<std::string, std::uint64_t> signature;

void gather(const std::string& name, std::uint64_t value) {
  std::uint64_t& number = signature[name];
  number = mix(number + kGolden) ^ value;
}

void gather_board(const Board& board) {
  const Bits moves = legal_moves(board);
  gather("legal_moves", moves);
  gather("portable::legal_moves", portable::legal_moves(board.own, board.other));
  for (int square = 0; square < kSquares; ++square) {
    gather("flips", flips(board.own, board.other, square));
    gather("portable::flips", portable::flips(board.own, board.other, square));
  }
  for (int n = 0; n < count(moves); ++n) gather("select", select(moves, n));
  gather("final_score", final_score(board));
  gather("is_over", is_over(board));
  gather("hash", hash(board));
  gather("stable_discs", stable_discs(board));
  gather("frontier", frontier(board));
  gather("potential_mobility", potential_mobility(board));
  const Canonical least = canonical(board);
  gather("canonical", least.board.own ^ mix(least.board.other) ^ least.symmetry);
  for (int symmetry = 0; symmetry < kSymmetries; ++symmetry)
    gather("transform", transform(board.own, symmetry));
  Random random(board.own, board.other);
  gather("random_playout", random_playout(board, random));
  float plane[kSquares];
  write_plane(plane_bits(board, Plane::legal), plane);
  for (float cell : plane) gather("planes", static_cast<std::uint64_t>(cell));
}

void gather_game(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> moves;
  for (Board board = kStart; !is_over(board);) {
    gather_board(board);
    const Bits legal = legal_moves(board);
    if (legal == 0) {
      board = board.passed();
      continue;
    }
    moves.push_back(static_cast<std::uint8_t>(select(legal, random.below(count(legal)))));
    board = play(board, moves.back());
  }
  moves.resize(60, kNoMove);
  std::vector<Bits> own(60), other(60);
  std::vector<std::uint8_t> move(60), white_to_move(60);
  const ReplayedGame game =
      replay(moves, {own.data(), other.data(), move.data(), white_to_move.data()}, 0);
  gather("replay", game.black ^ mix(game.white) ^ game.moves ^ game.legal ^ game.over);
}

}  // namespace

int main() {
  for (std::uint64_t seed = 0; seed < 300; ++seed) gather_game(seed);
  for (int depth = 0; depth <= 8; ++depth) gather("perft", perft(kStart, depth));
  std::vector<std::uint64_t> squares(100'000);
  parallel_for(squares.size(), 100, 3, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) squares[i] = i * i;
  });
  for (std::uint64_t square : squares) gather("parallel_for", square);
  for (const auto& [name, number] : signature)
    std::printf("%s %016llx\n", name.c_str(), static_cast<unsigned long long>(number));
}
