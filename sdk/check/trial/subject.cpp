#include "sdk/check/trial/subject.hpp"

#include <filesystem>
#include <utility>

#include "core/registry/manifests/manifest.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/absolute_path.hpp"

namespace slipway::check {

namespace {

namespace fs = std::filesystem;

std::string text_of(const spec::Node& config) {
  std::string out;
  spec::append_json(config, out);
  return out;
}

Subject subject_of(const registry::PluginEntry& plugin, const std::string& path) {
  if (plugin.error) throw UnusableTarget(spec::to_string(*plugin.error));
  Subject out;
  out.library = plugin.library;
  out.config_json = text_of(plugin.config);
  ManifestFacts facts{path, plugin.id, plugin.version, {}};
  for (const registry::Provided& provided : plugin.provides) {
    spec::Node config = plugin.config;
    registry::merge_config(config, provided.config);
    facts.providers.push_back(
        {kind(provided.group), provided.entry, text_of(config), provided.component_files});
  }
  out.manifest = std::move(facts);
  return out;
}

std::vector<Subject> read_subjects(const std::string& path) {
  std::vector<spec::Problem> problems;
  registry::TrustPolicy no_checks;
  no_checks.enabled = false;  // the author names the file on the command line
  const registry::Manifest manifest =
      registry::read_manifest(path, registry::Origin::kFlag, no_checks, problems);
  std::vector<Subject> out;
  for (const registry::PluginEntry& plugin : manifest.plugins) {
    if (plugin.enabled) out.push_back(subject_of(plugin, path));
  }
  for (const spec::Problem& problem : problems) {
    if (problem.severity == spec::Severity::kError) throw UnusableTarget(spec::to_string(problem));
  }
  if (out.empty())
    throw UnusableTarget(path +
                         ": the manifest has no enabled [[plugin]]; give the plug-in's library");
  return out;
}

}  // namespace

const std::string& Subject::config_of(std::string_view kind, std::string_view name) const {
  if (manifest) {
    for (const DeclaredProvider& provider : manifest->providers) {
      if (provider.kind == kind && provider.name == name) return provider.config_json;
    }
  }
  return config_json;
}

std::vector<std::string> Subject::source_extensions(std::string_view name) const {
  if (manifest) {
    for (const DeclaredProvider& provider : manifest->providers) {
      if (provider.name == name && !provider.source_extensions.empty())
        return provider.source_extensions;
    }
  }
  return {};
}

std::vector<Subject> find_subjects(const std::string& target) {
  const std::string path = normal_path(absolute_path(target)).string();
  std::error_code error;
  std::vector<Subject> out;
  if (path.ends_with(".toml") && fs::is_regular_file(path, error)) {
    out = read_subjects(path);
  } else {
    out.emplace_back().library = path;
  }
  for (const Subject& subject : out) {
    if (!fs::exists(subject.library, error))
      throw UnusableTarget(subject.library + " does not exist; build the plug-in first");
    if (!fs::is_regular_file(subject.library, error))
      throw UnusableTarget(subject.library +
                           " is not a regular file; give the library or the manifest");
  }
  return out;
}

}  // namespace slipway::check
