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

// Keeps a value in its register: the compiler would rather load it again for each of its uses,
// and loads are what the products wait for.
inline void hold([[maybe_unused]] Eight& value) {
#if defined(__AVX__)
  asm("" : "+x"(value));
#endif
}

// x where it is positive, times its factor; zero elsewhere.
inline void rectify(float* x, const float* factor, int size) {
  for (int c = 0; c < size; c += 8) {
    const Eight value = load(x + c);
    store(x + c, value > 0 ? value * load(factor + c) : Eight{});
  }
}

// The same for a derivative: d times the factor where the rectified value y is positive.
inline void rectify_backward(const float* y, float* d, const float* factor, int size) {
  for (int c = 0; c < size; c += 8)
    store(d + c, load(y + c) > 0 ? load(d + c) * load(factor + c) : Eight{});
}

// A matrix in memory: element (i, k) is at data[i * row + k * column].
struct View {
  const float* data;
  std::ptrdiff_t row, column;
};

// c (Rows x 16) += a (Rows x depth) * b (depth x 16), the rows of b and c lying together.
template <int Rows>
inline void product_block(const View& a, const float* b, std::ptrdiff_t b_row, int depth, float* c,
                          std::ptrdiff_t c_row) {
  Eight sum[Rows][2];
  for (int i = 0; i < Rows; ++i) {
    sum[i][0] = load(c + i * c_row);
    sum[i][1] = load(c + i * c_row + 8);
  }
  for (int k = 0; k < depth; ++k) {
    Eight left = load(b + k * b_row), right = load(b + k * b_row + 8);
    hold(left);
    hold(right);
    for (int i = 0; i < Rows; ++i) {
      const float factor = a.data[i * a.row + k * a.column];
      sum[i][0] += factor * left;
      sum[i][1] += factor * right;
    }
  }
  for (int i = 0; i < Rows; ++i) {
    store(c + i * c_row, sum[i][0]);
    store(c + i * c_row + 8, sum[i][1]);
  }
}

// c (rows x columns) += a (rows x depth) * b (depth x columns); columns is a multiple of 16.
inline void add_product(int rows, int columns, int depth, const View& a, const float* b,
                        std::ptrdiff_t b_row, float* c, std::ptrdiff_t c_row) {
  for (int j = 0; j < columns; j += 16) {
    int i = 0;
    for (; i + 4 <= rows; i += 4)
      product_block<4>({a.data + i * a.row, a.row, a.column}, b + j, b_row, depth,
                       c + i * c_row + j, c_row);
    for (; i < rows; ++i)
      product_block<1>({a.data + i * a.row, a.row, a.column}, b + j, b_row, depth,
                       c + i * c_row + j, c_row);
  }
}

inline void add(float* to, const float* from, int size, float scale = 1.0f) {
  for (int c = 0; c < size; c += 8) store(to + c, load(to + c) + scale * load(from + c));
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
