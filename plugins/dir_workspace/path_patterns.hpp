// The patterns of `.gitignore` and `.dockerignore`, in which `*` does not match '/'.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::dir_workspace {

enum class PatternStyle {
  kGit,     ///< a pattern without '/' matches names in every directory; `x/` only directories
  kDocker,  ///< a pattern always starts at the root
};

/// One pattern a line; lines that start with '#' are comments. `**` matches any number of
/// directories, '!' includes paths again, and the last matching pattern decides.
class PathPatterns {
 public:
  PathPatterns(std::string_view text, PatternStyle style);

  /// Returns whether `path`, relative to the root, is ignored. Callers do not enter an ignored
  /// directory, so no pattern can include files in it again.
  bool ignores(std::string_view path, bool is_directory) const;

 private:
  struct Pattern {
    std::vector<std::string> parts;  ///< between slashes
    bool include = false;
    bool any_directory = false;  ///< matches the last name of a path
    bool only_directories = false;
  };

  void add(std::string_view line, PatternStyle style);

  std::vector<Pattern> patterns_;
};

}  // namespace slipway::dir_workspace
