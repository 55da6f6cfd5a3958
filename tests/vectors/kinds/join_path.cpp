// Pieces of a PATH, some of them null, to one text.

#include "slipway/search_paths.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_join_path(VectorCase& one, Bench&) {
  const json::value& paths = member(one.input, "paths");
  if (!paths.is_array()) throw BenchError("`paths` is not a list");
  std::vector<std::string_view> pieces;
  for (const json::value& piece : paths.get_array()) {
    // C++ has no null text; the empty one is what callers pass for it.
    pieces.push_back(piece.is_string() ? std::string_view(piece.get_string()) : std::string_view());
  }
  return json::value(join_path(pieces));
}

}  // namespace slipway::vectors
