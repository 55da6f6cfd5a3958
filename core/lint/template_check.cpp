#include "core/lint/template_check.hpp"

#include <algorithm>
#include <utility>

#include "core/components/template_expansion.hpp"
#include "core/lint/app_check.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/rule_names.hpp"

namespace slipway::lint {
namespace {

Value sample_of(const ComponentParam& param) {
  if (type_of(param.default_value) != ValueType::kNone) return param.default_value;
  switch (param.type) {
    case ValueType::kInt: return std::int64_t{1};
    case ValueType::kFloat: return 1.0;
    case ValueType::kBool: return true;
    case ValueType::kList: return StrList{};
    case ValueType::kDict: return StrDict{};
    case ValueType::kStr:
    case ValueType::kNone: break;
  }
  return std::string("sample");
}

bool is_about_a_sample(const spec::Problem& problem,
                       const std::vector<components::ParamUse>& uses) {
  if (problem.rule == spec::rule::kOutOfRange) return !uses.empty();
  return std::any_of(uses.begin(), uses.end(), [&](const components::ParamUse& use) {
    return use.at.line == problem.where.line && use.at.column == problem.where.column;
  });
}

}  // namespace

void check_template(const components::FileComponent& component, const std::string& source,
                    const spec::ResourceResolver& resolver, const spec::ResourceNames& known_names,
                    spec::ProblemList& problems) {
  if (component.app.type != spec::NodeType::kTable) return;
  Cfg samples;
  for (const ComponentParam& param : component.info.params)
    samples.set(param.name, sample_of(param));
  spec::ProblemList found;
  try {
    spec::AppFile file = spec::read_app_document(
        components::expand_template(component.app, component.info.params, samples), source, found);
    check_app(file, resolver, known_names, found);
  } catch (const spec::InvalidApp&) {
    return;  // an empty template, which the reader has reported
  }
  const spec::KeyPath root;
  const spec::KeyPath all(root, std::string_view("component"));
  const std::string app = spec::KeyPath(all, std::string_view(component.info.name)).text() + ".app";
  for (spec::Problem& problem : found.in_order()) {
    if (is_about_a_sample(problem, component.uses)) continue;
    problem.key = problem.key.empty() ? app : app + '.' + problem.key;
    problems.add(std::move(problem));
  }
}

}  // namespace slipway::lint
