#include "core/runner/run_options.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"

namespace slipway {
namespace {

RunOpts options() {
  return {{"name", ValueType::kStr, "a text", false, std::string("anon")},
          {"count", ValueType::kInt, "a number", false, std::int64_t{1}},
          {"grace", ValueType::kFloat, "seconds", false, 0.5},
          {"fast", ValueType::kBool, "a switch", false, false},
          {"paths", ValueType::kList, "directories", false, std::monostate{}},
          {"labels", ValueType::kDict, "pairs", false, std::monostate{}},
          {"queue", ValueType::kStr, "where to run", true, std::monostate{}}};
}

Dict<Value> parsed(std::string_view text) {
  ParsedOptions out = parse_options(options(), text);
  BOOST_TEST(out.warnings.empty());
  BOOST_TEST(out.unknown.empty());
  return std::move(out.values);
}

BOOST_AUTO_TEST_SUITE(ParseOptions)

BOOST_AUTO_TEST_CASE(refuses_a_value_whose_quotation_mark_is_not_closed) {
  for (const char* text :
       {"name='a", "name=\"a", "name='a',queue=' b", "paths=/a;'/b", "'name=a"}) {
    BOOST_CHECK_EXCEPTION(parse_options(options(), text), Error,
                          [](const Error& error) { return error.code() == Code::kUsage; });
  }
  BOOST_TEST((parsed("name=it's") == Dict<Value>{{"name", std::string("it's")}}));
  BOOST_TEST((parsed("name=\"'a\"") == Dict<Value>{{"name", std::string("'a")}}));
}

BOOST_AUTO_TEST_CASE(takes_each_type_from_text) {
  const auto values = parsed("name=x y,count=-3,grace=1.5,fast=TRUE,paths=/a;/b,labels=k:v;l:w");
  BOOST_TEST(std::get<std::string>(*find(values, "name")) == "x y");
  BOOST_TEST(std::get<std::int64_t>(*find(values, "count")) == -3);
  BOOST_TEST(std::get<double>(*find(values, "grace")) == 1.5);
  BOOST_TEST(std::get<bool>(*find(values, "fast")));
  BOOST_TEST((std::get<StrList>(*find(values, "paths")) == StrList{"/a", "/b"}));
  BOOST_TEST((std::get<StrDict>(*find(values, "labels")) == StrDict{{"k", "v"}, {"l", "w"}}));
}

BOOST_AUTO_TEST_CASE(a_separator_belongs_to_the_value_unless_a_key_follows) {
  const auto values = parsed("paths=/a,/b,count=2;name=c");
  BOOST_TEST((std::get<StrList>(*find(values, "paths")) == StrList{"/a", "/b"}));
  BOOST_TEST(std::get<std::int64_t>(*find(values, "count")) == 2);
  BOOST_TEST(std::get<std::string>(*find(values, "name")) == "c");
}

BOOST_AUTO_TEST_CASE(an_entry_of_a_dict_keeps_the_others_that_came_before) {
  const Dict<Value> before = {{"labels", Value(StrDict{{"k", "v"}, {"l", "w"}})}};
  const auto labels = [&](std::string_view text) {
    return std::get<StrDict>(*find(parse_options(options(), text, before).values, "labels"));
  };
  BOOST_TEST((labels("labels.l=x") == StrDict{{"k", "v"}, {"l", "x"}}));
  BOOST_TEST((labels("labels=l:x") == StrDict{{"l", "x"}}));
}

BOOST_AUTO_TEST_CASE(an_entry_of_a_dict_may_stand_alone) {
  const auto values = parsed("labels=k:v,labels.gres=gpu:2,labels.k=n1,n2,name=x");
  BOOST_TEST(
      (std::get<StrDict>(*find(values, "labels")) == StrDict{{"k", "n1,n2"}, {"gres", "gpu:2"}}));
  BOOST_TEST((parse_options(options(), "name.k=v").unknown == StrList{"name.k"}));
}

BOOST_AUTO_TEST_CASE(unknown_options_are_named_and_have_no_value) {
  const ParsedOptions out = parse_options(options(), "cuont=3,count=4,x=y");
  BOOST_TEST((out.unknown == StrList{"cuont", "x"}));
  BOOST_TEST(out.values.size() == 1u);
}

BOOST_AUTO_TEST_CASE(refuses_text_of_another_form_and_invalid_numbers) {
  for (const char* text :
       {"name", "count=many", "count=1.5", "grace=fast", "labels=novalue", "name=x=y"}) {
    BOOST_CHECK_EXCEPTION(parse_options(options(), text), Error,
                          [](const Error& error) { return error.code() == Code::kInvalid; });
  }
}

BOOST_AUTO_TEST_CASE(names_every_value_that_is_not_of_its_type) {
  BOOST_CHECK_EXCEPTION(parse_options(options(), "count=many,name=x,grace=fast"), Error,
                        [](const Error& error) {
                          return error.code() == Code::kInvalid &&
                                 error.message() ==
                                     "run option count: 'many' is not of type int\n"
                                     "run option grace: 'fast' is not of type float";
                        });
}

BOOST_AUTO_TEST_CASE(unquoted_empty_value_is_explained) {
  for (const char* text : {"name=x,queue=", "name=x,queue= \t", "name=x,queue= ="}) {
    const ParsedOptions out = parse_options(options(), text);
    BOOST_TEST(std::get<std::string>(*find(out.values, "name")) == "x,queue");
    BOOST_REQUIRE_EQUAL(out.warnings.size(), 1u);
    BOOST_TEST(out.warnings.front().find("the last '='") != std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(ResolveOptions)

BOOST_AUTO_TEST_CASE(fills_in_defaults_and_keeps_undeclared_options) {
  const Cfg cfg =
      resolve_options(options(), {{"queue", std::string("q")}, {"extra", std::int64_t{7}}});
  BOOST_TEST(cfg.text("name") == "anon");
  BOOST_TEST(cfg.integer("count") == 1);
  BOOST_TEST(cfg.real("grace") == 0.5);
  BOOST_TEST(cfg.integer("extra") == 7);
  BOOST_TEST(cfg.list("paths").empty());
}

BOOST_AUTO_TEST_CASE(names_every_missing_and_ill_typed_option_at_once) {
  try {
    resolve_options(options(), {{"fast", std::string("yes")}, {"grace", std::int64_t{1}}});
    BOOST_FAIL("accepted");
  } catch (const Error& error) {
    BOOST_TEST((error.code() == Code::kInvalid));
    for (const char* name : {"queue", "fast", "grace"}) {
      BOOST_TEST(error.message().find(name) != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(null_means_the_default_and_does_not_fill_a_required_option) {
  const Cfg cfg =
      resolve_options(options(), {{"queue", std::string("q")}, {"count", std::monostate{}}});
  BOOST_TEST(cfg.integer("count", 9) == 1);
  BOOST_CHECK_THROW(resolve_options(options(), {{"queue", std::monostate{}}}), Error);
}

BOOST_AUTO_TEST_CASE(path_that_starts_with_a_tilde_is_named_alone) {
  const RunOpts paths = {{"extra_paths", ValueType::kList, "paths", false, std::monostate{}}};
  BOOST_CHECK_EXCEPTION(
      resolve_options(paths, {{"extra_paths", StrList{"/a", "~/b"}}}), Error,
      [](const Error& error) {
        return error.message().starts_with("run option extra_paths: '~/b' starts with '~'");
      });
  BOOST_CHECK_NO_THROW(resolve_options(paths, {{"extra_paths", StrList{"/a", "/~"}}}));
}

BOOST_AUTO_TEST_CASE(bool_is_accepted_as_int) {
  const Cfg cfg = resolve_options(options(), {{"queue", std::string("q")}, {"count", true}});
  BOOST_TEST(cfg.integer("count") == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
