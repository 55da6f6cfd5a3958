#include "slipway/app_handle.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(AppHandles)

BOOST_AUTO_TEST_CASE(handle_is_built_from_parts_and_read_back) {
  const std::string text = make_app_handle("local_cwd", "s", "a-1");
  BOOST_TEST(text == "local_cwd://s/a-1");
  BOOST_TEST((parse_app_handle(text) == AppHandle{"local_cwd", "s", "a-1"}));
}

BOOST_AUTO_TEST_CASE(left_parts_of_a_handle_are_greedy) {
  BOOST_TEST((parse_app_handle("a://b://c/d") == AppHandle{"a://b", "c", "d"}));
  BOOST_TEST((parse_app_handle("a:////") == AppHandle{"a", "", "/"}));
  BOOST_TEST((parse_app_handle("a://b/c/d") == AppHandle{"a", "b/c", "d"}));
  BOOST_TEST((parse_app_handle("a://b/c/") == AppHandle{"a", "b", "c/"}));
  // The last "://" leaves no app id, so the one before it separates.
  BOOST_TEST((parse_app_handle("a://b/c://") == AppHandle{"a", "b/c:", "/"}));
}

BOOST_AUTO_TEST_CASE(handle_ends_at_the_first_line_break) {
  BOOST_TEST((parse_app_handle("a://b/c\nd") == AppHandle{"a", "b", "c"}));
}

BOOST_AUTO_TEST_CASE(invalid_handle_is_refused_and_quoted) {
  for (const char* text : {"", "abc", "a://", "a://b", "a://b/", "a:///", "://b/c", "a:/b/c",
                           "\na://b/c", "a\n://b/c"}) {
    try {
      parse_app_handle(text);
      BOOST_ERROR(std::string("accepted: ") + text);
    } catch (const Error& error) {
      BOOST_TEST((error.code() == Code::kUsage));
      BOOST_TEST(error.message().find(text) != std::string::npos);
      BOOST_TEST(!error.hint().empty());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
