// The transposition table: what searches found out about positions, shared by all threads.
//
// There are no locks. An entry is two words, the second of which is stored as itself XOR the
// position's hash: when two threads write the same entry at once and leave a mixture, the hash no
// longer fits and the entry reads as absent. (R. Hyatt and T. Mann, 2002.) A lost entry costs time,
// never correctness.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <limits>

#include "memory/pages.hpp"
#include "othello/hash.hpp"

namespace outflank {

inline constexpr std::uint8_t kNoSquare = 255;

// What a finding cost, as its entry remembers it: the number of binary digits of the nodes.
constexpr std::uint8_t effort_of(std::uint64_t nodes) {
  return static_cast<std::uint8_t>(std::bit_width(nodes));
}

// A Finding is what one entry holds, in eight bytes: whatever the search wants to remember, and
//   effort  effort_of the nodes that it cost: the cheapest entry is replaced first
//   age     which search it belongs to; set by the table
template <typename Finding>
class TranspositionTable {
  static_assert(sizeof(Finding) == 8);

 public:
  // Takes about this many megabytes, rounded down to a power of two.
  explicit TranspositionTable(std::size_t megabytes)
      : buckets_(std::bit_floor(megabytes * kMegabyte / sizeof(Bucket))), table_(buckets_) {}

  void clear() {
    for (std::size_t i = 0; i < buckets_; ++i) table_[i] = Bucket{};
    age_ = 0;
  }

  // Older findings stay usable but are the first to be replaced.
  void new_search() { age_.fetch_add(1, std::memory_order_relaxed); }

  bool probe(std::uint64_t hash, Finding& found) const {
    for (const Entry& entry : bucket(hash).entries) {
      const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
      if ((entry.check.load(std::memory_order_relaxed) ^ data) == hash) {
        found = std::bit_cast<Finding>(data);
        return data != 0;
      }
    }
    return false;
  }

  // Enters a finding in place of an older one of the same position, or of the cheapest entry.
  void store(std::uint64_t hash, Finding finding) {
    const std::uint8_t age = age_.load(std::memory_order_relaxed);
    finding.age = age;
    Entry* place = nullptr;
    int least = std::numeric_limits<int>::max();
    for (Entry& entry : bucket(hash).entries) {
      const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
      if ((entry.check.load(std::memory_order_relaxed) ^ data) == hash) {
        place = &entry;
        break;
      }
      const auto other = std::bit_cast<Finding>(data);
      const int worth = data == 0 ? kEmpty : other.effort + (other.age == age ? kCurrent : 0);
      if (worth < least) {
        least = worth;
        place = &entry;
      }
    }
    const auto data = std::bit_cast<std::uint64_t>(finding);
    place->data.store(data, std::memory_order_relaxed);
    place->check.store(data ^ hash, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kMegabyte = 1 << 20;
  static constexpr std::size_t kCacheLine = 64;  // a bucket is one: looking it up costs one miss
  // What an entry is worth beside its effort: an empty one less than any other, and one of the
  // current search more than any of an older one.
  static constexpr int kEmpty = -1;
  static constexpr int kCurrent = std::numeric_limits<decltype(Finding::effort)>::max() + 1;

  struct Entry {
    std::atomic<std::uint64_t> data{0};
    std::atomic<std::uint64_t> check{0};
    Entry() = default;
    Entry& operator=(const Entry&) {
      data.store(0, std::memory_order_relaxed);
      check.store(0, std::memory_order_relaxed);
      return *this;
    }
  };
  struct alignas(kCacheLine) Bucket {
    Entry entries[kCacheLine / sizeof(Entry)];
  };

  Bucket& bucket(std::uint64_t hash) const { return table_[hash & (buckets_ - 1)]; }

  std::size_t buckets_;
  Pages<Bucket> table_;
  std::atomic<std::uint8_t> age_{0};
};

}  // namespace outflank
