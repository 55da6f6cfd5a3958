// Remembers the components of Python files, so that help, completion and runs of an unchanged file
// need no Python process to read its parameters.
#pragma once

#include <optional>
#include <string>

namespace slipway::python {

/// Makes the directory unless it exists. Returns false if it cannot, or if another user may write
/// to it: Python would run that user's bytecode.
bool make_own_cache(const std::string& directory);

/// Entries are files in a directory, one for each key, such as the path of a source file, and hold
/// the digest of the source and the answer about it. Damaged and missing entries are the same.
/// Never throws: without a cache, Python answers.
class ComponentCache {
 public:
  /// `directory` may be missing. An empty one, or one that another user may write to, disables the
  /// cache. `version` is that of the Python package: entries of another version do not count.
  ComponentCache(std::string directory, std::string version);

  /// Returns the answer for `key` and this content, which is empty if `key` says everything.
  std::optional<std::string> find(const std::string& key, const std::string& content) const;
  void put(const std::string& key, const std::string& content, const std::string& answer) const;

 private:
  std::string entry(const std::string& key) const;
  std::string head(const std::string& key, const std::string& content) const;

  std::string directory_;
  std::string version_;
};

}  // namespace slipway::python
