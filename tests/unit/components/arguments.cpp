#include "core/components/arguments.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"

namespace slipway::components {
namespace {

ComponentParam param(std::string name, ValueType type, Value default_value = {}) {
  ComponentParam out;
  out.name = std::move(name);
  out.type = type;
  out.default_value = std::move(default_value);
  return out;
}

ComponentInfo trainer() {
  ComponentInfo info;
  info.name = "my.trainer";
  info.params = {param("script", ValueType::kStr),
                 param("num_replicas", ValueType::kInt, 1),
                 param("rate", ValueType::kFloat, std::int64_t{1}),
                 param("debug", ValueType::kBool, false),
                 param("m", ValueType::kStr),
                 param("env", ValueType::kDict)};
  info.params[0].required = true;
  info.params[0].help = "what to run";
  info.params[1].short_name = "r";
  return info;
}

/// Returns the trainer with a variadic parameter, which takes the rest of the words.
ComponentInfo with_rest() {
  ComponentInfo info = trainer();
  ComponentParam rest = param("args", ValueType::kList);
  rest.variadic = true;
  info.params.push_back(rest);
  return info;
}

Arguments parsed(const ComponentInfo& info, StrList words) {
  ArgumentSources sources;
  sources.words = std::move(words);
  return parse_arguments(info, sources);
}

std::string refusal(const ComponentInfo& info, StrList words) {
  try {
    parsed(info, std::move(words));
  } catch (const Error& error) {
    BOOST_TEST((error.code() == Code::kUsage));
    return error.message();
  }
  return "accepted";
}

BOOST_AUTO_TEST_SUITE(arguments)

BOOST_AUTO_TEST_CASE(every_parameter_has_an_entry_of_its_type_or_none) {
  const Cfg cfg = parsed(trainer(), {"--script", "a.py"}).values;
  BOOST_TEST(cfg.values().size() == 6u);
  BOOST_TEST(cfg.text("script") == "a.py");
  BOOST_TEST(cfg.integer("num_replicas") == 1);
  BOOST_TEST(cfg.real("rate") == 1.0);
  BOOST_TEST((type_of(*cfg.find("m")) == ValueType::kNone));
}

BOOST_AUTO_TEST_CASE(short_names_and_names_of_one_letter_take_one_dash) {
  const Cfg cfg = parsed(trainer(), {"--script=x", "-r4", "-m=mod"}).values;
  BOOST_TEST(cfg.integer("num_replicas") == 4);
  BOOST_TEST(cfg.text("m") == "mod");
}

BOOST_AUTO_TEST_CASE(all_problems_are_reported_at_once) {
  const std::string message =
      refusal(trainer(), {"--num_replcas", "3", "--rate", "fast", "--debug", "--env", "A", "word"});
  BOOST_TEST(
      message ==
      "my.trainer: unknown option '--num_replcas', did you mean --num_replicas?\n"
      "my.trainer: --debug: a value is missing; write --debug=--env if that is the value\n"
      "my.trainer: unexpected argument 'word', parameters are given by name: --NAME VALUE\n"
      "my.trainer: --script is required: what to run\n"
      "my.trainer: --rate: expected a float, found 'fast'\n"
      "my.trainer: --env: 'A': expected KEY=VALUE, separate several pairs with a comma: a=1,b=2; "
      "an empty value is written a=''");
}

BOOST_AUTO_TEST_CASE(ambiguous_prefix_names_the_candidates) {
  ComponentInfo info = trainer();
  info.params.push_back(param("num_gpus", ValueType::kInt));
  BOOST_TEST(refusal(info, {"--script=x", "--num", "2"}) ==
             "my.trainer: '--num' could be any of --num_replicas, --num_gpus");
}

BOOST_AUTO_TEST_CASE(rest_keeps_words_that_look_like_options) {
  const Cfg cfg = parsed(with_rest(), {"--script", "x", "go", "--script", "--", "-r"}).values;
  BOOST_TEST(cfg.list("args") == (StrList{"go", "--script", "--", "-r"}),
             boost::test_tools::per_element());
  BOOST_TEST(cfg.text("script") == "x");
}

BOOST_AUTO_TEST_CASE(two_dashes_start_the_rest_and_are_dropped) {
  const Cfg cfg = parsed(with_rest(), {"--script", "x", "--", "-r", "1"}).values;
  BOOST_TEST(cfg.list("args") == (StrList{"-r", "1"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(text_for_the_variadic_parameter_is_split_as_by_a_shell) {
  ArgumentSources sources;
  sources.words = {"--script", "x"};
  sources.defaults = {{"args", R"(a 'b\ c' "\d\"" e\ f '')"}};
  const Cfg cfg = parse_arguments(with_rest(), sources).values;
  BOOST_TEST(cfg.list("args") == (StrList{"a", R"(b\ c)", R"(\d")", "e f", ""}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(repeated_parameters_are_named_once) {
  const Arguments got = parsed(trainer(), {"--script=a", "--scr", "b", "--script", "c", "-r1"});
  BOOST_TEST(got.repeated == (StrList{"script"}), boost::test_tools::per_element());
  BOOST_TEST(got.values.text("script") == "c");
}

BOOST_AUTO_TEST_CASE(bool_that_is_neither_true_nor_false_is_false_with_a_warning) {
  const Arguments got = parsed(trainer(), {"--script=a", "--debug=yes"});
  BOOST_TEST(!got.values.boolean("debug", true));
  BOOST_TEST(got.warnings == (std::vector<std::string>{
                                 "my.trainer: --debug: 'yes' means false; write true or false"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(numbers_have_the_syntax_of_python_in_ascii_and_64_bits) {
  for (const char* good : {"7", "+7", " 7 ", "0_7", "07"})
    BOOST_TEST(parsed(trainer(), {"--script=a", std::string("--num=") + good})
                   .values.integer("num_replicas") == 7);
  for (const char* bad : {"", "7_", "_7", "7__0", "+-7", "7.0", "0x7", "٧", "99999999999999999999"})
    BOOST_TEST(refusal(trainer(), {"--script=a", std::string("--num=") + bad}) != "accepted");
  for (const char* bad : {"nan(1)", "1e", "0x1p3", "--1", "."})
    BOOST_TEST(refusal(trainer(), {"--script=a", std::string("--rate=") + bad}) != "accepted");
}

BOOST_AUTO_TEST_CASE(json_values_win_and_must_fit) {
  ArgumentSources sources;
  sources.words = {"--script", "a", "--num_replicas=2"};
  sources.defaults = {{"rate", "3"}, {"unknown", "is ignored"}};
  sources.values = {{"num_replicas", std::int64_t{5}}, {"env", std::string("A=1")}};
  const Cfg cfg = parse_arguments(trainer(), sources).values;
  BOOST_TEST(cfg.integer("num_replicas") == 5);
  BOOST_TEST(cfg.real("rate") == 3.0);
  BOOST_TEST((cfg.dict("env") == StrDict{{"A", "1"}}));

  sources.values = {{"num_replicas", StrList{"5"}}, {"scrip", std::string("b")}};
  BOOST_CHECK_EXCEPTION(parse_arguments(trainer(), sources), Error, [](const Error& error) {
    return error.message() ==
           "my.trainer: unknown parameter 'scrip', did you mean script?\n"
           "my.trainer: --num_replicas: expected an int, found a list";
  });
}

BOOST_AUTO_TEST_CASE(help_option_counts_only_before_the_rest) {
  BOOST_TEST(asks_for_help(with_rest(), {"--help"}));
  BOOST_TEST(asks_for_help(with_rest(), {"--script", "x", "-h"}));
  BOOST_TEST(!asks_for_help(with_rest(), {"ls", "--help"}));
  BOOST_TEST(!asks_for_help(with_rest(), {"--", "--help"}));
  ComponentInfo info = with_rest();
  info.params.push_back(param("h", ValueType::kStr));
  BOOST_TEST(!asks_for_help(info, {"-h", "gpu.small"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::components
