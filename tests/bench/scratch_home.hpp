#pragma once

#include <string>

namespace slipway::bench {

/// A new directory below $TMPDIR that is home, configuration and state of everything that this
/// process starts while the object lives (HOME and the XDG variables are set, SLIPWAY_* are
/// cleared). The destructor removes it; the variables keep their last values.
///
/// Everything that a benchmark makes stays until then: ext4 creates files several times slower
/// shortly after many were deleted.
class ScratchHome {
 public:
  /// Throws std::system_error.
  ScratchHome();
  ScratchHome(const ScratchHome&) = delete;
  ScratchHome& operator=(const ScratchHome&) = delete;
  ~ScratchHome();

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + '/' + name; }

 private:
  std::string path_;
};

}  // namespace slipway::bench
