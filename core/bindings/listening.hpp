// Long calls from Python: the GIL is released, and Ctrl-C is heard all the same.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <optional>
#include <type_traits>
#include <utility>

#include "bindings/arguments.hpp"
#include "calls/long_call.hpp"

namespace outflank {

namespace nb = nanobind;

// Calls under way in all threads, and whether they must end because the program does.
struct Calls {
  static inline std::atomic<int> under_way{0};
  static inline std::atomic<int> ended{0};  // how often all calls were ended
  static inline std::atomic<bool> closing{false};

  Calls() { ++under_way; }
  ~Calls() { --under_way; }
};

// Thrown by loops that cannot just return; only listening() catches it.
struct CallEnded {};

// For work in steps that must each be whole, because something is kept of them: what runs below
// does not see the call, which is asked between the steps alone.
class Steps {
 public:
  void end_if_asked() const {
    if (call_ && call_->must_end()) throw CallEnded{};
  }

 private:
  LongCall* const call_ = LongCall::current();
  const LongCall::Share none_{nullptr};
};

// Does work() without the GIL. Signals are handled by their Python handlers while it runs; what a
// handler raises (KeyboardInterrupt) ends the work and is raised here.
template <typename Work>
std::invoke_result_t<Work> listening(Work&& work) {
  const Calls counted;
  const int before = Calls::ended.load(std::memory_order_relaxed);
  std::optional<nb::python_error> raised;
  LongCall call([&] {
    if (Calls::closing.load(std::memory_order_relaxed)) return true;
    if (Calls::ended.load(std::memory_order_relaxed) != before) return true;
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() == 0) return false;
    raised.emplace();
    return true;
  });
  const auto end = [&] {
    if (!call.ended()) return;
    if (raised) throw std::move(*raised);
    PyErr_SetString(PyExc_SystemExit, "the program is about to exit");
    throw nb::python_error();
  };
  if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
    try {
      nb::gil_scoped_release release;
      work();
    } catch (const CallEnded&) {
    }
    end();
  } else {
    std::optional<std::invoke_result_t<Work>> result;
    try {
      nb::gil_scoped_release release;
      result.emplace(work());
    } catch (const CallEnded&) {
    }
    end();
    return std::move(*result);
  }
}

// parallel_for, without the GIL and listening.
template <typename Work>
void listening_for(std::size_t items, std::size_t grain, int threads, Work&& work) {
  threads = threads_for(threads);
  listening([&] { parallel_for(items, grain, threads, work); });
}

// Does work() without the GIL and to its end: for steps that must be taken whole.
template <typename Work>
std::invoke_result_t<Work> undisturbed(Work&& work) {
  const Calls counted;
  const LongCall::Share none(nullptr);
  nb::gil_scoped_release release;
  return work();
}

}  // namespace outflank
