// Large memory straight from the system: zeros until it is written, and given back at once. The C
// library would keep what was freed, for each of its threads.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace outflank {

// An array of objects whose empty state is all zeros.
template <typename T>
class Pages {
 public:
  explicit Pages(std::size_t size) : bytes_(size * sizeof(T)) {
    void* const found =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(found);
  }
  ~Pages() { munmap(data_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  std::size_t bytes_;
  T* data_;
};

}  // namespace outflank
