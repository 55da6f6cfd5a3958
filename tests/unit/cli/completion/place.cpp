#include "core/cli/completion/place.hpp"

#include <CLI/CLI.hpp>
#include <boost/test/unit_test.hpp>

#include "core/cli/parser/command_tree.hpp"

namespace slipway::cli {
namespace {

struct Place : CompletionPlace {
  Place(const std::vector<std::string>& words, const std::string& current)
      : CompletionPlace(completion_place(*tree(), words, current)) {}

  static const std::shared_ptr<CLI::App>& tree() {
    static const std::shared_ptr<CLI::App> app = make_cli_app();
    return app;
  }
  // Returns the option or argument whose value is completed.
  std::string completed() const { return option != nullptr ? option_name(*option) : "nothing"; }
};

BOOST_AUTO_TEST_SUITE(CompletionPlaces)

BOOST_AUTO_TEST_CASE(a_value_belongs_to_the_option_before_it) {
  BOOST_TEST(Place({"run", "-s"}, "").completed() == "scheduler");
  BOOST_TEST(Place({"run", "-vs"}, "lo").completed() == "scheduler");
  BOOST_TEST(Place({"run", "-d"}, "").completed() == "APP");
  BOOST_TEST(Place({"run", "-slocal", "-c"}, "").value_of("scheduler") == "local");
  BOOST_TEST(Place({"--session=x", "status"}, "").value_of("session") == "x");
  const Place one_word({"run"}, "--scheduler=lo");
  BOOST_TEST(one_word.completed() == "scheduler");
  BOOST_TEST(one_word.option_part == "--scheduler=");
}

BOOST_AUTO_TEST_CASE(value_of_a_short_option_follows_it_in_the_same_word) {
  const Place short_option({"run"}, "-dslo");
  BOOST_TEST(short_option.completed() == "scheduler");
  BOOST_TEST(short_option.option_part == "-ds");
  BOOST_TEST(Place({"run"}, "-s=lo").option_part == "-s");  // the value is "=lo"
  BOOST_TEST(Place({"run"}, "-s").names_option);
}

BOOST_AUTO_TEST_CASE(commands_come_before_arguments) {
  BOOST_TEST(Place({}, "").completed() == "nothing");
  BOOST_TEST(Place({"plugin"}, "sh").command->get_name() == "plugin");
  BOOST_TEST(Place({"plugin", "show"}, "").completed() == "ID");
  BOOST_TEST(Place({"plugin", "show", "one"}, "").completed() == "nothing");
  BOOST_TEST(Place({"wait", "one"}, "").completed() == "HANDLE");
}

BOOST_AUTO_TEST_CASE(word_after_a_double_dash_is_no_option) {
  BOOST_TEST(Place({"status"}, "-x").names_option);
  BOOST_TEST(Place({"status", "--"}, "-x").completed() == "HANDLE");
}

BOOST_AUTO_TEST_CASE(words_after_a_component_belong_to_it) {
  BOOST_TEST(Place({"run", "utils.echo"}, "--m").call.component == "utils.echo");
  BOOST_TEST(Place({"run", "app.toml"}, "--m").call.component.empty());
  BOOST_TEST(Place({"status", "utils.echo"}, "--m").call.component.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
