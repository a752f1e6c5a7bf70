#include "evaluation/champion.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "othello/moves.hpp"
#include "othello/quadrants.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace outflank {
namespace champion {
namespace {

constexpr int kMostSum = kMostActive * kScale;
// An active channel counts as the square of its sum over kSquare. Vectors keep the upper 16 bits of
// a product: the sum is raised first.
constexpr int kRaise = 4;
static_assert(kSquare * kScale == 1 << (16 - 2 * kRaise));
constexpr int kInnerShift = 10;
static_assert(1 << kInnerShift == kInnerScale);
// From what the outer layer adds up to the evaluation's units.
constexpr int kOutShift = 3;
// A file may hold any bias; one within this cannot make a sum of 32 bits overflow.
constexpr std::int32_t kMostBias = 1 << 29;
static_assert(kMostSum * kMostSum / (kSquare * kScale) * std::int64_t{kChannels} * 32768 +
                  kMostBias <
              std::int64_t{1} << 31);
static_assert((kDiscs * static_cast<int>(ChampionEvaluation::kUnits) << kOutShift) ==
              kScale * kOuterScale);

using Offsets = std::array<std::uint32_t, kFeatures>;  // of a board's rows

constexpr std::array<std::uint32_t, kPlaceCount> make_place_begins() {
  std::array<std::uint32_t, kPlaceCount> begins{};
  for (int lane = 0; lane < kPlaceCount; ++lane)
    begins[lane] = kShapeBegins[kPlaces.all[lane].shape];
  return begins;
}
constexpr auto kPlaceBegins = make_place_begins();

#if defined(__AVX2__)
__m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
__m128i load_half(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
#endif

// What both layers make of the sum of rows, in the outer layer's units.
template <class Layers>
std::int32_t run(const std::int8_t* rows, const Offsets& offsets, const std::int16_t* first,
                 const Layers& layers) {
#if defined(__AVX2__)
  static_assert(kChannels == 32 && kHidden == 32);
  __m256i low = load(first), high = load(first + 16);
  for (const std::uint32_t offset : offsets) {
    const std::int8_t* row = rows + offset;
    low = _mm256_add_epi16(low, _mm256_cvtepi8_epi16(load_half(row)));
    high = _mm256_add_epi16(high, _mm256_cvtepi8_epi16(load_half(row + 16)));
  }
  const __m256i zero = _mm256_setzero_si256(), most = _mm256_set1_epi16(kMostSum);
  const auto squared = [&](__m256i sum) {
    const __m256i cut = _mm256_min_epi16(_mm256_max_epi16(sum, zero), most);
    const __m256i raised = _mm256_slli_epi16(cut, kRaise);
    return _mm256_mulhi_epi16(raised, raised);
  };
  alignas(32) std::int32_t pairs[kChannels / 2];  // of channels, as the layers have them
  _mm256_store_si256(reinterpret_cast<__m256i*>(pairs), squared(low));
  _mm256_store_si256(reinterpret_cast<__m256i*>(pairs + 8), squared(high));
  __m256i units[4];
  for (int i = 0; i < 4; ++i) units[i] = load(layers.inner_bias + 8 * i);
#pragma GCC unroll 4
  for (int pair = 0; pair < kChannels / 2; ++pair) {
    const __m256i both = _mm256_set1_epi32(pairs[pair]);
    for (int i = 0; i < 4; ++i)
      units[i] =
          _mm256_add_epi32(units[i], _mm256_madd_epi16(both, load(layers.inner[pair][8 * i])));
  }
  const __m256i limit = _mm256_set1_epi32(kMostSum);
  __m256i out = zero;
  for (int i = 0; i < 4; ++i) {
    const __m256i unit =
        _mm256_min_epi32(_mm256_max_epi32(_mm256_srai_epi32(units[i], kInnerShift), zero), limit);
    // The upper halves of the units are zero, whatever those of the weights are.
    out = _mm256_add_epi32(
        out, _mm256_madd_epi16(unit, _mm256_cvtepi16_epi32(load_half(layers.outer + 8 * i))));
  }
  const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(out), _mm256_extracti128_si256(out, 1));
  const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
  return layers.outer_bias + _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
#else
  std::int16_t sum[kChannels];
  std::copy_n(first, kChannels, sum);
  for (const std::uint32_t offset : offsets)
    for (int c = 0; c < kChannels; ++c)
      sum[c] = static_cast<std::int16_t>(sum[c] + rows[offset + c]);
  for (std::int16_t& one : sum) {
    const int cut = std::clamp<int>(one, 0, kMostSum);
    one = static_cast<std::int16_t>(cut * cut >> (16 - 2 * kRaise));
  }
  std::int32_t units[kHidden];
  std::copy_n(layers.inner_bias, kHidden, units);
  for (int pair = 0; pair < kChannels / 2; ++pair)
    for (int h = 0; h < kHidden; ++h)
      units[h] +=
          sum[2 * pair] * layers.inner[pair][h][0] + sum[2 * pair + 1] * layers.inner[pair][h][1];
  std::int32_t out = layers.outer_bias;
  for (int h = 0; h < kHidden; ++h)
    out += std::clamp(units[h] >> kInnerShift, 0, kMostSum) * layers.outer[h];
  return out;
#endif
}

// Takes one part of the weights after the other.
class Reader {
 public:
  explicit Reader(const std::int8_t* at) : at_(at) {}

