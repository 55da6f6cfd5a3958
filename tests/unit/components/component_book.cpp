#include "core/components/component_book.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>

#include "tests/unit/built_files.hpp"

namespace slipway::components {
namespace {

registry::SearchOptions desk() {
  registry::SearchOptions out;
  out.plugin_path = {test::test_plugin("desk_plugin")};
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

BOOST_AUTO_TEST_CASE(only_the_provider_of_the_names_first_part_is_loaded) {
  registry::PluginHost host(desk());
  ComponentBook book(host);
  const Component write = book.find("desk.write");
  BOOST_TEST(write.source == "org.slipway.test.desk");
  BOOST_TEST(book.unavailable().empty());  // `locked` was not loaded
  const AppDef app = built(write, {{"times", std::int64_t{2}}, {"words", StrList{"a", "b"}}});
  BOOST_TEST(app.roles.front().num_replicas == 2);
  BOOST_TEST(app.roles.front().args == (StrList{"a", "b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(component_with_another_first_part_is_also_found) {
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
  std::optional<Component> component;
  {
    registry::PluginHost host(desk());
    component = ComponentBook(host).find("desk.write");
  }
  BOOST_TEST(built(*component, {}).name == "write");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::components
