// Lists of directories in the notation of PATH.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway {
inline namespace sdk_1_0 {

/// Joins pieces of a PATH with ':'. Omits empty pieces and removes leading and trailing colons of
/// each piece, like TorchX's `join_PATH`. A piece that has only colons becomes an empty piece:
/// `/a`, `:`, `/b` give `/a::/b`.
inline std::string join_path(const std::vector<std::string_view>& pieces) {
  std::string out;
  bool first = true;
  for (std::string_view piece : pieces) {
    if (piece.empty()) continue;
    while (!piece.empty() && piece.front() == ':') piece.remove_prefix(1);
    while (!piece.empty() && piece.back() == ':') piece.remove_suffix(1);
    if (!first) out.push_back(':');
    out.append(piece);
    first = false;
  }
  return out;
}

}  // namespace sdk_1_0
}  // namespace slipway
