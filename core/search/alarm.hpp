// Time that is up.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace outflank {

// Sets a flag after some seconds, unless it is gone before; 0 seconds: never.
class Alarm {
 public:
  Alarm(double seconds, std::atomic<bool>& flag) {
    if (seconds <= 0) return;
    thread_ = std::thread([this, seconds, &flag] {
      std::unique_lock lock(mutex_);
      if (!gone_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; }))
        flag.store(true, std::memory_order_relaxed);
    });
  }
  ~Alarm() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    gone_.notify_all();
    thread_.join();
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable gone_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace outflank
