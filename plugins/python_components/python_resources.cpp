#include "plugins/python_components/python_resources.hpp"

#include <string>

#include "slipway/app_text.hpp"

namespace slipway::python {

namespace json = boost::json;

Dict<Resource> PythonResources::list(const Call& call) {
  return ask(call, {{"op", "resources"}}, "the list of named resources in Python");
}

std::optional<Resource> PythonResources::get(std::string_view name, const Call& call) {
  Dict<Resource> found =
      ask(call, {{"op", "resources"}, {"name", name}}, "the named resource " + std::string(name));
  if (found.empty()) return std::nullopt;
  return std::move(found.front().second);
}

Dict<Resource> PythonResources::ask(const Call& call, json::object request,
                                    const std::string& subject) const {
  json::object answer;
  try {
    answer = requests_.ask_once(call, std::move(request), subject);
  } catch (const Error& error) {
    if (error.code() != Code::kPrecondition) throw;  // kPrecondition: there is no usable Python
    host().log(LogLevel::kDebug, error.message());
    return {};
  }
  for (const json::value& warning : answer.at("warnings").as_array())
    host().log(LogLevel::kWarning, std::string_view(warning.as_string()));
  // The host has a function that reads apps but none that reads resources, so each resource becomes
  // that of a role.
  json::array roles;
  for (const auto& [name, resource] : answer.at("resources").as_object())
    roles.push_back({{"name", "r" + std::to_string(roles.size())},
                     {"entrypoint", "true"},
                     {"resource", resource}});
  Dict<Resource> out;
  if (roles.empty()) return out;
  AppDef app =
      app_from_text(host(), json::serialize(json::object{{"name", "a"}, {"roles", roles}}), call);
  for (const auto& [name, resource] : answer.at("resources").as_object())
    out.emplace_back(name, std::move(app.roles.at(out.size()).resource));
  return out;
}

}  // namespace slipway::python
