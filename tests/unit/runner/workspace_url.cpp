#include "core/runner/workspace_url.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"

namespace slipway {

namespace {

RunOpts declared() {
  return {{"pull", ValueType::kStr, "when to pull", false, {}},
          {"user", ValueType::kStr, "the user", false, {}}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(WorkspaceUrl)

BOOST_AUTO_TEST_CASE(complete_macros_are_replaced_once_and_encoded) {
  const Cfg cfg({{"pull", Value(std::string("a&b"))}});
  BOOST_TEST(workspace_url("image://${dir}?from=${image}&pull=${pull}&user=${user}", "/a%20b",
                           "x/${dir}:1", declared(),
                           cfg) == "image:///a%20b?from=x%2F%24%7Bdir%7D%3A1&pull=a%26b&user=");
  BOOST_TEST(workspace_url("git://${dir", "/a", "", declared(), cfg) == "git://${dir");
}

BOOST_AUTO_TEST_CASE(unknown_run_option_is_a_mistake_of_the_manifest) {
  BOOST_CHECK_EXCEPTION(workspace_url("image://${dir}?x=${nosuch}", "/a", "", declared(), Cfg()),
                        Error, [](const Error& error) { return error.code() == Code::kConfig; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway
