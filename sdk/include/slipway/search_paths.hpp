// Lists of directories in the notation of PATH.
#pragma once

#include <algorithm>
#include <cstddef>
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

/// Returns the directories of a PATH in its order, with "." for an empty piece, which exec(3)
/// treats as the working directory. An empty PATH has one empty piece. The results point into
/// `path`.
inline std::vector<std::string_view> path_directories(std::string_view path) {
  std::vector<std::string_view> out;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t end = std::min(path.find(':', from), path.size());
    out.push_back(end == from ? "." : path.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

}  // namespace sdk_1_0
}  // namespace slipway
