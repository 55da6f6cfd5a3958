#include "core/cli/parser/parser.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"

namespace slipway::cli {
namespace {

/// Returns the error of parse_arguments(); kInternal if it accepts the arguments.
Error refusal(const std::vector<std::string>& arguments) {
  try {
    parse_arguments(arguments);
  } catch (const Error& error) {
    return error;
  }
  return Error(Code::kInternal, "accepted");
}

BOOST_AUTO_TEST_SUITE(Parser)

BOOST_AUTO_TEST_CASE(global_options_stand_before_or_after_the_command) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--json", "--session", "x", "list"},
        {"list", "--session", "x", "--json"}}) {
    const ParsedCommand parsed = parse_arguments(arguments);
    BOOST_TEST(parsed.globals.json);
    BOOST_TEST(parsed.globals.session == "x");
    BOOST_TEST(static_cast<bool>(parsed.command));
  }
}

BOOST_AUTO_TEST_CASE(repeated_plugin_paths_add_up_in_order) {
  const ParsedCommand parsed =
      parse_arguments({"plugin", "list", "--plugin-path", "/a", "--plugin-path", "/b"});
  BOOST_TEST((parsed.globals.plugin_path == std::vector<std::string>{"/a", "/b"}));
}

BOOST_AUTO_TEST_CASE(help_command_prints_the_same_as_the_option_help) {
  BOOST_TEST(parse_arguments({"help"}).text == parse_arguments({"--help"}).text);
  BOOST_TEST(parse_arguments({"help", "log"}).text == parse_arguments({"log", "--help"}).text);
  BOOST_TEST(parse_arguments({"help", "plugin", "list"}).text ==
             parse_arguments({"plugin", "list", "--help"}).text);
  // The command itself explains topics, and refuses other names.
  BOOST_TEST(parse_arguments({"help", "handles"}).text == "");
  BOOST_TEST(static_cast<bool>(parse_arguments({"help", "handles"}).command));
}

BOOST_AUTO_TEST_CASE(help_lists_the_commands_and_version_is_printed) {
  const std::string help = parse_arguments({"--help"}).text;
  for (const std::string command : {"run", "status", "log", "cancel", "plugin", "config"}) {
    BOOST_TEST_INFO_SCOPE(command);
    BOOST_TEST(help.find("\n  " + command + "  ") != std::string::npos);
  }
  BOOST_TEST(parse_arguments({"run", "--help"}).text.find("--detach") != std::string::npos);
  BOOST_TEST(parse_arguments({"--version"}).text.find("slipway ") == 0u);
}

BOOST_AUTO_TEST_CASE(json_after_a_component_belongs_to_it) {
  using Words = std::vector<std::string>;
  BOOST_TEST(asks_for_json(Words{"run", "--json", "utils.echo"}));
  BOOST_TEST(asks_for_json(Words{"run", "app.toml", "--json"}));
  BOOST_TEST(asks_for_json(Words{"run", "-", "--json"}));
  BOOST_TEST(asks_for_json(Words{"status", "utils.echo", "--json"}));
  BOOST_TEST(!asks_for_json(Words{"run", "utils.echo", "--json"}));
  BOOST_TEST(!asks_for_json(Words{"run", "app.toml:one", "--json"}));
  // The value of an option is not the APP.
  BOOST_TEST(asks_for_json(
      Words{"run", "-s", "local_dir", "-dc", "a=b", "--session", "x", "app.toml", "--json"}));
  for (const char* on : {"--json=true", "--json=YES", "--json=1", "--json=on", "--json="})
    BOOST_TEST(asks_for_json(Words{"status", on, "x"}));
  for (const char* off : {"--json=false", "--json=0", "--json=wrong", "--jsonx"})
    BOOST_TEST(!asks_for_json(Words{"status", off, "x"}));
  BOOST_TEST(!asks_for_json(Words{"run", "utils.echo", "--json=true"}));
  // `run` is a session here.
  BOOST_TEST(!asks_for_json(Words{"--session", "run", "dryrun", "-slocal", "--", "c", "--json"}));
}

BOOST_AUTO_TEST_CASE(empty_values_are_refused_except_those_of_cfg_and_workspace) {
  using Words = std::vector<std::string>;
  for (const Words& arguments : {Words{"list", "--state", ""},
                                 {"list", "--state=", "--all"},
                                 {"list", "--state="},
                                 {"list", ""},
                                 {"list", "--name", "a", "--name", ""},
                                 {"run", ""},
                                 {"run", "--", ""},
                                 {"dryrun", ""},
                                 {"run", "--accept-ignored=", "app.toml"}}) {
    BOOST_TEST(refusal(arguments).message().find("has an empty value") != std::string::npos);
  }
  BOOST_TEST(refusal({"run", "-c", "", "app.toml"}).message() == "accepted");
  BOOST_TEST(refusal({"run", "--cfg=", "app.toml"}).message() == "accepted");
  BOOST_TEST(refusal({"run", "--workspace=", "app.toml"}).message() == "accepted");
  BOOST_TEST(refusal({"run", "utils.echo", "--msg="}).message() == "accepted");
  BOOST_TEST(refusal({"run", "app.toml", "--env", "NAME="}).message() == "accepted");
}

BOOST_AUTO_TEST_CASE(misspelt_commands_and_options_get_a_suggestion) {
  BOOST_TEST(refusal({"stauts", "x"}).hint() == "did you mean status?");
  BOOST_TEST(refusal({"run", "--detahc", "a.toml"}).hint() == "did you mean --detach?");
  BOOST_TEST(refusal({"list", "--jsno"}).hint() == "did you mean --json?");
}

BOOST_AUTO_TEST_CASE(wrong_usage_is_refused) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"status"},
                                                    {"wait", "x", "--timeout", "soon"},
                                                    {"wait", "x", "--timeout", "-1"},
                                                    {"log", "x", "--tail", "-3"},
                                                    {"cancel", "x", "--now", "--grace", "3"},
                                                    {"plugin"},
                                                    {"status", "a", "b"}}) {
    BOOST_TEST((refusal(arguments).code() == Code::kUsage));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
