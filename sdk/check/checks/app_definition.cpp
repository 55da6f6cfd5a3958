// The check of the app definition that describe returns.
#include <algorithm>
#include <string>
#include <type_traits>

#include "core/spec/document.hpp"
#include "core/spec/node.hpp"
#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/app_fields.hpp"

namespace slipway::check {

namespace {

// Compares apps field by field; throws Broken with the place of the first difference.
class Comparison {
 public:
  template <class Struct>
  static void compare(const Struct& submitted, const Struct& described, const std::string& place) {
    each_field<Struct>([&](const auto& field) {
      verify(submitted.*field.member, described.*field.member, place + field.key, field.kind);
    });
  }

 private:
  template <class T>
  static void verify(const T& submitted, const T& described, const std::string& place, FieldKind) {
    require(submitted == described,
            "the app that describe returns differs from the submitted one in " + place);
  }
  static void verify(const std::string& submitted, const std::string& described,
                     const std::string& place, FieldKind kind) {
    const bool is_same = submitted == described || (kind == FieldKind::kJsonObject &&
                                                    canonical(submitted) == canonical(described));
    require(is_same, "the app that describe returns differs from the submitted one in " + place);
  }
  static void verify(const Resource& submitted, const Resource& described, const std::string& place,
                     FieldKind) {
    compare(submitted, described, place + ".");
  }
  static void verify(const std::vector<Mount>& submitted, const std::vector<Mount>& described,
                     const std::string& place, FieldKind) {
    each(submitted, described, place);
  }
  static void verify(const std::vector<Role>& submitted, const std::vector<Role>& described,
                     const std::string& place, FieldKind) {
    each(submitted, described, place);
  }
  template <class T>
  static void each(const std::vector<T>& submitted, const std::vector<T>& described,
                   const std::string& place) {
    require(
        submitted.size() == described.size(),
        "the app that describe returns differs from the submitted one in the number of " + place);
    for (std::size_t i = 0; i < submitted.size(); ++i)
      compare(submitted[i], described[i], place + "[" + std::to_string(i) + "].");
  }

  /// Returns the document as compact JSON with sorted keys, because JSON objects have no order.
  static std::string canonical(const std::string& json) {
    std::string out;
    if (json.empty()) return out;
    spec::Node document = spec::parse_json(json, "metadata");
    sort_keys(document);
    spec::append_json(document, out);
    return out;
  }
  static void sort_keys(spec::Node& node) {
    std::sort(node.entries.begin(), node.entries.end(),
              [](const spec::NodeEntry& a, const spec::NodeEntry& b) { return a.key < b.key; });
    for (spec::NodeEntry& entry : node.entries) sort_keys(entry.value);
    for (spec::Node& item : node.items) sort_keys(item);
  }
};

void app_definition(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  AppDef app = scheduler.app();
  set(app.metadata, "slipway_check", std::string("kept"));
  for (Role& role : app.roles) role.with_env("SLIPWAY_CHECK", "${replica_id}");
  const std::string id = scheduler.submit(app);
  scheduler.wait_for_end(id, "by itself");
  require(!scheduler.seen(id).app,
          "describe returns the app although SLIPWAY_WANT_APP_DEF is not set");
  const SeenApp seen = scheduler.seen(id, SLIPWAY_WANT_APP_DEF);
  if (!seen.app) throw Inconclusive("it keeps no definitions of apps");
  Comparison::compare(app, *seen.app, "");
}

}  // namespace

std::vector<Check> app_definition_checks() {
  return {
      {"app.definition",
       SLIPWAY_KIND_SCHEDULER,
       Needs::kApp,
       "the app that describe returns is the submitted one, with its macros (abi/status.h)",
       "keep the app as submit_dryrun got it, or return none",
       &app_definition,
       {"app.runs"}},
  };
}

}  // namespace slipway::check
