#include "core/runner/replica_variables.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>

namespace slipway {
namespace {

// Sets a variable during a test.
struct Variable {
  const char* name;
  Variable(const char* variable, const char* value) : name(variable) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name); }
};

AppDef app() { return AppDef("a").of(Role("w").with_env("TORCHX_TRACKERS", "own")).of(Role("p")); }

BOOST_AUTO_TEST_SUITE(Trackers)

BOOST_AUTO_TEST_CASE(every_role_gets_the_configured_ones) {
  AppDef out = app();
  add_trackers(out, active_trackers({{"fsspec", "/x.conf"}, {"my_tracker", ""}}));
  for (const Role& role : out.roles) {
    BOOST_TEST(*find(role.env, "TORCHX_TRACKERS") == "fsspec,my_tracker");
    BOOST_TEST(*find(role.env, "TORCHX_TRACKER_FSSPEC_CONFIG") == "/x.conf");
    BOOST_TEST((find(role.env, "TORCHX_TRACKER_MY_TRACKER_CONFIG") == nullptr));
  }
}

BOOST_AUTO_TEST_CASE(environment_selects_and_configures_trackers) {
  const Variable names("TORCHX_TRACKERS", "b, a");
  const Variable config("TORCHX_TRACKER_A_CONFIG", "env");
  const auto trackers = active_trackers({{"a", "file"}, {"b", "file"}, {"c", "file"}});
  BOOST_REQUIRE_EQUAL(trackers.size(), 2u);
  BOOST_TEST(trackers[0].name == "b");
  BOOST_TEST(trackers[0].config == "file");
  BOOST_TEST(trackers[1].config == "env");
}

BOOST_AUTO_TEST_CASE(without_trackers_a_roles_own_variable_stays) {
  AppDef out = app();
  add_trackers(out, active_trackers({}));
  BOOST_TEST(*find(out.roles[0].env, "TORCHX_TRACKERS") == "own");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
