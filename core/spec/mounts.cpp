#include "core/spec/mounts.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"

namespace slipway::spec {
namespace {

enum class Option { kType, kSource, kDestination, kReadOnly, kPermissions };

constexpr std::array<std::pair<std::string_view, Option>, 9> kOptions{{
    {"type", Option::kType},
    {"destination", Option::kDestination},
    {"dst", Option::kDestination},
    {"target", Option::kDestination},
    {"read_only", Option::kReadOnly},
    {"readonly", Option::kReadOnly},
    {"source", Option::kSource},
    {"src", Option::kSource},
    {"perm", Option::kPermissions},
}};

std::optional<Option> find_option(std::string_view name) {
  for (const auto& [known, option] : kOptions) {
    if (known == name) return option;
  }
  return std::nullopt;
}

// One mount as its options say, before its kind is known to be good.
struct Draft {
  std::string type;
  std::optional<std::string> source;
  std::optional<std::string> destination;
  std::optional<std::string> permissions;
  bool read_only = false;
};

std::string with_home(std::string path) {
  if (path != "~" && path.compare(0, 2, "~/") != 0) return path;
  const char* home =
      std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nobody sets the environment meanwhile
  if (home == nullptr || *home == '\0') return path;
  std::string expanded = home;
  while (expanded.size() > 1 && expanded.back() == '/') expanded.pop_back();
  return (expanded == "/" && path.size() > 1 ? std::string() : expanded) + path.substr(1);
}

const std::string& needed(const std::optional<std::string>& value, const char* option) {
  if (!value) throw Error(Code::kInvalid, std::string("the mount has no ") + option);
  return *value;
}

Mount finished(const Draft& draft) {
  Mount mount;
  if (draft.type == "bind") {
    mount.kind = MountKind::kBind;
    mount.src = with_home(needed(draft.source, "src"));
    mount.dst = needed(draft.destination, "dst");
    mount.read_only = draft.read_only;
  } else if (draft.type == "volume") {
    mount.kind = MountKind::kVolume;
    mount.src = needed(draft.source, "src");
    mount.dst = needed(draft.destination, "dst");
    mount.read_only = draft.read_only;
  } else if (draft.type == "device") {
    mount.kind = MountKind::kDevice;
    mount.src = needed(draft.source, "src");
    mount.dst = draft.destination.value_or(mount.src);
    mount.permissions = draft.permissions.value_or("rwm");
    if (mount.permissions.find_first_not_of("rwm") != std::string::npos) {
      throw Error(Code::kInvalid,
                  "the device permissions " + quoted(mount.permissions) + " are not of r, w and m");
    }
  } else {
    throw Error(Code::kInvalid, "unknown mount type " + quoted(draft.type),
                "it is one of bind, volume, device");
  }
  return mount;
}

}  // namespace

std::vector<Mount> parse_mounts(const std::vector<std::string>& options) {
  std::vector<Draft> drafts;
  for (const std::string& text : options) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    std::string value = equals == std::string::npos ? std::string() : text.substr(equals + 1);
    const std::optional<Option> option = find_option(name);
    if (!option) {
      std::vector<std::string_view> known;
      for (const auto& known_option : kOptions) known.push_back(known_option.first);
      std::string hint = did_you_mean(name, known);
      if (hint.empty()) hint = "it is one of type, src, dst, readonly, perm";
      throw Error(Code::kInvalid, "unknown mount option " + quoted(name), std::move(hint));
    }
    if (*option == Option::kType) {
      drafts.emplace_back().type = std::move(value);
      continue;
    }
    if (drafts.empty()) {
      throw Error(Code::kInvalid, "a mount starts with its type", "write type=bind,src=…,dst=…");
    }
    Draft& draft = drafts.back();
    switch (*option) {
      case Option::kSource: draft.source = std::move(value); break;
      case Option::kDestination: draft.destination = std::move(value); break;
      case Option::kPermissions: draft.permissions = std::move(value); break;
      case Option::kReadOnly: draft.read_only = true; break;
      case Option::kType: break;
    }
  }
  std::vector<Mount> mounts;
  for (const Draft& draft : drafts) mounts.push_back(finished(draft));
  return mounts;
}

std::vector<Mount> parse_mount_string(std::string_view text) {
  std::vector<std::string> options;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    options.emplace_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return parse_mounts(options);
}

}  // namespace slipway::spec
