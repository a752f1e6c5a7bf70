#include "mcts/root.hpp"

#include <bit>

namespace outflank::mcts {
namespace {

constexpr std::uint64_t kNoiseStream = 1, kGumbelStream = 2;

// Mixes noise into the priors: over the legal moves only, because only they have edges.
void add_noise(const Options& options, Random random, int edges, double* priors) {
  std::array<double, kSquares> noise;
  double sum = 0;
  for (int i = 0; i < edges; ++i) sum += noise[i] = gamma(random, options.noise_alpha);
  if (!(sum > 0)) return;  // a tiny alpha can underflow
  for (int i = 0; i < edges; ++i)
    priors[i] = (1 - options.noise_share) * priors[i] + options.noise_share * noise[i] / sum;
}

int visits_of(const Node& node, const Edge* edges) {
  int sum = 0;
  for (int i = 0; i < node.edges; ++i) sum += edges[i].visits;
  return sum;
}

// The edge with the most visits; among equals the one of the highest value, then the first.
int most_visited(const Node& node, const Edge* edges) {
  int best = 0;
  for (int i = 1; i < node.edges; ++i)
    if (edges[i].visits > edges[best].visits ||
        (edges[i].visits == edges[best].visits && edges[i].visits &&
         edges[i].mean() > edges[best].mean()))
      best = i;
  return best;
}

}  // namespace

void sequential_halving(int moves, int simulations, std::vector<int>& considered) {
  considered.clear();
  const int rounds = moves > 1 ? std::bit_width(static_cast<unsigned>(moves - 1)) : 1;
  std::array<int, kSquares> visits{};
  for (int left = std::max(moves, 1); static_cast<int>(considered.size()) < simulations;
       left = std::max(std::min(moves, 2), left / 2)) {
    const int times = std::max(1, simulations / (rounds * left));
    for (int n = 0; n < times; ++n)
      for (int i = 0; i < left; ++i) considered.push_back(visits[i]++);
  }
  considered.resize(simulations);
}

void Root::clear() {
  plan_ = {};
  gumbels_.fill(0);
  before_.fill(0);
}

void Root::prepare(const Options& options, const RootPlan& plan, std::uint64_t key,
                   const Node& node, const Edge* edges) {
  plan_ = plan;
  for (int i = 0; i < node.edges; ++i) {
    priors_[i] = edges[i].prior;
    before_[i] = edges[i].visits;
  }
  if (plan.explore && options.noise_share > 0 && node.edges > 1)
    add_noise(options, Random(key, kNoiseStream), node.edges, priors_.data());
  if (options.gumbel_moves) {
    Random random(key, kGumbelStream);
    for (int i = 0; i < node.edges; ++i)
      gumbels_[i] = options.gumbel_noise * plan.gumbel_noise * gumbel(random);
    sequential_halving(std::min<int>(options.gumbel_moves, node.edges), plan.simulations,
                       considered_);
  }
}

int Root::forced(const Options& options, const Edge& edge, double prior, int visits) const {
  if (!plan_.explore || options.forced_playouts <= 0 || edge.begun() == 0) return 0;
  return static_cast<int>(std::sqrt(options.forced_playouts * prior * visits));
}

int Root::select(const Options& options, const Node& node, const Edge* edges, int begun) const {
  if (node.edges == 1) return 0;
  if (options.gumbel_moves) {
    // Among the edges that are due, the one whose number is highest by what is known now.
    std::array<double, kSquares> numbers;
    improved_logits(options, node, edges, numbers.data());
    constexpr double kNotDue = -std::numeric_limits<double>::infinity();
    const int due = considered_[begun];
    return first_best(node.edges, [&](int i) {
      return edges[i].begun() - before_[i] == due ? gumbels_[i] + numbers[i] : kNotDue;
    });
  }
  const Formula formula(options, node);
  if (options.selection == Selection::uct)
    return first_best(node.edges, [&](int i) { return formula.uct(edges[i]); });
  if (plan_.explore && options.forced_playouts > 0) {
    const int visits = node.visits - 1 + node.pending;
    for (int i = 0; i < node.edges; ++i)
      if (edges[i].begun() < forced(options, edges[i], priors_[i], visits)) return i;
  }
  return first_best(node.edges, [&](int i) { return formula.puct(edges[i], priors_[i]); });
}

void Root::improved_logits(const Options& options, const Node& node, const Edge* edges,
                           double* logits) const {
  // Moves without a visit get the mean of what the network and the visited moves say.
  double priors = 0, weighted = 0;
  int visits = 0, most = 0;
  for (int i = 0; i < node.edges; ++i) {
    if (edges[i].visits == 0) continue;
    priors += edges[i].prior;
    weighted += edges[i].prior * edges[i].mean();
    visits += edges[i].visits;
    most = std::max(most, edges[i].visits);
  }
  double mixed = node.value;
  if (priors > 0) mixed = (mixed + visits * (weighted / priors)) / (1 + visits);
  const double scale = (options.gumbel_visit + most) * options.gumbel_scale;
  constexpr double kLeastPrior = 1e-30;  // of which there is still a logarithm
  for (int i = 0; i < node.edges; ++i) {
    const double value = edges[i].visits ? edges[i].mean() : mixed;
    logits[i] =
        portable_log(std::max<double>(edges[i].prior, kLeastPrior)) + scale * (value + 1) / 2;
  }
}

int Root::best(const Options& options, const Node& node, const Edge* edges) const {
  if (!options.gumbel_moves) return most_visited(node, edges);
  int most = 0;
  for (int i = 0; i < node.edges; ++i) most = std::max(most, edges[i].visits - before_[i]);
  std::array<double, kSquares> numbers;
  improved_logits(options, node, edges, numbers.data());
  return first_best(node.edges, [&](int i) {
    return edges[i].visits - before_[i] == most ? gumbels_[i] + numbers[i]
                                                : -std::numeric_limits<double>::infinity();
  });
}

// Takes away visits that were forced: as many as leave each move's number at most that of the
// best one, so that the network does not learn what the noise tried (D. J. Wu, 2019, section 3.2).
void Root::pruned_visits(const Options& options, const Node& node, const Edge* edges,
                         double* visits) const {
  const int all = visits_of(node, edges), best = most_visited(node, edges);
  for (int i = 0; i < node.edges; ++i) visits[i] = edges[i].visits;
  if (!plan_.explore || options.forced_playouts <= 0 || options.selection == Selection::uct) return;
  const double scale = options.exploration * std::sqrt(static_cast<double>(std::max(1, all)));
  const double limit = edges[best].visits
                           ? edges[best].mean() + scale * priors_[best] / (1 + edges[best].visits)
                           : 0;
  for (int i = 0; i < node.edges; ++i) {
    if (i == best || edges[i].visits == 0) continue;
    const double room = limit - edges[i].mean();
    if (room <= 0) continue;
    const double least = std::ceil(scale * priors_[i] / room - 1);
    const int taken = forced(options, edges[i], priors_[i], all);
    visits[i] = std::min(visits[i], std::max(visits[i] - taken, least));
    if (visits[i] <= 1) visits[i] = 0;
  }
}

void Root::target(const Options& options, const Node& node, const Edge* edges,
                  double* shares) const {
  double sum = 0;
  if (options.gumbel_moves) {
    improved_logits(options, node, edges, shares);
    const double highest = *std::max_element(shares, shares + node.edges);
    for (int i = 0; i < node.edges; ++i) sum += shares[i] = portable_exp(shares[i] - highest);
  } else {
    pruned_visits(options, node, edges, shares);
    for (int i = 0; i < node.edges; ++i) sum += shares[i];
    if (sum == 0)  // no simulation yet
      for (int i = 0; i < node.edges; ++i) sum += shares[i] = edges[i].prior;
  }
  for (int i = 0; i < node.edges; ++i) shares[i] /= sum;
}

}  // namespace outflank::mcts
