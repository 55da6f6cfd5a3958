#include "plugins/slurm/script/marked_text.hpp"

#include "sdk/support/shell_words.hpp"

namespace slipway::slurm {

namespace {

constexpr std::string_view kHostVariable = "SLIPWAY_HOST_";

/// Returns the text with each place replaced by `app_id`, `replica_id` or the result of `host` for
/// the name of a variable, and each part between places by the result of `piece`.
template <class Piece, class Host>
std::string filled(std::string_view marked, const char* app_id, const char* replica_id, Piece piece,
                   Host host) {
  std::string out;
  while (!marked.empty()) {
    const std::size_t place = marked.find('\0');
    if (place != 0) out += piece(marked.substr(0, place));
    if (place == std::string_view::npos) break;
    marked.remove_prefix(place);
    if (marked.substr(1, 1) == "H") {
      const std::size_t end = marked.find(';');
      out += host(std::string(kHostVariable) + std::string(marked.substr(2, end - 2)));
      marked.remove_prefix(end + 1);
      continue;
    }
    out += marked.substr(0, 2) == kAppIdMark ? app_id : replica_id;
    marked.remove_prefix(2);
  }
  return out;
}

}  // namespace

std::string host_mark(std::size_t part) {
  return std::string("\0H", 2) + std::to_string(part) + ';';
}

std::string host_variable(std::size_t part) {
  return std::string(kHostVariable) + std::to_string(part);
}

std::string shown(std::string_view marked) {
  return filled(
      marked, "${app_id}", "${replica_id}",
      [](std::string_view piece) { return std::string(piece); },
      [](const std::string& variable) { return '$' + variable; });
}

std::string bash_word(std::string_view marked) {
  if (marked.empty()) return "''";
  return filled(marked, "\"$SLIPWAY_APP_ID\"", "\"$SLIPWAY_REPLICA_ID\"", shell_quoted,
                [](const std::string& variable) { return "\"$" + variable + '"'; });
}

}  // namespace slipway::slurm
