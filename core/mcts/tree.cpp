#include "mcts/tree.hpp"

#include <array>

#include "othello/hash.hpp"
#include "othello/moves.hpp"
#include "othello/symmetry.hpp"

namespace outflank::mcts {
namespace {

// Nodes that indices of 32 bits can name, with 33 edges each (no position has more moves).
constexpr std::uint32_t kMostNodes = 1u << 26;

// Where each square goes under each symmetry.
constexpr std::array<std::array<std::uint8_t, kSquares>, kSymmetries> make_images() {
  std::array<std::array<std::uint8_t, kSquares>, kSymmetries> images{};
  for (int symmetry = 0; symmetry < kSymmetries; ++symmetry)
    for (int square = 0; square < kSquares; ++square)
      images[symmetry][square] = static_cast<std::uint8_t>(transform_move(square, symmetry));
  return images;
}
constexpr auto kImages = make_images();

float result_of(int score) { return static_cast<float>((score > 0) - (score < 0)); }

// Priors of edges whose moves are still squares of the evaluated image.
void set_priors(std::span<Edge> edges, const float* logits) {
  float highest = logits[edges[0].move];
  for (const Edge& edge : edges) highest = std::max(highest, logits[edge.move]);
  std::array<double, kSquares> shares;
  double sum = 0;
  for (std::size_t i = 0; i < edges.size(); ++i)
    sum += shares[i] = portable_exp(static_cast<double>(logits[edges[i].move]) - highest);
  for (std::size_t i = 0; i < edges.size(); ++i)
    edges[i].prior = static_cast<float>(shares[i] / sum);
}

}  // namespace

void Store::clear() {
  nodes.clear();
  edges.clear();
}

EndgameTable& LeafSolver::table() {
  constexpr std::size_t kMegabytes = 4;
  if (!table_) table_ = std::make_unique<EndgameTable>(kMegabytes);
  return *table_;
}

Solution LeafSolver::solve(const Board& board, bool win_draw_loss) {
  SolverOptions options;
  options.win_draw_loss = win_draw_loss;
  return outflank::solve(board, table(), options);
}

std::vector<ScoredMove> LeafSolver::solve_moves(const Board& board) {
  std::uint64_t nodes = 0;
  return outflank::solve_moves(board, table(), {}, nodes);
}

void Tree::reset(const Board& board, std::uint64_t key) {
  store_.clear();
  store_.nodes.push_back({.board = board});
  leaves_.clear();
  steps_.clear();
  plan_ = {};
  root_.clear();
  key_ = key;
  evaluations_ = 0;
  done_ = pending_ = 0;
  solution_ = kPass;
  prepared_ = false;
}

bool Tree::advance(int move, Store& scratch) {
  const Node root = store_.nodes.front();
  const Bits legal = legal_moves(root.board);
  const bool passes = legal == 0 && legal_moves(root.board.passed()) != 0;
  if (move == kPass ? !passes : move > kPass || !(legal >> move & 1)) return false;
  std::uint32_t child = 0;
  for (const Edge& edge : root_edges())
    if (edge.move == move) child = edge.child;
  scratch.clear();
  if (child) {
    // Copies the subtree, level by level, so that its arrays are as short as it is small.
    scratch.nodes.push_back(store_.nodes[child]);
    for (std::size_t i = 0; i < scratch.nodes.size(); ++i) {
      Node& node = scratch.nodes[i];
      const std::uint32_t from = node.first_edge;
      const int edges = node.edges;
      node.first_edge = static_cast<std::uint32_t>(scratch.edges.size());
      for (int n = 0; n < edges; ++n) {
        Edge edge = store_.edges[from + n];
        if (edge.child) {
          const Node& below = store_.nodes[edge.child];
          edge.child = static_cast<std::uint32_t>(scratch.nodes.size());
          scratch.nodes.push_back(below);
        }
        scratch.edges.push_back(edge);
      }
    }
  } else {
    scratch.nodes.push_back({.board = passes ? root.board.passed() : play(root.board, move)});
  }
  std::swap(store_, scratch);
  plan_ = {};
  root_.clear();
  done_ = pending_ = 0;
  solution_ = kPass;
  prepared_ = false;
  return true;
}

void Tree::begin(const RootPlan& plan) {
  plan_ = plan;
  done_ = pending_ = 0;
  prepared_ = false;
}

bool Tree::is_full() const {
  const std::uint32_t most = options_->max_nodes ? options_->max_nodes : kMostNodes;
  return nodes() >= std::min(most, kMostNodes);
}

namespace {

// A move that leaves the opponent without a disc, or kPass if there is none.
int find_wipe_out(const Board& board) {
  constexpr int kMostFlips = 24;  // four lines through a square, six discs between two on each
  if (count(board.other) > kMostFlips) return kPass;
  for (Bits legal = legal_moves(board); legal;) {
    const int move = pop(legal);
    if (play(board, move).own == 0) return move;
  }
  return kPass;
}

}  // namespace

// A node for a position, as far as the rules know it.
std::uint32_t Tree::add_node(const Board& board, LeafSolver& solver) {
  const auto number = static_cast<std::uint32_t>(store_.nodes.size());
  Node node{.board = board};
  const bool must_pass = legal_moves(board) == 0;
  if (must_pass && legal_moves(board.passed()) == 0) {
    node.state = State::over;
    node.value = result_of(final_score(board));
  } else if (count(board.empties()) <= options_->solve_empties) {
    node.state = State::solved;
    node.value = static_cast<float>(solver.solve(board, true).score);
  } else if (options_->wipe_outs && find_wipe_out(board) != kPass) {
    node.state = State::solved;
    node.value = 1;
  } else if (must_pass) {
    node.state = State::open;
    node.first_edge = static_cast<std::uint32_t>(store_.edges.size());
    node.edges = 1;
    store_.edges.push_back({.prior = 1, .move = kPass});
  }
  store_.nodes.push_back(node);
  return number;
}

void Tree::gather(LeafBatch& batch, LeafSolver& solver) {
  leaves_.clear();
  steps_.clear();
  if (root().state == State::fresh) {
    const Board board = root().board;
    store_.clear();
    add_node(board, solver);
  }
  if (root().state == State::fresh) {
    add_leaf(0, 0, batch);
    return;
  }
  if (root().state == State::over) return;
  if (root().state == State::solved) {
    if (done_ == 0) {
      solution_ = options_->wipe_outs ? find_wipe_out(root().board) : kPass;
      if (solution_ == kPass) solution_ = solver.solve(root().board, false).best;
    }
    done_ = plan_.simulations;
    return;
  }
  if (!prepared_) {
    const Board& board = root().board;
    const std::uint64_t key = hash(options_->canonical ? canonical(board).board : board);
    root_.prepare(*options_, plan_, mix(key_ + kGolden) ^ key, root(), edges(root()));
    prepared_ = true;
  }
  while (static_cast<int>(leaves_.size()) < options_->leaves &&
         done_ + pending_ < plan_.simulations && !is_full())
    if (!simulate(batch, solver)) break;
}

// One simulation from the root down. False if it met a leaf that another one waits for.
bool Tree::simulate(LeafBatch& batch, LeafSolver& solver) {
  const std::size_t first_step = steps_.size();
  std::uint32_t number = 0;
  for (;;) {
    Node& node = store_.nodes[number];

    // Step 1: the end of the game, and what the solver knows, is backed up at once.
    if (node.state == State::over || node.state == State::solved) {
      node.sum += node.value;
      ++node.visits;
      back_up(first_step, steps_.size(), node.value);
      steps_.resize(first_step);
      ++done_;
      return true;
    }

    // Step 2: a leaf goes to the evaluator.
    if (node.state == State::fresh) {
      if (node.pending) {
        take_back(first_step, steps_.size());
        steps_.resize(first_step);
        return false;
      }
      ++pending_;
      add_leaf(number, first_step, batch);
      return true;
    }

    // Step 3: select an edge.
    const Edge* edges = this->edges(node);
    const int chosen = number == 0 ? root_.select(*options_, node, edges, done_ + pending_)
                                   : select_edge(*options_, node, edges);
    const std::uint32_t step = node.first_edge + static_cast<std::uint32_t>(chosen);
    steps_.push_back({number, step});
    ++node.pending;
    Edge& edge = store_.edges[step];
    ++edge.pending;

    // Step 4: go down, to a new node if the edge was never taken.
    number = edge.child;
    if (number == 0) {
      const int move = edge.move;
      const Board next = move == kPass ? node.board.passed() : play(node.board, move);
      number = add_node(next, solver);
      store_.edges[step].child = number;
    }
  }
}

void Tree::add_leaf(std::uint32_t number, std::size_t first_step, LeafBatch& batch) {
  Node& node = store_.nodes[number];
  ++node.pending;
  const Canonical image = options_->canonical ? canonical(node.board) : Canonical{node.board, 0};
  leaves_.push_back({number, first_step, steps_.size(), batch.size(), image.symmetry});
  batch.add(image.board, mix(key_ + kGolden * ++evaluations_));
}

void Tree::resolve(const LeafBatch& batch, bool has_policy) {
  for (const Leaf& leaf : leaves_) {
    // Step 5: expand the leaf.
    Node& node = store_.nodes[leaf.node];
    const Board image{batch.own[leaf.place], batch.other[leaf.place]};
    const float* logits = batch.logits.data() + leaf.place * kSquares;
    expand(node, image, leaf.symmetry, has_policy ? logits : nullptr);
    node.value = batch.values[leaf.place];
    node.sum = node.value;
    node.visits = 1;
    node.pending = 0;

    // Step 6: back its value up.
    back_up(leaf.first_step, leaf.last_step, node.value);
    if (leaf.first_step != leaf.last_step) {
      --pending_;
      ++done_;
    }
  }
  leaves_.clear();
}

// Edges are in the order of the image's squares: of two equal ones a simulation takes the first,
// so symmetric positions have symmetric trees.
void Tree::expand(Node& node, const Board& image, int symmetry, const float* logits) {
  Bits moves = legal_moves(image);
  const auto first_edge = static_cast<std::uint32_t>(store_.edges.size());
  const int number = count(moves);
  const float equal = 1.0f / static_cast<float>(number);
  while (moves)
    store_.edges.push_back({.prior = equal, .move = static_cast<std::uint8_t>(pop(moves))});
  const std::span<Edge> edges(store_.edges.data() + first_edge, number);
  if (logits) set_priors(edges, logits);
  // UCT tries every move once, whatever its prior: begin somewhere, not always at the same corner.
  if (options_->selection == Selection::uct)
    std::ranges::rotate(edges, edges.begin() + static_cast<int>(hash(image) % number));
  const auto& back = kImages[inverse(symmetry)];
  for (Edge& edge : edges) edge.move = back[edge.move];
  node.first_edge = first_edge;
  node.edges = static_cast<std::uint8_t>(number);
  node.state = State::open;
}

void Tree::back_up(std::size_t first_step, std::size_t last_step, double value) {
  for (std::size_t i = last_step; i-- > first_step;) {
    value = -value;
    Edge& edge = store_.edges[steps_[i].edge];
    edge.sum += value;
    ++edge.visits;
    --edge.pending;
    Node& node = store_.nodes[steps_[i].node];
    node.sum += value;
    ++node.visits;
    --node.pending;
  }
}

void Tree::take_back(std::size_t first_step, std::size_t last_step) {
  for (std::size_t i = first_step; i < last_step; ++i) {
    --store_.edges[steps_[i].edge].pending;
    --store_.nodes[steps_[i].node].pending;
  }
}

void Tree::abandon() {
  for (const Leaf& leaf : leaves_) {
    store_.nodes[leaf.node].pending = 0;
    take_back(leaf.first_step, leaf.last_step);
  }
  leaves_.clear();
  pending_ = 0;
}

int Tree::best() const {
  if (is_solved()) return solution_;
  if (root().state != State::open) return kPass;
  return edges(root())[root_.best(*options_, root(), edges(root()))].move;
}

std::vector<int> Tree::line() const {
  std::vector<int> moves;
  if (is_solved()) return {solution_};
  for (std::uint32_t number = 0;;) {
    const Node& node = store_.nodes[number];
    if (node.state != State::open) return moves;
    const Edge* from = edges(node);
    int chosen = 0;
    if (number == 0)
      chosen = root_.best(*options_, node, from);
    else
      chosen = first_best(node.edges, [&](int i) { return from[i].visits; });
    if (from[chosen].visits == 0) return moves;
    moves.push_back(from[chosen].move);
    number = from[chosen].child;
  }
}

}  // namespace outflank::mcts
