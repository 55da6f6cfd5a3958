// Finds scripts that would truncate the logs of their replica.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace slipway::local {

/// Looks for /dev/stderr, /dev/stdout and their other names in texts and in the scripts that these
/// texts name, in turn: a Python program may start `sh c.sh`, and c.sh may read `./d.sh`.
///
/// A word of a text is the name of a script if it has the suffix of one or begins with "/", "./" or
/// "../". The file may lie in the working directory or beside the script that names it. An object
/// tries each path once, and at most kMostScripts paths. Replaces no variables and does not search
/// PATH.
class ScriptSearch {
 public:
  static constexpr std::size_t kMostScripts = 64;

  explicit ScriptSearch(std::string cwd) : cwd_(std::move(cwd)) {}

  /// Returns whether the text, or a script that it names, names stdout or stderr.
  bool finds_in(std::string_view text) { return finds_in(text, cwd_); }

  /// Returns the same for the content of a file; false for a binary, a missing file, and a path
  /// that was tried before or is one too many.
  bool finds_in_file(const std::string& path);

 private:
  bool finds_in(std::string_view text, const std::string& directory);

  std::string cwd_;
  std::set<std::string> tried_;  // paths
};

}  // namespace slipway::local
