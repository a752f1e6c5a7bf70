// What Python gives as an evaluator of leaves.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "mcts/evaluator.hpp"

namespace outflank {

// A LineNetwork, a function, "uniform" or "rollouts". The evaluator refers to the object, which
// must live as long.
std::unique_ptr<mcts::Evaluator> make_evaluator(nanobind::handle given);

}  // namespace outflank
