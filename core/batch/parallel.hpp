// One loop over many items on all cores. Results never depend on the number of threads: each
// item is computed from its own input and index alone.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>

#include "calls/long_call.hpp"

namespace outflank {

// What `threads = 0` means: the cores this process may use.
int available_threads();

// Limits what `threads = 0` means in this process; 0 removes the limit. A worker that shares its
// machine with others keeps to its part.
void limit_threads(int most);

// More threads than these only take turns, and each of them costs memory.
int most_threads();

// Calls run() on this thread and on that many helpers, or as many as the system gives, and returns
// when all are done. What one of them throws is thrown again here.
void run_together(std::size_t helpers, const std::function<void()>& run);

// Calls work(begin, end) for consecutive ranges that cover 0..items. Ranges are at least `grain`
// items long, so that small batches stay on the calling thread. If the call under way must end,
// the remaining ranges are left out; see calls/long_call.hpp.
template <typename Work>
void parallel_for(std::size_t items, std::size_t grain, int threads, Work&& work) {
  constexpr std::size_t kMostGrains = 64;  // short enough for a look outside between two ranges
  if (threads <= 0) threads = available_threads();
  threads = std::min(threads, most_threads());
  const std::size_t useful =
      std::clamp<std::size_t>((items + grain - 1) / grain, 1, static_cast<std::size_t>(threads));
  // Several ranges a thread, taken as they come, even out items of unequal cost.
  const std::size_t shares = useful == 1 ? 1 : useful * 8;
  const std::size_t range = std::clamp(items / shares + 1, grain, kMostGrains * grain);
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    try {
      for (std::size_t begin; (begin = next.fetch_add(range)) < items && !must_end();)
        work(begin, std::min(begin + range, items));
    } catch (...) {
      next.store(items);  // nobody need begin another range
      throw;
    }
  };
  if (useful == 1)
    run();
  else
    run_together(useful - 1, run);
}

}  // namespace outflank
