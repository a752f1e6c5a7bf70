#include "mcts/selfplay.hpp"

#include <algorithm>
#include <cmath>

#include "mcts/team.hpp"
#include "mcts/tree.hpp"
#include "othello/moves.hpp"

namespace outflank::mcts {
namespace {

constexpr std::uint64_t kOpeningStream = 3, kCapStream = 4, kMoveStream = 5, kEndingStream = 6;

// In endings and uneven openings, one move in four is any legal move, for variety.
constexpr int kMovesPerSlip = 4;

std::int8_t as_score(int score) { return static_cast<std::int8_t>(score); }

// One game under way.
class Player {
 public:
  Player(const Options& options, const SelfPlayOptions& play) : play_(play), tree_(options) {}

  // Begins a game; its number, and the seed, are in the key.
  void begin(const Board& start, std::uint64_t key, SelfPlayGame& game) {
    game_ = &game;
    key_ = key;
    board_ = start;
    first_moves_ = true;
    play_opening();
    tree_.reset(board_, key_);
    searching_ = false;
  }

  // Plays on until the evaluator is needed; false if the game is over.
  bool gather(LeafBatch& batch, LeafSolver& solver, Store& scratch) {
    for (;;) {
      if (!searching_) {
        skip_passes(scratch);
        if (is_finished(solver)) return false;
        begin_search();
      }
      tree_.gather(batch, solver);
      if (tree_.has_leaves()) return true;
      make_move(scratch);
    }
  }

  void resolve(const LeafBatch& batch, bool has_policy) { tree_.resolve(batch, has_policy); }

 private:
  void turn(const Board& next) {
    board_ = next;
    first_moves_ = !first_moves_;
  }

  void play_opening();
  bool play_until_wiped(Random& random);

  void skip_passes(Store& scratch) {
    if (legal_moves(board_) != 0 || is_over(board_)) return;
    turn(board_.passed());
    if (!play_.reuse || !tree_.advance(kPass, scratch)) tree_.reset(board_, key_);
  }

  bool is_finished(LeafSolver& solver) {
    int score = 0;
    if (is_over(board_)) {
      score = final_score(board_);
    } else if (count(board_.empties()) <= play_.solve_at) {
      score = solver.solve(board_, false).score;
      game_->solved = true;
    } else {
      return false;
    }
    game_->score = as_score(first_moves_ ? score : -score);
    for (std::size_t i = 0; i < game_->samples.size(); ++i)
      game_->samples[i].outcome = as_score(by_first_[i] ? game_->score : -game_->score);
    by_first_.clear();
    if (game_->solved && play_.teach_endings) teach_ending(solver);
    game_->finished = true;
    return true;
  }

  double temperature() const {
    return kSquares - 4 - count(board_.empties()) < play_.temperature_plies
               ? play_.temperature
               : play_.late_temperature;
  }

  void begin_search() {
    Random random(key_ ^ mix(hash(board_)), kCapStream);
    full_ = play_.fast_simulations == 0 || uniform(random) < play_.full_share;
    int simulations = full_ ? play_.simulations : play_.fast_simulations;
    if (play_.count_reused)
      for (const Edge& edge : tree_.root_edges()) simulations -= edge.visits;
    tree_.begin({std::max(simulations, 0), full_, temperature()});
    searching_ = true;
  }

  void teach_ending(LeafSolver& solver);
  void make_move(Store& scratch);
  int draw_move(std::span<const Edge> edges, const double* shares) const;

