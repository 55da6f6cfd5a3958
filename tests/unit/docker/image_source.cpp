#include "plugins/docker/workspace/image_source.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"

namespace slipway::docker {

BOOST_AUTO_TEST_SUITE(Source)

BOOST_AUTO_TEST_CASE(path_alone_has_no_image) {
  const auto source = parse_image_source("/a/./b/");
  BOOST_TEST(source.path == "/a/b");
  BOOST_TEST(!source.from);
  BOOST_TEST((source.pull == PullPolicy::kMissing));
}

BOOST_AUTO_TEST_CASE(url_is_decoded) {
  const auto source = parse_image_source("image:///a%3Fb?from=ghcr.io%2Fx%3A1&pull=never");
  BOOST_TEST(source.path == "/a?b");
  BOOST_TEST(*source.from == "ghcr.io/x:1");
  BOOST_TEST((source.pull == PullPolicy::kNever));
  BOOST_TEST(parse_image_source("image:///a?from=").from->empty());
}

BOOST_AUTO_TEST_CASE(mistakes_are_errors) {
  for (const char* source : {"", "://", "a", "image://a/b", "image:///a?tag=x", "image:///a?pull=",
                             "image:///a?pull", "image:///a%", "image:///a?from=%"})
    BOOST_CHECK_THROW(parse_image_source(source), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
