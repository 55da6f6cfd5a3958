// Remembers Python's answers about files, modules and the project, so that lists, help, completion
// and runs of unchanged files need no Python process to read parameters.
#pragma once

#include <optional>
#include <string>

namespace slipway::python {

/// Makes the directory unless it exists. Returns false if that fails, or if another user may write
/// to the directory: Python also keeps bytecode there, and would run that user's.
bool make_own_cache(const std::string& directory);

/// A directory with one file for each key. A key is, for example, the path of a source file; the
/// file of the key holds the digest of the source and the answer about it. A file whose first line
/// is damaged counts as missing; the caller checks the answer. The functions never throw: without a
/// cache, Python answers.
class ComponentCache {
 public:
  /// `directory` may be missing. An empty text, or a directory that another user may write to,
  /// disables the cache. `version` is Slipway's: files of other versions count as missing.
  ComponentCache(std::string directory, std::string version);

  /// Returns the answer for `key` and this content; nullopt if the cache has none. `content` is
  /// empty if the answer depends on `key` alone.
  std::optional<std::string> find(const std::string& key, const std::string& content) const;
  /// Keeps an answer; does nothing if it cannot write.
  void put(const std::string& key, const std::string& content, const std::string& answer) const;

 private:
  /// Returns the path of the key's file.
  std::string path_of(const std::string& key) const;
  /// Returns the first line of the key's file, by which find() knows that the file is valid.
  std::string first_line(const std::string& key, const std::string& content) const;

  std::string directory_;
  std::string version_;
};

}  // namespace slipway::python
