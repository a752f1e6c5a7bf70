#include "nets/back_off.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "nets/geometry.hpp"

namespace outflank::nets {

namespace {

constexpr int kSideKeys = 3;  // descriptions of each side of a square, from coarse to fine

// What one side of a square in its line looks like.
std::array<int, kSideKeys> describe(int content, const Outwards& side) {
  const bool full = std::find(side.squares.begin(), side.squares.end(), 0) == side.squares.end();
  const int near = (content * 4 + side.at(0)) * 4 + side.at(1);
  return {((side.flips(1, 2) * 8 + side.flips(2, 1)) * 2 + full) * 3 + content,
          near * 8 + side.length(), (near * 4 + side.at(2)) * 8 + side.length()};
}

// Windows as lists of digits, and for each the list that a mirror of the pattern makes of it.
struct Windows {
  std::vector<std::vector<int>> lists;
  std::vector<int> mirror;  // of the digits; empty if there is none
};

Windows windows_of(int type) {
  // Those in the second half are read backwards, as mirror images of those in the first; one in the
  // middle is read both ways.
  const auto runs = [](int length, int size) {
    Windows windows;
    for (int i = 0; i < length; ++i) windows.mirror.push_back(length - 1 - i);
    for (int begin = 0; 2 * begin + size <= length; ++begin) {
      std::vector<int> forth, back;
      for (int i = begin; i < begin + size; ++i) {
        forth.push_back(i);
        back.push_back(windows.mirror[i]);
      }
      windows.lists.push_back(forth);
      windows.lists.push_back(back);
    }
    return windows;
  };
  if (type < 4) return runs(8, 4);
  if (type < 9) return runs(type, std::min(4, type - 1));
  if (type == 9)
    return {{{0, 1, 3, 4},
             {0, 3, 1, 4},
             {1, 2, 4, 5},
             {3, 6, 4, 7},
             {4, 5, 7, 8},
             {4, 7, 5, 8},
             {0, 1, 2},
             {0, 3, 6}},
            {0, 3, 6, 1, 4, 7, 2, 5, 8}};
  if (type == 10) return runs(10, 5);
  return {{{0, 1, 5, 6},
           {1, 2, 6, 7},
           {2, 3, 7, 8},
           {3, 4, 8, 9},
           {0, 1, 2, 5, 6, 7},
           {1, 2, 3, 6, 7, 8},
           {2, 3, 4, 7, 8, 9}},
          {}};
}

}  // namespace

BackOff line_back_off(int type) {
  const Geometry& geometry = Geometry::instance();
  const auto& entries = geometry.line_entries[type];
  const int length = type < 4 ? 8 : type - 3;
  BackOff back_off;
  back_off.per_row = 2 * kSideKeys;
  back_off.of.resize(static_cast<std::size_t>(geometry.line_rows[type]) * back_off.per_row);
  std::map<std::pair<int, int>, int> numbers;  // (description, key) -> number
  const auto number = [&](int description, int key) {
    return numbers.try_emplace({description, key}, static_cast<int>(numbers.size())).first->second;
  };
  for (std::size_t state = 0; state < entries.size(); ++state) {
    std::vector<int> content;
    for (int i = 0, rest = static_cast<int>(state); i < length; ++i, rest /= 3)
      content.push_back(rest % 3);
    for (int i = 0; i < length; ++i) {
      const auto left = describe(content[i], {{content.rend() - i, content.rend()}});
      const auto right = describe(content[i], {{content.begin() + i + 1, content.end()}});
      std::int32_t* of =
          back_off.of.data() +
          static_cast<std::size_t>(Geometry::row(entries[state], length, i)) * back_off.per_row;
      for (int k = 0; k < kSideKeys; ++k) {
        of[2 * k] = number(k, left[k]);
        of[2 * k + 1] = number(k, right[k]);
      }
    }
  }
  back_off.keys = static_cast<int>(numbers.size());
  return back_off;
}

BackOff pattern_back_off(int type) {
  const Geometry& geometry = Geometry::instance();
  const auto& row_of = geometry.pattern_row[type];
  const Windows windows = windows_of(type);
  const auto& lists = windows.lists;
  // A window and its mirror have one name.
  std::vector<int> name(lists.size());
  for (std::size_t w = 0; w < lists.size(); ++w) {
    name[w] = static_cast<int>(w);
    if (windows.mirror.empty()) continue;
    std::vector<int> mirrored;
    for (int digit : lists[w]) mirrored.push_back(windows.mirror[digit]);
    for (std::size_t other = 0; other < w; ++other)
      if (lists[other] == mirrored) name[w] = static_cast<int>(other);
  }
  BackOff back_off;
  back_off.per_row = static_cast<int>(lists.size());
  back_off.of.resize(static_cast<std::size_t>(geometry.pattern_rows[type]) * back_off.per_row);
  std::map<std::pair<int, int>, int> numbers;
  for (std::size_t state = 0; state < row_of.size(); ++state) {
    std::array<int, 10> digits{};
    for (int i = 0, rest = static_cast<int>(state); i < 10; ++i, rest /= 3) digits[i] = rest % 3;
    for (std::size_t w = 0; w < lists.size(); ++w) {
      int key = 0;
      for (int digit : lists[w]) key = 3 * key + digits[digit];
      back_off.of[static_cast<std::size_t>(row_of[state]) * back_off.per_row + w] =
          numbers.try_emplace({name[w], key}, static_cast<int>(numbers.size())).first->second;
    }
  }
  back_off.keys = static_cast<int>(numbers.size());
  return back_off;
}

}  // namespace outflank::nets
