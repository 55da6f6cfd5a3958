// Every field of an app survives each form in which Slipway stores or prints apps.
#include <boost/test/unit_test.hpp>
#include <string>

#include "core/spec/app_json.hpp"
#include "core/spec/app_toml.hpp"
#include "sdk/support/app_record.hpp"
#include "tests/unit/changed_app.hpp"
#include "tests/unit/spec/read_app.hpp"

namespace slipway::spec::test {
namespace {

using slipway::test::changed;
using slipway::test::equal_fields;

AppDef from_json(const std::string& text) { return read_app_json(text).app; }

BOOST_AUTO_TEST_SUITE(AppFields)

BOOST_AUTO_TEST_CASE(every_field_survives_json_record_and_toml) {
  const std::string json = boost::json::serialize(to_json(changed<AppDef>()));
  const AppDef read = from_json(json);
  BOOST_TEST(equal_fields(read, changed<AppDef>()));
  const AppDef recorded = records::app_from_json(records::app_to_json(read));
  BOOST_TEST(equal_fields(recorded, read));
  BOOST_TEST(boost::json::serialize(to_json(recorded)) == json);
  BOOST_TEST(equal_fields(read_app(parse_toml(to_toml(recorded), "toml"), "toml").app, read));
}

// Records once lost this field. The test above does not notice a field that has no row in
// slipway/app_fields.hpp.
BOOST_AUTO_TEST_CASE(deployment_preference_survives_the_record) {
  AppDef app("a");
  app.of(Role("r").runs("true"));
  app.roles[0].deployment_preference = "spread";
  const AppDef recorded = records::app_from_json(records::app_to_json(app));
  BOOST_TEST(recorded.roles.at(0).deployment_preference == "spread");
}

BOOST_AUTO_TEST_CASE(record_of_a_version_that_did_not_know_a_field_has_its_default) {
  // Early versions wrote base_image even if empty, and every field of mounts for each kind: here
  // the permissions, which only devices have.
  const AppDef app = records::app_from_json(
      R"({"name":"a","roles":[{"name":"r","base_image":"","mounts":[{"type":"bind","src":"/s",)"
      R"("dst":"/d","read_only":true,"permissions":"rwm"}]}]})");
  const Role& role = app.roles.at(0);
  BOOST_TEST(role.num_replicas == 1);
  BOOST_TEST(!role.min_replicas);
  BOOST_TEST(role.mounts.at(0).src == "/s");
  BOOST_TEST(role.mounts.at(0).dst == "/d");
}

BOOST_AUTO_TEST_CASE(values_of_a_later_version_in_a_record_are_unknown) {
  const AppDef app = records::app_from_json(
      R"({"name":"a","roles":[{"name":"r","retry_policy":"SOMETIMES","mounts":[{"type":"cloud",)"
      R"("src":"/s","dst":"/d"}]}]})");
  BOOST_TEST(!is_known(app.roles.at(0).retry_policy));
  BOOST_TEST(!is_known(app.roles.at(0).mounts.at(0).kind));
}

BOOST_AUTO_TEST_CASE(damaged_record_is_refused) {
  for (const char* text : {"", "[]", "{}", R"({"name":1})", R"({"name":"a","roles":{}})",
                           R"({"name":"a","roles":[{"num_replicas":"1"}]})"}) {
    BOOST_TEST_INFO_SCOPE(text);
    BOOST_CHECK_EXCEPTION(records::app_from_json(text), Error, [](const Error& error) {
      return error.message().starts_with("the definition of the app in its record is damaged");
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::spec::test
