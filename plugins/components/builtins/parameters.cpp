#include "plugins/components/builtins/parameters.hpp"

#include <utility>

namespace slipway::builtins {

ComponentParam optional_param(std::string name, ValueType type, std::string help) {
  ComponentParam out;
  if (name.size() == 1) out.short_name = name;
  out.name = std::move(name);
  out.type = type;
  out.help = std::move(help);
  return out;
}

ComponentParam required_param(std::string name, ValueType type, std::string help) {
  ComponentParam out = optional_param(std::move(name), type, std::move(help));
  out.required = true;
  return out;
}

ComponentParam defaulted_param(std::string name, Value value, std::string help) {
  ComponentParam out = optional_param(std::move(name), type_of(value), std::move(help));
  out.default_value = std::move(value);
  return out;
}

ComponentParam rest_param(std::string name, std::string help) {
  ComponentParam out = optional_param(std::move(name), ValueType::kList, std::move(help));
  out.variadic = true;
  return out;
}

ComponentParam image_param() {
  return defaulted_param(
      "image", std::string(kDefaultImage),
      "the image to run in; local_cwd ignores it and uses the current directory");
}

ComponentParam replicas_param() {
  return defaulted_param("num_replicas", std::int64_t{1}, "number of replicas");
}

std::vector<ComponentParam> resource_params(std::int64_t cpu) {
  return {defaulted_param("cpu", cpu, "CPUs of each replica"),
          defaulted_param("gpu", std::int64_t{0}, "GPUs of each replica"),
          defaulted_param("memMB", std::int64_t{1024}, "memory of each replica in MiB"),
          optional_param("h", ValueType::kStr,
                         "a named resource, such as gpu.small, in place of cpu, gpu and memMB")};
}

ComponentParam env_param() {
  return optional_param("env", ValueType::kDict, "environment variables: A=1,B=2");
}

ComponentParam retries_param() {
  return defaulted_param("max_retries", std::int64_t{0}, "how often the app may be restarted");
}

ComponentParam mounts_param() {
  return optional_param("mounts", ValueType::kList,
                        "mounts of each replica: type=bind,src=/host,dst=/job,readonly; "
                        "every type= starts the next mount");
}

}  // namespace slipway::builtins
