// Parses mounts from a list of options, the notation of TorchX's components and Docker:
// `type=bind`, `src=/data`, `dst=/data`, `readonly`.
#pragma once

#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/error.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// All options, including aliases; the host suggests one of these for a misspelt option.
inline constexpr std::array<std::string_view, 9> kMountOptions = {
    "type", "src", "source", "dst", "destination", "target", "readonly", "read_only", "perm"};

namespace detail {

/// The options of one mount before validation.
struct RawMount {
  std::string type;
  std::optional<std::string> source;
  std::optional<std::string> destination;
  std::optional<std::string> permissions;
  bool read_only = false;
};

inline Error mount_error(std::string message, std::string hint = {}) {
  return {Code::kInvalid, std::move(message), std::move(hint)};
}

/// Returns `path` with the home directory in place of a `~` or `~/` at its start.
inline std::string with_home(std::string path) {
  if (path != "~" && path.compare(0, 2, "~/") != 0) return path;
  const char* home =
      std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): no thread changes the environment
  if (home == nullptr || *home == '\0') return path;
  std::string expanded = home;
  while (expanded.size() > 1 && expanded.back() == '/') expanded.pop_back();
  // With the home directory "/", ~/x is /x.
  return (expanded == "/" && path.size() > 1 ? std::string() : expanded) + path.substr(1);
}

/// Sets the option `name`, which is not `type`, in `raw`. Throws Error kInvalid if it is unknown.
inline void take_mount_option(RawMount& raw, const std::string& name, std::string value) {
  if (name == "src" || name == "source") {
    raw.source = std::move(value);
  } else if (name == "dst" || name == "destination" || name == "target") {
    raw.destination = std::move(value);
  } else if (name == "readonly" || name == "read_only") {
    raw.read_only = true;
  } else if (name == "perm") {
    raw.permissions = std::move(value);
  } else {
    throw mount_error("unknown mount option '" + name + "'",
                      "write type, src, dst, readonly or perm");
  }
}

/// Returns the mount, or throws Error kInvalid if options are missing or invalid.
inline Mount finished_mount(const RawMount& raw) {
  Mount mount;
  if (raw.type == "bind") {
    mount.kind = MountKind::kBind;
  } else if (raw.type == "volume") {
    mount.kind = MountKind::kVolume;
  } else if (raw.type == "device") {
    mount.kind = MountKind::kDevice;
  } else {
    throw mount_error("unknown mount type '" + raw.type + "'", "write bind, volume or device");
  }
  if (!raw.source) throw mount_error("the mount has no src");
  mount.src = mount.kind == MountKind::kBind ? with_home(*raw.source) : *raw.source;
  if (mount.kind == MountKind::kDevice) {
    mount.dst = raw.destination.value_or(mount.src);
    mount.permissions = raw.permissions.value_or("rwm");
    if (mount.permissions.empty() ||
        mount.permissions.find_first_not_of("rwm") != std::string::npos)
      throw mount_error("the device permissions '" + mount.permissions + "' are not of r, w and m");
    return mount;
  }
  if (!raw.destination) throw mount_error("the mount has no dst");
  mount.dst = *raw.destination;
  mount.read_only = raw.read_only;
  return mount;
}

}  // namespace detail

/// Returns the mounts in a flat list of options, like TorchX's `parse_mounts`. Each `type=` starts
/// a new mount. dst is also `destination` or `target`, src is also `source`, and readonly is also
/// `read_only`; the value of readonly is ignored, so `readonly=false` also makes the mount
/// read-only. A device without dst appears at its src. Only devices use perm, and only they ignore
/// readonly. If an option is repeated, the last value counts. A `~` or `~/` at the start of a bind
/// mount's source becomes the home directory (`$HOME`); `~user` is unchanged.
///
/// Throws Error(kInvalid) for an unknown option or type, options before the first type, a missing
/// src or dst, or permissions other than r, w and m. [any thread], while no thread changes the
/// environment.
inline std::vector<Mount> parse_mounts(const std::vector<std::string>& options) {
  std::vector<detail::RawMount> raw_mounts;
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    std::string value = equals == std::string::npos ? std::string() : option.substr(equals + 1);
    if (name == "type") {
      raw_mounts.emplace_back().type = std::move(value);
      continue;
    }
    // Before the first type, an unknown option is reported rather than the missing type.
    detail::RawMount without_type;
    detail::take_mount_option(raw_mounts.empty() ? without_type : raw_mounts.back(), name,
                              std::move(value));
    if (raw_mounts.empty())
      throw detail::mount_error("a mount starts with its type", "write type=bind,src=…,dst=…");
  }
  std::vector<Mount> mounts;
  mounts.reserve(raw_mounts.size());
  for (const detail::RawMount& raw : raw_mounts) mounts.push_back(detail::finished_mount(raw));
  return mounts;
}

}  // namespace sdk_1_0
}  // namespace slipway
