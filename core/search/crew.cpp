#include "search/crew.hpp"

#include <algorithm>

namespace outflank {

Crew::Crew(int threads, const std::atomic<bool>* stop) : stop_(stop) {
  workers_.resize(static_cast<std::size_t>(std::max(1, threads)), Worker{this});
  threads_.reserve(workers_.size() - 1);
  for (std::size_t i = 1; i < workers_.size(); ++i)
    threads_.emplace_back([this, i] { wait_for_work(workers_[i]); });
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
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

void Crew::join(Worker& worker, Split& split, std::unique_lock<std::mutex>& lock) {
  ++split.helpers_;
  lock.unlock();
  Split* const outer = worker.split;
  worker.split = &split;
  split.work(worker);
  worker.split = outer;
  lock.lock();
  if (--split.helpers_ == 0) changed_.notify_all();
}

void Crew::wait_for_work(Worker& worker) {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (Split* split = find_work(nullptr)) {
      join(worker, *split, lock);
    } else {
      idle_.fetch_add(1, std::memory_order_relaxed);
      changed_.wait(lock);
      idle_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
}

void Crew::share(Worker& worker, Split& split) {
  {
    const std::lock_guard lock(mutex_);
    open_.push_back(&split);
  }
  changed_.notify_all();
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
      changed_.wait(lock);
  }
}

}  // namespace outflank
