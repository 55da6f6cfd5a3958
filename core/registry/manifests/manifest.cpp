#include "core/registry/manifests/manifest.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/registry/manifests/manifest_plugin.hpp"
#include "core/spec/document.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/near_name.hpp"
#include "sdk/support/permission_hint.hpp"
#include "slipway/abi/component.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/named_resources.h"
#include "slipway/abi/scheduler.h"
#include "slipway/abi/workspace.h"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::registry {
namespace {

void fail(spec::ProblemList& problems, spec::Position where, std::string key, std::string message,
          std::string hint = {}) {
  problems.add({spec::Severity::kError, std::move(where), std::move(key), std::move(message),
                std::move(hint), Code::kConfig});
}

// Returns false if the version is newer or invalid; the rest of the manifest must then not be
// interpreted.
bool check_version(const spec::Node& root, const std::string& file, spec::ProblemList& problems) {
  const spec::Node* version = root.find("manifest_version");
  if (version == nullptr) return true;
  const spec::Position where{file, version->at.line, version->at.column};
  if (version->type != spec::NodeType::kInt || version->integer < 1) {
    fail(problems, where, "manifest_version",
         fmt::format("expected 1, found {}", spec::describe(*version)));
    return false;
  }
  if (version->integer > kManifestVersion) {
    fail(problems, where, "manifest_version",
         fmt::format("{} is newer than this host understands ({})", version->integer,
                     kManifestVersion),
         "upgrade Slipway");
    return false;
  }
  return true;
}

void read_root(spec::Node& root, Manifest& manifest, spec::ProblemList& problems) {
  static const std::vector<std::string_view> known = {"manifest_version", "plugin",
                                                      "named_resources", "devices"};
  const spec::KeyPath top;
  spec::FieldReader reader(manifest.file, problems);
  for (spec::NodeEntry& entry : root.entries) {
    const spec::KeyPath key(top, entry.key);
    if (entry.key == "plugin") {
      if (!reader.list(entry.value, key, "[[plugin]] tables")) continue;
      for (std::size_t i = 0; i < entry.value.items.size(); ++i) {
        auto plugin =
            read_plugin(entry.value.items[i], i, manifest.file, manifest.origin, problems);
        if (plugin) manifest.plugins.push_back(std::move(*plugin));
      }
    } else if (entry.key == "named_resources") {
      manifest.resources =
          read_inline_resources(entry.value, manifest.file, manifest.origin, problems);
    } else if (entry.key == "devices") {
      manifest.devices = read_device_tables(entry.value, manifest.file, problems);
    } else if (entry.key != "manifest_version") {
      reader.warning(entry.key_at, key, "unknown key (ignored)",
                     spec::did_you_mean(entry.key, known), spec::rule::kUnknownKey);
    }
  }
}

}  // namespace

void merge_config(spec::Node& base, const spec::Node& overlay) {
  for (const spec::NodeEntry& entry : overlay.entries) {
    spec::NodeEntry* existing = nullptr;
    for (spec::NodeEntry& candidate : base.entries) {
      if (candidate.key == entry.key) existing = &candidate;
    }
    if (existing == nullptr) {
      base.entries.push_back(entry);
    } else if (existing->value.type == spec::NodeType::kTable &&
               entry.value.type == spec::NodeType::kTable) {
      merge_config(existing->value, entry.value);
    } else {
      existing->value = entry.value;
    }
  }
}

Provider provider_of(const PluginEntry& plugin, const Provided& provided) {
  Provider out;
  out.group = provided.group;
  out.name = provided.name;
  out.entry = provided.entry;
  out.plugin = &plugin;
  out.provided = &provided;
  spec::Node config;
  config.type = spec::NodeType::kTable;
  merge_config(config, plugin.config);
  merge_config(config, provided.config);
  spec::append_json(config, out.config_json);
  return out;
}

const char* to_string(Group group) {
  switch (group) {
    case Group::kSchedulers: return "schedulers";
    case Group::kImageProviders: return "image_providers";
    case Group::kNamedResources: return "named_resources";
    case Group::kWorkspaces: return "workspaces";
    case Group::kComponents: break;
  }
  return "components";
}

const char* noun(Group group) {
  switch (group) {
    case Group::kSchedulers: return "scheduler";
    case Group::kImageProviders: return "image provider";
    case Group::kNamedResources: return "named-resource provider";
    case Group::kWorkspaces: return "workspace provider";
    case Group::kComponents: break;
  }
  return "component provider";
}

