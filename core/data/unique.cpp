#include "data/unique.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "batch/parallel.hpp"
#include "othello/hash.hpp"
#include "othello/symmetry.hpp"

namespace outflank {
namespace {

constexpr std::size_t kGrain = 8192;  // examples a thread must have to be worth starting
constexpr std::size_t kParts = 256;   // so that the table of one part stays near the core
constexpr std::uint32_t kNone = 0xffffffff;

// An example in a table: some bits of its hash, and its index.
struct Entry {
  std::uint32_t tag = 0;
  std::uint32_t index = kNone;
};

std::uint64_t hash(const Example& example) {
  return mix(hash(example.board) ^ (example.move * kGolden));
}

// The examples dealt out by the top bits of their hashes: equal ones come into the same part, and
// in a part they keep their order. Parts can then be treated without regard to each other.
class Parts {
 public:
  Parts(const ExampleArrays& examples, std::size_t parts, int threads) : begin_(parts + 1) {
    std::vector<std::uint64_t> hashes(examples.size);
    parallel_for(examples.size, kGrain, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) hashes[i] = hash(examples[i]);
    });
    const auto part_of = [&](std::uint64_t hash) { return (hash >> 32) * parts >> 32; };
    for (const std::uint64_t hash : hashes) ++begin_[part_of(hash) + 1];
    for (std::size_t part = 0; part < parts; ++part) begin_[part + 1] += begin_[part];
    entries_.resize(examples.size);
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < examples.size; ++i)
      entries_[next[part_of(hashes[i])]++] = {static_cast<std::uint32_t>(hashes[i]),
                                              static_cast<std::uint32_t>(i)};
  }

  std::size_t size() const { return begin_.size() - 1; }

  std::span<const Entry> operator[](std::size_t part) const {
    return {entries_.data() + begin_[part], entries_.data() + begin_[part + 1]};
  }

 private:
  std::vector<Entry> entries_;
  std::vector<std::size_t> begin_;
};

// One hash table for each part, with open addressing; a third of the places at least is empty.
class Tables {
 public:
  explicit Tables(const Parts& parts) : begin_(parts.size() + 1) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::size_t size = parts[part].size();
      begin_[part + 1] = begin_[part] + std::bit_ceil(size + size / 2 + 1);
    }
    places_.resize(begin_.back());
  }

  // The place of the entry that `same` accepts by its index, or else the empty place where such
  // an entry belongs.
  template <typename Same>
  Entry& find(std::size_t part, std::uint32_t tag, Same&& same) {
    Entry* const places = places_.data() + begin_[part];
    const std::size_t mask = begin_[part + 1] - begin_[part] - 1;
    for (std::size_t at = tag & mask;; at = (at + 1) & mask) {
      Entry& place = places[at];
      if (place.index == kNone || (place.tag == tag && same(place.index))) return place;
    }
  }

 private:
  std::vector<Entry> places_;
  std::vector<std::size_t> begin_;
};

std::size_t parts_for(std::size_t examples) { return examples < 2 * kGrain ? 1 : kParts; }

// For each example the index of the first one that is equal to it.
std::vector<std::uint32_t> first_equal(const ExampleArrays& examples, int threads) {
  const Parts parts(examples, parts_for(examples.size), threads);
  Tables tables(parts);
  std::vector<std::uint32_t> first(examples.size);
  parallel_for(parts.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t part = begin; part < end; ++part)
      for (const Entry& entry : parts[part]) {
        const Example example = examples[entry.index];
        Entry& place = tables.find(part, entry.tag,
                                   [&](std::uint32_t index) { return examples[index] == example; });
        if (place.index == kNone) place = entry;
        first[entry.index] = place.index;
      }
  });
  return first;
}

Example image(const Example& example, int symmetry) {
  return {transform(example.board, symmetry),
          static_cast<std::uint8_t>(transform_move(example.move, symmetry))};
}

}  // namespace

Example canonical(const Example& example) {
  Example least = example;
  for (int symmetry = 1; symmetry < kSymmetries; ++symmetry)
    least = std::min(least, image(example, symmetry));
  return least;
}

int count_images(const Example& example) {
  int same = 1;
  for (int symmetry = 1; symmetry < kSymmetries; ++symmetry)
    same += image(example, symmetry) == example;
  return kSymmetries / same;
}

UniqueExamples unique_examples(const ExampleArrays& examples, int threads) {
  UniqueExamples unique;
  unique.group = first_equal(examples, threads);
  for (std::size_t i = 0; i < examples.size; ++i) {
    std::uint32_t& group = unique.group[i];
    if (group == i) {
      group = static_cast<std::uint32_t>(unique.index.size());
      unique.index.push_back(static_cast<std::uint32_t>(i));
      unique.count.push_back(1);
    } else {
      group = unique.group[group];  // the first one comes before and has its number already
      ++unique.count[group];
    }
  }
  return unique;
}

void find_examples(const ExampleArrays& examples, const ExampleArrays& among, bool* found,
                   int threads) {
  const std::size_t count = parts_for(std::max(examples.size, among.size));
  const Parts wanted(examples, count, threads), there(among, count, threads);
  Tables tables(there);
  parallel_for(count, 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t part = begin; part < end; ++part) {
      const auto find = [&](const Entry& entry, const Example& example) -> Entry& {
        return tables.find(part, entry.tag,
                           [&](std::uint32_t index) { return among[index] == example; });
      };
      for (const Entry& entry : there[part]) {
        Entry& place = find(entry, among[entry.index]);
        if (place.index == kNone) place = entry;
      }
      for (const Entry& entry : wanted[part])
        found[entry.index] = find(entry, examples[entry.index]).index != kNone;
    }
  });
}

}  // namespace outflank
