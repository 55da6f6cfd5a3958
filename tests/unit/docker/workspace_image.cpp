#include "plugins/docker/images/workspace_image.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::docker {

BOOST_AUTO_TEST_SUITE(WorkspaceImage)

BOOST_AUTO_TEST_CASE(every_name_has_a_tag_that_engines_accept) {
  BOOST_TEST(workspace_image_name("app-x1") == "slipway-workspace:app-x1");
  BOOST_TEST(workspace_image_name("a/b:c") == "slipway-workspace:a-b-c");
  BOOST_TEST(workspace_image_name("-a") == "slipway-workspace:_a");
  BOOST_TEST(workspace_image_name("") == "slipway-workspace:_");
  // A tag has at most 128 characters. The last ones are kept: they are what makes it unique.
  BOOST_TEST(workspace_image_name(std::string(200, 'a') + "x") ==
             "slipway-workspace:" + std::string(127, 'a') + "x");
}

BOOST_AUTO_TEST_CASE(only_complete_ids_are_image_ids) {
  BOOST_TEST(is_image_id("sha256:" + std::string(64, 'a')));
  BOOST_TEST(!is_image_id("sha256:abc"));
  BOOST_TEST(!is_image_id("img@sha256:" + std::string(64, 'a')));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
