#include "core/lint/portability.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/lint/rules.hpp"

namespace slipway::lint {
namespace {

constexpr spec::Mark kTop{1, 1};

spec::Problem problem_at(const spec::AppFile& file, spec::Mark at, std::string key,
                         std::string message) {
  spec::Problem problem;
  problem.where = {file.source, at.line, at.column};
  problem.key = std::move(key);
  problem.message = std::move(message);
  return problem;
}

// Returns the place of a resource's field, or a mark without a line. The place of `devices` is that
// of the first device. `mem` and `memMB` are one value, whose place is under `memMB`.
spec::Mark resource_part(const spec::TableMarks& marks, std::string_view key) {
  if (key == "devices") return marks.item(key, 0);
  return marks.at(key == "mem" ? "memMB" : key);
}

// Returns the place of `field`, as slipway_app_field (abi/scheduler.h) lists it: a key of a role,
// or such a key, a dot and a second key. `resource.cpu.fraction` is a part of the value of
// `resource.cpu`.
spec::Mark place_of(const spec::RoleMarks& marks, std::string_view field) {
  const std::size_t dot = field.find('.');
  const std::string_view role_key = field.substr(0, dot);
  if (role_key == "resource" && dot != std::string_view::npos) {
    const std::string_view part_key = field.substr(dot + 1);
    const spec::Mark part = resource_part(marks.resource, part_key.substr(0, part_key.find('.')));
    if (part.line > 0) return part;
  }
  return marks.at(role_key);
}

// Returns the place of a field of the app: the place of a run option, otherwise the start of the
// file.
spec::Mark place_of(const spec::AppFile& file, std::string_view field) {
  constexpr std::string_view kOptions = "options.";
  if (!field.starts_with(kOptions)) return kTop;
  for (const spec::OptionPlace& place : file.options) {
    const bool is_of_all = place.scheduler == spec::kEveryScheduler;
    if (field.substr(kOptions.size()) == (is_of_all ? "" : place.scheduler + '.') + place.option)
      return place.at;
  }
  return kTop;
}

std::string key_of(std::size_t role, const std::string& field) {
  const std::string path = "roles[" + std::to_string(role) + ']';
  return field.empty() ? path : path + '.' + field;
}

}  // namespace

void add_findings(const spec::AppFile& file, const std::string& scheduler,
                  const std::vector<Finding>& findings, std::vector<spec::Problem>& out) {
  for (const Finding& finding : findings) {
    const bool refused = finding.kind == Finding::Kind::kRefused;
    const auto& roles = file.app.roles;
    const auto role = std::find_if(roles.begin(), roles.end(),
                                   [&](const Role& one) { return one.name == finding.role; });
    const auto index = static_cast<std::size_t>(role - roles.begin());
    const bool is_of_role = role != roles.end();
    spec::Problem problem = problem_at(
        file,
        is_of_role ? place_of(file.marks[index], finding.field) : place_of(file, finding.field),
        is_of_role ? key_of(index, finding.field) : finding.field,
        scheduler + (refused ? " refuses this: " : " ignores this: ") + finding.why);
    problem.severity = refused ? spec::Severity::kError : spec::Severity::kWarning;
    problem.rule = refused ? rule::kRefusedByScheduler : rule::kIgnoredByScheduler;
    out.push_back(std::move(problem));
  }
}

void add_refusal(const spec::AppFile& file, const std::string& scheduler, const Error& why,
                 std::vector<spec::Problem>& out) {
  const bool is_refused = why.code() == Code::kInvalid || why.code() == Code::kUnimplemented;
  const std::string start = scheduler + (is_refused ? " refuses the app: " : " failed: ");
  const auto add = [&](std::string key, const std::string& message, const std::string& hint) {
    spec::Problem problem = problem_at(file, kTop, std::move(key), start + message);
    problem.hint = hint;
    problem.rule = rule::kRefusedByScheduler;
    return &out.emplace_back(std::move(problem));
  };
  if (const auto* invalid = dynamic_cast<const spec::InvalidApp*>(&why)) {
    for (const spec::Problem& each : invalid->problems())
      add(each.key, each.message, each.hint)->severity = each.severity;
    return;
  }
  add({}, why.message(), why.hint());
}

}  // namespace slipway::lint
