#pragma once

#include <string>

namespace slipway::bench {

/// Where everything that a benchmark makes stays until the end of the whole run: ext4 creates files
/// ten times slower for seconds after many were deleted. A new directory below $TMPDIR, removed by
/// the destructor.
class ScratchRoot {
 public:
  /// Throws std::system_error.
  ScratchRoot();
  ScratchRoot(const ScratchRoot&) = delete;
  ScratchRoot& operator=(const ScratchRoot&) = delete;
  ~ScratchRoot();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A directory of its own below a scratch root that is from now on the home, configuration and
/// state of what this process starts: HOME and the XDG variables are set, SLIPWAY_* are cleared.
class ScratchHome {
 public:
  /// Throws std::system_error.
  ScratchHome(const ScratchRoot& root, const std::string& name);

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + '/' + name; }
  /// A file of the only app that was started here. Throws std::runtime_error when it has none of that name.
  std::string file_of_app(const std::string& name) const;

 private:
  std::string path_;
};

}  // namespace slipway::bench
