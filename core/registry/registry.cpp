#include "core/registry/registry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "core/registry/libraries/checksum.hpp"
#include "core/registry/libraries/elf_facts.hpp"
#include "core/registry/libraries/preflight.hpp"
#include "core/spec/near_name.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {
namespace {

// Returns the row of a plug-in, with the state that follows without inspecting its library.
PluginInfo row_of(const PluginEntry& plugin) {
  PluginInfo info;
  info.id = plugin.id;
  info.version = plugin.version;
  info.abi = plugin.abi;
  info.description = plugin.description;
  info.manifest = plugin.source;
  info.library = plugin.library;
  info.enabled = plugin.enabled;
  info.provides = plugin.provides;
  info.origin = plugin.origin;
  if (!plugin.shadowed_by.empty()) {
    info.state = PluginState::kShadowed;
    info.harmless = plugin.difference.empty();
    info.error =
        fmt::format("{} is shadowed by {}, {}", spec::to_string(plugin.source), plugin.shadowed_by,
                    info.harmless ? "which is equal" : "which differs: " + plugin.difference);
  } else if (!plugin.enabled) {
    info.state = PluginState::kDisabled;
    info.error =
        fmt::format("disabled in {}", plugin.disabled_by.empty() ? spec::to_string(plugin.source)
                                                                 : plugin.disabled_by);
  } else if (plugin.error) {
    info.state = PluginState::kError;
    info.error = spec::to_string(*plugin.error);
  }
  return info;
}

std::string with_hint(const Error& error) {
  return error.hint().empty() ? error.message() : error.message() + "; " + error.hint();
}

std::string warning_of(const PluginEntry& plugin) {
  if (plugin.library.empty()) return {};
  try {
    const std::string warning = exports_warning(read_elf(plugin.library));
    return warning.empty() ? warning : plugin.id + ": " + warning;
  } catch (const Error&) {
    return {};  // `plugin doctor` and `plugin check` report damaged tables (load_trial.hpp)
  }
}

}  // namespace

const char* to_string(PluginState state) {
  switch (state) {
    case PluginState::kOk: return "ok";
    case PluginState::kDisabled: return "disabled";
    case PluginState::kShadowed: return "shadowed";
    case PluginState::kError: break;
  }
  return "error";
}

Registry::Registry(SearchOptions options)
    : options_(std::move(options)),
      trust_(TrustPolicy::of_process(options_.elevated.value_or(process_is_elevated()))) {
  trust_.owners = options_.trusted_owners;
  trust_.groups = options_.trusted_groups;
}

Origin Registry::origin_of(const std::string& file) {
  const std::string directory = std::filesystem::path(file).parent_path().string();
  for (const SearchEntry& place : searched()) {
    if (place.path == directory || place.path == file) return place.origin;
  }
  return Origin::kFlag;
}

const ManifestTexts& Registry::texts() {
  const auto locked = lock();
  if (!texts_) texts_ = read_manifest_texts(search_path(options_), trust_);
  return *texts_;
}

Index& Registry::index() {
  const auto locked = lock();
  if (!index_) {
    index_.emplace();
    index_->parse(texts().manifests, settings_);
    std::move(library_problems_.begin(), library_problems_.end(),
              std::back_inserter(index_->problems));
  }
  return *index_;
}

// Returns an index in which the providers with `name` are complete: the whole index if it exists,
// otherwise a partial one. Keeps partial indexes, because providers point into them.
Index& Registry::index_about(const std::string& name) {
  const auto locked = lock();
  if (index_) return *index_;
  const auto [place, is_new] = about_.try_emplace(name);
  if (is_new) place->second.parse_about(name, texts().manifests, settings_);
  return place->second;
}

const std::vector<SearchEntry>& Registry::searched() { return texts().searched; }

const std::vector<spec::Problem>& Registry::problems() { return index().problems; }

const std::deque<InlineResource>& Registry::inline_resources() { return index().resources; }

std::vector<PluginInfo> Registry::plugins() {
  const auto locked = lock();
  std::vector<PluginInfo> rows;
  std::set<std::string_view> files_with_rows;
  for (const PluginEntry& plugin : index().plugins) {
    files_with_rows.insert(plugin.source.file);
    PluginInfo& row = rows.emplace_back(row_of(plugin));
    if (row.state != PluginState::kOk) continue;
    try {
      preflight(plugin.library, plugin.origin, trust_);
      check_sha256(plugin.library, plugin.sha256, spec::to_string(plugin.sha256_source));
      row.warning = warning_of(plugin);
    } catch (const Error& error) {
      row.state = PluginState::kError;
      row.error = with_hint(error);
    }
  }
  // Adds rows for manifests with an error and without plug-ins, such as unreadable ones.
  for (const spec::Problem& problem : index().problems) {
    if (problem.severity != spec::Severity::kError ||
        !files_with_rows.insert(problem.where.file).second)
      continue;
    PluginInfo& row = rows.emplace_back();
    row.manifest = problem.where;
    row.state = PluginState::kError;
    row.error = spec::to_string(problem);
  }
  return rows;
}

std::vector<std::string> Registry::names(Group group) {
  std::vector<std::string> names;
  for (const auto& [key, place] : index().names) {
    if (key.first == group) names.push_back(key.second);
  }
  return names;
}

