// The evaluations that have a name.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "evaluation/evaluation.hpp"

namespace outflank {

struct NamedEvaluation {
  const char* name;
  const char* summary;  // one line: what it counts
  const char* source;   // where it was published
  std::unique_ptr<Evaluation> (*make)();
};

std::span<const NamedEvaluation> named_evaluations();

// Throws std::invalid_argument if there is none of that name.
std::unique_ptr<Evaluation> make_evaluation(std::string_view name);

}  // namespace outflank
