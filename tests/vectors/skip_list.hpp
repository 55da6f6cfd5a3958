// Reads `skips.toml`: the cases that must not match, with reasons.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spec/node.hpp"

namespace slipway::vectors {

struct Skip {
  std::string file;  ///< "local_run.json"
  std::string name;  ///< the name of a case, or a prefix of names
  bool prefix;       ///< whether `name` is a prefix
  std::string reason;
  bool used = false;  ///< whether the runner ran such a case
};

class SkipList {
 public:
  /// Reads `[[skip]]` tables with `file`, `reason`, and the lists `cases` (names of cases) and
  /// `cases_from` (prefixes of names), at least one of which must have an entry. Throws BenchError
  /// if a table is incomplete, a case is listed twice, or the file cannot be read.
  static SkipList read(const std::string& path);

  /// Returns the entry of a case and marks it as used; nullptr if the case has none.
  const Skip* find(std::string_view file, std::string_view name);

  /// Returns the entries of a file that matched none of its cases.
  std::vector<const Skip*> unused(std::string_view file) const;

 private:
  /// Adds the entries in the list `key` of a table.
  void add(const spec::Node& table, std::string_view key, bool prefix);

  std::vector<Skip> skips_;
};

}  // namespace slipway::vectors
