#include "core/components/component_book.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/components/component_from_file.hpp"
#include "core/components/component_reference.hpp"
#include "core/registry/queries/answer_bytes.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/validate.hpp"

namespace slipway::components {
namespace {

using registry::Group;

// By convention a provider has the first part of its components' names: `utils` for `utils.echo`.
bool is_first_part(std::string_view provider, std::string_view name) {
  return name.substr(0, provider.size()) == provider &&
         (name.size() == provider.size() || name[provider.size()] == '.');
}

using Components = std::shared_ptr<const registry::PluginComponents>;

Component plugin_component(std::function<Components()> provider, ComponentInfo info,
                           std::string plugin_id) {
  Component out;
  out.source = std::move(plugin_id);
  out.build = [provider = std::move(provider), name = info.name](
                  const Cfg& args, const spec::ResourceResolver&, const spec::ResourceNames&) {
    spec::AppFile file;
    file.app = provider()->build(name, args);
    spec::validate(file.app);
    return file;
  };
  out.info = std::move(info);
  return out;
}

}  // namespace

void ComponentBook::load_components(const std::string& provider) {
  if (!loaded_providers_.insert(provider).second) return;
  try {
    const std::string id = host_.registry().find_provider(Group::kComponents, provider).plugin->id;
    const auto components =
        std::make_shared<const registry::PluginComponents>(host_.components(provider));
    for (ComponentInfo& info : components->list()) {
      std::string name = info.name;
      known_.emplace(std::move(name),
                     plugin_component([components] { return components; }, std::move(info), id));
    }
  } catch (const Error& error) {
    unavailable_.push_back("component provider " + provider + ": " + error.message());
  }
}

const std::map<std::string, Component, std::less<>>& ComponentBook::all() {
  std::vector<std::string> not_loaded;
  for (const std::string& provider : host_.registry().names(Group::kComponents)) {
    if (loaded_providers_.insert(provider).second) not_loaded.push_back(provider);
  }
  const auto answers =
      host_.ask_each(Group::kComponents, not_loaded, [&](const std::string& provider) {
        return registry::to_bytes(host_.components(provider).list());
      });
  for (std::size_t i = 0; i < not_loaded.size(); ++i) {
    const std::string& provider = not_loaded[i];
    if (answers[i].error) {
      if (!answers[i].lost)
        unavailable_.push_back("component provider " + provider + ": " +
                               answers[i].error->message());
      continue;
    }
    const std::string id = host_.registry().find_provider(Group::kComponents, provider).plugin->id;
    for (ComponentInfo& info : registry::components_from(answers[i].bytes)) {
      std::string name = info.name;
      known_.emplace(std::move(name),
                     plugin_component(
                         [&host = host_, provider] {
                           return std::make_shared<const registry::PluginComponents>(
                               host.components(provider));
                         },
                         std::move(info), id));
    }
  }
  return known_;
}

Component ComponentBook::find(std::string_view reference) {
  const ComponentReference wanted = parse_reference(reference);
  if (!wanted.file.empty()) return component_from_file(wanted.file, wanted.name);
  for (const std::string& provider : host_.registry().names(Group::kComponents)) {
    if (is_first_part(provider, reference)) load_components(provider);
  }
  if (const auto found = known_.find(reference); found != known_.end()) return found->second;
  all();
  if (const auto found = known_.find(reference); found != known_.end()) return found->second;

  std::vector<std::string> names;
  for (const auto& entry : known_) names.push_back(entry.first);
  std::string message = "there is no component " + spec::quoted(reference);
  for (const std::string& failure : unavailable_) message += "\n" + failure;
  for (const spec::Problem& problem : host_.registry().problems()) {
    if (problem.severity == spec::Severity::kError)
      message += "\nproblem: " + spec::to_string(problem);
  }
  const std::string near = spec::did_you_mean(reference, names);
  throw Error(Code::kNotFound, std::move(message),
              near.empty() ? "`slipway component list` shows those of plug-ins; one of a file is "
                             "FILE.toml:NAME, an app file ends in .toml or .json, and "
                             "`slipway run -- PROGRAM` runs a program"
                           : near);
}

}  // namespace slipway::components
