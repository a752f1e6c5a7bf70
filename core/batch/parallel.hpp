// One loop over many items on all cores. Results never depend on the number of threads: each
// item is computed from its own input and index alone.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace outflank {

// What `threads = 0` means: the cores this process may use.
int available_threads();

// Calls work(begin, end) for consecutive ranges that cover 0..items. Ranges are at least `grain`
// items long, so that small batches stay on the calling thread. `work` must not throw.
template <typename Work>
void parallel_for(std::size_t items, std::size_t grain, int threads, Work&& work) {
  if (threads <= 0) threads = available_threads();
  const std::size_t useful = std::min<std::size_t>(threads, (items + grain - 1) / grain);
  if (useful <= 1) {
    if (items) work(std::size_t{0}, items);
    return;
  }
  // Several ranges a thread, taken as they come, even out items of unequal cost.
  const std::size_t range = std::max(grain, items / (useful * 8) + 1);
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t begin; (begin = next.fetch_add(range)) < items;)
      work(begin, std::min(begin + range, items));
  };
  std::vector<std::thread> others;
  others.reserve(useful - 1);
  for (std::size_t i = 1; i < useful; ++i) others.emplace_back(run);
  run();
  for (auto& thread : others) thread.join();
}

}  // namespace outflank
