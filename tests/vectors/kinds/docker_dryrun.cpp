// The containers of an app in TorchX's form, as keyword arguments of docker-py.

#include "core/runner/run_options.hpp"
#include "plugins/docker/request/plan_builder.hpp"
#include "slipway/device_mounts.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"
#include "tests/vectors/kinds/vector_app.hpp"

namespace slipway::vectors {

namespace {

StrList environment_of(const json::object& input) {
  StrList out;
  const json::value* environ = input.if_contains("environ");
  if (environ == nullptr) return out;
  for (const auto& [name, value] : environ->as_object())
    out.push_back(std::string(name) + "=" + std::string(value.as_string()));
  return out;
}

/// Removes what Slipway adds to the environment (core/docs/docker.md).
json::object torchx_environment(const json::object& environment) {
  json::object out;
  for (const auto& [name, value] : environment) {
    const std::string_view key(name);
    if (key.rfind("SLIPWAY_", 0) == 0 || key.rfind("TINI_", 0) == 0 || key == "PYTHONUNBUFFERED" ||
        key == "TORCHX_MAX_RETRIES")
      continue;
    out[name] = value;
  }
  return out;
}

json::object torchx_labels(const json::object& labels) {
  json::object out;
  for (const auto& [name, value] : labels) {
    if (std::string_view(name).rfind("torchx.", 0) == 0) out[name] = value;
  }
  if (out.contains(docker::kVersionLabel)) out[docker::kVersionLabel] = "<VERSION>";
  return out;
}

json::array torchx_devices(const json::array& devices) {
  json::array out;
  for (const json::value& each : devices) {
    const json::object& device = each.as_object();
    out.push_back(json::string(text_member(device, "PathOnHost") + ":" +
                               text_member(device, "PathInContainer") + ":" +
                               text_member(device, "CgroupPermissions")));
  }
  return out;
}

json::object torchx_container(const json::object& container) {
  json::object kwargs = {
      {"name", member(container, "name")},
      {"environment", torchx_environment(member(container, "environment").as_object())},
      {"labels", torchx_labels(member(container, "labels").as_object())},
      {"hostname", member(container, "hostname")},
      {"privileged", member(container, "privileged")},
      // TorchX has one network for all apps, Slipway one for each.
      {"network", "torchx"},
      {"mounts", member(container, "mounts")},
      {"devices", torchx_devices(member(container, "devices").as_array())}};
  const auto add_size = [&](const char* key, const char* torchx_key) {
    if (const json::value* bytes = container.if_contains(key))
      kwargs[torchx_key] = std::to_string(bytes->to_number<std::int64_t>() >> 20) + "m";
  };
  add_size("memory", "mem_limit");
  add_size("shm_size", "shm_size");
  for (const char* key : {"nano_cpus", "device_requests", "restart_policy"}) {
    if (const json::value* value = container.if_contains(key)) kwargs[key] = *value;
  }
  return {{"image", member(container, "image")},
          {"command", member(container, "command")},
          {"kwargs", std::move(kwargs)}};
}

}  // namespace

json::value run_docker_dryrun(VectorCase& one, Bench&) {
  const AppDef app = read_app(one.input);
  docker::PlanPlace place;
  place.app_id = app.name + "-bcdfghjkl01234";
  place.environment = environment_of(one.input);
  place.device_mounts = [](const IntDict& devices, StrList& unknown) {
    return device_mounts(devices, unknown);
  };
  const Dict<Value> given = option_values(member(one.input, "cfg"));
  const Cfg cfg = resolve_options(docker::declared_options(), given);
  const docker::AppPlan plan =
      docker::build_plan(app, docker::read_options(cfg), docker::rules_for(app, cfg), place, {});
  json::array containers;
  for (const docker::ContainerPlan& container : plan.containers) {
    containers.push_back(
        torchx_container(json::parse(docker::plan_json(plan, container)).as_object()));
  }
  return json::object{{"app_id", plan.app_id}, {"containers", std::move(containers)}};
}

}  // namespace slipway::vectors
