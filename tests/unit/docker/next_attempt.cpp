#include "plugins/docker/supervisor/next_attempt.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <string>

#include "plugins/docker/request/container_plan.hpp"
#include "plugins/docker/supervisor/steady_ages.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace json = boost::json;

namespace {

/// Returns the engine's description of a container. Slipway sets no entrypoint, so `/x` is that of
/// the image. The engine has added the last alias, which is the start of the container's id. The
/// id also starts with "01", but the app chose this alias.
json::object inspection() {
  return json::parse(R"({"Id":"0123456789abcdef","Image":"sha256:1",
    "Config":{"Image":"img:1","Cmd":["sh"],"WorkingDir":"/srv","Env":["A=1","SLIPWAY_ATTEMPT=2"],"User":"","Entrypoint":["/x"],
              "Labels":{"org.slipway.attempt":"2","own":"label"},"ExposedPorts":null},
    "HostConfig":{"NetworkMode":"app-x","Memory":5},
    "NetworkSettings":{"Networks":{"app-x":{"Aliases":["w-0","w","01","0123456789ab"]}}}})")
      .as_object();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(NextAttempt)

BOOST_AUTO_TEST_CASE(has_the_configuration_of_the_one_before) {
  const json::object body =
      json::parse(next_attempt_body(json::serialize(inspection()), {1, 4})).as_object();
  BOOST_TEST(body.at("Image") == "sha256:1");
  BOOST_TEST(body.at("HostConfig").at("Memory") == 5);
  BOOST_TEST(body.at("Labels").at("own") == "label");
  BOOST_TEST(body.at("Labels").at(kAttemptLabel) == "3");
  BOOST_TEST(body.at("Labels").at(kAppRestartsLabel) == "1");
  BOOST_TEST(body.at("Labels").at(kRoleRestartsLabel) == "4");
  BOOST_TEST(json::serialize(body.at("Env")) == R"(["A=1","SLIPWAY_ATTEMPT=3"])");
  BOOST_TEST(body.at("WorkingDir") == "/srv");
  BOOST_TEST(json::serialize(body.at("Cmd")) == R"(["sh"])");
  BOOST_TEST(!body.contains("Entrypoint"));
  BOOST_TEST(!body.contains("ExposedPorts"));
}

BOOST_AUTO_TEST_CASE(has_the_names_of_the_one_before_without_its_id) {
  const json::object body =
      json::parse(next_attempt_body(json::serialize(inspection()), {})).as_object();
  BOOST_TEST(json::serialize(body.at("NetworkingConfig")) ==
             R"({"EndpointsConfig":{"app-x":{"Aliases":["w-0","w","01"]}}})");
}

BOOST_AUTO_TEST_CASE(answer_of_another_form_is_an_error) {
  for (const char* text : {"", "[]", "{}", R"({"Id":"1","Config":{}})"})
    BOOST_CHECK_THROW(next_attempt_body(text, {}), Error);
}

BOOST_AUTO_TEST_CASE(ages_ignore_changes_of_the_wall_clock) {
  SteadyAges ages;
  // The arguments: container, time of the event, present times of the wall and the steady clock.
  BOOST_TEST(ages.age("c", 100, 130, 1000) == 30);
  BOOST_TEST(ages.age("c", 100, 20, 1010) == 40);
  BOOST_TEST(ages.age("c", 500, 20, 1010) == 0);  // the wall clock is behind the event
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
