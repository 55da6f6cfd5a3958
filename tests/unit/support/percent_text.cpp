#include "sdk/support/percent_text.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace slipway {

BOOST_AUTO_TEST_SUITE(PercentText)

BOOST_AUTO_TEST_CASE(every_byte_but_nul_comes_back) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string encoded = percent_encoded(all);
  BOOST_TEST(encoded.find_first_of("?&=#/ ") == std::string::npos);
  BOOST_TEST(percent_decoded(encoded) == all);
  BOOST_TEST(percent_encoded("/a b", "/") == "/a%20b");
}

BOOST_AUTO_TEST_CASE(mistakes_are_errors) {
  for (const char* text : {"%", "%2", "a%2", "%zz", "%2g", "%00"})
    BOOST_CHECK_THROW(percent_decoded(text), Error);
  BOOST_TEST(percent_decoded("%c3%BC%25") == "\xc3\xbc%");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway
