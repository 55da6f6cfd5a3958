#include "slipway/options.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(Options)

BOOST_AUTO_TEST_CASE(a_value_knows_its_type) {
  BOOST_TEST((type_of(Value()) == ValueType::kNone));
  BOOST_TEST((type_of(Value(std::string("a"))) == ValueType::kStr));
  BOOST_TEST((type_of(Value(std::int64_t{1})) == ValueType::kInt));
  BOOST_TEST((type_of(Value(1.5)) == ValueType::kFloat));
  BOOST_TEST((type_of(Value(true)) == ValueType::kBool));
  BOOST_TEST((type_of(Value(StrList{})) == ValueType::kList));
  BOOST_TEST((type_of(Value(StrDict{})) == ValueType::kDict));
}

BOOST_AUTO_TEST_CASE(types_have_the_names_of_torchx) {
  BOOST_TEST(to_string(ValueType::kStr) == "str");
  BOOST_TEST(to_string(ValueType::kFloat) == "float");
  BOOST_TEST(to_string(ValueType::kNone) == "none");
}

BOOST_AUTO_TEST_CASE(getters_return_what_was_set) {
  Cfg cfg;
  cfg.set("s", std::string("text"));
  cfg.set("i", std::int64_t{7});
  cfg.set("f", 0.5);
  cfg.set("b", true);
  cfg.set("l", StrList{"x", "y"});
  cfg.set("d", StrDict{{"k", "v"}});
  BOOST_TEST(cfg.text("s") == "text");
  BOOST_TEST(cfg.integer("i") == 7);
  BOOST_TEST(cfg.real("f") == 0.5);
  BOOST_TEST(cfg.boolean("b"));
  BOOST_TEST((cfg.list("l") == StrList{"x", "y"}));
  BOOST_TEST((cfg.dict("d") == StrDict{{"k", "v"}}));
}

BOOST_AUTO_TEST_CASE(fallback_replaces_missing_null_and_other_types) {
  const Cfg cfg({{"null", std::monostate{}}, {"i", std::int64_t{1}}, {"s", std::string("5")}});
  BOOST_TEST(cfg.text("nope", "else") == "else");
  BOOST_TEST(cfg.text("null", "else") == "else");
  BOOST_TEST(cfg.text("i", "else") == "else");
  BOOST_TEST(cfg.integer("s", 9) == 9);
  BOOST_TEST(cfg.real("i", 2.5) == 2.5);
  BOOST_TEST(!cfg.boolean("i"));
  BOOST_TEST(cfg.list("s").empty());
}

BOOST_AUTO_TEST_CASE(setting_twice_keeps_the_place_and_the_last_value) {
  Cfg cfg({{"a", std::int64_t{1}}, {"b", std::int64_t{2}}});
  cfg.set("a", std::int64_t{3});
  BOOST_TEST(cfg.values().size() == 2U);
  BOOST_TEST(cfg.values().front().first == "a");
  BOOST_TEST(cfg.integer("a") == 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
