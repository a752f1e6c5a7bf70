#include "mcts/forest.hpp"

#include <algorithm>
#include <chrono>

#include "mcts/team.hpp"

namespace outflank::mcts {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Calls a function at regular intervals; it must be polled.
class Metronome {
 public:
  Metronome(const std::function<void()>& call, double interval)
      : call_(call), interval_(interval) {}
  void ask() {
    if (!call_ || seconds_since(last_) < interval_) return;
    call_();
    last_ = Clock::now();
  }

 private:
  const std::function<void()>& call_;
  const double interval_;
  Clock::time_point last_ = Clock::now();
};

// Searches some of the trees, round by round, until all are done or `ended` says so.
class Gatherer {
 public:
  Gatherer(std::vector<Tree*> trees, Evaluator& evaluator, int threads)
      : trees_(std::move(trees)), evaluator_(evaluator), threads_(threads) {}

  template <typename Ended>
  void run(Ended&& ended) {
    try {
      while (!ended() && round()) {
      }
    } catch (...) {
      for (Tree* tree : trees_) tree->abandon();
      throw;
    }
  }

 private:
  bool round() {
    batch_.clear();
    std::size_t going = 0;
    for (Tree* tree : trees_) {
      tree->gather(batch_, solver_);
      if (tree->has_leaves()) trees_[going++] = tree;
    }
    trees_.resize(going);  // a tree without leaves is done
    if (going == 0) return false;
    batch_.values.resize(batch_.size());
    if (evaluator_.has_policy()) batch_.logits.resize(batch_.size() * kSquares);
    evaluator_.evaluate(batch_, threads_);
    for (Tree* tree : trees_) tree->resolve(batch_, evaluator_.has_policy());
    return true;
  }

  std::vector<Tree*> trees_;
  Evaluator& evaluator_;
  const int threads_;
  LeafBatch batch_;
  LeafSolver solver_;
};

}  // namespace

void Forest::search(Evaluator& evaluator, std::span<const int> simulations,
                    const ForestLimits& limits) {
  const auto begin = Clock::now();
  std::atomic<bool> failed{false};
  const auto ended = [&] {
    return failed.load(std::memory_order_relaxed) ||
           (limits.stop && limits.stop->load(std::memory_order_relaxed)) ||
           (limits.seconds > 0 && seconds_since(begin) >= limits.seconds);
  };
  for (std::size_t i = 0; i < trees_.size(); ++i) trees_[i].begin({.simulations = simulations[i]});

  // Few trees: one thread gathers their leaves, all evaluate. Many: each thread has its own.
  constexpr std::size_t kTreesPerThread = 8;
  const int threads = std::max(1, limits.threads);
  const bool alone = threads == 1 || limits.on_progress ||
                     trees_.size() < kTreesPerThread * static_cast<std::size_t>(threads);
  if (alone) {
    std::vector<Tree*> all;
    for (Tree& tree : trees_) all.push_back(&tree);
    Metronome progress(limits.on_progress, limits.interval), tick(limits.on_tick, 0.05);
    Gatherer(all, evaluator, threads).run([&] {
      progress.ask();
      tick.ask();
      return ended();
    });
    return;
  }
  run_team(threads, failed, limits.on_tick, [&](int worker) {
    std::vector<Tree*> mine;
    for (std::size_t i = worker; i < trees_.size(); i += threads) mine.push_back(&trees_[i]);
    Gatherer(mine, evaluator, 1).run(ended);
  });
}

}  // namespace outflank::mcts
