// Small dense products, written so that the compiler keeps a block of the result in registers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>

// Vectors pass between functions that are always inlined, so how they would be passed matters not.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace outflank::nets {

// Eight floats: one register with AVX2, two with the baseline of x86-64 and arm64.
using Eight = float __attribute__((vector_size(32)));

inline Eight load(const float* from) {
  Eight value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
inline void store(float* to, const Eight& value) { std::memcpy(to, &value, sizeof value); }

// The widest register: sixteen floats with AVX-512.
#if defined(__AVX512F__)
using Wide = float __attribute__((vector_size(64)));
inline constexpr int kBlockRows = 8, kBlockVectors = 2;  // of a result that stays in registers
#else
using Wide = Eight;
inline constexpr int kBlockRows = 4, kBlockVectors = 2;
#endif
inline constexpr int kWide = sizeof(Wide) / sizeof(float);

inline Wide load_wide(const float* from) {
  Wide value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
inline void store_wide(float* to, const Wide& value) { std::memcpy(to, &value, sizeof value); }

// Keeps a value in its register: the compiler would rather load it again for each of its uses,
// and loads are what the products wait for.
template <typename Vector>
inline void hold([[maybe_unused]] Vector& value) {
#if defined(__AVX512F__)
  asm("" : "+v"(value));
#elif defined(__AVX__)
  asm("" : "+x"(value));
#endif
}

// x where it is positive, times its factor; zero elsewhere.
inline void rectify(float* x, const float* factor, int size) {
  for (int c = 0; c < size; c += kWide) {
    const Wide value = load_wide(x + c);
    store_wide(x + c, value > 0 ? value * load_wide(factor + c) : Wide{});
  }
}

// The same for a derivative: d times the factor where the rectified value y is positive.
inline void rectify_backward(const float* y, float* d, const float* factor, int size) {
  for (int c = 0; c < size; c += kWide)
    store_wide(d + c, load_wide(y + c) > 0 ? load_wide(d + c) * load_wide(factor + c) : Wide{});
}

// A matrix in memory: element (i, k) is at data[i * row + k * column].
struct View {
  const float* data;
  std::ptrdiff_t row, column;
};

// c (Rows x Vectors * kWide) += a (Rows x depth) * b, the rows of b and c lying together. Each
// number of c is added up in the order of the depth, whatever the size of a block.
template <int Rows, int Vectors>
inline void product_block(const View& a, const float* b, std::ptrdiff_t b_row, int depth, float* c,
                          std::ptrdiff_t c_row) {
  Wide sum[Rows][Vectors];
  for (int i = 0; i < Rows; ++i)
    for (int v = 0; v < Vectors; ++v) sum[i][v] = load_wide(c + i * c_row + v * kWide);
  for (int k = 0; k < depth; ++k) {
    Wide row[Vectors];
    for (int v = 0; v < Vectors; ++v) {
      Wide part = load_wide(b + k * b_row + v * kWide);
      hold(part);
      row[v] = part;
    }
    for (int i = 0; i < Rows; ++i) {
      const float factor = a.data[i * a.row + k * a.column];
      for (int v = 0; v < Vectors; ++v) sum[i][v] += factor * row[v];
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int v = 0; v < Vectors; ++v) store_wide(c + i * c_row + v * kWide, sum[i][v]);
}

template <int Vectors>
inline void add_columns(int rows, int depth, const View& a, const float* b, std::ptrdiff_t b_row,
                        float* c, std::ptrdiff_t c_row) {
  int i = 0;
  const auto block = [&]<int Rows>() {
    for (; i + Rows <= rows; i += Rows)
      product_block<Rows, Vectors>({a.data + i * a.row, a.row, a.column}, b, b_row, depth,
                                   c + i * c_row, c_row);
  };
  block.template operator()<kBlockRows>();
  block.template operator()<4>();
  block.template operator()<1>();
}

// c (rows x columns) += a (rows x depth) * b (depth x columns); columns is a multiple of 16.
inline void add_product(int rows, int columns, int depth, const View& a, const float* b,
                        std::ptrdiff_t b_row, float* c, std::ptrdiff_t c_row) {
  constexpr int kBlock = kBlockVectors * kWide;
  int j = 0;
  for (; j + kBlock <= columns; j += kBlock)
    add_columns<kBlockVectors>(rows, depth, a, b + j, b_row, c + j, c_row);
  if constexpr (kWide == 16)
    if (j < columns) add_columns<1>(rows, depth, a, b + j, b_row, c + j, c_row);
}

inline void add(float* to, const float* from, int size, float scale = 1.0f) {
  for (int c = 0; c < size; c += kWide)
    store_wide(to + c, load_wide(to + c) + scale * load_wide(from + c));
}

inline float dot(const float* a, const float* b, int size) {
  Eight sum = {};
  for (int c = 0; c < size; c += 8) sum += load(a + c) * load(b + c);
  float total = 0;
  for (int i = 0; i < 8; ++i) total += sum[i];
  return total;
}

// out = x scaled to a mean square of one; returns the scale.
inline float normalise(const float* x, float* out, int size) {
  const float scale = 1.0f / std::sqrt(dot(x, x, size) / static_cast<float>(size) + 1e-6f);
  for (int c = 0; c < size; ++c) out[c] = scale * x[c];
  return scale;
}

// Adds the gradient that comes back through normalise.
inline void normalise_backward(const float* normal, float scale, const float* d_normal, float* d_x,
                               int size) {
  const float mean = dot(normal, d_normal, size) / static_cast<float>(size);
  for (int c = 0; c < size; ++c) d_x[c] += scale * (d_normal[c] - mean * normal[c]);
}

}  // namespace outflank::nets
