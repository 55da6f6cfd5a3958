// Remembers the digests of archives, so that a second start does not read gigabytes again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plugins/archive_image/file_identity.hpp"

namespace slipway::archive_image {

/// Keeps one small file per archive, named after the archive's identity, in a directory of its own.
/// The file's time is that of the last use. A file that is missing, damaged or not writable is no
/// failure: the archive is read again. Several processes may use the same directory.
class DigestIndex {
 public:
  /// The directory need not exist.
  explicit DigestIndex(std::string directory) : directory_(std::move(directory)) {}

  /// Returns the remembered digest of the file, or nullopt.
  std::optional<std::string> find(const FileIdentity& file) const;

  /// Remembers a digest, or sets the time of the last use if it is already remembered. Does not
  /// remember a new digest if the file was written less than `settle_ns` before `now_ns`
  /// (CLOCK_REALTIME): such a file could change again within one tick of the file system's clock
  /// and keep its identity. The default is the longest tick, that of FAT.
  void remember(const FileIdentity& file, const std::string& digest, std::int64_t now_ns,
                std::int64_t settle_ns = 2'000'000'000) const;

  /// Removes digests that were last used before `oldest_ns`, and incomplete files that killed
  /// processes left before then.
  void forget_before(std::int64_t oldest_ns) const;

 private:
  std::string directory_;
};

}  // namespace slipway::archive_image
