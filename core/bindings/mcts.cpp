// Monte Carlo tree search: its options, and forests of trees.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>
#include <variant>

#include "bindings/arguments.hpp"
#include "bindings/listening.hpp"
#include "bindings/mcts_evaluators.hpp"
#include "bindings/stop.hpp"
#include "mcts/forest.hpp"
#include "othello/moves.hpp"

namespace outflank {
namespace {

using mcts::Edge;
using mcts::kMoves;
using mcts::Options;
using mcts::Tree;

std::unique_ptr<Options> make_options(const std::string& selection, double exploration,
                                      const std::string& first_play, double fpu_reduction,
                                      int leaves, double virtual_loss, int solve_empties,
                                      bool wipe_outs, double noise_alpha, double noise_share,
                                      double forced_playouts, int gumbel_moves, double gumbel_visit,
                                      double gumbel_scale, double gumbel_noise,
                                      std::int64_t max_nodes, bool canonical) {
  auto options = std::make_unique<Options>();
  if (selection != "puct" && selection != "uct")
    refuse("selection is puct or uct, not " + selection);
  if (first_play != "mean" && first_play != "zero")
    refuse("first_play is mean or zero, not " + first_play);
  options->selection = selection == "uct" ? mcts::Selection::uct : mcts::Selection::puct;
  options->first_play = first_play == "zero" ? mcts::FirstPlay::zero : mcts::FirstPlay::mean;
  options->exploration = within("exploration", exploration, 0.0, 1000.0);
  options->fpu_reduction = within("fpu_reduction", fpu_reduction, -2.0, 2.0);
  options->leaves = within("leaves", leaves, 1, 4096);
  options->virtual_loss = within("virtual_loss", virtual_loss, 0.0, 100.0);
  options->solve_empties = within("solve_empties", solve_empties, 0, 20);
  options->wipe_outs = wipe_outs;
  options->noise_alpha = within("noise_alpha", noise_alpha, 0.001, 1000.0);
  options->noise_share = within("noise_share", noise_share, 0.0, 1.0);
  options->forced_playouts = within("forced_playouts", forced_playouts, 0.0, 1000.0);
  options->gumbel_moves = within("gumbel_moves", gumbel_moves, 0, kSquares);
  options->gumbel_visit = within("gumbel_visit", gumbel_visit, 0.0, 1e6);
  options->gumbel_scale = within("gumbel_scale", gumbel_scale, 0.0, 1e6);
  options->gumbel_noise = within("gumbel_noise", gumbel_noise, 0.0, 1000.0);
  options->max_nodes = static_cast<std::uint32_t>(
      within<std::int64_t>("max_nodes", max_nodes, 0, std::numeric_limits<std::int32_t>::max()));
  options->canonical = canonical;
  return options;
}

// A forest that Python holds. While a search is under way nobody else may touch it, except from
// its own progress report: the trees are at rest then, and both happen under the GIL.
class HeldForest {
 public:
  HeldForest(nb::object evaluator, const Boards& own, const Boards& other, const Options& options,
             std::uint64_t seed, const std::optional<ArrayIn<std::uint64_t>>& keys)
      : kept_(evaluator),
        evaluator_(make_evaluator(evaluator)),
        options_(options),
        forest_(options_, same_length(own.shape(0), other.shape(0))) {
    const std::vector<Board> boards = boards_of(own, other);
    if (boards.empty()) refuse("a forest needs at least one board");
    if (keys) same_length(boards.size(), keys->shape(0));
    for (std::size_t i = 0; i < boards.size(); ++i)
      forest_[i].reset(boards[i], key(seed, keys ? keys->data()[i] : i));
  }

  std::int64_t search(const std::variant<int, ArrayIn<std::int32_t>>& simulations, double seconds,
                      int threads, Stop* stop, const nb::object& on_progress, double interval) {
    refuse_while_searching();
    if (!evaluator_) refuse("the forest has lost its evaluator");
    const std::vector<int> wanted = simulations_of(simulations);
    mcts::ForestLimits limits;
    limits.seconds = within("seconds", seconds, 0.0, kMostSeconds);
    limits.threads = threads_for(threads);
    limits.interval = within("interval", interval, 0.0, 1e9);
    if (stop) limits.stop = &stop->flag;
    if (!on_progress.is_none()) {
      if (!PyCallable_Check(on_progress.ptr())) refuse("on_progress must be a function");
      limits.on_progress = [&] {
        nb::gil_scoped_acquire acquire;
        const Rest rest(at_rest_);
        on_progress(nb::find(this));
      };
    }
    {
      const Search search(searching_);
      listening([&] {
        const Steps steps;
        limits.on_tick = [&] { steps.end_if_asked(); };
        forest_.search(*evaluator_, wanted, limits);
      });
    }
    std::int64_t done = 0;
    for (std::size_t i = 0; i < forest_.size(); ++i) done += forest_[i].done();
    return done;
  }

