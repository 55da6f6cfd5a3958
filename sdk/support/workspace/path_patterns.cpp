#include "sdk/support/workspace/path_patterns.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "slipway/lines.hpp"

namespace slipway::workspaces {

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

/// Returns whether the patterns from `p` on match the names from `n` on up to `end`. Calls itself
/// only for `**`, so the depth is at most the number of patterns, which are the parts of one line.
bool matches_parts(const std::vector<std::string>& patterns, std::size_t p,
                   const std::vector<std::string>& names, std::size_t n, std::size_t end) {
  for (; p < patterns.size(); ++p, ++n) {
    if (patterns[p] == "**") {
      // `x/**` matches everything in x, but not x itself.
      if (p + 1 == patterns.size()) return n < end;
      for (; n < end; ++n)
        if (matches_parts(patterns, p + 1, names, n, end)) return true;
      return false;
    }
    if (n == end || !matches_name(patterns[p], names[n])) return false;
  }
  return n == end;
}

/// Returns whether the pattern may match a path below `names`.
bool may_match_below(const std::vector<std::string>& patterns,
                     const std::vector<std::string>& names) {
  const std::size_t common = std::min(patterns.size(), names.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (patterns[i] == "**") return true;
    if (!matches_name(patterns[i], names[i])) return false;
  }
  return true;
}

/// Returns the line without the blanks at its end, except one after a backslash.
std::string_view without_end_blanks(std::string_view line) {
  const std::size_t size = line.find_last_not_of(" \t\r\n") + 1;  // 0 if there are only blanks
  const bool is_escaped =
      size > 0 && size < line.size() && line[size - 1] == '\\' && line[size] == ' ';
  return line.substr(0, is_escaped ? size + 1 : size);
}

}  // namespace

PathPatterns::PathPatterns(std::string_view text, PatternStyle style) : style_(style) {
  for (const std::string_view line : split_lines(text)) add(line);
}

void PathPatterns::add(std::string_view line) {
  if (!line.empty() && line.front() == '#') return;
  line = style_ == PatternStyle::kGit ? without_end_blanks(line) : trimmed(line);
  if (line.empty()) return;
  Pattern pattern;
  pattern.include = line.front() == '!';
  if (pattern.include) line.remove_prefix(1);
  if (style_ == PatternStyle::kDocker) line = trimmed(line);  // blanks after '!' do not count
  const bool ends_with_slash = !line.empty() && line.back() == '/';
  if (ends_with_slash) line.remove_suffix(1);
  if (style_ == PatternStyle::kGit) {
    pattern.only_directories = ends_with_slash;
    pattern.any_directory = line.find('/') == std::string_view::npos;
  }
  const auto append = [&](std::string part) {
    // Consecutive `**` mean the same as one, and would cost exponential time.
    if (part != "**" || pattern.parts.empty() || pattern.parts.back() != "**")
      pattern.parts.push_back(std::move(part));
  };
  for (std::string& part : parts_of(line)) {
    if (part == ".") continue;
    if (style_ == PatternStyle::kDocker && part == "..") {
      if (!pattern.parts.empty()) pattern.parts.pop_back();
    } else if (style_ == PatternStyle::kDocker && part.size() > 2 && part.rfind("**", 0) == 0) {
      // In `**.pyc` the stars also match '/'.
      append("**");
      append(part.substr(1));
    } else {
      append(std::move(part));
    }
  }
  if (!pattern.parts.empty()) patterns_.push_back(std::move(pattern));
}

bool PathPatterns::matches(const Pattern& pattern, const std::vector<std::string>& names,
                           bool is_directory) const {
  if (pattern.only_directories && !is_directory) return false;
  if (pattern.any_directory) return matches_name(pattern.parts[0], names.back());
  if (style_ == PatternStyle::kGit) return matches_parts(pattern.parts, 0, names, 0, names.size());
  for (std::size_t end = 1; end <= names.size(); ++end)
    if (matches_parts(pattern.parts, 0, names, 0, end)) return true;
  return false;
}

bool PathPatterns::ignores(std::string_view path, bool is_directory) const {
  const std::vector<std::string> names = parts_of(path);
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern)
    if (matches(*pattern, names, is_directory)) return !pattern->include;
  return false;
}

bool PathPatterns::may_include_below(std::string_view path) const {
  if (style_ == PatternStyle::kGit) return false;
  const std::vector<std::string> names = parts_of(path);
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const Pattern& pattern) {
    return pattern.include && may_match_below(pattern.parts, names);
  });
}

}  // namespace slipway::workspaces
