#include "nets/line_pass.hpp"

#include <algorithm>
#include <cmath>

#include "nets/matrix.hpp"
#include "othello/features.hpp"
#include "othello/hash.hpp"
#include "othello/moves.hpp"

namespace outflank::nets {

namespace {

constexpr std::size_t kAhead = 8;  // rows of tables that are on their way from memory

// Asks for rows of a table that will be read soon: tables are larger than the caches.
inline void fetch(const float* row, int size) {
  for (int c = 0; c < size; c += 16) __builtin_prefetch(row + c);
}

// Empty squares connected to one of them, diagonals included.
Bits region(Bits empties, Bits seed) {
  for (Bits grown; (grown = (neighbours(seed) | seed) & empties) != seed;) seed = grown;
  return seed;
}

// Discs that the opponent of the one to reply has left after the reply that flips the most.
int discs_kept(const Board& board, Bits replies) {
  int most = 0;
  while (replies) most = std::max(most, count(flips(board.own, board.other, pop(replies))));
  return count(board.other) - most;
}

}  // namespace

Pass::Pass(const LineNetwork& network)
    : network_(network),
      geometry_(Geometry::instance()),
      channels_(network.config.channels),
      hidden_(network.config.hidden),
      groups_(network.config.channels / 16) {
  const std::size_t size = std::size_t{kPositions} * kSquares * channels_;
  const int blocks = network.config.blocks, layers = network.config.layers;
  states_.assign(std::max(blocks, 1), Floats(size));
  normal_ = states_;
  active_ = states_;
  scale_.assign(blocks, Floats(kPositions * kSquares));
  keep_.resize(static_cast<std::size_t>(blocks + layers) * kPositions *
               std::max(channels_, hidden_));
  pooled_.resize(std::size_t{kPositions} * channels_);
  context_ = pooled_;
  value_active_.resize(std::size_t{kPositions} * LineNetwork::kValueHidden);
  values_.resize(kPositions);
  moves_.resize(layers + 1);
  move_normal_.resize(layers);
  move_scale_.resize(layers);
  move_active_.resize(layers);
  mean_active_.assign(layers, Floats(std::size_t{kPositions} * hidden_));
}

void Pass::describe(std::span<const Bits> own, std::span<const Bits> other) {
  positions_ = static_cast<int>(own.size());
  squares_.clear();
  owner_.clear();
  changes_.clear();
  move_rows_.clear();
  for (int p = 0; p < positions_; ++p) {
    Place& place = places_[p];
    place.board = {own[p], other[p]};
    place.empties = count(place.board.empties());
    place.first_move = moves();
    place.lines_kept = place.patterns_kept = ~std::uint64_t{0};
    for (int i = 0; i < kLines; ++i)
      place.lines[i] =
          geometry_.line_entries[geometry_.lines[i].type][geometry_.line_state(i, place.board)];
    for (Bits left = legal_moves(place.board); left;) {
      squares_.push_back(static_cast<std::uint8_t>(pop(left)));
      owner_.push_back(static_cast<std::uint8_t>(p));
    }
    place.last_move = moves();
    describe_moves(place);
  }
}

void Pass::describe_moves(Place& place) {
  const Board& board = place.board;
  const int stage = place.empties;
  int odd = 0, even = 0, regions = 0;
  std::array<Bits, kSquares> region_of;  // the regions, one after the other
  for (Bits left = board.empties(); left;) {
    const Bits part = region(board.empties(), left & (0 - left));
    left &= ~part;
    (count(part) & 1 ? odd : even)++;
    region_of[regions++] = part;
  }
  const bool after = network_.config.afterstates;
  std::array<int, kPatterns> states;
  if (after)
    for (int k = 0; k < kPatterns; ++k) {
      const Pattern& pattern = geometry_.patterns[k];
      states[k] = pattern.digits[extract(board.own, pattern.mask)] +
                  2 * pattern.digits[extract(board.other, pattern.mask)];
      place.patterns[k] = geometry_.pattern_row[pattern.type][states[k]];
      fetch(pattern_row(k, place.patterns[k]), channels_);  // until the squares are done it is here
    }
  for (int m = place.first_move; m < place.last_move; ++m) {
    const int square = squares_[m];
    const auto fact = [&](Fact kind, int number) {
      move_rows_.push_back({m, LineNetwork::kFactTable, fact_row(kind, number, stage)});
    };
    const Bits around = *std::find_if(region_of.begin(), region_of.begin() + regions,
                                      [&](Bits part) { return part >> square & 1; });
    const int parity = count(around) & 1;
    fact(Fact::kSquare, geometry_.class_of[square] * 4 + (stage & 3));
    fact(Fact::kRegion, count(around));
    fact(Fact::kOddRegions, 2 * std::min(odd, 7) + parity);
    fact(Fact::kEvenRegions, 2 * std::min(even, 7) + parity);
    if (!after) continue;

    const Bits flipped = flips(board.own, board.other, square);
    const Board next{board.other ^ flipped,
                     board.own ^ (flipped | bit(square))};  // the opponent's view
    const Bits replies = legal_moves(next), own_moves = legal_moves(next.passed());
    fact(Fact::kReplies, count(replies));
    fact(Fact::kOwnMoves, count(own_moves));
    fact(Fact::kCorners, 5 * count(replies & kCorners) + count(own_moves & kCorners));
    fact(Fact::kFlips, count(flipped));
    fact(Fact::kPotentialReplies, count(potential_mobility(next)));
    fact(Fact::kPotentialMoves, count(potential_mobility(next.passed())));
    fact(Fact::kDiscsKept, discs_kept(next, replies));
    const auto pairs = [&](Pair kind, Bits squares) {
      while (squares)
        move_rows_.push_back(
            {m, LineNetwork::kPairTable,
             static_cast<int>(kind) * kPairOrbits + geometry_.pair_orbit[square][pop(squares)]});
    };
    pairs(Pair::kReply, replies);
    pairs(Pair::kOwnMove, own_moves);
    pairs(Pair::kFlip, flipped);
    std::uint64_t changed = geometry_.patterns_with[square];
    for (Bits left = flipped; left;) changed |= geometry_.patterns_with[pop(left)];
    while (changed) {
      const int k = pop(changed);
      const Pattern& pattern = geometry_.patterns[k];
      const int state = states[k] + pattern.digits[extract(flipped | bit(square), pattern.mask)] -
                        2 * pattern.digits[extract(flipped, pattern.mask)];
      changes_.push_back({m, k, geometry_.pattern_row[pattern.type][state]});
    }
  }
}

void Pass::drop(const Dropout& dropout, std::uint64_t first_key) {
  std::fill(keep_.begin(), keep_.end(), 1.0f);
  lines_scale_ = 1 / (1 - dropout.lines);
  patterns_scale_ = 1 / (1 - dropout.patterns);
  if (dropout.lines == 0 && dropout.patterns == 0 && dropout.channels == 0) return;
  const auto threshold = [](float share) { return static_cast<std::uint64_t>(share * 65536.0f); };
  const std::size_t width = std::max(channels_, hidden_);
  for (int p = 0; p < positions_; ++p) {
    Random random(dropout.seed, first_key + p);
    std::uint64_t bits = 0;
    int left = 0;
    const auto dropped = [&](std::uint64_t below) {
      if (left == 0) {
        bits = random.next();
        left = 4;
      }
      const bool result = (bits & 0xffff) < below;
      bits >>= 16;
      --left;
      return result;
    };
    for (int i = 0; i < kLines; ++i)
      if (dropped(threshold(dropout.lines))) places_[p].lines_kept &= ~bit(i);
    for (int k = 0; k < kPatterns; ++k)
      if (dropped(threshold(dropout.patterns))) places_[p].patterns_kept &= ~bit(k);
    if (dropout.channels > 0)
      for (int part = 0; part < network_.config.blocks + network_.config.layers; ++part) {
        float* keep = keep_.data() + (static_cast<std::size_t>(part) * kPositions + p) * width;
        for (std::size_t c = 0; c < width; ++c)
          keep[c] = dropped(threshold(dropout.channels)) ? 0 : 1 / (1 - dropout.channels);
      }
  }
}

void Pass::forward(const Dropout& dropout, std::uint64_t first_key) {
  drop(dropout, first_key);
  look_up_squares();
  for (int b = 0; b < network_.config.blocks; ++b) block_forward(b);
  value_forward();
  look_up_moves();
  for (int i = 0; i < network_.config.layers; ++i) layer_forward(i);
  logits_.resize(moves());
  for (int m = 0; m < moves(); ++m) {
    const int c = geometry_.class_of[squares_[m]];
    logits_[m] = network_.logit_bias.in(network_.dense)[c] +
                 dot(network_.logit.in(network_.dense) + c * channels_,
                     moves_.back().data() + static_cast<std::size_t>(m) * channels_, channels_);
  }
}

void Pass::look_up_squares() {
  const float* bias = network_.class_bias.in(network_.dense);
  for (int p = 0; p < positions_; ++p) {
    float* x = at(states_[0], p);
    for (int rank = 0; rank < kSquares; ++rank)
      std::copy_n(bias + geometry_.class_of[geometry_.square_of[rank]] * channels_, channels_,
                  x + rank * channels_);
    for (std::uint64_t left = places_[p].lines_kept & (bit(kLines) - 1); left;) {
      const int i = pop(left);
      const Line& line = geometry_.lines[i];
      const float* rows = network_.tables[line.type].weights.data();
      if (left) {  // a line's rows lie together
        const int next = first(left), length = geometry_.lines[next].length;
        fetch(network_.tables[geometry_.lines[next].type].weights.data() +
                  static_cast<std::size_t>(places_[p].lines[next].row) * channels_,
              length * channels_);
      }
      for (int j = 0; j < line.length; ++j)
        add(x + geometry_.rank_of[line.squares[j]] * channels_,
            rows + static_cast<std::size_t>(Geometry::row(places_[p].lines[i], line.length, j)) *
                       channels_,
            channels_, lines_scale_);
    }
  }
}

// x += mix squares (rectify (mix channels (normalise x))); the last block is needed only where
// there are moves, and gives its result to look_up_moves.
void Pass::block_forward(int b) {
  const LineNetwork::Block& block = network_.blocks[b];
  const float* channel = block.channel.in(network_.dense);
  const float* bias = block.bias.in(network_.dense);
  const std::size_t width = std::max(channels_, hidden_);
  for (int p = 0; p < positions_; ++p) {
    const float* x = at(states_[b], p);
    float* normal = at(normal_[b], p);
    for (int rank = 0; rank < kSquares; ++rank)
      scale_[b][p * kSquares + rank] =
          normalise(x + rank * channels_, normal + rank * channels_, channels_);
  }
  for (int c = 0; c < kClasses; ++c) {
    const int begin = geometry_.class_begin[c], rows = geometry_.class_begin[c + 1] - begin;
    for (int p = 0; p < positions_; ++p) {
      float* out = at(active_[b], p) + begin * channels_;
      for (int i = 0; i < rows; ++i)
        std::copy_n(bias + c * channels_, channels_, out + i * channels_);
      add_product(rows, channels_, channels_, {at(normal_[b], p) + begin * channels_, channels_, 1},
                  channel + static_cast<std::size_t>(c) * channels_ * channels_, channels_, out,
                  channels_);
    }
  }
  for (int p = 0; p < positions_; ++p) {
    float* u = at(active_[b], p);
    const float* keep = keep_.data() + (static_cast<std::size_t>(b) * kPositions + p) * width;
    for (int rank = 0; rank < kSquares; ++rank) rectify(u + rank * channels_, keep, channels_);
  }
  if (b + 1 == network_.config.blocks) return;
  const float* mixing = network_.square_mixing[b].data();
  for (int p = 0; p < positions_; ++p) {
    float* next = at(states_[b + 1], p);
    std::copy_n(at(states_[b], p), kSquares * channels_, next);
    for (int group = 0; group < groups_; ++group)
      add_product(kSquares, 16, kSquares, {mixing + group, kSquares * groups_, groups_},
                  at(active_[b], p) + group * 16, channels_, next + group * 16, channels_);
  }
}

void Pass::value_forward() {
  constexpr int kHidden = LineNetwork::kValueHidden;
  const float* pool = network_.pool.in(network_.dense);
  for (int p = 0; p < positions_; ++p) {
    const float* u = network_.config.blocks ? at(active_.back(), p) : at(states_[0], p);
    float* pooled = pooled_.data() + p * channels_;
    std::copy_n(network_.stage.in(network_.dense) + std::min(places_[p].empties, 63) * channels_,
                channels_, pooled);
    for (int rank = 0; rank < kSquares; ++rank) {
      const float* weight = pool + geometry_.class_of[geometry_.square_of[rank]] * channels_;
      for (int c = 0; c < channels_; ++c) pooled[c] += 0.125f * weight[c] * u[rank * channels_ + c];
    }
    float* context = context_.data() + p * channels_;
    for (int c = 0; c < channels_; ++c) context[c] = std::max(pooled[c], 0.0f);
    float* active = value_active_.data() + p * kHidden;
    std::copy_n(network_.value_bias.in(network_.dense), kHidden, active);
    add_product(1, kHidden, channels_, {context, 0, 1}, network_.value_in.in(network_.dense),
                kHidden, active, 0);
    for (int c = 0; c < kHidden; ++c) active[c] = std::max(active[c], 0.0f);
    values_[p] = std::tanh(network_.value_offset.in(network_.dense)[0] +
                           dot(network_.value_out.in(network_.dense), active, kHidden));
  }
}

// Adds to some channels of a move's vector, kWide * Vectors of them from `channel` on, what its
// rows say.
template <int Vectors>
void Pass::add_rows(int move, int channel, const Range& rows, const Range& changes) {
  float* h = moves_[0].data() + static_cast<std::size_t>(move) * channels_ + channel;
  Wide sum[Vectors];
  for (int i = 0; i < Vectors; ++i) sum[i] = load_wide(h + kWide * i);
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    if (r + kAhead < move_rows_.size()) {
      const MoveRow& soon = move_rows_[r + kAhead];
      fetch(table_row(soon.table, soon.row) + channel, kWide * Vectors);
    }
    const float* from = table_row(move_rows_[r].table, move_rows_[r].row) + channel;
    for (int i = 0; i < Vectors; ++i) sum[i] += load_wide(from + kWide * i);
  }
  if (network_.config.afterstates) {
    const Place& place = places_[owner_[move]];
    const float* common =
        d_hidden_.data() + static_cast<std::size_t>(owner_[move]) * channels_ + channel;
    for (int i = 0; i < Vectors; ++i) sum[i] += patterns_scale_ * load_wide(common + kWide * i);
    for (std::size_t r = changes.begin; r < changes.end; ++r) {
      if (r + kAhead < changes_.size())
        fetch(pattern_row(changes_[r + kAhead].pattern, changes_[r + kAhead].row) + channel,
              kWide * Vectors);
      const Change& change = changes_[r];
      if (!(place.patterns_kept >> change.pattern & 1)) continue;
      const float* now = pattern_row(change.pattern, change.row) + channel;
      const float* before = pattern_row(change.pattern, place.patterns[change.pattern]) + channel;
      for (int i = 0; i < Vectors; ++i)
        sum[i] += patterns_scale_ * (load_wide(now + kWide * i) - load_wide(before + kWide * i));
    }
  }
  for (int i = 0; i < Vectors; ++i) store_wide(h + kWide * i, sum[i]);
}

