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
struct MountDraft {
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

/// Sets the option `name`, which is not `type`, in `draft`. Throws Error kInvalid if it is unknown.
inline void take_mount_option(MountDraft& draft, const std::string& name, std::string value) {
  if (name == "src" || name == "source") {
    draft.source = std::move(value);
  } else if (name == "dst" || name == "destination" || name == "target") {
    draft.destination = std::move(value);
  } else if (name == "readonly" || name == "read_only") {
    draft.read_only = true;
  } else if (name == "perm") {
    draft.permissions = std::move(value);
  } else {
    throw mount_error("unknown mount option '" + name + "'",
                      "write type, src, dst, readonly or perm");
  }
}

/// Returns the mount, or throws Error kInvalid if options are missing or invalid.
inline Mount finished_mount(const MountDraft& draft) {
  Mount mount;
  if (draft.type == "bind") {
    mount.kind = MountKind::kBind;
  } else if (draft.type == "volume") {
    mount.kind = MountKind::kVolume;
  } else if (draft.type == "device") {
    mount.kind = MountKind::kDevice;
  } else {
    throw mount_error("unknown mount type '" + draft.type + "'", "write bind, volume or device");
  }
  if (!draft.source) throw mount_error("the mount has no src");
  mount.src = mount.kind == MountKind::kBind ? with_home(*draft.source) : *draft.source;
  if (mount.kind == MountKind::kDevice) {
    mount.dst = draft.destination.value_or(mount.src);
    mount.permissions = draft.permissions.value_or("rwm");
    if (mount.permissions.empty() ||
        mount.permissions.find_first_not_of("rwm") != std::string::npos)
      throw mount_error("the device permissions '" + mount.permissions + "' are not of r, w and m");
    return mount;
  }
  if (!draft.destination) throw mount_error("the mount has no dst");
  mount.dst = *draft.destination;
  mount.read_only = draft.read_only;
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
  std::vector<detail::MountDraft> drafts;
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    std::string value = equals == std::string::npos ? std::string() : option.substr(equals + 1);
    if (name == "type") {
      drafts.emplace_back().type = std::move(value);
      continue;
    }
    // Before the first type, an unknown option is reported rather than the missing type.
    detail::MountDraft without_type;
    detail::take_mount_option(drafts.empty() ? without_type : drafts.back(), name,
                              std::move(value));
    if (drafts.empty())
      throw detail::mount_error("a mount starts with its type", "write type=bind,src=…,dst=…");
  }
  std::vector<Mount> mounts;
  mounts.reserve(drafts.size());
  for (const detail::MountDraft& draft : drafts) mounts.push_back(detail::finished_mount(draft));
  return mounts;
}

}  // namespace sdk_1_0
}  // namespace slipway
