#include "core/components/component_from_file.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "core/components/component_file.hpp"
#include "core/components/template_expansion.hpp"
#include "core/spec/document.hpp"
#include "core/spec/document_text.hpp"
#include "core/spec/load_app.hpp"
#include "core/spec/near_name.hpp"
#include "sdk/support/joined.hpp"

namespace slipway::components {
namespace {

const FileComponent& select_component(const ComponentFile& file, std::string_view name) {
  if (name.empty() && file.components.size() == 1) return file.components.front();
  if (const FileComponent* found = name.empty() ? nullptr : file.find(name)) return *found;
  StrList names;
  for (const FileComponent& component : file.components) names.push_back(component.info.name);
  refuse_selection(file.source, name, names);
}

}  // namespace

void refuse_selection(const std::string& file, std::string_view name, const StrList& names) {
  const std::string name_list = joined(names);
  if (name.empty())
    throw Error(Code::kUsage, file + " has several components: " + name_list,
                "name one: " + file + ":" + names.front());
  const std::string near = spec::did_you_mean(name, names);
  throw Error(Code::kNotFound, file + " has no component " + spec::quoted(name),
              near.empty() ? "it has " + name_list : near);
}

Component component_from_file(spec::Node document, const std::string& source,
                              std::string_view name) {
  const auto is_fit = [name](const std::string& key) {
    return name.empty() || may_concern(name, key);
  };
  spec::ProblemList problems([&](const spec::Problem& problem) { return is_fit(problem.key); });
  const ComponentFile file = read_component_file(std::move(document), source, problems);
  if (problems.has_error_where(is_fit))
    throw spec::InvalidApp(problems.in_order(), problems.omitted());
  const auto component = std::make_shared<FileComponent>(select_component(file, name));
  Component out;
  out.info = component->info;
  out.info.name = source + ":" + component->info.name;
  out.source = source;
  out.sweep = component->sweep;
  out.build = [component, source](const Cfg& args, const spec::ResourceResolver& resolver,
                                  const spec::ResourceNames& names) {
    return spec::load_app_document(expand_template(component->app, component->info.params, args),
                                   source, resolver, names);
  };
  return out;
}

Component component_from_file(const std::string& path, std::string_view name) {
  spec::Node document = spec::read_document(path);
  if (!holds_components(document))
    spec::refuse(path, document.at, "there is no component in this file", "write [component.NAME]");
  return component_from_file(std::move(document), path, name);
}

}  // namespace slipway::components
