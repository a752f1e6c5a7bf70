// outflank._core: the compiled core.
#include "batch/parallel.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"

#include <chrono>
#include <thread>

namespace {

const char* build() {
#if defined(OUTFLANK_PORTABLE)
  return "portable";
#elif defined(__AVX2__) && defined(__BMI2__)
  return "host, with AVX2 and BMI2";
#elif defined(__AVX2__)
  return "host, with AVX2";
#else
  return "host";
#endif
}

// Ends every call under way, and waits until their threads have left the compiled code.
void end_calls() {
  using outflank::Calls;
  ++Calls::ended;
  nanobind::gil_scoped_release release;
  for (int tick = 0; tick < 300 && Calls::under_way > 0; ++tick)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

// At exit, for good: a thread that came back after Python is gone would abort the process.
void close_calls() {
  outflank::Calls::closing = true;
  end_calls();
}

}  // namespace

NB_MODULE(_core, module) {
  using namespace outflank;
  module.doc() =
      R"(The compiled core of Outflank.

Functions take one board, or arrays of boards; on arrays they release the GIL. These parameters
mean the same everywhere:

    own, other: discs of the mover and of the opponent as 64-bit integers, or uint64 arrays of
        one length. Bit 0 is a1, bit 7 is h1, bit 63 is h8.
    white_to_move: whose discs `own` are, for evaluations that tell the colours apart.
    move: a square 0..63, or PASS (64).
    symmetry: one of the eight symmetries, 0..7; see transform.
    threads: how many threads to use; 0: all cores. Results do not depend on it.)";
  module.attr("PASS") = kPass;
  module.def("build", &build, "What the compiled code was tuned for.");
  module.def("available_threads", &available_threads,
             "How many cores this process may use: what threads=0 means.");
  module.def("end_calls", &end_calls,
             R"(End every long call under way in any thread, with SystemExit in it.

This is for a program that is about to exit, and happens at every exit by itself.)");
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&close_calls));
  module.def("limit_threads", &limit_threads, "most"_a,
             "Make threads=0 mean at most this many cores in this process; 0: no limit.");
  bind_rules(module);
  bind_batch(module);
  bind_records(module);
  bind_data(module);
  bind_evaluation(module);
  bind_nets(module);
  bind_value_descent(module);
  bind_search(module);
  bind_champion(module);
  bind_evolution(module);
  bind_mcts(module);
  bind_selfplay(module);
}
