#include "batch/parallel.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace outflank {

namespace {

std::atomic<int> thread_limit{0};

int cores_here() {
#if defined(__linux__)
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

int available_threads() {
  const int most = thread_limit.load(std::memory_order_relaxed);
  return most > 0 ? std::min(most, cores_here()) : cores_here();
}

void limit_threads(int most) { thread_limit.store(most, std::memory_order_relaxed); }

int most_threads() {
  static const int most = std::max(16, 4 * cores_here());
  return most;
}

void run_together(std::size_t helpers, const std::function<void()>& run) {
  LongCall* const call = LongCall::current();
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t working = 0;
  std::exception_ptr failure;
  const auto guarded = [&] {
    try {
      run();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(helpers);
  for (std::size_t i = 0; i < helpers; ++i) {
    try {
      {
        const std::lock_guard lock(mutex);
        ++working;
      }
      threads.emplace_back([&] {
        const LongCall::Share share(call);
        guarded();
        const std::lock_guard lock(mutex);
        if (--working == 0) changed.notify_all();
      });
    } catch (const std::system_error&) {  // the system gives no more threads
      const std::lock_guard lock(mutex);
      --working;
      break;
    }
  }
  guarded();
  // The maker of a long call listens while it waits for its helpers.
  for (std::unique_lock lock(mutex);
       !changed.wait_for(lock, LongCall::kInterval, [&] { return working == 0; });) {
    lock.unlock();
    must_end();
    lock.lock();
  }
  for (auto& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace outflank