std::vector<std::string> Registry::names_by_precedence(Group group) {
  std::vector<std::pair<Index::Name, std::string>> found;
  for (const auto& [key, place] : index().names) {
    if (key.first == group) found.emplace_back(place, key.second);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.plugin, a.first.provided) <
           std::pair(b.first.plugin, b.first.provided);
  });
  std::vector<std::string> names;
  for (auto& [place, name] : found) names.push_back(std::move(name));
  return names;
}

Provider Registry::find_provider(Group group, std::string_view name) {
  const auto locked = lock();
  const std::pair key(group, std::string(name));
  const Index* known = &index_about(key.second);
  auto found = known->names.find(key);
  if (found == known->names.end()) {
    known = &index();
    found = known->names.find(key);
  }
  if (found == known->names.end()) throw_not_found(group, name);
  const PluginEntry& plugin = known->plugins[found->second.plugin];
  const Provided& provided = plugin.provides[found->second.provided];
  if (plugin.error) {
    throw Error(plugin.error->code,
                fmt::format("the {} \"{}\" cannot be used: {}: {}", noun(group), name,
                            plugin.error->key, plugin.error->message),
                plugin.error->hint, spec::to_string(plugin.error->where));
  }
  return provider_of(plugin, provided);
}

std::vector<std::string> Registry::unused_providers(Group group, const ProviderTest& is_wanted) {
  std::vector<std::string> out;
  for (const PluginEntry& plugin : index().plugins) {
    if (plugin.enabled && plugin.shadowed_by.empty()) continue;
    for (const Provided& provided : plugin.provides) {
      if (provided.group != group || !is_wanted(plugin, provided)) continue;
      out.push_back(fmt::format("{} would provide it, but is not usable: {}", plugin.id,
                                row_of(plugin).error));
    }
  }
  return out;
}

void Registry::throw_not_found(Group group, std::string_view name) {
  const std::vector<std::string> known = names(group);
  std::string message = fmt::format("no {} named \"{}\"", noun(group), name);
  message += "\nknown:";
  for (const std::string& other : known) message += " " + other;
  if (known.empty()) message += " none";
  const auto has_name = [&](const PluginEntry&, const Provided& provided) {
    return provided.name == name;
  };
  for (const std::string& unused : unused_providers(group, has_name)) message += '\n' + unused;
  message += '\n' + search_report();
  const std::string near = spec::did_you_mean(name, known);
  throw Error(Code::kNotFound, std::move(message), near.empty() ? kMorePlaces : near);
}

std::string Registry::search_report() {
  const auto locked = lock();
  std::string report = "searched:";
  for (const SearchEntry& place : searched()) {
    report +=
        place.state == "searched"
            ? fmt::format("\n  {} ({})", place.path, to_string(place.origin))
            : fmt::format("\n  {}: {} ({})", place.state, place.path, to_string(place.origin));
  }
  for (const spec::Problem& problem : problems()) {
    // A plug-in may list the name under a misspelt key.
    const bool is_misspelt = problem.rule == spec::rule::kUnknownKey && !problem.hint.empty();
    if (problem.severity == spec::Severity::kError || is_misspelt)
      report += "\nproblem: " + spec::to_string(problem);
  }
  return report;
}

std::shared_ptr<Library> Registry::library_of(const Provider& provider, const slipway_host* host) {
  const auto locked = lock();
  const PluginEntry& plugin = *provider.plugin;
  if (const auto loaded = libraries_.find(plugin.id); loaded != libraries_.end())
    return loaded->second;
  if (!loading_.insert(plugin.id).second) {
    throw Error(Code::kPrecondition,
                fmt::format("plug-in {} requests itself while it is loading", plugin.id), {},
                plugin.library);
  }
  struct Done {
    std::set<std::string, std::less<>>& loading;
    const std::string& id;
    ~Done() { loading.erase(id); }
  } done{loading_, plugin.id};
  std::vector<spec::Problem> problems;
  auto library = Library::load(plugin, host, trust_, problems);
  auto& known = index_ ? index_->problems : library_problems_;
  std::move(problems.begin(), problems.end(), std::back_inserter(known));
  libraries_.emplace(plugin.id, library);
  return library;
}

std::vector<std::shared_ptr<Library>> Registry::loaded() {
  const auto locked = lock();
  std::vector<std::shared_ptr<Library>> out;
  for (const auto& [id, library] : libraries_) out.push_back(library);
  return out;
}

std::optional<ResolvedResource> Registry::find_inline_resource(std::string_view name,
                                                               const BaseLookup& external) {
  const InlineLookup inlined = [&](std::string_view wanted) -> const InlineResource* {
    const auto found = index().resource_by_name.find(wanted);
    return found == index().resource_by_name.end() ? nullptr : &index().resources[found->second];
  };
  const InlineResource* resource = inlined(name);
  if (resource == nullptr) return std::nullopt;
  return resolve_inline_resource(*resource, inlined, external);
}

const DeviceTable* Registry::find_device(std::string_view name) {
  const auto found = index().devices.find(name);
  if (found == index().devices.end()) return nullptr;
  const DeviceTable& device = found->second;
  if (device.error) {
    throw Error(Code::kConfig,
                fmt::format("the device {} is not usable: {}: {}", spec::quoted(name),
                            device.error->key, device.error->message),
                device.error->hint, spec::to_string(device.error->where));
  }
  return &device;
}

}  // namespace slipway::registry
