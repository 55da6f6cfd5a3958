#include "core/spec/number_text.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

namespace slipway::spec {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

BOOST_AUTO_TEST_SUITE(NumberText)

BOOST_AUTO_TEST_CASE(integers_are_those_of_python) {
  BOOST_TEST((integer_from(" +1_000 ") == 1000));
  BOOST_TEST((integer_from("-7") == -7));
  BOOST_TEST((integer_from("007") == 7));
  for (const char* text : {"", " ", "+", "-", "+-3", "--3", "1.0", "0x10", "_1", "1_", "1__0",
                           "1 0", "99999999999999999999"}) {
    BOOST_TEST(!integer_from(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(reals_are_those_of_python) {
  BOOST_TEST((real_from("1_0.5") == 10.5));
  BOOST_TEST((real_from(".5") == 0.5));
  BOOST_TEST((real_from("5.") == 5.0));
  BOOST_TEST((real_from("+1e3") == 1000.0));
  BOOST_TEST((real_from("-Infinity") == -kInfinity));
  BOOST_TEST(std::isnan(real_from("NaN").value()));
  for (const char* text : {"", "x", "1e", "1,5", "nan(1)", "+-1", "1._5", "0x1p3"}) {
    BOOST_TEST(!real_from(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(numbers_beyond_double_become_infinite_or_zero) {
  BOOST_TEST((real_from("1e400") == kInfinity));
  BOOST_TEST((real_from("-1e400") == -kInfinity));
  BOOST_TEST((real_from("1e-400") == 0.0));
  BOOST_TEST((real_from("0.000" + std::string(400, '0') + "1") == 0.0));
  BOOST_TEST((real_from("1" + std::string(400, '0') + ".5") == kInfinity));
  BOOST_TEST((real_from("1e99999999999999999999") == kInfinity));
  BOOST_TEST((real_from("1e-99999999999999999999") == 0.0));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::spec
