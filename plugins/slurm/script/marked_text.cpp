#include "plugins/slurm/script/marked_text.hpp"

#include "sdk/support/shell_words.hpp"

namespace slipway::slurm {

namespace {

/// Joins the text: `piece` of each part between the places, and `app_id` or `replica_id` for each
/// place.
template <class Piece>
std::string filled(std::string_view marked, const char* app_id, const char* replica_id,
                   Piece piece) {
  std::string out;
  while (!marked.empty()) {
    const std::size_t place = marked.find('\0');
    if (place != 0) out += piece(marked.substr(0, place));
    if (place == std::string_view::npos) break;
    out += marked.substr(place, 2) == kAppIdMark ? app_id : replica_id;
    marked.remove_prefix(place + 2);
  }
  return out;
}

}  // namespace

std::string shown(std::string_view marked) {
  return filled(marked, "${app_id}", "${replica_id}",
                [](std::string_view piece) { return std::string(piece); });
}

std::string bash_word(std::string_view marked) {
  if (marked.empty()) return "''";
  return filled(marked, "\"$SLIPWAY_APP_ID\"", "\"$SLIPWAY_REPLICA_ID\"", shell_quoted);
}

}  // namespace slipway::slurm
