// Prints one number for each function of the core, gathered over many random games. Every build
// of the core, on every processor, must print the same text.
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "batch/parallel.hpp"
#include "batch/planes.hpp"
#include "champion/games.hpp"
#include "data/unique.hpp"
#include "endgame/solver.hpp"
#include "evaluation/champion_fit.hpp"
#include "evaluation/edge_table.hpp"
#include "evaluation/n_tuples.hpp"
#include "evaluation/named.hpp"
#include "evolution/player.hpp"
#include "mcts/forest.hpp"
#include "mcts/selfplay.hpp"
#include "nets/back_off.hpp"
#include "nets/line_trainer.hpp"
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
    SearchOptions options;
    const SearchReport report =
        search(board, white_to_move, *evaluation, middlegames, {4, 0, 0}, options);
    gather("search", mix(report.nodes) ^ static_cast<std::uint64_t>(report.lines[0].value));
    for (int move : report.lines[0].moves) gather("search", move);
  }
}

// Moves that were played, in arrays as training sets have them.
struct PlayedMoves {
  std::vector<Bits> own, other;
  std::vector<std::uint8_t> move;

  void add(const Board& board, std::uint8_t played) {
    own.push_back(board.own);
    other.push_back(board.other);
    move.push_back(played);
  }

  ExampleArrays arrays(std::size_t begin, std::size_t end) const {
    return {own.data() + begin, other.data() + begin, move.data() + begin, end - begin};
  }
};

PlayedMoves played_moves;

void gather_examples() {
  const std::size_t size = played_moves.own.size();
  PlayedMoves least;
  for (std::size_t i = 0; i < size; ++i) {
    const Example example = played_moves.arrays(0, size)[i];
    const Example found = canonical(example);
    gather("canonical_example", found.board.own ^ mix(found.board.other) ^ found.move);
    gather("count_images", static_cast<std::uint64_t>(count_images(example)));
    least.add(found.board, found.move);
  }
  const UniqueExamples unique = unique_examples(least.arrays(0, size), 3);
  for (std::size_t i = 0; i < unique.index.size(); ++i)
    gather("unique_examples", mix(unique.index[i]) ^ unique.count[i]);
  for (const std::uint32_t group : unique.group) gather("unique_examples", group);
  const auto found = std::make_unique<bool[]>(size);
  find_examples(least.arrays(0, size / 2), least.arrays(size / 2, size), found.get(), 3);
  for (std::size_t i = 0; i < size / 2; ++i) gather("find_examples", found[i]);
}

// What the line network looks up, and where: all of it is part of its files.
void gather_geometry() {
  const nets::Geometry& geometry = nets::Geometry::instance();
  for (int square = 0; square < kSquares; ++square) {
    gather("Geometry::class_of", geometry.class_of[square]);
    for (int to = 0; to < kSquares; ++to)
      gather("Geometry::pair_orbit", geometry.pair_orbit[square][to]);
  }
  for (int type = 0; type < nets::kLineTypes; ++type) {
    gather("Geometry::line_entries", geometry.line_rows[type]);
    for (const nets::LineEntry& entry : geometry.line_entries[type])
      gather("Geometry::line_entries", mix(entry.row) ^ static_cast<std::uint64_t>(entry.fold));
    const nets::BackOff back_off = nets::line_back_off(type);
    gather("line_back_off", mix(back_off.keys) ^ back_off.per_row);
    for (const std::int32_t key : back_off.of) gather("line_back_off", key);
  }
  for (int type = 0; type < nets::kPatternTypes; ++type) {
    gather("Geometry::pattern_row", geometry.pattern_rows[type]);
    for (const std::int32_t row : geometry.pattern_row[type]) gather("Geometry::pattern_row", row);
    const nets::BackOff back_off = nets::pattern_back_off(type);
    gather("pattern_back_off", mix(back_off.keys) ^ back_off.per_row);
    for (const std::int32_t key : back_off.of) gather("pattern_back_off", key);
  }
  for (const nets::Pattern& pattern : geometry.patterns) {
    gather("Geometry::patterns", pattern.mask ^ mix(pattern.type));
    for (int bits = 0; bits < 1 << count(pattern.mask); ++bits)
      gather("Geometry::patterns", pattern.digits[bits]);
  }
  for (std::size_t i = 0; i < played_moves.own.size(); i += 7)
    for (int line = 0; line < nets::kLines; ++line)
      gather("Geometry::line_state",
             geometry.line_state(line, {played_moves.own[i], played_moves.other[i]}));
  for (int fact = 0; fact < nets::kFacts; ++fact)
    for (int number = 0; number < 64; ++number)
      for (int empties = 0; empties <= 64; ++empties)
        gather("fact_row", nets::fact_row(static_cast<nets::Fact>(fact), number, empties));
}

