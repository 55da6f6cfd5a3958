#include "plugins/dir_workspace/path_patterns.hpp"

#include <fnmatch.h>

#include <cstddef>
#include <utility>

#include "slipway/lines.hpp"

namespace slipway::dir_workspace {

namespace {

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> out;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (slash != 0) out.emplace_back(path.substr(0, slash));
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return out;
}

bool matches_name(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// Returns whether the patterns from `p` on match the names from `n` on. Only `**` makes it call
/// itself, so the depth is bounded by the number of patterns.
bool matches_parts(const std::vector<std::string>& patterns, std::size_t p,
                   const std::vector<std::string>& names, std::size_t n) {
  for (; p < patterns.size(); ++p, ++n) {
    if (patterns[p] == "**") {
      if (p + 1 == patterns.size()) return n < names.size();  // what is inside, not the directory
      for (; n < names.size(); ++n)
        if (matches_parts(patterns, p + 1, names, n)) return true;
      return false;
    }
    if (n == names.size() || !matches_name(patterns[p], names[n])) return false;
  }
  return n == names.size();
}

}  // namespace

PathPatterns::PathPatterns(std::string_view text, PatternStyle style) {
  for (const std::string_view line : split_lines(text)) add(trimmed(line), style);
}

void PathPatterns::add(std::string_view line, PatternStyle style) {
  if (line.empty() || line.front() == '#') return;
  Pattern pattern;
  pattern.include = line.front() == '!';
  if (pattern.include) line.remove_prefix(1);
  const bool ends_with_slash = !line.empty() && line.back() == '/';
  if (ends_with_slash) line.remove_suffix(1);
  if (style == PatternStyle::kGit) {
    pattern.only_directories = ends_with_slash;
    pattern.any_directory = line.find('/') == std::string_view::npos;
  }
  for (std::string& part : parts_of(line))
    // Consecutive `**` mean the same as one, and would cost exponential time.
    if (part != "." && (part != "**" || pattern.parts.empty() || pattern.parts.back() != "**"))
      pattern.parts.push_back(std::move(part));
  if (!pattern.parts.empty()) patterns_.push_back(std::move(pattern));
}

bool PathPatterns::ignores(std::string_view path, bool is_directory) const {
  const std::vector<std::string> names = parts_of(path);
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    if (pattern->only_directories && !is_directory) continue;
    const bool matches = pattern->any_directory ? matches_name(pattern->parts[0], names.back())
                                                : matches_parts(pattern->parts, 0, names, 0);
    if (matches) return !pattern->include;
  }
  return false;
}

}  // namespace slipway::dir_workspace
