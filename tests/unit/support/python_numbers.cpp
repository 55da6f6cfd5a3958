#include "sdk/support/python_numbers.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

namespace slipway {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

BOOST_AUTO_TEST_SUITE(PythonNumbers)

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

BOOST_AUTO_TEST_CASE(fractions_are_written_as_python_writes_them) {
  BOOST_TEST(float_text(1) == "1.0");
  BOOST_TEST(float_text(-0.0) == "-0.0");
  BOOST_TEST(float_text(0.1) == "0.1");
  BOOST_TEST(float_text(100000) == "100000.0");
  BOOST_TEST(float_text(0.0001) == "0.0001");
  BOOST_TEST(float_text(0.00001) == "1e-05");
  BOOST_TEST(float_text(1e15) == "1000000000000000.0");
  BOOST_TEST(float_text(1e16) == "1e+16");
  BOOST_TEST(float_text(1.5e300) == "1.5e+300");
  BOOST_TEST(float_text(-HUGE_VAL) == "-inf");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
