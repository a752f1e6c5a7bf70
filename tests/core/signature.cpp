// Prints one number for each function of the core, gathered over many random games. Every build
// of the core, on every processor, must print the same text.
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "batch/parallel.hpp"
#include "batch/planes.hpp"
#include "endgame/solver.hpp"
#include "evaluation/edge_table.hpp"
#include "evaluation/n_tuples.hpp"
#include "evaluation/named.hpp"
#include "othello/features.hpp"
#include "othello/hash.hpp"
#include "othello/moves.hpp"
#include "othello/perft.hpp"
#include "othello/playout.hpp"
#include "othello/symmetry.hpp"
#include "records/replay.hpp"
#include "search/midgame.hpp"

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
  const Random random(board.own, board.other);
  gather("random_playout", random_playout(board, random));
  std::array<int, 7> scores{};
  play_out(
      0, scores.size(), [&](std::size_t i) { return Playout(board, Random(board.own, i)); },
      [&](std::size_t i, int score) { scores[i] = score; });
  for (int score : scores) gather("play_out", score);
  float plane[kSquares];
  write_plane(plane_bits(board, Plane::legal), plane);
  for (float cell : plane) gather("planes", static_cast<std::uint64_t>(cell));
}

// A network of random tuples of every length, some of which share their weights.
NTupleNetwork random_network(Convention convention) {
  Random random(1);
  std::vector<std::vector<std::uint8_t>> squares;
  std::vector<Placement> placements;
  std::vector<double> weights;
  for (std::size_t length = 1, size = 3; length <= NTupleNetwork::kLongest; ++length, size *= 3) {
    for (int i = 0; i < 7; ++i) {
      std::vector<std::uint8_t>& placed = squares.emplace_back();
      for (std::size_t n = 0; n < length; ++n)
        placed.push_back(static_cast<std::uint8_t>(random.below(kSquares)));
    }
    for (std::size_t i = squares.size() - 7; i < squares.size(); ++i)
      placements.push_back({{}, weights.size()});
    for (std::size_t i = 0; i < size; ++i) weights.push_back(random.below(2001) / 1000.0 - 1);
  }
  for (std::size_t i = 0; i < squares.size(); ++i) placements[i].squares = squares[i];
  return NTupleNetwork(placements, weights, convention);
}

void gather_evaluations(const Board& board) {
  static const auto evaluations = [] {
    std::map<std::string, std::unique_ptr<Evaluation>> made;
    for (const NamedEvaluation& named : named_evaluations()) made[named.name] = named.make();
    return made;
  }();
  for (const auto& [name, evaluation] : evaluations)
    gather("evaluation::" + name, static_cast<std::uint64_t>(evaluation->evaluate(board, false)));
  static const NTupleNetwork networks[] = {random_network(Convention::negate),
                                           random_network(Convention::invert)};
  for (const NTupleNetwork& network : networks)
    for (const bool white : {false, true}) {
      gather("NTupleNetwork::evaluate", static_cast<std::uint64_t>(network.evaluate(board, white)));
      gather("NTupleNetwork::value", std::bit_cast<std::uint64_t>(network.value(board, white)));
      gather("NTupleNetwork::choose",
             static_cast<std::uint64_t>(network.choose(board, white, Random(board.own))));
    }
}

// Searches of one thread: even the number of nodes must be the same.
void gather_searches(const Board& board, bool white_to_move) {
  static EndgameTable endgames(1);
  static MidgameTable middlegames(1);
  static const auto evaluation = make_evaluation("iago");
  if (count(board.empties()) <= 12) {
    endgames.clear();
    const Solution solution = solve(board, endgames, {});
    gather("solve", mix(solution.nodes) ^ mix(solution.score + 64) ^ solution.best);
    for (int move : solution.line) gather("solve", move);
  } else if (!is_over(board)) {
    middlegames.clear();
    std::atomic<bool> stop{false};
    SearchOptions options;
    const SearchReport report =
        search(board, white_to_move, *evaluation, middlegames, {4, 0, 0}, options, stop);
    gather("search", mix(report.nodes) ^ static_cast<std::uint64_t>(report.lines[0].value));
    for (int move : report.lines[0].moves) gather("search", move);
  }
}

void gather_game(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> moves;
  for (Board board = kStart; !is_over(board);) {
    gather_board(board);
    if (seed % 10 == 0) gather_evaluations(board);
    if (seed % 20 == 0) gather_searches(board, moves.size() % 2 == 1);
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
  for (const std::int32_t value : edge_table())
    gather("edge_table", static_cast<std::uint64_t>(value));
  std::vector<std::uint64_t> squares(100'000);
  parallel_for(squares.size(), 100, 3, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) squares[i] = i * i;
  });
  for (std::uint64_t square : squares) gather("parallel_for", square);
  for (const auto& [name, number] : signature)
    std::printf("%s %016llx\n", name.c_str(), static_cast<unsigned long long>(number));
}