  const SelfPlayOptions& play_;
  Tree tree_;
  SelfPlayGame* game_ = nullptr;
  std::uint64_t key_ = 0;
  Board board_;
  bool first_moves_ = true;  // whether who moved first is to move
  bool searching_ = false, full_ = true;
  std::vector<bool> by_first_;  // whose samples they are
};

// The legal move that flips the most discs, or the fewest; one of equals at random.
int by_flips(const Board& board, bool most, Random& random) {
  int found = kPass, flips = 0, equals = 0;
  for (Bits legal = legal_moves(board); legal;) {
    const int move = pop(legal);
    const int now = count(outflank::play(board, move).other);
    if (found == kPass || (most ? now > flips : now < flips)) {
      found = move, flips = now, equals = 1;
    } else if (now == flips && random.below(++equals) == 0) {
      found = move;
    }
  }
  return found;
}

// A move of a side that flips as many discs as it can, or as few; now and then any legal move.
int uneven_move(const Board& board, bool most, Random& random) {
  const Bits legal = legal_moves(board);
  const int any = select(legal, random.below(count(legal)));
  return random.below(kMovesPerSlip) == 0 ? any : by_flips(board, most, random);
}

// Moves that nobody searched and nobody learns from.
void Player::play_opening() {
  Random random(key_, kOpeningStream);
  if (play_.wiped_share > 0 && uniform(random) < play_.wiped_share && play_until_wiped(random))
    return;
  const bool uneven = play_.uneven_share > 0 && uniform(random) < play_.uneven_share;
  const bool first_flips_most = uneven && random.below(2) == 0;
  int left = random.below((uneven ? play_.uneven_plies : play_.random_plies) + 1);
  while (left > 0 && !is_over(board_)) {
    const Bits legal = legal_moves(board_);
    if (legal == 0) {
      turn(board_.passed());
      continue;
    }
    const int move = uneven ? uneven_move(board_, first_moves_ == first_flips_most, random)
                            : select(legal, random.below(count(legal)));
    const Board next = outflank::play(board_, move);
    if (uneven && is_over(next)) return;  // a lesson about how not to lose like this
    turn(next);
    ++game_->moves;
    --left;
  }
}

// Plays uneven games until one of them ends with a side's last disc, and goes back to where that
// side could still have played on; false if none of them ended like this.
bool Player::play_until_wiped(Random& random) {
  constexpr int kTries = 64, kMostBack = 5;
  std::array<Board, kSquares> boards;  // in which a move was made
  std::array<bool, kSquares> firsts;
  for (int i = 0; i < kTries; ++i) {
    const bool first_flips_most = random.below(2) == 0;
    Board board = board_;
    bool first = first_moves_;
    int moves = 0;
    while (!is_over(board)) {
      if (legal_moves(board) != 0) {
        boards[moves] = board;
        firsts[moves++] = first;
        board = outflank::play(board, uneven_move(board, first == first_flips_most, random));
      } else {
        board = board.passed();
      }
      first = !first;
    }
    if ((board.own == 0 || board.other == 0) && moves > 1) {
      const int begin = std::max(0, moves - 2 - random.below(kMostBack));
      board_ = boards[begin];
      first_moves_ = firsts[begin];
      game_->moves += static_cast<std::uint8_t>(begin);
      return true;
    }
  }
  return false;
}

// Plays the rest of the game with the solver. Each position has its own exact score and best moves,
// so what the game itself ended with stays what it was.
void Player::teach_ending(LeafSolver& solver) {
  Random random(key_, kEndingStream);
  while (!is_over(board_)) {
    const std::vector<ScoredMove> scored = solver.solve_moves(board_);
    if (scored.front().move == kPass) {
      turn(board_.passed());
      continue;
    }
    const int score = scored.front().score;
    const auto equals = static_cast<int>(
        std::ranges::count(scored, score, [](const ScoredMove& one) { return one.score; }));
    Sample sample{.board = board_,
                  .policy = {},
                  .value = static_cast<float>((score > 0) - (score < 0)),
                  .surprise = 0,
                  .move = 0,
                  .outcome = as_score(score),
                  .full = true};
    for (int i = 0; i < equals; ++i)
      sample.policy[scored[i].move] = 1.0f / static_cast<float>(equals);
    const bool slips = random.below(kMovesPerSlip) == 0;
    const int drawn = random.below(slips ? static_cast<int>(scored.size()) : equals);
    sample.move = static_cast<std::uint8_t>(scored[drawn].move);
    game_->samples.push_back(sample);
    ++game_->moves;
    turn(outflank::play(board_, sample.move));
  }
}

// Keeps the position and what the search found, and plays a move.
void Player::make_move(Store& scratch) {
  const Node& root = tree_.root();
  Sample sample{.board = board_,
                .policy = {},
                .value = static_cast<float>(root.mean()),
                .surprise = 0,
                .move = 0,
                .outcome = 0,
                .full = full_};
  int move = tree_.best();
  if (tree_.is_solved()) {
    sample.policy[move] = 1;
  } else {
    const std::span<const Edge> edges = tree_.root_edges();
    std::array<double, kSquares> shares;
    tree_.target(shares.data());
    double surprise = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      sample.policy[edges[i].move] = static_cast<float>(shares[i]);
      if (shares[i] > 0 && edges[i].prior > 0)
        surprise += shares[i] * (portable_log(shares[i]) - portable_log(edges[i].prior));
    }
    sample.surprise = static_cast<float>(surprise);
    move = draw_move(edges, shares.data());
  }
  if (!full_) sample.policy = {};
  sample.move = static_cast<std::uint8_t>(move);
  game_->samples.push_back(sample);
  by_first_.push_back(first_moves_);
  ++game_->moves;
  turn(outflank::play(board_, move));
  if (!play_.reuse || !tree_.advance(move, scratch)) tree_.reset(board_, key_);
  searching_ = false;
}

// By the shares, sharpened or flattened by the temperature. Gumbel's numbers have drawn already.
int Player::draw_move(std::span<const Edge> edges, const double* shares) const {
  const double heat = temperature();
  if (heat <= 0 || tree_.is_gumbel()) return tree_.best();
  std::array<double, kSquares> weights;
  const double highest = *std::max_element(shares, shares + edges.size());
  double sum = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    weights[i] = shares[i] > 0 ? portable_exp(portable_log(shares[i] / highest) / heat) : 0;
    sum += weights[i];
  }
  Random random(key_ ^ mix(hash(board_)), kMoveStream);
  double left = uniform(random) * sum;
  int drawn = -1;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (weights[i] == 0) continue;
    drawn = edges[i].move;
    if ((left -= weights[i]) < 0) break;
  }
  return drawn;
}

}  // namespace