  // Writes fill(tree, row) for each tree into an array of `columns` columns.
  template <typename T, typename Fill>
  ArrayOut<T> table(T empty, Fill&& fill) const {
    refuse_unless_at_rest();
    auto out = new_array<T>({forest_.size(), kMoves});
    std::fill_n(out.data(), forest_.size() * kMoves, empty);
    for (std::size_t i = 0; i < forest_.size(); ++i) fill(forest_[i], out.data() + i * kMoves);
    return out;
  }
  template <typename T, typename Fill>
  ArrayOut<T> column(Fill&& fill) const {
    refuse_unless_at_rest();
    auto out = new_array<T>({forest_.size()});
    for (std::size_t i = 0; i < forest_.size(); ++i)
      out.data()[i] = static_cast<T>(fill(forest_[i]));
    return out;
  }

  auto visits() const {
    return table<std::int32_t>(0, [](const Tree& tree, std::int32_t* row) {
      if (tree.is_solved()) {
        row[tree.solution()] = tree.done();
        return;
      }
      for (const Edge& edge : tree.root_edges()) row[edge.move] = edge.visits;
    });
  }
  auto values() const {
    return table<float>(std::numeric_limits<float>::quiet_NaN(), [](const Tree& tree, float* row) {
      if (tree.is_solved() && tree.done()) row[tree.solution()] = tree.root().value;
      if (tree.is_solved()) return;
      for (const Edge& edge : tree.root_edges())
        if (edge.visits) row[edge.move] = static_cast<float>(edge.mean());
    });
  }
  auto priors() const {
    return table<float>(0, [](const Tree& tree, float* row) {
      for (const Edge& edge : tree.root_edges()) row[edge.move] = edge.prior;
    });
  }
  auto policy() const {
    return table<float>(0, [](const Tree& tree, float* row) {
      if (tree.is_solved() && tree.done()) row[tree.solution()] = 1;
      if (tree.is_solved() || tree.root().edges == 0) return;
      std::array<double, kSquares> shares;
      tree.target(shares.data());
      for (std::size_t i = 0; i < tree.root_edges().size(); ++i)
        row[tree.root_edges()[i].move] = static_cast<float>(shares[i]);
    });
  }
  auto root_values() const {
    return column<float>([](const Tree& tree) { return tree.root().mean(); });
  }
  auto best() const {
    return column<std::uint8_t>([](const Tree& tree) { return tree.best(); });
  }
  auto solved() const {
    return column<bool>([](const Tree& tree) { return tree.is_solved(); });
  }
  auto nodes() const {
    return column<std::int32_t>([](const Tree& tree) { return tree.nodes(); });
  }
  auto boards() const {
    return std::tuple(column<Bits>([](const Tree& tree) { return tree.root().board.own; }),
                      column<Bits>([](const Tree& tree) { return tree.root().board.other; }));
  }
  std::vector<int> line(std::int64_t tree) const {
    refuse_unless_at_rest();
    return forest_[number(tree)].line();
  }
  std::size_t size() const { return forest_.size(); }

  void advance(const ArrayIn<std::uint8_t>& moves) {
    refuse_while_searching();
    same_length(forest_.size(), moves.shape(0));
    for (std::size_t i = 0; i < forest_.size(); ++i)
      if (moves.data()[i] != kStay && !is_legal(forest_[i].root().board, moves.data()[i]))
        refuse("tree " + std::to_string(i) + ": its move is not legal");
    for (std::size_t i = 0; i < forest_.size(); ++i)
      if (moves.data()[i] != kStay) forest_.advance(i, moves.data()[i]);
  }

  void reset(std::int64_t tree, Bits own, Bits other, std::uint64_t seed, std::uint64_t stream) {
    refuse_while_searching();
    forest_[number(tree)].reset(checked_board(own, other), key(seed, stream));
  }

  // An evaluator may be a method of the object that holds the forest: Python's collector has to see
  // through such a circle, or neither is ever freed.
  static int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<HeldForest>(self)->kept_.ptr());
    return 0;
  }
  static int clear(PyObject* self) {
    auto* forest = nb::inst_ptr<HeldForest>(self);
    forest->evaluator_.reset();
    forest->kept_.reset();
    return 0;
  }

 private:
  static constexpr int kStay = 255;

  struct Search {
    explicit Search(bool& flag) : flag(flag) { flag = true; }
    ~Search() { flag = false; }
    bool& flag;
  };
  using Rest = Search;

