#include "core/components/component_book.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/components/component_from_file.hpp"
#include "core/components/component_reference.hpp"
#include "core/registry/calls/call_context.hpp"
#include "core/registry/queries/query_results.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/validate.hpp"
#include "sdk/support/absolute_path.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/shell_words.hpp"

namespace slipway::components {
namespace {

using registry::Group;

// Returns whether `provider` is the first part of `name`, as `utils` is of `utils.echo`. By
// convention, a provider's components have its name as their first part.
bool is_first_part(std::string_view provider, std::string_view name) {
  return name.substr(0, provider.size()) == provider &&
         (name.size() == provider.size() || name[provider.size()] == '.');
}

using Components = std::shared_ptr<const registry::PluginComponents>;

// Returns a component that `provider` builds. `source` is its plug-in or file for messages;
// `source_file` is the absolute path of the file that defines it, or empty.
Component plugin_component(std::function<Components()> provider, ComponentInfo info,
                           std::string source, std::string source_file = {}) {
  Component out;
  out.source = std::move(source);
  out.build = [provider = std::move(provider), name = info.name, path = std::move(source_file)](
                  const Cfg& args, const spec::ResourceResolver&, const spec::ResourceNames&) {
    spec::AppFile file;
    file.app = provider()->build(name, args, path);
    spec::validate(file.app);
    return file;
  };
  out.info = std::move(info);
  return out;
}

std::string absolute_text(const std::string& file) {
  return normal_path(absolute_path(file)).string();
}

StrList names_of(const std::vector<ComponentInfo>& infos) {
  StrList out;
  for (const ComponentInfo& info : infos) out.push_back(info.name);
  return out;
}

}  // namespace

void ComponentBook::add(const std::string& provider, Component component) {
  const std::string name = component.info.name;
  const auto known = known_.find(name);
  if (known == known_.end()) {
    known_.emplace(name, std::move(component));
    return;
  }
  // Agrees with find(), which asks the provider with the first part of the name before the others.
  if (is_first_part(provider, name)) std::swap(known->second, component);
  if (known->second.source != component.source)
    shadowed_.push_back(name + " of " + component.source + " is shadowed by that of " +
                        known->second.source);
}

void ComponentBook::add_unavailable(const std::string& provider, const Error& error) {
  std::string message = "component provider " + provider + ": " + error.message();
  // Each find() may ask a provider again to search modules.
  if (std::find(unavailable_.begin(), unavailable_.end(), message) == unavailable_.end())
    unavailable_.push_back(std::move(message));
}

void ComponentBook::load_components(const std::string& provider) {
  if (!loaded_providers_.insert(provider).second) return;
  try {
    const std::string id = host_.registry().find_provider(Group::kComponents, provider).plugin->id;
    const auto components =
        std::make_shared<const registry::PluginComponents>(host_.components(provider));
    for (ComponentInfo& info : components->list())
      add(provider, plugin_component([components] { return components; }, std::move(info), id));
  } catch (const Error& error) {
    if (registry::is_end_of_call_limit(error.code())) throw;
    add_unavailable(provider, error);
  }
}

void ComponentBook::load_all(const std::vector<std::string>& providers) {
  std::vector<std::string> not_loaded;
  for (const std::string& provider : providers) {
    if (loaded_providers_.insert(provider).second) not_loaded.push_back(provider);
  }
  const auto answers =
      host_.ask_each(Group::kComponents, not_loaded, [&](const std::string& provider) {
        return registry::to_bytes(host_.components(provider).list());
      });
  for (std::size_t i = 0; i < not_loaded.size(); ++i) {
    const std::string& provider = not_loaded[i];
    if (answers[i].error) {
      // The host has already logged a plug-in that crashed or did not answer.
      if (!answers[i].lost) add_unavailable(provider, *answers[i].error);
      continue;
    }
    const std::string id = host_.registry().find_provider(Group::kComponents, provider).plugin->id;
    for (ComponentInfo& info : registry::components_from(answers[i].bytes)) {
      add(provider, plugin_component(
                        [&host = host_, provider] {
                          return std::make_shared<const registry::PluginComponents>(
                              host.components(provider));
                        },
                        std::move(info), id));
    }
  }
}

const std::map<std::string, Component, std::less<>>& ComponentBook::all() {
  std::vector<std::string> providers = host_.registry().names_by_precedence(Group::kComponents);
  // Agrees with find(), which asks the providers that claim files before the others.
  const std::vector<registry::Provider> first = claimants();
  std::stable_partition(providers.begin(), providers.end(), [&](const std::string& name) {
    return std::any_of(first.begin(), first.end(),
                       [&](const registry::Provider& claimant) { return claimant.name == name; });
  });
  load_all(providers);
  return known_;
}

std::vector<registry::Provider> ComponentBook::claimants() {
  std::vector<registry::Provider> out;
  for (const std::string& name : host_.registry().names_by_precedence(Group::kComponents)) {
    try {
      registry::Provider provider = host_.registry().find_provider(Group::kComponents, name);
      if (!provider.provided->component_files.empty()) out.push_back(std::move(provider));
    } catch (const Error&) {
      // A plug-in with a mistake in its manifest claims no files; the registry reports the mistake.
    }
  }
  return out;
}

ComponentReference ComponentBook::parse_source_file(std::string_view text) {
  for (const registry::Provider& provider : claimants()) {
    ComponentReference out = parse_reference(text, provider.provided->component_files);
    if (!out.file.empty()) return out;
  }
  return {};
}

std::vector<std::string> ComponentBook::source_endings() {
  std::vector<std::string> out;
  for (const registry::Provider& provider : claimants()) {
    for (const std::string& extension : provider.provided->component_files)
      out.push_back("." + extension);
  }
  return out;
}

registry::Provider ComponentBook::provider_of_file(std::string_view file) {
  for (registry::Provider& provider : claimants()) {
    if (!parse_reference(file, provider.provided->component_files).file.empty())
      return std::move(provider);
  }
  throw Error(Code::kNotFound, "no plug-in reads components from " + spec::quoted(file));
}

std::vector<ComponentInfo> ComponentBook::components_of_file(const std::string& file) {
  return host_.components(provider_of_file(file).name).list({absolute_text(file), {}});
}

std::vector<ComponentProblem> ComponentBook::check_file(const std::string& file,
                                                        const std::string& name) {
  return host_.components(provider_of_file(file).name).check({absolute_text(file), name});
}

Component ComponentBook::find_in_file(const ComponentReference& wanted) {
  const std::string path = absolute_text(wanted.file);
  const auto provider = std::make_shared<const registry::PluginComponents>(
      host_.components(provider_of_file(wanted.file).name));
  std::vector<ComponentInfo> found = provider->list({path, wanted.name});
  const auto take = [&](ComponentInfo info) {
    const std::string typed = wanted.file + ":" + info.name;
    Component out =
        plugin_component([provider] { return provider; }, std::move(info), wanted.file, path);
    out.info.name = typed;
    return out;
  };
  for (ComponentInfo& info : found) {
    if (info.name == wanted.name) return take(std::move(info));
  }
  if (!wanted.name.empty()) found = provider->list({path, {}});
  if (wanted.name.empty() && found.size() == 1) return take(std::move(found.front()));
  if (found.empty())
    throw Error(
        Code::kNotFound, wanted.file + " has no components",
        "`slipway run -- INTERPRETER " + shell_quoted(wanted.file) + "` runs it as a program");
  refuse_selection(wanted.file, wanted.name, names_of(found));
}

std::optional<Component> ComponentBook::find_in_modules(std::string_view reference, StrList& others,
                                                        std::optional<Error>& failure) {
  for (const registry::Provider& claimant : claimants()) {
    try {
      const auto provider =
          std::make_shared<const registry::PluginComponents>(host_.components(claimant.name));
      for (ComponentInfo& info : provider->list({{}, std::string(reference)})) {
        if (info.name == reference)
          return plugin_component([provider] { return provider; }, std::move(info),
                                  claimant.plugin->id);
        others.push_back(std::move(info.name));
      }
    } catch (const Error& error) {
      if (error.code() != Code::kPrecondition) throw;
      add_unavailable(claimant.name, error);
      failure = error;
    }
  }
  return std::nullopt;
}

Component ComponentBook::find(std::string_view reference, PlainNames plain_names) {
  const ComponentReference wanted = parse_reference(reference);
  if (!wanted.file.empty()) return component_from_file(wanted.file, wanted.name);
  if (const ComponentReference source = parse_source_file(reference); !source.file.empty())
    return find_in_file(source);
  for (const std::string& provider : host_.registry().names_by_precedence(Group::kComponents)) {
    if (is_first_part(provider, reference)) load_components(provider);
  }
  if (const auto found = known_.find(reference); found != known_.end()) return found->second;
  StrList others_of_module;
  std::optional<Error> failure;
  const bool is_plain = reference.find_first_of(".:") == std::string_view::npos;
  if (!is_plain || plain_names == PlainNames::kAlsoInModules) {
    if (auto found = find_in_modules(reference, others_of_module, failure))
      return *std::move(found);
  }
  // Listing the components of providers that claim files may take long, and find_in_modules()
  // searches them by name.
  std::vector<std::string> others = host_.registry().names_by_precedence(Group::kComponents);
  for (const registry::Provider& claimant : claimants()) std::erase(others, claimant.name);
  load_all(others);
  if (const auto found = known_.find(reference); found != known_.end()) return found->second;

  StrList names = others_of_module;
  for (const auto& entry : known_) names.push_back(entry.first);
  std::string near = spec::did_you_mean(reference, names);
  if (failure && !is_plain && near.empty()) throw *failure;
  std::string message = "there is no component " + spec::quoted(reference);
  for (const std::string& reason : unavailable_) message += "\n" + reason;
  for (const spec::Problem& problem : host_.registry().problems()) {
    if (problem.severity == spec::Severity::kError)
      message += "\nproblem: " + spec::to_string(problem);
  }
  if (near.empty() && !is_plain && !others_of_module.empty())
    near = "the module has " + joined(others_of_module);
  throw Error(Code::kNotFound, std::move(message),
              near.empty() ? "`slipway component list` shows those of plug-ins; one of a file is "
                             "FILE.toml:NAME, an app file ends in .toml or .json, and "
                             "`slipway run -- PROGRAM` runs a program"
                           : near);
}

}  // namespace slipway::components
