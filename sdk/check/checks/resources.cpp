// Checks of providers of named resources.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/loaded.hpp"
#include "slipway/detail/app_views.hpp"

namespace slipway::check {

namespace {

// Receives resources. The callback returns `stop`.
struct ResourceSink {
  std::vector<std::pair<std::string, Resource>> resources;
  std::string malformed;  // a defect of a resource; empty if there is none
  slipway_status stop = SLIPWAY_OK;

  static slipway_status take(void* self, const slipway_named_resource* named) {
    auto& sink = *static_cast<ResourceSink*>(self);
    const std::string name = abi::str(abi::widen(named).name);
    const slipway_resource* given = abi::widen(named).resource;
    if (given == nullptr) {
      sink.malformed = "\"" + name + "\" has no resource";
      return sink.stop;
    }
    const Resource resource = abi::read(*given);
    if (!resource.cpu.is_valid() || resource.gpu < -1 || resource.mem_mb < -1)
      sink.malformed = "\"" + name + "\" has a number below -1";
    for (const std::string* json : {&resource.capabilities_json, &resource.tags_json})
      if (!json->empty() && !is_json_object(*json))
        sink.malformed =
            "\"" + name + "\" has text that is not a JSON object: " + json->substr(0, 60);
    sink.resources.emplace_back(name, resource);
    return sink.stop;
  }
};

ResourceSink all_resources(const Instance& instance) {
  ResourceSink sink;
  slipway_error error;
  instance.trial().progress.step("list");
  const slipway_status status = instance.resources()->vtbl->list(
      instance.resources(), plain_call(), kChecked<&ResourceSink::take>, &sink, &error);
  require_ok("list", status, error);
  require(sink.malformed.empty(), sink.malformed);
  return sink;
}

void list_resources(const Trial& trial) {
  const Instance instance(trial);
  std::set<std::string> names;
  for (const auto& [name, resource] : all_resources(instance).resources) {
    require(!name.empty(), "a resource has no name");
    require(names.insert(name).second, "\"" + name + "\" is listed twice");
  }
}

void resources_get(const Trial& trial) {
  const Instance instance(trial);
  if (!abi::has(*instance.resources()->vtbl, &slipway_named_resources_vtbl::get))
    throw Inconclusive("it has no get");
  const auto find = [&](const std::string& name) {
    GuardedMemory memory;
    const slipway_str placed = memory.text(name);
    memory.seal();
    ResourceSink sink;
    slipway_error error;
    trial.progress.step("get");
    const slipway_status status = instance.resources()->vtbl->get(
        instance.resources(), plain_call(), placed, kChecked<&ResourceSink::take>, &sink, &error);
    require_ok("get of \"" + name + "\"", status, error);
    require(sink.malformed.empty(), sink.malformed);
    return sink.resources;
  };
  for (const auto& [name, resource] : all_resources(instance).resources) {
    const auto found = find(name);
    require(found.size() == 1 && found.front().second == resource,
            "get and list return different resources for \"" + name + "\"");
  }
  require(find("slipway-plugin-check.no.such.resource").empty(),
          "get of a resource that does not exist called back");
}

void resources_stop(const Trial& trial) {
  const Instance instance(trial);
  ResourceSink sink;
  sink.stop = kCallbackStop;
  slipway_error error;
  trial.progress.step("list");
  const slipway_status status = instance.resources()->vtbl->list(
      instance.resources(), plain_call(), kChecked<&ResourceSink::take>, &sink, &error);
  if (status >= 0 && sink.resources.empty()) throw Inconclusive("it has no resources here");
  require(sink.resources.size() == 1 && status == kCallbackStop,
          "list called back " + std::to_string(sink.resources.size()) + " times and returned " +
              std::to_string(status) + " although the first callback returned " +
              std::to_string(kCallbackStop));
}

}  // namespace

std::vector<Check> resource_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_NAMED_RESOURCES;
  return {
      {"resources.list",
       kKind,
       Needs::kNothing,
       "every resource has a unique name and valid sizes (abi/named_resources.h)",
       "use -1 for a size that is not set",
       &list_resources,
       {"provider.functions"}},
      {"resources.get",
       kKind,
       Needs::kNothing,
       "get finds what list shows, and does not call back for another name",
       "leave get NULL: the host then searches the list",
       &resources_get,
       {"provider.functions"}},
      {"resources.stop",
       kKind,
       Needs::kNothing,
       "a callback's negative answer ends the call, which returns it unchanged (abi/base.h)",
       "return at once what the callback returned",
       &resources_stop,
       {"provider.functions"}},
  };
}

}  // namespace slipway::check
