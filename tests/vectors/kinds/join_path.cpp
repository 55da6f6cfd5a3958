// Joins parts of a PATH, some of which are null.

#include "slipway/search_paths.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_join_path(VectorCase& one, Bench&) {
  const json::value& paths = member(one.input, "paths");
  if (!paths.is_array()) throw BenchError("`paths` is not a list");
  std::vector<std::string_view> pieces;
  for (const json::value& piece : paths.get_array()) {
    // C++ has no null text; callers pass an empty one instead.
    pieces.push_back(piece.is_string() ? std::string_view(piece.get_string()) : std::string_view());
  }
  return json::value(join_path(pieces));
}

}  // namespace slipway::vectors