// Trains a small network, with all there is, and tells what it has become.
std::vector<float> train_a_little(int threads) {
  constexpr std::size_t kSize = 24, kSteps = 3;
  nets::LineNetwork network({16, 2, 2, 16, true});
  network.initialise(1);
  nets::TrainingOptions options;
  options.smoothing = options.table_decay = options.back_off = 0.1f;
  options.dropout = {0.1f, 0.1f, 0.1f, 0};
  nets::LineTrainer trainer(network, options, 1);
  const std::vector<float> value(kSize, 0.5f), weight(kSize, 2.0f);
  for (std::size_t step = 0; step < kSteps; ++step) {
    const std::size_t from = step * kSize;
    trainer.step({{played_moves.own.data() + from, kSize},
                  {played_moves.other.data() + from, kSize},
                  {played_moves.move.data() + from, kSize},
                  {},
                  value,
                  weight},
                 {0.01f, 0.02f, 0.01f}, threads);
  }
  trainer.settle();
  std::vector<float> logits(kSize * kSquares), values(kSize);
  nets::predict(network, {played_moves.own.data(), kSize}, {played_moves.other.data(), kSize},
                {logits.data(), values.data()}, threads);
  logits.insert(logits.end(), values.begin(), values.end());
  logits.insert(logits.end(), network.dense.begin(), network.dense.end());
  return logits;
}

// Rounding differs from build to build, so of what is computed with floats only this is told: that
// first weights are the same everywhere, and that the number of threads changes nothing.
void gather_network() {
  for (const bool afterstates : {false, true}) {
    nets::LineNetwork network({16, 2, 2, 32, afterstates});
    network.initialise(7);
    for (const float weight : network.dense)
      gather("LineNetwork::initialise", std::bit_cast<std::uint32_t>(weight));
    for (const nets::Table& table : network.tables)
      for (const float weight : table.weights)
        gather("LineNetwork::initialise", std::bit_cast<std::uint32_t>(weight));
  }
  const bool same = train_a_little(1) == train_a_little(3);
  if (!same) std::fputs("what is learned depends on the number of threads\n", stderr);
  gather("LineTrainer", same);
}

// The networks of paper 4 round alike in every build, so what they say and how they play is told.
void gather_evolution() {
  using namespace evolution;
  Random random(11);
  std::vector<Board> boards;
  for (std::size_t i = 0; i < 500; ++i)
    boards.push_back({played_moves.own[i], played_moves.other[i]});
  std::vector<std::shared_ptr<const Evaluation>> evaluations;
  for (const Shape shape : {Shape::spatial, Shape::flat, Shape::only}) {
    std::vector<float> weights(weights_of(shape));
    for (float& weight : weights) weight = static_cast<float>(random.below(2001)) / 1000 - 1;
    const Network network(shape, weights, 1.0f / 64);
    std::vector<Value> values(boards.size());
    network.evaluate(boards, values.data());
    for (const Value value : values) gather("Network::evaluate", static_cast<std::uint64_t>(value));
    evaluations.push_back(std::make_shared<NetworkEvaluation>(network));
  }
  std::vector<float> weights(weights_of(Shape::filter));
  for (float& weight : weights) weight = static_cast<float>(random.below(2001)) / 1000 - 1;
  const auto filter = std::make_shared<const Network>(Shape::filter, weights, 0.0f);
  std::vector<float> scores(boards.size() * kSquares);
  filter->rank(boards, scores.data());
  for (const float score : scores) gather("Network::rank", std::bit_cast<std::uint32_t>(score));
  const std::vector<Mind> minds = {{evaluations[0], 2, nullptr, 3},
                                   {evaluations[1], 3, nullptr, 3},
                                   {evaluations[2], 4, filter, 3}};
  for (const Mind& black : minds)
    for (const Mind& white : minds) {
      const PlayedGame game = evolution::play(black, white, 10);
      gather("evolution::play", static_cast<std::uint64_t>(game.score));
      for (int ply = 0; ply < game.plies; ++ply) gather("evolution::play", game.moves[ply]);
    }
}

// Numbers that a board determines, as a network's would: no tree of theirs has ties.
class HashedEvaluator : public mcts::Evaluator {
 public:
  void evaluate(mcts::LeafBatch& batch, int) override {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      Random random(batch.own[i], batch.other[i]);
      for (int square = 0; square < kSquares; ++square)
        batch.logits[i * kSquares + square] = static_cast<float>(random.below(4001)) / 1000 - 2;
      batch.values[i] = static_cast<float>(random.below(1601)) / 1000 - 0.8f;
    }
  }
};

