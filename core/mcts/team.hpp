// Threads that work until they are done or one of them fails, and a caller who watches.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace outflank::mcts {

// Runs work(i) for i below `workers`, each on its own thread, and on_tick() on the calling one now
// and then. What any of them throws ends all: `ended` is set, and the first exception is thrown
// again here when every thread has come home.
template <typename Work>
void run_team(int workers, std::atomic<bool>& ended, const std::function<void()>& on_tick,
              Work&& work) {
  constexpr auto kTick = std::chrono::milliseconds(50);
  std::mutex mutex;
  std::condition_variable changed;
  int working = workers;
  std::exception_ptr failure;
  const auto fail = [&] {
    ended.store(true, std::memory_order_relaxed);
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::current_exception();
  };
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (int i = 0; i < workers; ++i)
    threads.emplace_back([&, i] {
      try {
        work(i);
      } catch (...) {
        fail();
      }
      const std::lock_guard lock(mutex);
      if (--working == 0) changed.notify_all();
    });
  for (std::unique_lock lock(mutex);
       !changed.wait_for(lock, kTick, [&] { return working == 0; });) {
    lock.unlock();
    try {
      if (on_tick) on_tick();
    } catch (...) {
      fail();
    }
    lock.lock();
  }
  for (auto& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace outflank::mcts
