#include "plugins/slurm/script/text_places.hpp"

#include "sdk/support/shell_words.hpp"

namespace slipway::slurm {

namespace {

constexpr std::string_view kHostVariable = "SLIPWAY_HOST_";

/// Returns the text with each place replaced by `app_id`, `replica_id` or the result of `host` for
/// the name of a variable, and each part between places by the result of `piece`.
template <class Piece, class Host>
std::string filled(std::string_view text, const char* app_id, const char* replica_id, Piece piece,
                   Host host) {
  std::string out;
  while (!text.empty()) {
    const std::size_t place = text.find('\0');
    if (place != 0) out += piece(text.substr(0, place));
    if (place == std::string_view::npos) break;
    text.remove_prefix(place);
    if (text.substr(1, 1) == "H") {
      const std::size_t end = text.find(';');
      out += host(std::string(kHostVariable) + std::string(text.substr(2, end - 2)));
      text.remove_prefix(end + 1);
      continue;
    }
    out += text.substr(0, 2) == kAppIdPlace ? app_id : replica_id;
    text.remove_prefix(2);
  }
  return out;
}

}  // namespace

std::string host_place(std::size_t part) {
  return std::string("\0H", 2) + std::to_string(part) + ';';
}

std::string host_variable(std::size_t part) {
  return std::string(kHostVariable) + std::to_string(part);
}

std::string readable_text(std::string_view text) {
  return filled(
      text, "${app_id}", "${replica_id}", [](std::string_view piece) { return std::string(piece); },
      [](const std::string& variable) { return '$' + variable; });
}

std::string bash_word(std::string_view text) {
  if (text.empty()) return "''";
  return filled(text, "\"$SLIPWAY_APP_ID\"", "\"$SLIPWAY_REPLICA_ID\"", shell_quoted,
                [](const std::string& variable) { return "\"$" + variable + '"'; });
}

}  // namespace slipway::slurm
