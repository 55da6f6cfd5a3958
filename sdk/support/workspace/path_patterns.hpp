// The patterns of `.gitignore` and `.dockerignore`, in which `*` does not match '/'.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::workspaces {

/// The rules that differ between the files.
enum class PatternStyle {
  /// A pattern without '/', except at its end, matches names in every directory; others start at
  /// the root. `x/` matches only directories.
  kGit,
  /// Every pattern starts at the root, and also matches everything below its matches.
  kDocker,
};

/// The patterns of a file, one per line; lines that start with '#' are comments. `**` matches any
/// number of directories, '!' includes paths again, and the last matching pattern decides. Blanks
/// at the ends of a line do not count; with kGit, those at its start do, and so does one after a
/// backslash.
class PathPatterns {
 public:
  PathPatterns(std::string_view text, PatternStyle style);

  /// Returns whether `path`, relative to the root, is ignored. With kGit, callers do not enter an
  /// ignored directory, and do not ask about the paths in it.
  bool ignores(std::string_view path, bool is_directory) const;
  /// Returns whether a pattern may include files in the ignored directory `path` again, so that
  /// callers must enter it. Always false with kGit, as in Git.
  bool may_include_below(std::string_view path) const;

 private:
  struct Pattern {
    std::vector<std::string> parts;  ///< between slashes
    bool include = false;            ///< the line starts with '!'
    bool any_directory = false;      ///< has no '/' except at its end (kGit)
    bool only_directories = false;   ///< the pattern ends with '/' (kGit)
  };

  void add(std::string_view line);
  bool matches(const Pattern& pattern, const std::vector<std::string>& names,
               bool is_directory) const;

  PatternStyle style_;
  std::vector<Pattern> patterns_;
};

}  // namespace slipway::workspaces
