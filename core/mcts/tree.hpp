// One search tree: PUCT as in Silver et al. (2017) and in Fu and Xu's Algorithm 1.
#pragma once

#include <span>
#include <vector>

#include "endgame/solver.hpp"
#include "mcts/evaluator.hpp"
#include "mcts/node.hpp"
#include "mcts/root.hpp"

namespace outflank::mcts {

inline constexpr int kMoves = kSquares + 1;  // squares and the pass

// Nodes and edges; what a tree that moves on leaves behind is used again for the next one.
struct Store {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  void clear();
};

// Who solves positions near the end, one for each thread.
class LeafSolver {
 public:
  Solution solve(const Board& board, bool win_draw_loss);

  // The exact score of each legal move, best first.
  std::vector<ScoredMove> solve_moves(const Board& board);

 private:
  EndgameTable& table();  // allocated with the first position that is solved

  std::unique_ptr<EndgameTable> table_;
};

// A search goes on in rounds: gather() selects leaves, the evaluator answers, resolve() expands
// them and backs their values up. Between these two calls the tree must not be changed.
class Tree {
 public:
  explicit Tree(const Options& options) : options_(&options) { reset({}, 0); }

  // Forgets everything. The key, with the position, determines all random numbers.
  void reset(const Board& board, std::uint64_t key);

  // Makes the position after a move the root and keeps what is known of it. False, and no change,
  // if the move is not legal.
  bool advance(int move, Store& scratch);

  // Begins a search with this plan. Evaluating the root does not count as a simulation.
  void begin(const RootPlan& plan);

  // Selects leaves and adds them to the batch. None are left if the search is over.
  void gather(LeafBatch& batch, LeafSolver& solver);
  bool has_leaves() const { return !leaves_.empty(); }

  // Takes the answers for the leaves that gather() added to the batch.
  void resolve(const LeafBatch& batch, bool has_policy);

  // Takes the leaves back without an answer.
  void abandon();

  const Node& root() const { return store_.nodes.front(); }
  std::span<const Edge> root_edges() const {
    return {store_.edges.data() + root().first_edge, root().edges};
  }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(store_.nodes.size()); }
  int done() const { return done_; }  // simulations of this search
  bool is_solved() const { return root().state == State::solved; }
  bool is_gumbel() const { return options_->gumbel_moves > 0; }

  // What a search comes to. The best move is kPass where there is none.
  int best() const;
  void target(double* shares) const { root_.target(*options_, root(), edges(root()), shares); }
  // The moves that were visited most, from the root on.
  std::vector<int> line() const;
  // The move that solves a solved root.
  int solution() const { return solution_; }

 private:
  struct Step {
    std::uint32_t node, edge;
  };
  struct Leaf {
    std::uint32_t node;
    std::size_t first_step, last_step;
    std::size_t place;  // in the batch
    int symmetry;       // from the board to the image that is evaluated
  };

  const Edge* edges(const Node& node) const { return store_.edges.data() + node.first_edge; }
  std::uint32_t add_node(const Board& board, LeafSolver& solver);
  bool simulate(LeafBatch& batch, LeafSolver& solver);
  void add_leaf(std::uint32_t node, std::size_t first_step, LeafBatch& batch);
  void expand(Node& node, const Board& image, int symmetry, const float* logits);
  void back_up(std::size_t first_step, std::size_t last_step, double value);
  void take_back(std::size_t first_step, std::size_t last_step);
  bool is_full() const;

  const Options* options_;
  Store store_;
  Root root_;
  RootPlan plan_;
  std::uint64_t key_ = 0, evaluations_ = 0;
  int done_ = 0, pending_ = 0;  // simulations of this search
  int solution_ = kPass;
  bool prepared_ = false;
  std::vector<Leaf> leaves_;
  std::vector<Step> steps_;
};

}  // namespace outflank::mcts
