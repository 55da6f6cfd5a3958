#include "slipway/role_macros.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(RoleMacros)

BOOST_AUTO_TEST_CASE(replaces_macros_only_in_args_env_values_and_metadata) {
  Role role("${app_id}");
  role.image = role.base_image = role.entrypoint = "${app_id}";
  role.args = {"${app_id}", "${unknown}"};
  role.env = {{"${app_id}", "${app_id}"}};
  role.mounts = {{MountKind::kBind, "${app_id}", "${app_id}", false, "rwm"}};
  role.port_map = {{"${app_id}", 1}};
  role.metadata_json = R"({"${app_id}": "${app_id}"})";
  const Role applied = apply_macros(role, MacroValues{"/img", "app-1", "7", "RANK0"});
  BOOST_TEST(applied.name == "${app_id}");
  BOOST_TEST(applied.image == "${app_id}");
  BOOST_TEST(applied.base_image == "${app_id}");
  BOOST_TEST(applied.entrypoint == "${app_id}");
  BOOST_TEST(applied.mounts[0].src == "${app_id}");
  BOOST_TEST(applied.mounts[0].dst == "${app_id}");
  BOOST_TEST((applied.port_map == role.port_map));
  BOOST_TEST((applied.args == StrList{"app-1", "${unknown}"}));
  BOOST_TEST((applied.env == StrDict{{"${app_id}", "app-1"}}));
  BOOST_TEST(applied.metadata_json == R"({"${app_id}": "app-1"})");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