  template <typename Number>
  Number next() {
    Number number;
    std::memcpy(&number, at_, sizeof number);
    at_ += sizeof number;
    return number;
  }

 private:
  const std::int8_t* at_;
};

std::int32_t next_bias(Reader& reader) {
  return std::clamp(reader.next<std::int32_t>(), -kMostBias, kMostBias);
}

}  // namespace
}  // namespace champion

ChampionEvaluation::ChampionEvaluation(std::span<const std::int8_t> weights,
                                       std::shared_ptr<const void> owner)
    : owner_(std::move(owner)) {
  using namespace champion;
  if (weights.size() != Parts::kBytes)
    throw std::invalid_argument("the champion's evaluation has " + std::to_string(Parts::kBytes) +
                                " bytes of weights, not " + std::to_string(weights.size()));
  rows_ = weights.first(Parts::kRow);
  Reader reader(weights.data() + Parts::kRow);
  for (std::size_t i = 0; i < Parts::kEmpties; ++i) empties_.push_back(reader.next<std::int16_t>());
  layers_.resize(kStages);
  for (Layers& layers : layers_)
    for (int h = 0; h < kHidden; ++h)
      for (int c = 0; c < kChannels; ++c)
        layers.inner[c / 2][h][c % 2] = reader.next<std::int16_t>();
  for (Layers& layers : layers_)
    for (std::int32_t& bias : layers.inner_bias) bias = next_bias(reader);
  for (Layers& layers : layers_)
    for (std::int16_t& weight : layers.outer) weight = reader.next<std::int16_t>();
  for (Layers& layers : layers_) layers.outer_bias = next_bias(reader);
}

Value ChampionEvaluation::evaluate(const Board& board, const champion::Lanes& contents,
                                   Bits own_moves, Bits other_moves) const {
  using namespace champion;
  const Bits empties = board.empties();
  Offsets offsets;
  for (int lane = 0; lane < kPlaceCount; ++lane)
    offsets[lane] = (kPlaceBegins[lane] + contents[lane]) * kChannels;
  offsets[kPlaceCount] = (kOwnMobilityBegin + count(own_moves)) * kChannels;
  offsets[kPlaceCount + 1] = (kOtherMobilityBegin + count(other_moves)) * kChannels;
  offsets[kPlaceCount + 2] = (kParityBegin + parity_of(empties)) * kChannels;
  const int number = std::min(count(empties), kMostEmpties);
  const std::int32_t out =
      run(rows_.data(), offsets, empties_.data() + std::size_t(number) * kChannels,
          layers_[stage_of(number)]);
  return std::clamp(out >> kOutShift, -kMost, kMost);
}

Value ChampionEvaluation::evaluate(const Board& board, bool) const {
  champion::Lanes contents;
  champion::Indices(board).contents(contents);
  return evaluate(board, contents, legal_moves(board), legal_moves(board.passed()));
}

}  // namespace outflank