  static std::uint64_t key(std::uint64_t seed, std::uint64_t stream) {
    return mix(mix(seed + kGolden) ^ stream);
  }
  static bool is_legal(const Board& board, int move) {
    const Bits legal = legal_moves(board);
    if (move == kPass) return legal == 0 && legal_moves(board.passed()) != 0;
    return move < kPass && (legal >> move & 1);
  }
  void refuse_while_searching() const {
    if (searching_) refuse("the forest is being searched");
  }
  void refuse_unless_at_rest() const {
    if (searching_ && !at_rest_) refuse("the forest is being searched");
  }
  std::size_t number(std::int64_t tree) const {
    return static_cast<std::size_t>(
        within<std::int64_t>("tree", tree, 0, static_cast<std::int64_t>(forest_.size()) - 1));
  }
  std::vector<int> simulations_of(
      const std::variant<int, ArrayIn<std::int32_t>>& simulations) const {
    if (const int* all = std::get_if<int>(&simulations))
      return std::vector<int>(forest_.size(), within("simulations", *all, 1, kMostSimulations));
    const auto& each = std::get<ArrayIn<std::int32_t>>(simulations);
    same_length(forest_.size(), each.shape(0));
    std::vector<int> wanted(each.data(), each.data() + each.shape(0));
    for (const int one : wanted) within("simulations", one, 0, kMostSimulations);
    return wanted;
  }

  nb::object kept_;
  std::unique_ptr<mcts::Evaluator> evaluator_;
  const Options options_;
  mcts::Forest forest_;
  bool searching_ = false, at_rest_ = false;  // guarded by the GIL
};

}  // namespace

