// The way back through the line network: from the derivatives of the loss to gradients.
#include <algorithm>

#include "nets/line_pass.hpp"
#include "nets/matrix.hpp"

namespace outflank::nets {

void Gradients::clear() {
  std::fill(dense.begin(), dense.end(), 0.0f);
  for (auto& block : square_mixing) std::fill(block.begin(), block.end(), 0.0f);
  for (auto& table : references) table.clear();
  vectors.clear();
}

void Pass::backward(std::span<const float> by_logit, std::span<const float> by_value,
                    Gradients& into) {
  const std::size_t n = moves();
  d_moves_.assign(n * channels_, 0.0f);
  d_context_.assign(static_cast<std::size_t>(positions_) * channels_, 0.0f);
  for (std::size_t m = 0; m < n; ++m) {
    const int c = geometry_.class_of[squares_[m]];
    network_.logit_bias.in(into.dense)[c] += by_logit[m];
    add(network_.logit.in(into.dense) + c * channels_, moves_.back().data() + m * channels_,
        channels_, by_logit[m]);
    add(d_moves_.data() + m * channels_, network_.logit.in(network_.dense) + c * channels_,
        channels_, by_logit[m]);
  }
  pack_b_.assign(static_cast<std::size_t>(positions_) * hidden_, 0.0f);  // to the layer before
  for (int i = network_.config.layers - 1; i >= 0; --i) layer_backward(i, into);

  const std::size_t size = static_cast<std::size_t>(positions_) * kSquares * channels_;
  d_states_.assign(size, 0.0f);
  d_active_.assign(size, 0.0f);
  for (std::size_t m = 0; m < n; ++m)
    add(at(d_states_, owner_[m]) + geometry_.rank_of[squares_[m]] * channels_,
        d_moves_.data() + m * channels_, channels_);
  value_backward(by_value, into);
  for (int b = network_.config.blocks - 1; b >= 0; --b) block_backward(b, into);
  refer_to_squares(into);
  refer_to_moves(into);
}

void Pass::layer_backward(int i, Gradients& into) {
  const LineNetwork::Layer& layer = network_.layers[i];
  const std::size_t n = moves(), width = std::max(channels_, hidden_);
  const auto transposed = [&](const Slice& part) { return part.in(network_.transposed); };
  Floats& d_others = pack_b_;  // by mean_active_[i]; replaced by that of i - 1
  // By the layer's output.
  add_product(hidden_, channels_, static_cast<int>(n), {move_active_[i].data(), 1, hidden_},
              d_moves_.data(), channels_, layer.out.in(into.dense), channels_);
  Floats& d_z = d_hidden_;
  d_z.assign(n * hidden_, 0.0f);
  for (std::size_t m = 0; m < n; ++m) {
    const int p = owner_[m];
    add(d_z.data() + m * hidden_, d_others.data() + p * hidden_, hidden_,
        1.0f / static_cast<float>(places_[p].last_move - places_[p].first_move));
  }
  add_product(static_cast<int>(n), hidden_, channels_, {d_moves_.data(), channels_, 1},
              transposed(layer.out), hidden_, d_z.data(), hidden_);
  Floats& d_common = pack_a_;
  d_common.assign(static_cast<std::size_t>(positions_) * hidden_, 0.0f);
  for (std::size_t m = 0; m < n; ++m) {
    const int p = owner_[m];
    const float* keep =
        keep_.data() +
        (static_cast<std::size_t>(network_.config.blocks + i) * kPositions + p) * width;
    const float* z = move_active_[i].data() + m * hidden_;
    float* d = d_z.data() + m * hidden_;
    rectify_backward(z, d, keep, hidden_);
    add(d_common.data() + p * hidden_, d, hidden_);
  }
  add_product(channels_, hidden_, static_cast<int>(n), {move_normal_[i].data(), 1, channels_},
              d_z.data(), hidden_, layer.in.in(into.dense), hidden_);
  d_normal_.assign(n * channels_, 0.0f);
  add_product(static_cast<int>(n), channels_, hidden_, {d_z.data(), hidden_, 1},
              transposed(layer.in), channels_, d_normal_.data(), channels_);
  for (std::size_t m = 0; m < n; ++m)
    normalise_backward(move_normal_[i].data() + m * channels_, move_scale_[i][m],
                       d_normal_.data() + m * channels_, d_moves_.data() + m * channels_,
                       channels_);
  // By what all moves share.
  for (int p = 0; p < positions_; ++p)
    add(layer.bias.in(into.dense), d_common.data() + p * hidden_, hidden_);
  add_product(channels_, hidden_, positions_, {context_.data(), 1, channels_}, d_common.data(),
              hidden_, layer.context.in(into.dense), hidden_);
  add_product(positions_, channels_, hidden_, {d_common.data(), hidden_, 1},
              transposed(layer.context), channels_, d_context_.data(), channels_);
  if (!i) return;
  add_product(hidden_, hidden_, positions_, {mean_active_[i - 1].data(), 1, hidden_},
              d_common.data(), hidden_, layer.others.in(into.dense), hidden_);
  d_others.assign(static_cast<std::size_t>(positions_) * hidden_, 0.0f);
  add_product(positions_, hidden_, hidden_, {d_common.data(), hidden_, 1}, transposed(layer.others),
              hidden_, d_others.data(), hidden_);
}

void Pass::value_backward(std::span<const float> by_value, Gradients& into) {
  constexpr int kHidden = LineNetwork::kValueHidden;
  const float* pool = network_.pool.in(network_.dense);
  for (int p = 0; p < positions_; ++p) {
    const float d = by_value[p] * (1 - values_[p] * values_[p]);
    const float* active = value_active_.data() + p * kHidden;
    network_.value_offset.in(into.dense)[0] += d;
    add(network_.value_out.in(into.dense), active, kHidden, d);
    std::array<float, kHidden> d_value;
    for (int c = 0; c < kHidden; ++c)
      d_value[c] = active[c] > 0 ? d * network_.value_out.in(network_.dense)[c] : 0;
    add(network_.value_bias.in(into.dense), d_value.data(), kHidden);
    float* d_context = d_context_.data() + p * channels_;
    add_product(channels_, kHidden, 1, {context_.data() + p * channels_, 1, 0}, d_value.data(), 0,
                network_.value_in.in(into.dense), kHidden);
    add_product(1, channels_, kHidden, {d_value.data(), 0, 1},
                network_.value_in.in(network_.transposed), channels_, d_context, 0);

    const float* pooled = pooled_.data() + p * channels_;
    for (int c = 0; c < channels_; ++c) d_context[c] = pooled[c] > 0 ? d_context[c] : 0;
    add(network_.stage.in(into.dense) + std::min(places_[p].empties, 63) * channels_, d_context,
        channels_);
    const float* u = network_.config.blocks ? at(active_.back(), p) : at(states_[0], p);
    float* d_u = network_.config.blocks ? at(d_active_, p) : at(d_states_, p);
    for (int rank = 0; rank < kSquares; ++rank) {
      const int k = geometry_.class_of[geometry_.square_of[rank]] * channels_;
      float* d_pool = network_.pool.in(into.dense) + k;
      for (int c = 0; c < channels_; ++c) {
        d_pool[c] += 0.125f * d_context[c] * u[rank * channels_ + c];
        d_u[rank * channels_ + c] += 0.125f * d_context[c] * pool[k + c];
      }
    }
  }
}

void Pass::block_backward(int b, Gradients& into) {
  const LineNetwork::Block& block = network_.blocks[b];
  const std::size_t width = std::max(channels_, hidden_);
  const bool last = b + 1 == network_.config.blocks;
  const float* mixing = network_.square_mixing[b].data();
  float* d_mixing = into.square_mixing[b].data();  // [group][to][from]
  pack_a_.resize(static_cast<std::size_t>(channels_) * kSquares);
  for (int p = 0; p < positions_; ++p) {
    const float* u = at(active_[b], p);
    float* d_u = at(d_active_, p);
    const float* d_x = at(d_states_, p);
    if (!last) std::fill_n(d_u, kSquares * channels_, 0.0f);
    // The transposed activations, so that sums over channels run along rows.
    float* turned = pack_a_.data();
    for (int rank = 0; rank < kSquares; ++rank)
      for (int c = 0; c < channels_; ++c) turned[c * kSquares + rank] = u[rank * channels_ + c];
    if (last) {
      for (int m = places_[p].first_move; m < places_[p].last_move; ++m) {
        const int rank = geometry_.rank_of[squares_[m]];
        const float* d_row = d_moves_.data() + static_cast<std::size_t>(m) * channels_;
        for (int group = 0; group < groups_; ++group) {
          add_product(1, kSquares, 16, {d_row + group * 16, 0, 1}, turned + group * 16 * kSquares,
                      kSquares,
                      d_mixing + (static_cast<std::size_t>(group) * kSquares + rank) * kSquares, 0);
          const float* factors =
              mixing + static_cast<std::size_t>(rank) * kSquares * groups_ + group;
          const Eight left = load(d_row + group * 16), right = load(d_row + group * 16 + 8);
          for (int from = 0; from < kSquares; ++from) {
            float* to = d_u + from * channels_ + group * 16;
            const float factor = factors[from * groups_];
            store(to, load(to) + factor * left);
            store(to + 8, load(to + 8) + factor * right);
          }
        }
      }
    } else {
      for (int group = 0; group < groups_; ++group) {
        add_product(kSquares, kSquares, 16, {d_x + group * 16, channels_, 1},
                    turned + group * 16 * kSquares, kSquares,
                    d_mixing + static_cast<std::size_t>(group) * kSquares * kSquares, kSquares);
        add_product(kSquares, 16, kSquares, {mixing + group, groups_, kSquares * groups_},
                    d_x + group * 16, channels_, d_u + group * 16, channels_);
      }
    }
    const float* keep = keep_.data() + (static_cast<std::size_t>(b) * kPositions + p) * width;
    for (int i = 0; i < kSquares * channels_; i += channels_)
      rectify_backward(u + i, d_u + i, keep, channels_);
  }
  for (int c = 0; c < kClasses; ++c) {
    const int begin = geometry_.class_begin[c], rows = geometry_.class_begin[c + 1] - begin;
    const std::size_t matrix = static_cast<std::size_t>(c) * channels_ * channels_;
    const int part = rows * channels_;
    pack_a_.resize(static_cast<std::size_t>(positions_) * part);
    pack_b_.resize(static_cast<std::size_t>(positions_) * part);
    for (int p = 0; p < positions_; ++p) {
      std::copy_n(at(normal_[b], p) + begin * channels_, part, pack_a_.data() + p * part);
      std::copy_n(at(d_active_, p) + begin * channels_, part, pack_b_.data() + p * part);
    }
    const int all = positions_ * rows;
    for (int i = 0; i < all; ++i)
      add(block.bias.in(into.dense) + c * channels_, pack_b_.data() + i * channels_, channels_);
    add_product(channels_, channels_, all, {pack_a_.data(), 1, channels_}, pack_b_.data(),
                channels_, block.channel.in(into.dense) + matrix, channels_);
    d_normal_.assign(static_cast<std::size_t>(all) * channels_, 0.0f);
    add_product(all, channels_, channels_, {pack_b_.data(), channels_, 1},
                block.channel.in(network_.transposed) + matrix, channels_, d_normal_.data(),
                channels_);
    for (int p = 0; p < positions_; ++p)
      for (int i = 0; i < rows; ++i)
        normalise_backward(pack_a_.data() + (p * rows + i) * channels_,
                           scale_[b][p * kSquares + begin + i],
                           d_normal_.data() + (p * rows + i) * channels_,
                           at(d_states_, p) + (begin + i) * channels_, channels_);
  }
}

void Pass::refer_to_squares(Gradients& into) {
  const float* bias_start = d_states_.data();
  float* bias = network_.class_bias.in(into.dense);
  for (int p = 0; p < positions_; ++p)
    for (int rank = 0; rank < kSquares; ++rank)
      add(bias + geometry_.class_of[geometry_.square_of[rank]] * channels_,
          bias_start + (p * kSquares + rank) * channels_, channels_);
  for (int p = 0; p < positions_; ++p) {
    const auto base = static_cast<std::uint32_t>(into.vectors.size() / channels_);
    const float* d = at(d_states_, p);
    if (lines_scale_ != 1)
      for (int i = 0; i < kSquares * channels_; ++i) at(d_states_, p)[i] *= lines_scale_;
    into.vectors.insert(into.vectors.end(), d, d + kSquares * channels_);
    for (std::uint64_t left = places_[p].lines_kept & (bit(kLines) - 1); left;) {
      const int i = pop(left);
      const Line& line = geometry_.lines[i];
      for (int j = 0; j < line.length; ++j)
        into.references[line.type].push_back(
            {static_cast<std::uint32_t>(Geometry::row(places_[p].lines[i], line.length, j)),
             base + geometry_.rank_of[line.squares[j]]});
    }
  }
}

void Pass::refer_to_moves(Gradients& into) {
  const auto base = static_cast<std::uint32_t>(into.vectors.size() / channels_);
  into.vectors.insert(into.vectors.end(), d_moves_.begin(), d_moves_.end());
  for (const MoveRow& use : move_rows_)
    into.references[use.table].push_back(
        {static_cast<std::uint32_t>(use.row), base + static_cast<std::uint32_t>(use.move)});
  if (!network_.config.afterstates) return;
  std::uint32_t scaled = base;
  if (patterns_scale_ != 1) {
    scaled = static_cast<std::uint32_t>(into.vectors.size() / channels_);
    for (float d : d_moves_) into.vectors.push_back(d * patterns_scale_);
  }
  // A pattern that a move leaves alone keeps the row it had; one vector gathers all such moves. If
  // there are none, that row was not used: the vector, zero but for rounding, must not touch it.
  std::size_t next_change = 0;
  for (int p = 0; p < positions_; ++p) {
    const Place& place = places_[p];
    const auto unchanged = static_cast<std::uint32_t>(into.vectors.size() / channels_);
    std::array<int, kPatterns> keeping;  // moves that leave each pattern alone
    keeping.fill(place.last_move - place.first_move);
    Floats& sum = d_normal_;
    sum.assign(channels_, 0.0f);
    for (int m = place.first_move; m < place.last_move; ++m)
      add(sum.data(), d_moves_.data() + static_cast<std::size_t>(m) * channels_, channels_,
          patterns_scale_);
    for (int k = 0; k < kPatterns; ++k)
      into.vectors.insert(into.vectors.end(), sum.begin(), sum.end());
    for (; next_change < changes_.size() && changes_[next_change].move < place.last_move;
         ++next_change) {
      const Change& change = changes_[next_change];
      if (!(place.patterns_kept >> change.pattern & 1)) continue;
      --keeping[change.pattern];
      add(into.vectors.data() + static_cast<std::size_t>(unchanged + change.pattern) * channels_,
          d_moves_.data() + static_cast<std::size_t>(change.move) * channels_, channels_,
          -patterns_scale_);
      into.references[LineNetwork::kPatternTable + geometry_.patterns[change.pattern].type]
          .push_back({static_cast<std::uint32_t>(change.row),
                      scaled + static_cast<std::uint32_t>(change.move)});
    }
    for (std::uint64_t left = place.patterns_kept & (bit(kPatterns) - 1); left;) {
      const int k = pop(left);
      if (keeping[k] == 0) continue;
      into.references[LineNetwork::kPatternTable + geometry_.patterns[k].type].push_back(
          {static_cast<std::uint32_t>(place.patterns[k]),
           unchanged + static_cast<std::uint32_t>(k)});
    }
  }
}

}  // namespace outflank::nets
