#include "plugins/docker/supervisor/next_attempt.hpp"

#include <boost/json.hpp>
#include <exception>

#include "plugins/docker/request/container_plan.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

constexpr const char* kAttemptVariable = "SLIPWAY_ATTEMPT=";

/// The parts of the configuration that Slipway sets in an app with a supervisor. The others come
/// from the image again.
constexpr const char* kKeptKeys[] = {"Cmd",         "Env",  "Hostname",     "Labels",
                                     "StopTimeout", "User", "ExposedPorts", "WorkingDir"};

int attempt_in(const json::object& labels) {
  const json::value* label = labels.if_contains(kAttemptLabel);
  if (label == nullptr || !label->is_string()) return 1;
  return plain_number<int>(std::string_view(label->get_string())).value_or(1);
}

/// Adds 1 to SLIPWAY_ATTEMPT if its value is `previous`. Keeps another value, which the role has
/// set itself.
void count_attempt(json::array& env, int previous) {
  const std::string old = kAttemptVariable + std::to_string(previous);
  for (json::value& variable : env) {
    if (variable == json::string(old)) variable = kAttemptVariable + std::to_string(previous + 1);
  }
}

/// Returns the names that the container has in its network, without the first 12 digits of its id,
/// which the engine adds.
json::array aliases_in(const json::object& inspection, const json::string& network) {
  json::array out;
  constexpr std::size_t kShortId = 12;
  const std::string_view id(inspection.at("Id").as_string());
  const json::value* found =
      inspection.at("NetworkSettings").at("Networks").as_object().if_contains(network);
  const json::value* aliases =
      found != nullptr ? found->as_object().if_contains("Aliases") : nullptr;
  if (aliases == nullptr || !aliases->is_array()) return out;
  for (const json::value& alias : aliases->get_array()) {
    if (std::string_view(alias.as_string()) != id.substr(0, kShortId)) out.push_back(alias);
  }
  return out;
}

json::object body_from(const json::object& inspection, const Round& round) {
  const json::object& config = inspection.at("Config").as_object();
  json::object out = {{"Image", inspection.at("Image")},
                      {"HostConfig", inspection.at("HostConfig")}};
  for (const char* key : kKeptKeys) {
    const json::value* value = config.if_contains(key);
    if (value != nullptr && !value->is_null()) out[key] = *value;
  }
  json::object& labels = out.at("Labels").as_object();
  const int previous = attempt_in(labels);
  labels[kAttemptLabel] = std::to_string(previous + 1);
  labels[kAppRestartsLabel] = std::to_string(round.app_restarts);
  labels[kRoleRestartsLabel] = std::to_string(round.role_restarts);
  count_attempt(out.at("Env").as_array(), previous);
  const json::string network = inspection.at("HostConfig").at("NetworkMode").as_string();
  if (json::array aliases = aliases_in(inspection, network); !aliases.empty()) {
    out["NetworkingConfig"] = {{"EndpointsConfig", {{network, {{"Aliases", std::move(aliases)}}}}}};
  }
  return out;
}

}  // namespace

std::string next_attempt_body(std::string_view inspection, const Round& round) {
  try {
    const json::value parsed = json::parse(json::string_view(inspection.data(), inspection.size()));
    return json::serialize(body_from(parsed.as_object(), round));
  } catch (const std::exception&) {
    throw Error(Code::kTemporary,
                "the Docker engine's description of a container has an unknown form");
  }
}

}  // namespace slipway::docker
