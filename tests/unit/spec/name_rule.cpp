#include "core/spec/name_rule.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::spec {
namespace {

BOOST_AUTO_TEST_SUITE(NameRule)

BOOST_AUTO_TEST_CASE(valid_names_are_accepted) {
  for (const char* name : {"a", "-x", "a.b", "a b", "\xC3\xA9"})
    BOOST_TEST(name_fault(name).empty());
  BOOST_TEST(name_fault(std::string(255, 'x')).empty());
}

BOOST_AUTO_TEST_CASE(invalid_names_are_explained) {
  for (const char* name : {"", ".", "..", ".x", "a/b", "a\nb", "\x7f", "\xff"})
    BOOST_TEST(!name_fault(name).empty());
  BOOST_TEST(!name_fault(std::string(256, 'x')).empty());
  BOOST_TEST(!name_fault("abc", 2).empty());  // 2 bytes at most
}

BOOST_AUTO_TEST_CASE(name_with_hidden_characters_is_refused) {
  BOOST_TEST(name_fault("a\x1b") == "contains a control character");
  BOOST_TEST(name_fault("a\xC2\x9B") == "contains a control character");
  BOOST_TEST(name_fault("a\xE2\x80\xAE") == "contains the invisible character \\u202e");
  BOOST_TEST(name_fault("a\xE2\x80\x8B") == "contains the invisible character \\u200b");
  // The name of a resource does not become a directory.
  BOOST_TEST(hidden_fault(".a/b").empty());
  BOOST_TEST(!hidden_fault("a\xC2\x9B").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::spec
