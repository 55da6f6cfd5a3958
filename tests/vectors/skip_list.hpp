// Cases that should not match, each with its reason: `skips.toml`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::vectors {

struct Skip {
  std::string file;  ///< "local_run.json"
  std::string name;  ///< the case's name, or how the names of its cases start
  bool prefix;       ///< `name` is such a start
  std::string reason;
  bool used = false;  ///< a case of this name was run
};

class SkipList {
 public:
  /// Reads `[[skip]]` tables of file, case and reason; `cases_from` in the place of `case` stands for every case whose name
  /// starts so. Throws BenchError when a table lacks one of them, is there twice or the file cannot be read.
  static SkipList read(const std::string& path);

  /// The entry of a case, marked as used, or nullptr.
  const Skip* find(std::string_view file, std::string_view name);

  /// The entries of a file that named none of its cases.
  std::vector<const Skip*> unused(std::string_view file) const;

 private:
  std::vector<Skip> skips_;
};

}  // namespace slipway::vectors