void bind_mcts(nb::module_& module) {
  static PyType_Slot forest_slots[] = {
      {Py_tp_traverse, reinterpret_cast<void*>(&HeldForest::traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(&HeldForest::clear)},
      {0, nullptr}};
  const auto selection = [](const Options& o) {
    return o.selection == mcts::Selection::uct ? "uct" : "puct";
  };
  const auto first_play = [](const Options& o) {
    return o.first_play == mcts::FirstPlay::zero ? "zero" : "mean";
  };
  nb::class_<Options>(module, "MctsOptions", "How Monte Carlo tree search chooses.")
      .def(nb::new_(&make_options), nb::kw_only(), "selection"_a = "puct", "exploration"_a = 1.5,
           "first_play"_a = "mean", "fpu_reduction"_a = 0.1, "leaves"_a = 1, "virtual_loss"_a = 1.0,
           "solve_empties"_a = 0, "wipe_outs"_a = false, "noise_alpha"_a = 0.3,
           "noise_share"_a = 0.0, "forced_playouts"_a = 0.0, "gumbel_moves"_a = 0,
           "gumbel_visit"_a = 50.0, "gumbel_scale"_a = 1.0, "gumbel_noise"_a = 1.0,
           "max_nodes"_a = 0, "canonical"_a = true,
           "Args:\n"
           "    selection: puct, or uct (for rollouts).\n"
           "    exploration: c of PUCT or UCT.\n"
           "    first_play: what a move counts for that was never tried: mean (the node's mean\n"
           "        value less fpu_reduction) or zero.\n"
           "    fpu_reduction: see first_play.\n"
           "    leaves: leaves that one tree adds to a batch; several are kept apart by virtual\n"
           "        loss.\n"
           "    virtual_loss: what a simulation under way counts for, as a loss.\n"
           "    solve_empties: solve leaves exactly from this many empty squares on; 0: never.\n"
           "    wipe_outs: count a leaf as won if its mover can take the opponent's last disc.\n"
           "    noise_alpha: of the Dirichlet noise at the root, over the legal moves.\n"
           "    noise_share: share of the root's priors that is noise; 0: no noise.\n"
           "    forced_playouts: k of KataGo's forced playouts; above 0 the policy target is\n"
           "        pruned, too.\n"
           "    gumbel_moves: moves that Gumbel's sequential halving considers at the root;\n"
           "        0: PUCT there, too.\n"
           "    gumbel_visit: c_visit of Gumbel's policy improvement.\n"
           "    gumbel_scale: c_scale of Gumbel's policy improvement.\n"
           "    gumbel_noise: by which the Gumbel numbers are multiplied; 0: no chance.\n"
           "    max_nodes: nodes of one tree, after which its search ends; 0: no limit.\n"
           "    canonical: evaluate leaves as the smallest of their eight images. Symmetric\n"
           "        positions then get symmetric visits, whatever the evaluator.")
      .def_prop_ro("selection", selection)
      .def_ro("exploration", &Options::exploration)
      .def_prop_ro("first_play", first_play)
      .def_ro("fpu_reduction", &Options::fpu_reduction)
      .def_ro("leaves", &Options::leaves)
      .def_ro("virtual_loss", &Options::virtual_loss)
      .def_ro("solve_empties", &Options::solve_empties)
      .def_ro("wipe_outs", &Options::wipe_outs)
      .def_ro("noise_alpha", &Options::noise_alpha)
      .def_ro("noise_share", &Options::noise_share)
      .def_ro("forced_playouts", &Options::forced_playouts)
      .def_ro("gumbel_moves", &Options::gumbel_moves)
      .def_ro("gumbel_visit", &Options::gumbel_visit)
      .def_ro("gumbel_scale", &Options::gumbel_scale)
      .def_ro("gumbel_noise", &Options::gumbel_noise)
      .def_ro("max_nodes", &Options::max_nodes)
      .def_ro("canonical", &Options::canonical);

  nb::class_<HeldForest>(module, "Forest", nb::type_slots(forest_slots),
                         "Search trees of many positions, searched together.")
      .def(nb::init<nb::object, const Boards&, const Boards&, const Options&, std::uint64_t,
                    const std::optional<ArrayIn<std::uint64_t>>&>(),
           "evaluator"_a.none(), "own"_a, "other"_a, "options"_a = Options{}, nb::kw_only(),
           "seed"_a = 0, "keys"_a = nb::none(),
           nb::sig("def __init__(self, evaluator: LineNetwork | Callable[[NDArray[numpy.uint64], "
                   "NDArray[numpy.uint64]], tuple[NDArray[numpy.float32], NDArray[numpy.float32]]] "
                   "| str, own: NDArray[numpy.uint64], other: NDArray[numpy.uint64], options: "
                   "MctsOptions = ..., *, seed: int = 0, keys: NDArray[numpy.uint64] | None = "
                   "None) -> None"),
           "Args:\n"
           "    evaluator: a LineNetwork; a function (own, other) -> (logits, values), float32 of\n"
           "        shapes (n, 64) and (n,), from the movers' view; uniform (all moves equal, all\n"
           "        positions drawn); or rollouts (a random game from each leaf).\n"
           "    own, other: the positions.\n"
           "    seed: of all random numbers.\n"
           "    keys: a number for each tree that makes its random numbers its own; 0, 1, 2...\n"
           "        if there are none.")
      .def("search", &HeldForest::search, "simulations"_a, nb::kw_only(), "seconds"_a = 0.0,
           "threads"_a = 0, "stop"_a = nb::none(), "on_progress"_a = nb::none(), "interval"_a = 0.2,
           nb::sig("def search(self, simulations: int | NDArray[numpy.int32], *, seconds: float = "
                   "0.0, threads: int = 0, stop: Stop | None = None, on_progress: "
                   "Callable[[Forest], object] | None = None, interval: float = 0.2) -> int"),
           "Search, and return how many simulations were done in all.\n\n"
           "Args:\n"
           "    simulations: for each tree, beside the evaluation of its root.\n"
           "    seconds: after which the search ends; 0: no limit.\n"
           "    threads: 0: all cores. The trees do not depend on it.\n"
           "    stop: ends the search from another thread.\n"
           "    on_progress: is given the forest, which it may read, every `interval` seconds.")
      .def("visits", &HeldForest::visits, "Visits of each move, int32 of shape (trees, 65).")
      .def("values", &HeldForest::values,
           "Mean value of each move, from the mover's view, float32 of shape (trees, 65); NaN if\n"
           "it was never visited.")
      .def("priors", &HeldForest::priors,
           "The evaluator's policy, without noise, float32 of shape (trees, 65).")
      .def("policy", &HeldForest::policy,
           "What a network should learn, float32 of shape (trees, 65): shares of the visits,\n"
           "without forced ones; or Gumbel's improved policy.")
      .def("root_values", &HeldForest::root_values,
           "Mean value of all simulations, from the mover's view, float32.")
      .def("best", &HeldForest::best,
           "The moves to play, uint8: the most visited, or the winner of sequential halving; PASS\n"
           "also where the game is over.")
      .def("solved", &HeldForest::solved, "True where the solver decided at the root.")
      .def("nodes", &HeldForest::nodes, "Nodes of each tree, int32.")
      .def("boards", &HeldForest::boards, "The positions at the roots: (own, other).")
      .def("line", &HeldForest::line, "tree"_a, "The expected play of one tree.")
      .def("advance", &HeldForest::advance, "moves"_a,
           "Play a move in each tree (255: none) and keep what is known of the new root.")
      .def("reset", &HeldForest::reset, "tree"_a, "own"_a, "other"_a, nb::kw_only(), "seed"_a = 0,
           "key"_a = 0, "Begin one tree anew at another position.")
      .def("__len__", &HeldForest::size);
}

}  // namespace outflank
