#include "slipway/run_opts.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(RunOptSet)

BOOST_AUTO_TEST_CASE(an_option_is_found_by_its_name) {
  const RunOpts options = {{"a", ValueType::kStr, "h", false, std::string("x")},
                           {"b", ValueType::kInt, "h", true, std::monostate{}}};
  BOOST_REQUIRE(options.get("b") != nullptr);
  BOOST_TEST(options.get("b")->required);
  BOOST_TEST((options.get("c") == nullptr));
}

BOOST_AUTO_TEST_CASE(adding_a_name_again_replaces_it_in_its_place) {
  RunOpts options;
  options.add({"a", ValueType::kStr, "old", false, std::monostate{}});
  options.add({"b", ValueType::kStr, "h", false, std::monostate{}});
  options.add({"a", ValueType::kInt, "new", false, std::int64_t{1}});
  BOOST_REQUIRE_EQUAL(options.size(), 2u);
  BOOST_TEST(options[0].help == "new");
  BOOST_TEST(options[1].name == "b");
}

BOOST_AUTO_TEST_CASE(a_refused_option_changes_nothing) {
  RunOpts options;
  options.add({"a", ValueType::kStr, "h", false, std::monostate{}});
  BOOST_CHECK_THROW(options.add({"a", ValueType::kStr, "h", true, std::string()}), Error);
  BOOST_CHECK_THROW(options.add({"b", ValueType::kFloat, "h", false, std::int64_t{1}}), Error);
  BOOST_REQUIRE_EQUAL(options.size(), 1u);
  BOOST_TEST(!options[0].required);
}

BOOST_AUTO_TEST_CASE(update_adds_the_options_of_another_set) {
  RunOpts options = {{"a", ValueType::kStr, "old", false, std::monostate{}}};
  options.update({{"b", ValueType::kStr, "h", false, std::monostate{}},
                  {"a", ValueType::kStr, "new", false, std::monostate{}}});
  BOOST_REQUIRE_EQUAL(options.size(), 2u);
  BOOST_TEST(options[0].help == "new");
}

BOOST_AUTO_TEST_CASE(only_a_bool_for_an_int_may_have_another_type) {
  BOOST_TEST(RunOpts::is_type(true, ValueType::kInt));
  BOOST_TEST(!RunOpts::is_type(std::int64_t{1}, ValueType::kBool));
  BOOST_TEST(!RunOpts::is_type(std::int64_t{1}, ValueType::kFloat));
  BOOST_TEST(!RunOpts::is_type(StrDict{}, ValueType::kList));
  BOOST_TEST(!RunOpts::is_type(std::monostate{}, ValueType::kStr));
}

BOOST_AUTO_TEST_CASE(bool_default_of_an_int_becomes_a_number) {
  const RunOpts options = {{"n", ValueType::kInt, "h", false, true}};
  BOOST_TEST((options[0].default_value == Value(std::int64_t{1})));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
