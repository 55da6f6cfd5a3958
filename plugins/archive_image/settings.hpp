// Reads the plug-in's configuration, which the host merges from [plugin.config] of the manifest and
// [plugins."org.slipway.archive_image"] of configuration files.
#pragma once

#include <cstdint>
#include <string_view>

namespace slipway::archive_image {

/// The limits for an archive. They are inclusive.
struct Limits {
  /// The total size of all files, including holes.
  std::uint64_t max_unpacked_bytes = std::uint64_t{64} << 30;
  /// The number of entries, and separately that of directories, including those without an entry.
  std::uint64_t max_entries = 1'000'000;
  std::uint64_t max_ratio = 200;        ///< unpacked bytes per byte of the archive
  std::uint64_t max_path_bytes = 1024;  ///< of the name of an entry
  bool outside_links = false;           ///< whether symbolic links may lead out of the image

  /// max_ratio does not apply to an archive that unpacks to at most this many bytes.
  static constexpr std::uint64_t kFreeBytes = std::uint64_t{64} << 20;
};

/// Says in an error about a limit how to set another one.
constexpr const char* kLimitHint =
    "config under [plugins.\"org.slipway.archive_image\"] in the configuration sets other limits";

struct Settings {
  Limits limits;
  /// Days without use after which the next fetch() removes an image; 0: removes every image that no
  /// process uses.
  std::uint64_t keep_days = 30;
};

/// Reads `{"keep_days": 7, "max_unpacked_mib": …, "max_entries": …, "max_ratio": …,
/// "max_path_bytes": …, "outside_links": true}`; every key is optional. Throws Error(kConfig) for
/// any other key, type or range.
Settings read_settings(std::string_view config_json);

}  // namespace slipway::archive_image
