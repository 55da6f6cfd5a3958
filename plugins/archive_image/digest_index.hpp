// Digests that are known already, so that a second start does not read two gigabytes again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plugins/archive_image/file_identity.hpp"

namespace slipway::archive_image {

/// One small file per archive in a directory of its own, named after the archive's identity; a file that is gone,
/// damaged or cannot be written costs time and nothing else. Any number of processes may use the same directory.
class DigestIndex {
 public:
  /// The directory need not exist.
  explicit DigestIndex(std::string directory) : directory_(std::move(directory)) {}

  /// The digest of that file; changes nothing.
  std::optional<std::string> find(const FileIdentity& file) const;

  /// Remembers it. A file that was written less than `settle_ns` before `now_ns` (CLOCK_REALTIME) is not remembered: it
  /// could change once more within one tick of the file system's clock, and look the same.
  void remember(const FileIdentity& file, const std::string& digest, std::int64_t now_ns,
                std::int64_t settle_ns = 2'000'000'000) const;

  /// Removes what was not used after `oldest_ns`.
  void forget_before(std::int64_t oldest_ns) const;

 private:
  std::string directory_;
};

}  // namespace slipway::archive_image
