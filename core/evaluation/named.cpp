#include "evaluation/named.hpp"

#include <stdexcept>
#include <string>

#include "evaluation/counts.hpp"
#include "evaluation/iago.hpp"
#include "evaluation/square_tables.hpp"

namespace outflank {
namespace {

template <typename T>
std::unique_ptr<Evaluation> make() {
  return std::make_unique<T>();
}

template <const SquareTable& table>
std::unique_ptr<Evaluation> make_squares() {
  return std::make_unique<WeightedSquares>(table.weights, table.units);
}

constexpr NamedEvaluation kNamed[] = {
    {"discs", "difference of discs", "the rules", make<DiscDifference>},
    {"mobility", "difference of legal moves", "used by nearly every program", make<Mobility>},
    {"swh", "weighted squares, made by hand", "the standard heuristic of the Othello League",
     make_squares<kSwh>},
    {"lr06", "weighted squares, coevolved", "S. Lucas, T. Runarsson, 2006", make_squares<kLr06>},
    {"sjk09", "weighted squares, coevolved with temporal differences",
     "M. Szubert, W. Jaśkowski, K. Krawiec, 2009", make_squares<kSjk09>},
    {"sjk11", "weighted squares, coevolved with temporal differences",
     "M. Szubert, W. Jaśkowski, K. Krawiec, 2011", make_squares<kSjk11>},
    {"maggs", "weighted squares, made by hand", "attributed to Maggs, 1979", make_squares<kMaggs>},
    {"paip", "weighted squares, made by hand",
     "P. Norvig, Paradigms of Artificial Intelligence Programming, 1992", make_squares<kPaip>},
    {"course", "course-early below 32 discs, then course-late",
     "Fudan University, neural networks course, 2017", make<CourseEvaluation>},
    {"course-early", "weighted squares of the course's first half of a game",
     "Fudan University, neural networks course, 2017", make_squares<kCourseEarly>},
    {"course-late", "weighted squares of the course's second half of a game",
     "Fudan University, neural networks course, 2017", make_squares<kCourseLate>},
    {"iago", "stability of edges and inside, current and potential mobility",
     "after P. Rosenbloom, 1982; edges by P. Norvig, 1992", make<Iago>},
    {"iago-positional", "stability of edges and inside alone",
     "after P. Rosenbloom, 1982; edges by P. Norvig, 1992", make<IagoPositional>},
    {"paip-iago", "an approximation of Iago without inner stability",
     "P. Norvig, Paradigms of Artificial Intelligence Programming, 1992", make<PaipIago>},
};

}  // namespace

std::span<const NamedEvaluation> named_evaluations() { return kNamed; }

std::unique_ptr<Evaluation> make_evaluation(std::string_view name) {
  for (const NamedEvaluation& evaluation : kNamed)
    if (evaluation.name == name) return evaluation.make();
  throw std::invalid_argument("no such evaluation: " + std::string(name));
}

}  // namespace outflank
