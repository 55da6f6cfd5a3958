#include "core/spec/near_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sdk/support/ascii_case.hpp"

namespace slipway::spec {
namespace {

constexpr std::size_t kMaxLength = 64;

// Makes characters equal that differ only in case or as `-` and `_`.
char folded(char c) { return c == '-' ? '_' : lower_ascii(c); }

// Returns the edit distance in bytes, where a swap of neighbours counts once (optimal string
// alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<std::size_t, kMaxLength + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = folded(a[i - 1]) == folded(b[j - 1]) ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + cost});
      const bool swapped = i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
                           folded(a[i - 2]) == folded(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

template <class Strings>
std::optional<std::string> nearest(std::string_view name, const Strings& candidates) {
  if (name.empty() || name.size() > kMaxLength) return std::nullopt;
  const std::size_t max_distance = std::max<std::size_t>(1, name.size() / 3);
  std::size_t best = max_distance + 1;
  std::optional<std::string> found;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kMaxLength || candidate.size() + max_distance < name.size() ||
        name.size() + max_distance < candidate.size()) {
      continue;
    }
    const std::size_t distance = candidate == name ? 0 : edit_distance(name, candidate);
    // A candidate is not near if it has no more letters than are wrong: `y` for `x`.
    if (distance < best && distance < candidate.size()) {
      best = distance;
      found = std::string(candidate);
      if (distance == 0) break;
    }
  }
  return found;
}

template <class Strings>
std::string question(std::string_view name, const Strings& candidates) {
  const std::optional<std::string> near = nearest(name, candidates);
  return near ? "did you mean " + *near + "?" : std::string();
}

}  // namespace

std::optional<std::string> near_name(std::string_view name,
                                     const std::vector<std::string>& candidates) {
  return nearest(name, candidates);
}
std::optional<std::string> near_name(std::string_view name,
                                     const std::vector<std::string_view>& candidates) {
  return nearest(name, candidates);
}
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  return question(name, candidates);
}
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) {
  return question(name, candidates);
}

}  // namespace slipway::spec
