// Nodes and edges of a search tree, and the formula by which a simulation chooses among them.
#pragma once

#include "mcts/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "mcts/options.hpp"
#include "mcts/portable_math.hpp"
#include "othello/board.hpp"

namespace outflank::mcts {

enum class State : std::uint8_t {
  fresh,   // not yet evaluated
  open,    // evaluated, with edges; or a pass, with one
  over,    // the game is over
  solved,  // it is known who wins: by the solver near the end, or a move takes the last disc
};

// Values are from the view of the node's mover. The side changes on every edge, a pass included.
struct Node {
  Board board;
  double sum = 0;                // of the values of its visits
  std::int32_t visits = 0;       // its own evaluation (a pass has none) and those of its edges
  std::uint32_t first_edge = 0;  // edges of a node lie together
  float value = 0;               // what the evaluator said, or the result: 1, 0 or -1
  std::uint8_t edges = 0;
  State state = State::fresh;
  std::uint16_t pending = 0;  // simulations below it whose value is not yet known

  double mean() const { return visits ? sum / visits : static_cast<double>(value); }
};

struct Edge {
  double sum = 0;  // of the values of its visits, from the view of the node above
  float prior = 0;
  std::int32_t visits = 0;
  std::uint32_t child = 0;  // 0: none yet; the root is nobody's child
  std::uint8_t move = 0;    // square or kPass
  std::uint16_t pending = 0;

  // Visits, with those whose value is not yet known.
  int begun() const { return visits + pending; }
  double mean() const { return sum / visits; }
};

static_assert(sizeof(Node) == 40 && sizeof(Edge) == 24);

// What of the formulas is the same for all edges of a node.
class Formula {
 public:
  Formula(const Options& options, const Node& node)
      : loss_(options.virtual_loss),
        first_(options.first_play == FirstPlay::zero ? 0.0 : node.mean() - options.fpu_reduction) {
    // A node's own evaluation is no visit of an edge. Before the first one the priors decide.
    const double visits = std::max(1, node.visits - 1 + node.pending);
    if (options.selection == Selection::puct)
      scale_ = options.exploration * std::sqrt(visits);
    else
      scale_ = options.exploration, logarithm_ = portable_log(visits);
  }

  // Q: the mean value so far; simulations under way count as lost.
  double value(const Edge& edge) const {
    const int visits = edge.begun();
    return visits ? (edge.sum - loss_ * edge.pending) / visits : first_;
  }

  // Q + c P sqrt(sum of N) / (1 + N).
  double puct(const Edge& edge, double prior) const {
    return value(edge) + scale_ * prior / (1 + edge.begun());
  }

  // Q + c sqrt(ln(sum of N) / N); a move that was never tried comes first.
  double uct(const Edge& edge) const {
    const int visits = edge.begun();
    if (visits == 0) return std::numeric_limits<double>::infinity();
    return value(edge) + scale_ * std::sqrt(logarithm_ / visits);
  }

 private:
  double loss_, first_, scale_ = 0, logarithm_ = 0;
};

// The first edge among those of the highest number.
template <typename Number>
int first_best(int edges, Number&& number) {
  int best = 0;
  double highest = number(0);
  for (int i = 1; i < edges; ++i)
    if (const double one = number(i); one > highest) {
      highest = one;
      best = i;
    }
  return best;
}

// The edge that a simulation takes from a node below the root.
inline int select_edge(const Options& options, const Node& node, const Edge* edges) {
  if (node.edges == 1) return 0;
  const Formula formula(options, node);
  if (options.selection == Selection::uct)
    return first_best(node.edges, [&](int i) { return formula.uct(edges[i]); });
  return first_best(node.edges, [&](int i) { return formula.puct(edges[i], edges[i].prior); });
}

}  // namespace outflank::mcts
