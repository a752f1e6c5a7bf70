// How Monte Carlo tree search looks at positions and moves.
#pragma once

#include <cstdint>

namespace outflank::mcts {

enum class Selection { puct, uct };

// What a move counts for that was never tried.
enum class FirstPlay {
  mean,  // the mean value of its node, less `fpu_reduction`
  zero,  // a draw
};

struct Options {
  Selection selection = Selection::puct;
  double exploration = 1.5;  // c of PUCT or UCT
  FirstPlay first_play = FirstPlay::mean;
  double fpu_reduction = 0.1;

  int leaves = 1;           // leaves of one tree in a batch; several are kept apart by virtual loss
  double virtual_loss = 1;  // what a simulation counts for until its value is known
  int solve_empties = 0;    // solve leaves exactly from this many empty squares on
  bool wipe_outs = false;   // a leaf whose mover can take the opponent's last disc is won
  std::uint32_t max_nodes = 0;  // of one tree; 0: as many as memory holds
  bool canonical = true;        // leaves are evaluated as the smallest of their eight images

  // At the root.
  double noise_alpha = 0.3;    // of the Dirichlet distribution
  double noise_share = 0;      // of the priors that is replaced by noise
  double forced_playouts = 0;  // k of D. J. Wu (2019): visits a move gets at least; 0: none
  int gumbel_moves = 0;        // of I. Danihelka et al. (2022): moves that are halved; 0: PUCT
  double gumbel_visit = 50;    // c_visit
  double gumbel_scale = 1;     // c_scale
  double gumbel_noise = 1;     // by which the Gumbel numbers are multiplied; 0: no chance
};

}  // namespace outflank::mcts