void Pass::look_up_moves() {
  const int blocks = network_.config.blocks;
  const std::size_t size = static_cast<std::size_t>(moves()) * channels_;
  moves_[0].resize(size);
  float* h = moves_[0].data();
  const float* mixing = blocks ? network_.square_mixing.back().data() : nullptr;
  for (int m = 0; m < moves(); ++m) {
    const int p = owner_[m], rank = geometry_.rank_of[squares_[m]];
    float* row = h + static_cast<std::size_t>(m) * channels_;
    std::copy_n(at(states_.back(), p) + rank * channels_, channels_, row);
    if (!blocks) continue;
    const float* u = at(active_.back(), p);
    const float* factors = mixing + static_cast<std::size_t>(rank) * kSquares * groups_;
    for (int group = 0; group < groups_; group += 4) {  // several sums at once hide their latency
      const int together = std::min(4, groups_ - group);
      constexpr int kParts = 16 / kWide;
      Wide sum[4][kParts];
      const auto each = [&](auto&& work) {
        for (int g = 0; g < together; ++g)
          for (int part = 0; part < kParts; ++part)
            work(g, sum[g][part], (group + g) * 16 + part * kWide);
      };
      each([&](int, Wide& total, int c) { total = load_wide(row + c); });
      for (int from = 0; from < kSquares; ++from)
        each([&](int g, Wide& total, int c) {
          total += factors[from * groups_ + group + g] * load_wide(u + from * channels_ + c);
        });
      each([&](int, const Wide& total, int c) { store_wide(row + c, total); });
    }
  }
  // Most patterns are as they were before the move: their sum is made once, and each move
  // exchanges those that it changes.
  Floats& sums = d_hidden_;
  if (network_.config.afterstates) {
    sums.assign(static_cast<std::size_t>(positions_) * channels_, 0.0f);
    for (int p = 0; p < positions_; ++p) {
      const Place& place = places_[p];
      for (std::uint64_t left = place.patterns_kept & (bit(kPatterns) - 1); left;) {
        const int k = pop(left);
        add(sums.data() + p * channels_, pattern_row(k, place.patterns[k]), channels_);
      }
    }
  }
  // A move's rows lie together, so its vector stays in registers while they are added.
  std::size_t row = 0, change = 0;
  for (int m = 0; m < moves(); ++m) {
    std::size_t last_row = row, last_change = change;
    while (last_row < move_rows_.size() && move_rows_[last_row].move == m) ++last_row;
    while (last_change < changes_.size() && changes_[last_change].move == m) ++last_change;
    int channel = 0;
    const auto some = [&]<int Vectors>() {
      for (; channels_ - channel >= Vectors * kWide; channel += Vectors * kWide)
        add_rows<Vectors>(m, channel, {row, last_row}, {change, last_change});
    };
    some.template operator()<4>();
    some.template operator()<2>();
    some.template operator()<1>();
    row = last_row;
    change = last_change;
  }
}

