#include "core/cli/commands/lint_output.hpp"

#include <vector>

#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/lint/rules.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace json = boost::json;

namespace {

const char* name_of(spec::Severity severity) {
  return severity == spec::Severity::kError ? "error" : "warning";
}

}  // namespace

std::string lint_line(const spec::Problem& problem) {
  std::string line = to_string(problem.where) + ": " + name_of(problem.severity) + ": ";
  if (!problem.key.empty()) line += problem.key + ": ";
  line += problem.message;
  if (!problem.hint.empty()) line += ", " + problem.hint;
  return visible_line(line + " [" + std::string(problem.rule) + ']');
}

json::object lint_json(const spec::Problem& problem) {
  json::object out;
  out["file"] = problem.where.file;
  out["line"] = problem.where.line;
  out["column"] = problem.where.column;
  out["severity"] = name_of(problem.severity);
  out["rule"] = json::string(problem.rule.data(), problem.rule.size());
  out["key"] = text_or_null(problem.key);
  out["message"] = problem.message;
  out["hint"] = text_or_null(problem.hint);
  return out;
}

std::string rules_text() {
  std::vector<std::vector<std::string>> rows = {{"RULE", "SEVERITY", "FINDS"}};
  for (const lint::Rule& rule : lint::rules())
    rows.push_back({std::string(rule.name), name_of(rule.severity), std::string(rule.what)});
  return text_table(rows);
}

json::array rules_json() {
  json::array out;
  for (const lint::Rule& rule : lint::rules()) {
    out.push_back(json::object{{"name", std::string(rule.name)},
                               {"severity", name_of(rule.severity)},
                               {"what", std::string(rule.what)}});
  }
  return out;
}

}  // namespace slipway::cli
