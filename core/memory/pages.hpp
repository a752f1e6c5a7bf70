// Large memory straight from the system: zeros until it is written, in large pages where the system
// has them, and given back at once. The C library would keep what was freed, for each of its
// threads; and with small pages, looking up addresses takes a good part of a search's time.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace outflank {

inline void* map_pages(std::size_t bytes) {
  void* const found =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  madvise(found, bytes, MADV_HUGEPAGE);  // a wish; small pages do as well
#endif
  return found;
}

// An array of objects whose empty state is all zeros.
template <typename T>
class Pages {
 public:
  explicit Pages(std::size_t size)
      : bytes_(size * sizeof(T)), data_(static_cast<T*>(map_pages(bytes_))) {}
  ~Pages() { munmap(data_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  const std::size_t bytes_;
  T* const data_;
};

// Gives a vector such pages once it is large, and whole cache lines before.
template <typename T>
struct PageAllocator {
  using value_type = T;
  static constexpr std::size_t kLarge = std::size_t(1) << 20;  // bytes
  static constexpr std::align_val_t kLine{64};

  PageAllocator() = default;
  template <typename U>
  PageAllocator(const PageAllocator<U>&) {}

  T* allocate(std::size_t size) {
    const std::size_t bytes = size * sizeof(T);
    return static_cast<T*>(bytes < kLarge ? ::operator new(bytes, kLine) : map_pages(bytes));
  }
  void deallocate(T* data, std::size_t size) {
    const std::size_t bytes = size * sizeof(T);
    if (bytes < kLarge) {
      ::operator delete(data, kLine);
    } else {
      munmap(data, bytes);
    }
  }
  bool operator==(const PageAllocator&) const { return true; }
};

template <typename T>
using LargeVector = std::vector<T, PageAllocator<T>>;

}  // namespace outflank
