// The rules of a `.slipwayignore` or `.torchxignore` file: the files of a workspace that are not
// copied.
#pragma once

#include <fnmatch.h>
#include <locale.h>

#include <string>
#include <string_view>
#include <vector>

namespace slipway {
inline namespace sdk_1_0 {

/// The patterns of a file, one per line. '#' starts a comment, also within a line. '!' before a
/// pattern includes matching files again. The last matching pattern decides. As in Python's
/// `fnmatch`, which TorchX uses, '*' also matches '/', and '\' is an ordinary character; brackets
/// are those of fnmatch(3). '?' and brackets stand for a character of UTF-8. They stand for a byte
/// in a name that is not valid UTF-8, and on a machine without the locale C.UTF-8. A pattern that
/// matches a directory also matches everything in it. A '/' at the end of a pattern does not count.
class IgnoreRules {
 public:
  /// `text` is the content of the file. The object keeps no view of it.
  explicit IgnoreRules(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      add(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  /// Returns whether `path` (relative to the workspace, with '/' between names) is ignored. Callers
  /// must not enter an ignored directory, so no pattern can include files in it again.
  bool ignores(std::string_view path) const {
    for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
      if (matches(rule->pattern, path)) return !rule->include;
    }
    return false;
  }

 private:
  struct Rule {
    std::string pattern;
    bool include;  ///< the line starts with '!'
  };

  void add(std::string_view line) {
    line = line.substr(0, line.find('#'));
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    const bool include = !line.empty() && line.front() == '!';
    if (include) line.remove_prefix(1);
    while (!line.empty() && line.back() == '/') line.remove_suffix(1);
    if (!line.empty()) rules_.push_back({std::string(line), include});
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  static bool matches(const std::string& pattern, std::string_view path) {
    while (!path.empty()) {
      if (matches_name(pattern, std::string(path))) return true;
      const std::size_t slash = path.rfind('/');
      path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
    return false;
  }
  static bool matches_name(const std::string& pattern, const std::string& name) noexcept {
    static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    const auto result = [&] { return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE); };
    if (utf8 == nullptr) return result() == 0;
    const locale_t before = ::uselocale(utf8);
    const int by_characters = result();
    ::uselocale(before);
    // fnmatch() of old versions of glibc fails for a name that is not valid UTF-8.
    const bool has_failed = by_characters != 0 && by_characters != FNM_NOMATCH;
    return (has_failed ? result() : by_characters) == 0;
  }

  std::vector<Rule> rules_;
};

}  // namespace sdk_1_0
}  // namespace slipway
