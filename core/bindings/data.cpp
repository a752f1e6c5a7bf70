// Examples to learn from: their duplicates, their mirror images, and chance that stays the same.
#include "data/unique.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "batch/parallel.hpp"
#include "bindings/arguments.hpp"
#include "bindings/arrays.hpp"
#include "bindings/listening.hpp"
#include "othello/hash.hpp"

namespace outflank {
namespace {

constexpr std::size_t kGrain = 16384;  // examples a thread must have to be worth starting

using Moves = ArrayIn<std::uint8_t>;

ExampleArrays arrays(const Boards& own, const Boards& other, const Moves& move) {
  const std::size_t size = check_boards(own, other);
  same_length(size, move.shape(0));
  if (size >= kMostExamples)
    throw nb::value_error(("too many examples: " + std::to_string(size)).c_str());
  const std::uint8_t* end = move.data() + size;
  if (const auto* wrong = std::find_if(move.data(), end, [](int m) { return m > kPass; });
      wrong != end)
    throw nb::value_error(("no such move (0..64): " + std::to_string(*wrong) + " at index " +
                           std::to_string(wrong - move.data()))
                              .c_str());
  return {own.data(), other.data(), move.data(), size};
}

// The canonical forms of examples, in arrays of their own.
class CanonicalExamples {
 public:
  CanonicalExamples(const ExampleArrays& examples, int threads)
      : own_(examples.size), other_(examples.size), move_(examples.size) {
    canonical_into(examples, own_.data(), other_.data(), move_.data(), threads);
  }

  static void canonical_into(const ExampleArrays& examples, Bits* own, Bits* other,
                             std::uint8_t* move, int threads) {
    parallel_for(examples.size, kGrain / 16, threads, [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Example least = canonical(examples[i]);
        own[i] = least.board.own;
        other[i] = least.board.other;
        move[i] = least.move;
      }
    });
  }

  ExampleArrays arrays() const { return {own_.data(), other_.data(), move_.data(), own_.size()}; }

 private:
  std::vector<Bits> own_, other_;
  std::vector<std::uint8_t> move_;
};

auto canonical_examples(const Boards& own, const Boards& other, const Moves& move, int threads) {
  const ExampleArrays examples = arrays(own, other, move);
  auto least_own = new_array<Bits>({examples.size}), least_other = new_array<Bits>({examples.size});
  auto least_move = new_array<std::uint8_t>({examples.size});
  threads = threads_for(threads);
  listening([&] {
    CanonicalExamples::canonical_into(examples, least_own.data(), least_other.data(),
                                      least_move.data(), threads);
  });
  return std::tuple(least_own, least_other, least_move);
}

ArrayOut<std::uint8_t> count_all_images(const Boards& own, const Boards& other, const Moves& move,
                                        int threads) {
  const ExampleArrays examples = arrays(own, other, move);
  auto out = new_array<std::uint8_t>({examples.size});
  listening_for(examples.size, kGrain / 16, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      out.data()[i] = static_cast<std::uint8_t>(count_images(examples[i]));
  });
  return out;
}

ArrayOut<std::uint32_t> to_array(const std::vector<std::uint32_t>& numbers) {
  auto out = new_array<std::uint32_t>({numbers.size()});
  std::ranges::copy(numbers, out.data());
  return out;
}

auto unique_arrays(const Boards& own, const Boards& other, const Moves& move, bool symmetric,
                   int threads) {
  const ExampleArrays examples = arrays(own, other, move);
  threads = threads_for(threads);
  const UniqueExamples unique = listening([&] {
    return symmetric ? unique_examples(CanonicalExamples(examples, threads).arrays(), threads)
                     : unique_examples(examples, threads);
  });
  return std::tuple(to_array(unique.index), to_array(unique.count), to_array(unique.group));
}

ArrayOut<bool> find_arrays(const Boards& own, const Boards& other, const Moves& move,
                           const Boards& among_own, const Boards& among_other,
                           const Moves& among_move, bool symmetric, int threads) {
  const ExampleArrays examples = arrays(own, other, move);
  const ExampleArrays among = arrays(among_own, among_other, among_move);
  auto found = new_array<bool>({examples.size});
  threads = threads_for(threads);
  listening([&] {
    if (symmetric)
      find_examples(CanonicalExamples(examples, threads).arrays(),
                    CanonicalExamples(among, threads).arrays(), found.data(), threads);
    else
      find_examples(examples, among, found.data(), threads);
  });
  return found;
}

ArrayOut<std::uint64_t> random_numbers(std::uint64_t seed, std::size_t size, int threads) {
  within<std::size_t>("size", size, 0, std::size_t{1} << 30);
  auto out = new_array<std::uint64_t>({size});
  listening_for(size, kGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out.data()[i] = Random(seed, i).next();
  });
  return out;
}

}  // namespace

void bind_data(nb::module_& module) {
  module.def("canonical_examples", &canonical_examples, "own"_a, "other"_a, "move"_a,
             "threads"_a = 0,
             R"(The smallest of the eight images of each (own, other, move).

On a symmetric board several moves are equivalent: of those it has the lowest. Give PASS (64) for
all moves to compare boards alone.)");
  module.def("count_images", &count_all_images, "own"_a, "other"_a, "move"_a, "threads"_a = 0,
             "How many different images each (own, other, move) has: 1, 2, 4 or 8.");
  module.def(
      "unique_examples", &unique_arrays, "own"_a, "other"_a, "move"_a, "symmetric"_a = false,
      "threads"_a = 0,
      R"(Find the distinct ones among examples (own, other, move). Exact: hashes are not trusted.

Args:
    own, other, move: the examples.
    symmetric: whether an example counts as the same as its images under the symmetries.
    threads: see the module.

Returns (index, count, group), all uint32: where each distinct example appears first, ascending;
how often it appears; and for every example, which of the distinct ones it is.)");
  module.def("find_examples", &find_arrays, "own"_a, "other"_a, "move"_a, "among_own"_a,
             "among_other"_a, "among_move"_a, "symmetric"_a = false, "threads"_a = 0,
             R"(Whether each example (own, other, move) occurs among others. Exact.

Args:
    own, other, move: the examples to look for.
    among_own, among_other, among_move: the examples to look among.
    symmetric: whether an image under the symmetries counts as an occurrence.
    threads: see the module.)");
  module.def("random_numbers", &random_numbers, "seed"_a, "size"_a, "threads"_a = 0,
             "Random 64-bit numbers; each depends on the seed and its own index alone.");
}

}  // namespace outflank
