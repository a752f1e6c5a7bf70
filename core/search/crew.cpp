#include "search/crew.hpp"

#include <algorithm>
#include <system_error>

namespace outflank {
namespace {

constexpr int kAwake = 10'000;  // pauses before a waiting thread goes to sleep: about 0.2 ms

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

Crew::Crew(int threads, const std::atomic<bool>* stop, double seconds)
    : stop_(stop), alarm_(seconds, ended_) {
  workers_.resize(static_cast<std::size_t>(std::max(1, threads)), Worker{this});
  threads_.reserve(workers_.size() - 1);
  try {
    for (std::size_t i = 1; i < workers_.size(); ++i)
      threads_.emplace_back([this, i] { wait_for_work(workers_[i]); });
  } catch (const std::system_error&) {  // the system gives no more threads: those there are do it
  }
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    announce();
  }
  for (auto& thread : threads_) thread.join();
}

std::uint64_t Crew::nodes() const {
  std::uint64_t nodes = 0;
  for (const Worker& worker : workers_) nodes += worker.nodes;
  return nodes;
}

Split* Crew::find_work(const Split* below) const {
  for (Split* split : open_)  // the oldest is nearest to the root: its moves are the largest
    if (split->has_work() && (!below || split->is_below(below))) return split;
  return nullptr;
}

void Crew::announce() {
  changes_.fetch_add(1, std::memory_order_release);
  if (sleeping_ > 0) changed_.notify_all();
}

void Crew::wait(std::unique_lock<std::mutex>& lock) {
  const std::uint32_t seen = changes_.load(std::memory_order_relaxed);
  const auto unchanged = [&] { return changes_.load(std::memory_order_acquire) == seen; };
  lock.unlock();
  for (int i = 0; i < kAwake && unchanged(); ++i) relax();
  lock.lock();
  if (!unchanged()) return;
  ++sleeping_;
  while (!changed_.wait_for(lock, LongCall::kInterval, [&] { return !unchanged(); })) {
    lock.unlock();
    listen();
    lock.lock();
  }
  --sleeping_;
}

void Crew::join(Worker& worker, Split& split, std::unique_lock<std::mutex>& lock) {
  ++split.helpers_;
  lock.unlock();
  Split* const outer = worker.split;
  worker.split = &split;
  split.work(worker);
  worker.split = outer;
  lock.lock();
  if (--split.helpers_ == 0) announce();
}

void Crew::wait_for_work(Worker& worker) {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (Split* split = find_work(nullptr)) {
      join(worker, *split, lock);
    } else {
      idle_.fetch_add(1, std::memory_order_relaxed);
      wait(lock);
      idle_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
}

void Crew::share(Worker& worker, Split& split) {
  {
    const std::lock_guard lock(mutex_);
    open_.push_back(&split);
    announce();
  }
  Split* const outer = worker.split;
  worker.split = &split;
  split.work(worker);
  worker.split = outer;

  std::unique_lock lock(mutex_);
  std::erase(open_, &split);
  // Meanwhile we may help those who help us, but nobody else: another's work could take long.
  while (split.helpers_ > 0) {
    if (Split* theirs = find_work(&split))
      join(worker, *theirs, lock);
    else
      wait(lock);
  }
}

}  // namespace outflank
