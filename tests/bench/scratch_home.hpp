#pragma once

#include <string>

namespace slipway::bench {

/// A new directory below $TMPDIR for everything that a benchmark creates. The destructor removes it
/// at the end of the whole run, because ext4 creates files ten times slower for seconds after many
/// were deleted.
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

/// A new directory below a scratch root that becomes the home, configuration, state and working
/// directory of all started programs: sets HOME and the XDG variables, and clears
/// SLIPWAY_PLUGIN_PATH, SLIPWAY_NO_PLUGINS and SLIPWAY_LOCAL_GPUS. It is outside of any git
/// repository, where `run` would ask git for the revision and measure git.
class ScratchHome {
 public:
  /// Throws std::system_error.
  ScratchHome(const ScratchRoot& root, const std::string& name);

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + '/' + name; }
  /// Returns a file of the only app in this home. Throws std::runtime_error if it has no file of
  /// that name.
  std::string file_of_app(const std::string& name) const;

 private:
  std::string path_;
};

}  // namespace slipway::bench
