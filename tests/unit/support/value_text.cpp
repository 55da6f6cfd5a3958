#include "sdk/support/value_text.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(ValueText)

BOOST_AUTO_TEST_CASE(scalars_are_read_as_torchx_reads_them) {
  BOOST_TEST((scalar_value(ValueType::kInt, " 1_000 ") == Value(std::int64_t{1000})));
  BOOST_TEST((scalar_value(ValueType::kFloat, "1e3") == Value(1000.0)));
  BOOST_TEST((scalar_value(ValueType::kBool, "True") == Value(true)));
  BOOST_TEST((scalar_value(ValueType::kBool, "yes") == Value(false)));  // only "true" is true
  BOOST_TEST((scalar_value(ValueType::kStr, " a ") == Value(std::string(" a "))));
  BOOST_TEST(!scalar_value(ValueType::kInt, "1.0"));
  BOOST_TEST(!scalar_value(ValueType::kFloat, "0x1"));
  BOOST_TEST(!scalar_value(ValueType::kList, "a"));
}

// As in TorchX: ',' and ';' both separate items, a list drops empty items, and every item of a dict
// needs a ':'.
BOOST_AUTO_TEST_CASE(run_options_have_lists_and_dicts) {
  BOOST_TEST((run_option_value(ValueType::kList, "a,,b;c") == Value(StrList{"a", "b", "c"})));
  BOOST_TEST((run_option_value(ValueType::kList, "") == Value(StrList())));
  BOOST_TEST((run_option_value(ValueType::kDict, "k:v;u:http://h") ==
              Value(StrDict{{"k", "v"}, {"u", "http://h"}})));
  BOOST_TEST(!run_option_value(ValueType::kDict, "k:v,"));
}

BOOST_AUTO_TEST_CASE(text_of_a_value_reads_back) {
  const std::pair<ValueType, Value> values[] = {
      {ValueType::kStr, std::string("text")},
      {ValueType::kInt, std::int64_t{-3}},
      {ValueType::kFloat, 100000.0},
      {ValueType::kFloat, 0.1},
      {ValueType::kBool, true},
      {ValueType::kList, StrList{"a", "b"}},
      {ValueType::kDict, StrDict{{"k", "v"}, {"l", "w"}}}};
  for (const auto& [type, value] : values)
    BOOST_TEST((run_option_value(type, to_text(value)) == value), to_text(value));
  BOOST_TEST(to_text(Value()) == "");
}

BOOST_AUTO_TEST_CASE(json_of_a_value_keeps_its_type) {
  BOOST_TEST(json_text(Value(std::string("a\"\n"))) == R"("a\"\n")");
  BOOST_TEST(json_text(Value(100000.0)) == "100000.0");
  BOOST_TEST(json_text(Value(HUGE_VAL)) == "null");
  BOOST_TEST(json_text(Value(false)) == "false");
  BOOST_TEST(json_text(Value(StrList{"a", ""})) == R"(["a",""])");
  BOOST_TEST(json_text(Value(StrList())) == "[]");
  BOOST_TEST(json_text(Value(StrDict{{"k", "v"}, {"k2", "\\"}})) == R"({"k":"v","k2":"\\"})");
  BOOST_TEST(json_text(Value()) == "null");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