// h += out (rectify (in (normalise h) + context + mean over the moves of the layer before)).
void Pass::layer_forward(int i) {
  const LineNetwork::Layer& layer = network_.layers[i];
  const std::size_t n = moves(), width = std::max(channels_, hidden_);
  move_normal_[i].resize(n * channels_);
  move_scale_[i].resize(n);
  move_active_[i].resize(n * hidden_);
  moves_[i + 1] = moves_[i];
  for (std::size_t m = 0; m < n; ++m)
    move_scale_[i][m] = normalise(moves_[i].data() + m * channels_,
                                  move_normal_[i].data() + m * channels_, channels_);
  Floats& common = d_hidden_;  // what all moves of a position share
  common.resize(static_cast<std::size_t>(positions_) * hidden_);
  for (int p = 0; p < positions_; ++p)
    std::copy_n(layer.bias.in(network_.dense), hidden_, common.data() + p * hidden_);
  add_product(positions_, hidden_, channels_, {context_.data(), channels_, 1},
              layer.context.in(network_.dense), hidden_, common.data(), hidden_);
  if (i)
    add_product(positions_, hidden_, hidden_, {mean_active_[i - 1].data(), hidden_, 1},
                layer.others.in(network_.dense), hidden_, common.data(), hidden_);
  for (std::size_t m = 0; m < n; ++m)
    std::copy_n(common.data() + owner_[m] * hidden_, hidden_, move_active_[i].data() + m * hidden_);
  add_product(static_cast<int>(n), hidden_, channels_, {move_normal_[i].data(), channels_, 1},
              layer.in.in(network_.dense), hidden_, move_active_[i].data(), hidden_);
  std::fill(mean_active_[i].begin(), mean_active_[i].end(), 0.0f);
  for (std::size_t m = 0; m < n; ++m) {
    const int p = owner_[m];
    float* z = move_active_[i].data() + m * hidden_;
    rectify(z,
            keep_.data() +
                (static_cast<std::size_t>(network_.config.blocks + i) * kPositions + p) * width,
            hidden_);
    add(mean_active_[i].data() + p * hidden_, z, hidden_,
        1.0f / static_cast<float>(places_[p].last_move - places_[p].first_move));
  }
  add_product(static_cast<int>(n), channels_, hidden_, {move_active_[i].data(), hidden_, 1},
              layer.out.in(network_.dense), channels_, moves_[i + 1].data(), channels_);
}

}  // namespace outflank::nets
