#include "core/lint/component_rules.hpp"

#include <algorithm>
#include <utility>

#include "core/lint/rules.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::lint {
namespace {

constexpr std::string_view kTable = "component";

bool is_used(const components::FileComponent& component, const std::string& param) {
  return std::any_of(component.uses.begin(), component.uses.end(),
                     [&](const components::ParamUse& use) { return use.param == param; });
}

}  // namespace

void check_component(const components::FileComponent& component, spec::FieldReader& report) {
  const spec::KeyPath root;
  const spec::KeyPath all(root, kTable);
  const spec::KeyPath path(all, std::string_view(component.info.name));
  if (component.info.help.empty()) {
    report.warning(component.marks.at("help"), path, "the component has no help",
                   "describe in one line what it runs: help = \"...\"",
                   rule::kUndocumentedComponent);
  }
  const spec::KeyPath params(path, std::string_view("params"));
  for (std::size_t i = 0; i < component.info.params.size(); ++i) {
    const ComponentParam& param = component.info.params[i];
    const spec::TableMarks& marks = component.param_marks[i];
    const spec::KeyPath here(params, std::string_view(param.name));
    if (param.help.empty()) {
      report.warning(marks.at("help"), here, "the parameter has no help",
                     "describe in one line what it sets: help = \"...\"",
                     rule::kUndocumentedParameter);
    }
    // If the app is missing, a warning about each parameter would say nothing new.
    if (component.app.type != spec::NodeType::kTable || is_used(component, param.name)) continue;
    report.warning(marks.table, here, "the parameter is not used",
                   "write {{" + param.name + "}} in the app, or remove it", rule::kUnusedParameter);
  }
}

spec::Problem unknown_component(const std::string& file, const std::vector<std::string>& names,
                                const std::string& name) {
  spec::Problem problem;
  problem.where.file = file;
  problem.message = "the file has no component " + spec::quoted(name);
  problem.hint =
      names.empty() ? "it is an app file, so omit the name" : spec::did_you_mean(name, names);
  problem.rule = rule::kUnknownComponent;
  return problem;
}

}  // namespace slipway::lint
