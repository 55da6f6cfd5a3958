#include "core/spec/key_values.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"

namespace slipway::spec {
namespace {

BOOST_AUTO_TEST_SUITE(KeyValues)

BOOST_AUTO_TEST_CASE(quotes_protect_separators) {
  BOOST_TEST((to_dict("a='x=1,y;z',b=\" c \"") == StrDict{{"a", "x=1,y;z"}, {"b", " c "}}));
}

BOOST_AUTO_TEST_CASE(quotes_around_a_key_are_removed) {
  BOOST_TEST((to_dict("'a=b'=c") == StrDict{{"a=b", "c"}}));
}

BOOST_AUTO_TEST_CASE(unclosed_quote_is_a_plain_character) {
  BOOST_TEST((to_dict("a=it's,b=c") == StrDict{{"a", "it's"}, {"b", "c"}}));
}

// TorchX puts placeholders of this form in the place of quoted texts while it reads.
BOOST_AUTO_TEST_CASE(value_that_looks_like_a_placeholder_is_kept) {
  BOOST_TEST((to_dict("a='x',b=__QUOTED_0__") == StrDict{{"a", "x"}, {"b", "__QUOTED_0__"}}));
}

BOOST_AUTO_TEST_CASE(last_of_equal_keys_wins_at_the_first_position) {
  BOOST_TEST((to_dict("a=1,b=2,a=3") == StrDict{{"a", "3"}, {"b", "2"}}));
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused_and_quoted) {
  BOOST_CHECK_EXCEPTION(to_dict("url=http://h/?a=1"), Error, [](const Error& error) {
    return error.message().find("'http://h/?a'") != std::string::npos &&
           error.hint().find("quotes") != std::string::npos;
  });
  BOOST_CHECK_THROW(to_dict("a=b,=c"), Error);
  BOOST_CHECK_THROW(to_dict("   "), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::spec
