// Ending a search from another thread.
#pragma once

#include <atomic>

namespace outflank {

// A flag that Python holds while a search runs elsewhere.
struct Stop {
  std::atomic<bool> flag{false};
};

}  // namespace outflank
