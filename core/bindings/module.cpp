// outflank._core: the compiled core.
#include "batch/parallel.hpp"
#include "bindings/arrays.hpp"

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

}  // namespace

NB_MODULE(_core, module) {
  using namespace outflank;
  module.doc() =
      "The compiled core of Outflank.\n\n"
      "Boards are pairs of 64-bit integers (own, other), from the mover's view; bit 0 is a1, bit "
      "7\n"
      "is h1, bit 63 is h8. A move is a square 0..63, or PASS (64). Functions take one board or\n"
      "arrays of boards; on arrays they run without the GIL and, with threads=0, on all cores.";
  module.attr("PASS") = kPass;
  module.def("build", &build, "What the compiled code was tuned for.");
  module.def("available_threads", &available_threads,
             "How many cores this process may use: what threads=0 means.");
  bind_rules(module);
  bind_batch(module);
  bind_records(module);
  bind_data(module);
  bind_evaluation(module);
  bind_nets(module);
  bind_search(module);
  bind_evolution(module);
}