void play_selfplay(Evaluator& evaluator, const Options& options, const SelfPlayOptions& play,
                   const SelfPlayRun& run, std::span<SelfPlayGame> games) {
  std::atomic<bool> failed{false};
  std::atomic<std::size_t> next{0}, finished{0}, samples{0};
  const auto stopped = [&] {
    return failed.load(std::memory_order_relaxed) ||
           (run.stop && run.stop->load(std::memory_order_relaxed));
  };
  const auto begin_next = [&](Player& player) {
    const std::size_t number = next.fetch_add(1);
    if (number >= games.size()) return std::size_t{0};
    const std::uint64_t key = mix(mix(run.seed + kGolden) ^ (run.first_game + number));
    player.begin(run.starts.empty() ? kStart : run.starts[number], key, games[number]);
    return number + 1;
  };
  const int threads = std::clamp(run.threads, 1, std::max(1, run.parallel));
  const auto work = [&](int worker) {
    // Step 1: this thread's games begin.
    const int tables = run.parallel / threads + (worker < run.parallel % threads);
    std::vector<std::unique_ptr<Player>> players;
    std::vector<std::size_t> numbers;  // of the games, from 1
    for (int i = 0; i < tables; ++i) {
      auto player = std::make_unique<Player>(options, play);
      const std::size_t number = begin_next(*player);
      if (!number) break;
      players.push_back(std::move(player));
      numbers.push_back(number);
    }
    LeafBatch batch;
    LeafSolver solver;
    Store scratch;
    while (!players.empty() && !stopped()) {
      // Step 2: all games go on until they need the evaluator; for one that ends, another begins.
      batch.clear();
      std::size_t going = 0;
      for (std::size_t i = 0; i < players.size(); ++i) {
        while (numbers[i] && !players[i]->gather(batch, solver, scratch)) {
          finished.fetch_add(1, std::memory_order_relaxed);
          samples.fetch_add(games[numbers[i] - 1].samples.size(), std::memory_order_relaxed);
          numbers[i] = begin_next(*players[i]);
        }
        if (!numbers[i]) continue;
        std::swap(players[going], players[i]);
        numbers[going++] = numbers[i];
      }
      players.resize(going);
      numbers.resize(going);
      if (batch.size() == 0) break;

      // Step 3: evaluate all leaves at once.
      batch.values.resize(batch.size());
      if (evaluator.has_policy()) batch.logits.resize(batch.size() * kSquares);
      evaluator.evaluate(batch, 1);

      // Step 4: expand them and back their values up.
      for (auto& player : players) player->resolve(batch, evaluator.has_policy());
    }
  };
  run_team(
      threads, failed,
      [&] {
        if (run.on_progress) run.on_progress(finished.load(), samples.load());
      },
      work);
}

}  // namespace outflank::mcts
