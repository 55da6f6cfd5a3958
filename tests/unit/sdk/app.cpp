#include "slipway/app.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(App)

BOOST_AUTO_TEST_CASE(role_starts_with_the_defaults_of_torchx) {
  const Role role("r");
  BOOST_TEST(role.entrypoint == "<MISSING>");
  BOOST_TEST(role.num_replicas == 1);
  BOOST_TEST(!role.min_replicas);
  BOOST_TEST(role.max_retries == 0);
  BOOST_TEST((role.retry_policy == RetryPolicy::kApplication));
  BOOST_TEST(role.resource.is_null());
}

BOOST_AUTO_TEST_CASE(fluent_functions_set_the_members) {
  Resource needs;
  needs.cpu = 4;
  const AppDef app = AppDef("train").of(Role("ps")
                                            .runs("ps.py", {"--x", "1"})
                                            .on("image")
                                            .replicas(10)
                                            .with_env("A", "1")
                                            .with_env("A", "2")
                                            .require(needs)
                                            .port("http", 80)
                                            .mount({MountKind::kBind, "/s", "/d", true, "rwm"})
                                            .retries(3, RetryPolicy::kReplica));
  BOOST_TEST(app.name == "train");
  const Role& role = app.roles.at(0);
  BOOST_TEST(role.name == "ps");
  BOOST_TEST(role.entrypoint == "ps.py");
  BOOST_TEST((role.args == StrList{"--x", "1"}));
  BOOST_TEST(role.image == "image");
  BOOST_TEST(role.num_replicas == 10);
  BOOST_TEST((role.env == StrDict{{"A", "2"}}));
  BOOST_TEST(role.resource.cpu.whole() == 4);
  BOOST_TEST(!role.resource.is_null());
  BOOST_TEST((role.port_map == IntDict{{"http", 80}}));
  BOOST_TEST(role.mounts.at(0).dst == "/d");
  BOOST_TEST(role.max_retries == 3);
  BOOST_TEST(to_string(role.retry_policy) == "REPLICA");
  BOOST_TEST(to_string(role.mounts.at(0).kind) == "bind");
}

BOOST_AUTO_TEST_CASE(ports_are_added_to_existing_ports) {
  const Role role = Role("ps").port("http", 80).ports({{"http", 8080}, {"store", 1}});
  BOOST_TEST((role.port_map == IntDict{{"http", 8080}, {"store", 1}}));
}

BOOST_AUTO_TEST_CASE(tags_count_for_the_equality_of_resources_but_not_for_is_null) {
  Resource a;
  Resource b;
  BOOST_TEST((a == b));
  b.tags_json = "{}";
  BOOST_TEST(!(a == b));
  BOOST_TEST(b.is_null());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