// Trees and games, of which the last bit of every value must be the same.
void gather_trees() {
  HashedEvaluator evaluator;
  mcts::RolloutEvaluator rollouts;
  std::vector<mcts::Options> settings(5);
  settings[1].leaves = 4;
  settings[1].solve_empties = 8;
  settings[2].noise_share = 0.25;
  settings[2].forced_playouts = 2;
  settings[3].gumbel_moves = 8;
  settings[4].selection = mcts::Selection::uct;
  for (const mcts::Options& options : settings) {
    mcts::Forest forest(options, 40);
    for (std::size_t i = 0; i < forest.size(); ++i)
      forest[i].reset({played_moves.own[i * 11], played_moves.other[i * 11]}, i);
    const std::vector<int> simulations(forest.size(), 60);
    mcts::ForestLimits limits;
    limits.threads = 3;
    forest.search(evaluator, simulations, limits);
    for (std::size_t i = 0; i < forest.size(); ++i) {
      gather("mcts::Forest", forest[i].nodes() ^ mix(forest[i].best()));
      for (const mcts::Edge& edge : forest[i].root_edges())
        gather("mcts::Forest", std::bit_cast<std::uint64_t>(edge.sum) ^ mix(edge.visits));
      std::array<double, kSquares> shares{};
      if (forest[i].root().edges) forest[i].target(shares.data());
      for (const double share : shares) gather("mcts::Forest", std::bit_cast<std::uint64_t>(share));
    }
    const mcts::SelfPlayOptions play{.simulations = 8,
                                     .fast_simulations = 4,
                                     .full_share = 0.5,
                                     .random_plies = 6,
                                     .solve_at = 7};
    std::vector<mcts::SelfPlayGame> games(6);
    mcts::Evaluator* asked = &evaluator;
    if (options.selection == mcts::Selection::uct) asked = &rollouts;
    mcts::play_selfplay(*asked, options, play, {.parallel = 4, .threads = 2}, games);
    for (const mcts::SelfPlayGame& game : games)
      for (const mcts::Sample& sample : game.samples) {
        gather("mcts::play_selfplay", hash(sample.board) ^ mix(sample.outcome + 64) ^ sample.move);
        gather("mcts::play_selfplay", std::bit_cast<std::uint32_t>(sample.value));
        gather("mcts::play_selfplay", std::bit_cast<std::uint32_t>(sample.surprise));
      }
  }
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const double x = mcts::uniform(random);
    gather("mcts::portable_exp", std::bit_cast<std::uint64_t>(mcts::portable_exp(40 * x - 30)));
    gather("mcts::portable_log", std::bit_cast<std::uint64_t>(mcts::portable_log(x)));
    gather("mcts::gamma", std::bit_cast<std::uint64_t>(mcts::gamma(random, 0.3 + i % 3)));
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
    played_moves.add(board, moves.back());
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

// The champion's evaluation with random weights: from scratch, move by move, in searches, as a
// guide of the solver and in games.
void gather_champion() {
  Random random(7);
  std::vector<float> numbers(champion::Parts::kNumbers);
  for (float& number : numbers) number = static_cast<float>(random.below(1000) - 500) * 0x1p-10f;
  const std::vector<std::int8_t> weights = quantise_champion(numbers);
  for (const std::int8_t weight : weights) gather("champion_weights", std::uint64_t(weight));
  const ChampionEvaluation evaluation({weights.data(), weights.size()}, nullptr);
  MidgameTable middlegames(1);
  EndgameTable endgames(1);
  const Selectivity selectivity(1.0,
                                {{3, 1, 4, 64, 1.0, 0.0, 300.0}, {4, 2, 4, 64, 1.0, 0.0, 300.0}});
  const EndgameGuide guide{evaluation, middlegames, selectivity, kNoSelectivity};
  const TrainingGameOptions options{4, 12, 4, 30, 0.5};
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    for (const TrainingPosition& position : play_training_game(
             kStart, seed, evaluation, middlegames, endgames, selectivity, options)) {
      gather("play_training_game", position.board.own ^ mix(position.board.other));
      gather("play_training_game", static_cast<std::uint64_t>(position.score));
      gather("champion", static_cast<std::uint64_t>(evaluation.evaluate(position.board, false)));
      if (count(position.board.empties()) != 13) continue;
      SolverOptions guided;
      guided.guide = &guide;
      const Solution solution = solve(position.board, endgames, guided);
      gather("guided_solve", static_cast<std::uint64_t>(solution.score * 100 + solution.best));
    }
}

int main() {
  for (std::uint64_t seed = 0; seed < 300; ++seed) gather_game(seed);
  gather_examples();
  gather_geometry();
  gather_network();
  gather_evolution();
  gather_trees();
  gather_champion();
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
