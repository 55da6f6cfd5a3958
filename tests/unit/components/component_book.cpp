#include "core/components/component_book.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tests/unit/built_files.hpp"

namespace slipway::components {
namespace {

/// Returns search options with the plug-in desk_plugin. Its provider `desk` has desk.write,
/// `drawer` has pencil.case, and `locked` fails with "the key is lost".
registry::SearchOptions desk() {
  registry::SearchOptions out;
  out.plugin_path = {test::test_plugin("desk_plugin")};
  out.site_dir = "/nonexistent";  // plug-ins of this machine's site must not interfere
  return out;
}

AppDef built(const Component& component, Dict<Value> args) {
  return component
      .build(
          Cfg(std::move(args)), [](std::string_view) { return std::optional<Resource>(); },
          [] { return std::vector<std::string>(); })
      .app;
}

BOOST_AUTO_TEST_SUITE(component_book)

BOOST_AUTO_TEST_CASE(provider_of_another_prefix_is_not_asked) {
  registry::PluginHost host(desk());
  ComponentBook book(host);
  const Component write = book.find("desk.write");
  BOOST_TEST(write.source == "org.slipway.test.desk");
  BOOST_TEST(book.unavailable().empty());  // `locked` would have failed
  const AppDef app = built(write, {{"times", std::int64_t{2}}, {"words", StrList{"a", "b"}}});
  BOOST_TEST(app.roles.front().num_replicas == 2);
  BOOST_TEST(app.roles.front().args == (StrList{"a", "b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(component_without_the_prefix_of_its_provider_is_also_found) {
  registry::PluginHost host(desk());
  ComponentBook book(host);
  BOOST_TEST(book.find("pencil.case").info.help == "Empty.");
}

BOOST_AUTO_TEST_CASE(all_components_are_listed_and_failures_are_reported) {
  registry::PluginHost host(desk());
  ComponentBook book(host);
  BOOST_TEST(book.all().count("desk.write") == 1u);
  BOOST_TEST(book.all().count("pencil.case") == 1u);
  BOOST_TEST(book.unavailable() ==
                 (std::vector<std::string>{"component provider locked: the key is lost"}),
             boost::test_tools::per_element());
}

/// A manifest that offers `drawer` first as `z` and then as `a`.
struct TwoDrawers {
  /// `more_of_a` follows the other keys of `a`.
  explicit TwoDrawers(const std::string& more_of_a = {}) {
    const std::string library =
        std::filesystem::path(test::test_plugin("desk_plugin")).parent_path() / "libdesk_plugin.so";
    std::ofstream(manifest) << "[[plugin]]\nid = \"org.slipway.test.desk\"\nlibrary = \"" << library
                            << "\"\n[plugin.provides]\ncomponents = [{ name = \"z\", entry = "
                               "\"drawer\" }, { name = \"a\", entry = \"drawer\""
                            << more_of_a << " }]\n";
    options.plugin_path = {manifest};
    options.site_dir = "/nonexistent";
  }
  ~TwoDrawers() { std::remove(manifest.c_str()); }
  TwoDrawers(const TwoDrawers&) = delete;
  TwoDrawers& operator=(const TwoDrawers&) = delete;

  std::string manifest = "component_book_" + std::to_string(::getpid()) + ".toml";
  registry::SearchOptions options;
};

BOOST_AUTO_TEST_CASE(first_provider_in_the_order_of_precedence_wins_and_not_the_first_by_name) {
  const TwoDrawers drawers;
  registry::PluginHost host(drawers.options);
  BOOST_TEST(ComponentBook(host).find("pencil.case").info.help == "Of z");
  BOOST_TEST(ComponentBook(host).all().at("pencil.case").info.help == "Of z");
}

BOOST_AUTO_TEST_CASE(provider_that_claims_files_wins_over_an_earlier_one) {
  const TwoDrawers drawers(", component_files = [\"pencils\"]");
  registry::PluginHost host(drawers.options);
  BOOST_TEST(ComponentBook(host).find("pencil.case").info.help == "Of a");
  BOOST_TEST(ComponentBook(host).all().at("pencil.case").info.help == "Of a");
}

BOOST_AUTO_TEST_CASE(unknown_name_gets_a_suggestion_and_the_failures) {
  registry::PluginHost host(desk());
  ComponentBook book(host);
  try {
    book.find("desk.wirte");
    BOOST_ERROR("found");
  } catch (const Error& error) {
    BOOST_TEST((error.code() == Code::kNotFound));
    BOOST_TEST(error.message().find("the key is lost") != std::string::npos);
    BOOST_TEST(error.hint() == "did you mean desk.write?");
  }
}

BOOST_AUTO_TEST_CASE(an_app_that_breaks_the_rules_is_refused) {
  registry::PluginHost host(desk());
  ComponentBook book(host);
  BOOST_CHECK_THROW(built(book.find("desk.write"), {{"times", std::int64_t{0}}}), spec::InvalidApp);
}

BOOST_AUTO_TEST_CASE(a_component_outlives_its_book) {
  registry::PluginHost host(desk());
  const Component component = ComponentBook(host).find("desk.write");
  BOOST_TEST(built(component, {}).name == "write");
}

/// Returns search options with the plug-ins line_files and desk_plugin, in this order. line_files
/// reads files `.lines`. It also finds the modules `plain` and `module.*`, fails for `away.*`, and
/// refuses to list everything.
registry::SearchOptions line_files() {
  registry::SearchOptions out;
  out.plugin_path = {test::test_plugin("line_files"), test::test_plugin("desk_plugin")};
  out.site_dir = "/nonexistent";  // plug-ins of this machine's site must not interfere
  return out;
}

// A file with the components `one`, `two` and `!three`, whose name is a mistake.
struct LinesFile {
  LinesFile() { std::ofstream(path) << "one\ntwo\n!three\n"; }
  ~LinesFile() { std::remove(path.c_str()); }
  LinesFile(const LinesFile&) = delete;
  LinesFile& operator=(const LinesFile&) = delete;

  std::string path = "component_book_" + std::to_string(::getpid()) + ".lines";
};

BOOST_FIXTURE_TEST_CASE(a_provider_finds_components_in_files_with_its_extension, LinesFile) {
  registry::PluginHost host(line_files());
  ComponentBook book(host);
  const Component two = book.find(path + ":two");
  BOOST_TEST(two.info.name == path + ":two");
  BOOST_TEST(two.source == path);
  const AppDef app = built(two, {});
  BOOST_TEST(app.name == "two");
  BOOST_TEST(app.roles.front().args == (StrList{std::filesystem::absolute(path).string()}),
             boost::test_tools::per_element());
  BOOST_TEST(book.components_of_file(path).size() == 3u);
  BOOST_TEST(book.source_endings() == (std::vector<std::string>{".lines"}),
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(reference_that_matches_no_component_of_a_file_is_explained, LinesFile) {
  registry::PluginHost host(line_files());
  ComponentBook book(host);
  const auto failure = [&](const std::string& reference) -> std::string {
    try {
      book.find(reference);
    } catch (const Error& error) {
      return error.message() + "; " + error.hint();
    }
    return {};
  };
  BOOST_TEST(failure(path + ":tow") == path + " has no component 'tow'; did you mean two?");
  BOOST_TEST(failure(path) ==
             path + " has several components: one, two, !three; name one: " + path + ":one");
  BOOST_TEST(failure("gone.lines:one").find("there is no file /") == 0u);
}

BOOST_FIXTURE_TEST_CASE(mistakes_in_a_file_have_their_line, LinesFile) {
  registry::PluginHost host(line_files());
  const std::vector<ComponentProblem> problems = ComponentBook(host).check_file(path, {});
  BOOST_TEST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems.front().line == 3u);
  BOOST_TEST(problems.front().hint == "remove the !");
}

BOOST_AUTO_TEST_CASE(components_of_modules_are_found_by_name) {
  registry::PluginHost host(line_files());
  ComponentBook book(host);
  BOOST_TEST(book.find("module.train").info.help == "Of a module.");
  BOOST_TEST(built(book.find("module.train"), {}).name == "module.train");
  BOOST_TEST(book.find("plain").info.help == "Of a module.");
  BOOST_CHECK_THROW(book.find("plain", PlainNames::kNotInModules), Error);
  BOOST_TEST(book.find("pencil.case").info.help == "Empty.");
  // Looking for one component must not list all of a provider that claims files.
  BOOST_CHECK_THROW(book.find("no.such"), Error);
  for (const std::string& failure : book.unavailable())
    BOOST_TEST(failure.find("asked for everything") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(provider_that_cannot_search_modules_is_named_once) {
  registry::PluginHost host(line_files());
  ComponentBook book(host);
  const std::string failure = "component provider lines: modules are away";
  for (int i = 0; i < 2; ++i) {
    BOOST_CHECK_THROW(book.find("away.component"), Error);
    BOOST_TEST(std::count(book.unavailable().begin(), book.unavailable().end(), failure) == 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::components
