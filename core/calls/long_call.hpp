// Long calls that can be ended early: by Ctrl-C, or because the program is about to exit.
//
// Whoever makes a long call puts a LongCall on its stack. The loops below ask must_end() every few
// milliseconds; once it is true they return at once, with whatever they have, and the maker throws
// that away. Loops that run without a LongCall above them never end early.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

namespace outflank {

class LongCall {
 public:
  // Time between two looks at the outside world: well below what a person notices.
  static constexpr auto kInterval = std::chrono::milliseconds(50);

  // heard: asked now and then, always on the thread that made the call; true ends the call.
  explicit LongCall(std::function<bool()> heard)
      : heard_(std::move(heard)), maker_(std::this_thread::get_id()), outer_(current_) {
    current_ = this;
  }
  ~LongCall() { current_ = outer_; }
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;

  // The innermost long call that this thread works for; null if there is none.
  static LongCall* current() { return current_; }

  bool ended() const { return ended_.load(std::memory_order_relaxed); }

  // Any thread may ask, but only the maker's question looks outside, and not before its time.
  bool must_end() {
    if (ended()) return true;
    if (std::this_thread::get_id() != maker_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < kInterval) return false;
    if (heard_()) ended_.store(true, std::memory_order_relaxed);
    looked_ = std::chrono::steady_clock::now();
    return ended();
  }

  // Makes a thread work for a call, or for none, as long as this lives.
  class Share {
   public:
    explicit Share(LongCall* call) : before_(current_) { current_ = call; }
    ~Share() { current_ = before_; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    LongCall* const before_;
  };

 private:
  static inline thread_local LongCall* current_ = nullptr;

  const std::function<bool()> heard_;
  const std::thread::id maker_;
  LongCall* const outer_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  std::atomic<bool> ended_{false};
};

// For loops: whether the call that this thread works for must end. To be asked at most once in
// some thousand nodes, since it reads the clock.
inline bool must_end() {
  LongCall* const call = LongCall::current();
  return call && call->must_end();
}

}  // namespace outflank
