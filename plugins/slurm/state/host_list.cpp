#include "plugins/slurm/state/host_list.hpp"

#include <cstdint>

#include "sdk/support/plain_number.hpp"

namespace slipway::slurm {

namespace {

// More hosts than any cluster has. The limit keeps a damaged answer from exhausting the memory.
constexpr std::int64_t kMostHosts = 1 << 20;

/// Returns the piece of `list` up to the next comma outside brackets, and removes it from `list`.
std::string_view next_piece(std::string_view& list) {
  std::size_t end = 0;
  for (bool in_brackets = false; end < list.size(); ++end) {
    if (list[end] == '[') in_brackets = true;
    if (list[end] == ']') in_brackets = false;
    if (list[end] == ',' && !in_brackets) break;
  }
  const std::string_view out = list.substr(0, end);
  list.remove_prefix(end < list.size() ? end + 1 : end);
  return out;
}

bool expand_piece(std::string_view piece, std::vector<std::string>& out);

/// Appends the hosts of a range: n1x, n2x and n3x for "n[1-3]x". Returns false if it cannot read
/// the range.
bool expand_range(std::string_view prefix, std::string_view range, std::string_view suffix,
                  std::vector<std::string>& out) {
  const std::size_t dash = range.find('-');
  const std::string_view first_text = range.substr(0, dash);
  const auto first = plain_number<std::int64_t>(first_text);
  const auto last =
      dash == std::string_view::npos ? first : plain_number<std::int64_t>(range.substr(dash + 1));
  if (!first || !last || *last < *first || *last - *first >= kMostHosts) return false;
  for (std::int64_t i = 0; i <= *last - *first; ++i) {
    std::string digits = std::to_string(*first + i);
    if (digits.size() < first_text.size()) digits.insert(0, first_text.size() - digits.size(), '0');
    if (!expand_piece(std::string(prefix) + digits + std::string(suffix), out)) return false;
  }
  return true;
}

/// Appends the hosts of a piece. Returns false if it cannot read one of its ranges, or if the hosts
/// are too many.
bool expand_piece(std::string_view piece, std::vector<std::string>& out) {
  const std::size_t open = piece.find('[');
  const std::size_t close = piece.find(']', open);
  if (open == std::string_view::npos || close == std::string_view::npos) {
    if (static_cast<std::int64_t>(out.size()) >= kMostHosts) return false;
    out.emplace_back(piece);
    return true;
  }
  std::string_view ranges = piece.substr(open + 1, close - open - 1);
  if (ranges.empty()) return false;
  while (!ranges.empty()) {
    if (!expand_range(piece.substr(0, open), next_piece(ranges), piece.substr(close + 1), out))
      return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> expand_hosts(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::string_view piece = next_piece(list);
    const std::size_t old_size = out.size();
    if (expand_piece(piece, out)) continue;
    out.resize(old_size);
    out.emplace_back(piece);
  }
  return out;
}

}  // namespace slipway::slurm
