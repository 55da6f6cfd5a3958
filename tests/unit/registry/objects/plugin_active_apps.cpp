#include <boost/test/unit_test.hpp>
#include <cstddef>

#include "core/registry/objects/plugin_scheduler.hpp"
#include "slipway/abi/active_apps.h"
#include "slipway/detail/status_views.hpp"
#include "tests/unit/registry/objects/object_fixture.hpp"

namespace slipway::registry {
namespace {

using test::any_library;

slipway_status deliver(const char* app_id, slipway_on_list_item on_item, void* ctx) {
  ListItem item;
  item.app_id = app_id;
  const slipway_list_item v = abi::view_of(item);
  return on_item(ctx, &v);
}

slipway_status list_all(slipway_scheduler*, const slipway_call*, slipway_on_list_item on_item,
                        void* ctx, slipway_error*) {
  return deliver("from-all", on_item, ctx);
}

slipway_status list_active(slipway_scheduler*, const slipway_call*, slipway_on_list_item on_item,
                           void* ctx, slipway_error*) {
  return deliver("from-active", on_item, ctx);
}

slipway_scheduler_active_apps active_apps{sizeof(slipway_scheduler_active_apps), 0, &list_active};

const void* get_active_apps(slipway_scheduler*, slipway_str id) {
  return abi::text(id) == SLIPWAY_SCHEDULER_ACTIVE_APPS ? &active_apps : nullptr;
}

struct ActiveFixture {
  ActiveFixture() {
    active_apps.struct_size = sizeof active_apps;
    table.struct_size = sizeof table;
    table.list = list_all;
    table.get_extension = get_active_apps;
  }
  std::string listed(ListScope scope) const { return scheduler.list(scope).at(0).app_id; }

  test::RecordingHost host;
  slipway_scheduler_vtbl table{};
  slipway_scheduler object{&table};
  PluginScheduler scheduler{any_library(host), &object, "little"};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(PluginActiveApps, ActiveFixture)

BOOST_AUTO_TEST_CASE(only_active_apps_come_from_the_ability) {
  BOOST_TEST(listed(ListScope::kActive) == "from-active");
  BOOST_TEST(listed(ListScope::kAll) == "from-all");
}

BOOST_AUTO_TEST_CASE(a_plugin_without_the_ability_lists_all_apps) {
  active_apps.struct_size = offsetof(slipway_scheduler_active_apps, list);
  BOOST_TEST(listed(ListScope::kActive) == "from-all");
  table.get_extension = [](slipway_scheduler*, slipway_str) -> const void* { return nullptr; };
  BOOST_TEST(listed(ListScope::kActive) == "from-all");
  table.get_extension = nullptr;
  BOOST_TEST(listed(ListScope::kActive) == "from-all");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::registry
