#include "core/spec/name_rule.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::spec {
namespace {

BOOST_AUTO_TEST_SUITE(NameRule)

BOOST_AUTO_TEST_CASE(what_a_directory_and_a_handle_can_hold_is_a_name) {
  for (const char* name : {"a", "-x", "a.b", "a b", "\xC3\xA9"})
    BOOST_TEST(name_fault(name).empty());
  BOOST_TEST(name_fault(std::string(255, 'x')).empty());
}

BOOST_AUTO_TEST_CASE(anything_else_has_a_fault) {
  for (const char* name : {"", ".", "..", ".x", "a/b", "a\nb", "\x7f", "\xff"})
    BOOST_TEST(!name_fault(name).empty());
  BOOST_TEST(!name_fault(std::string(256, 'x')).empty());
  BOOST_TEST(!name_fault("abc", 2).empty());
}

BOOST_AUTO_TEST_CASE(name_that_a_terminal_obeys_or_hides_is_refused) {
  BOOST_TEST(name_fault("a\x1b") == "contains a control character");
  BOOST_TEST(name_fault("a\xC2\x9B") == "contains a control character");
  BOOST_TEST(name_fault("a\xE2\x80\xAE") == "contains the invisible character \\u202e");
  BOOST_TEST(name_fault("a\xE2\x80\x8B") == "contains the invisible character \\u200b");
  // A resource is no directory.
  BOOST_TEST(hidden_fault(".a/b").empty());
  BOOST_TEST(!hidden_fault("a\xC2\x9B").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::spec
