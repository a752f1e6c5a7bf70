// Threads that search one tree together: young brothers wait (R. Feldmann, 1993).
//
// Whoever has searched the first move of a node may share the others: it publishes a Split, and
// threads that have nothing to do take moves from it. A result never depends on who did what,
// because every move's value is exact within its window whatever the transposition table holds.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "calls/long_call.hpp"
#include "search/alarm.hpp"

namespace outflank {

class Crew;
class Split;

// Two cache lines: processors that fetch lines in pairs would share them otherwise.
inline constexpr std::size_t kApart = 128;

// What one thread knows of itself, in cache lines of its own: the count of nodes changes all the
// time, and a line shared with another thread's would travel between the cores as often.
struct alignas(kApart) Worker {
  Crew* crew;
  Split* split = nullptr;  // the innermost shared node that it works below
  std::uint64_t nodes = 0;

  // True if what it is doing has become pointless: its results must not be used or stored.
  bool must_stop() const;
};

// A node whose moves are shared. It lives on the stack of the thread that published it.
class Split {
 public:
  explicit Split(Split* parent) : parent_(parent) {}
  virtual ~Split() = default;

  virtual bool has_work() const = 0;
  virtual void work(Worker& worker) = 0;  // takes moves until none is left

  void cut() { cut_.store(true, std::memory_order_relaxed); }
  bool is_cut() const {
    return cut_.load(std::memory_order_relaxed) || (parent_ && parent_->is_cut());
  }
  bool is_below(const Split* other) const {
    return this == other || (parent_ && parent_->is_below(other));
  }

 private:
  friend class Crew;
  Split* const parent_;
  std::atomic<bool> cut_{false};
  int helpers_ = 0;  // guarded by the crew's mutex
};

class Crew {
 public:
  // All work ends as soon as somebody sets `stop`, or after so many seconds, if they are not 0.
  explicit Crew(int threads, const std::atomic<bool>* stop = nullptr, double seconds = 0);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  Worker& captain() { return workers_.front(); }
  bool has_idle() const { return idle_.load(std::memory_order_relaxed) > 0; }
  // Ends all work, whatever `stop` says.
  void end() { ended_.store(true, std::memory_order_relaxed); }
  bool stopped() const {
    return ended_.load(std::memory_order_relaxed) ||
           (stop_ && stop_->load(std::memory_order_relaxed));
  }

  // Ends all work if the long call that it belongs to must end; reads the clock.
  void listen() {
    if (call_ && call_->must_end()) end();
  }

  // Works on the split, with whoever is idle; returns when all its moves are done.
  void share(Worker& worker, Split& split);

  // Nodes of all workers; they must have nothing to do.
  std::uint64_t nodes() const;

 private:
  void wait_for_work(Worker& worker);
  void join(Worker& worker, Split& split, std::unique_lock<std::mutex>& lock);
  Split* find_work(const Split* below) const;
  // Tells those who wait that something changed; the mutex must be held.
  void announce();
  // Waits for the next announcement: awake for a moment, because work mostly comes soon and to
  // wake a thread takes longer than many a move, then asleep.
  void wait(std::unique_lock<std::mutex>& lock);

  const std::atomic<bool>* stop_;
  LongCall* const call_ = LongCall::current();
  std::atomic<bool> ended_{false};
  Alarm alarm_;
  std::vector<Worker> workers_;
  std::vector<std::thread> threads_;
  std::atomic<int> idle_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::uint32_t> changes_{0};
  std::vector<Split*> open_;  // guarded by mutex_, as are the following
  int sleeping_ = 0;
  bool ending_ = false;
};

inline bool Worker::must_stop() const { return crew->stopped() || (split && split->is_cut()); }

}  // namespace outflank