const char* kind(Group group) {
  switch (group) {
    case Group::kSchedulers: return SLIPWAY_KIND_SCHEDULER;
    case Group::kImageProviders: return SLIPWAY_KIND_IMAGE_PROVIDER;
    case Group::kNamedResources: return SLIPWAY_KIND_NAMED_RESOURCES;
    case Group::kWorkspaces: return SLIPWAY_KIND_WORKSPACE;
    case Group::kComponents: break;
  }
  return SLIPWAY_KIND_COMPONENT;
}

Manifest parse_manifest(std::string_view text, const std::string& file, Origin origin,
                        std::vector<spec::Problem>& problems) {
  Manifest manifest;
  manifest.file = file;
  manifest.origin = origin;
  spec::ProblemList found;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    problems.push_back(
        {spec::Severity::kError,
         {file},
         {},
         "the manifest is empty",
         "a manifest has [[plugin]] or [named_resources] tables; was the copy interrupted?",
         Code::kConfig});
    return manifest;
  }
  try {
    spec::Node root = spec::parse_toml(text, file);
    if (check_version(root, file, found)) read_root(root, manifest, found);
  } catch (const spec::InvalidApp& error) {
    for (const spec::Problem& problem : error.problems()) found.add(problem);
  } catch (const Error& error) {
    found.add({spec::Severity::kError, {file}, {}, error.message(), error.hint(), error.code()});
  }
  for (spec::Problem& problem : found.in_order()) {
    // The readers of core/spec report kInvalid, the code of app files.
    if (problem.code == Code::kInvalid) problem.code = Code::kConfig;
    problems.push_back(std::move(problem));
  }
  return manifest;
}

std::string read_manifest_text(const std::string& file, Origin origin, const TrustPolicy& trust) {
  const auto refuse = [&](Code code, std::string what) -> Error {
    return Error(code, "the manifest " + std::move(what), {}, file);
  };
  // O_NOFOLLOW shows without a further system call that the usual manifest is no symbolic link.
  OwnedFd fd = open_untrusted(file, O_NOFOLLOW);
  const bool is_link = fd.get() < 0 && errno == ELOOP;
  if (is_link) fd = open_untrusted(file);
  struct stat st {};
  if (fd.get() < 0 || fstat(fd.get(), &st) != 0) {
    const int reason = errno;
    const Code code = reason == ENOENT   ? Code::kNotFound
                      : reason == EACCES ? Code::kDenied
                                         : Code::kUnavailable;
    const std::string hint = reason == EACCES ? permission_hint(file, "r") : std::string();
    throw Error(code, fmt::format("the manifest cannot be read: {}", std::strerror(reason)), hint,
                file);
  }
  if (S_ISDIR(st.st_mode)) throw refuse(Code::kConfig, "is a directory");
  if (!S_ISREG(st.st_mode)) throw refuse(Code::kConfig, "is not a regular file");
  check_trusted(trust, origin, file, st, "the manifest");
  if (is_link) check_link_trusted(trust, origin, file);
  const auto too_large = [&] {
    return refuse(Code::kConfig, fmt::format("is larger than {} MiB", kMaxManifestBytes >> 20));
  };
  if (static_cast<std::uint64_t>(st.st_size) > kMaxManifestBytes) throw too_large();
  // The size is only a hint: the file may grow, and files in /proc have size 0. The buffer has one
  // byte more than the size; a read that does not fill that byte has reached the end of the file.
  std::string text(static_cast<std::size_t>(st.st_size) + 1, '\0');
  std::size_t done = 0;
  for (;;) {
    if (done == text.size()) text.resize(text.size() * 2);
    const ssize_t n = ::read(fd.get(), text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw refuse(Code::kUnavailable, fmt::format("cannot be read: {}", std::strerror(errno)));
    done += static_cast<std::size_t>(n);
    if (n == 0 || (done == static_cast<std::size_t>(st.st_size) && done < text.size())) break;
    if (done > kMaxManifestBytes) throw too_large();
  }
  text.resize(done);
  return text;
}

Manifest read_manifest(const std::string& file, Origin origin, const TrustPolicy& trust,
                       std::vector<spec::Problem>& problems) {
  try {
    return parse_manifest(read_manifest_text(file, origin, trust), file, origin, problems);
  } catch (const Error& error) {
    problems.push_back(
        {spec::Severity::kError, {file}, {}, error.message(), error.hint(), error.code()});
  }
  Manifest nothing;
  nothing.file = file;
  nothing.origin = origin;
  return nothing;
}

}  // namespace slipway::registry
