#include "core/registry/queries/load_trial.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::bad_plugin;

PluginEntry entry_of(const std::string& library) {
  PluginEntry entry;
  entry.library = library;
  return entry;
}

BOOST_AUTO_TEST_SUITE(LoadTrials)

BOOST_AUTO_TEST_CASE(trial_reports_the_id_and_providers_of_a_library) {
  const LoadTrial trial =
      try_load(entry_of(bad_plugin("good")), TrustPolicy::of_process(/*elevated=*/false));
  BOOST_TEST_INFO_SCOPE((trial.error ? trial.error->message() : std::string()));
  BOOST_REQUIRE(!trial.error.has_value());
  BOOST_TEST(trial.id == "org.example.good");
  BOOST_TEST(!trial.provides.empty());
}

BOOST_AUTO_TEST_CASE(trial_of_a_bad_library_reports_an_error) {
  for (const char* name : {"no_symbol", "wrong_magic", "failing_init", "undefined_symbol"}) {
    BOOST_TEST_INFO_SCOPE(name);
    const LoadTrial trial =
        try_load(entry_of(bad_plugin(name)), TrustPolicy::of_process(/*elevated=*/false));
    BOOST_REQUIRE(trial.error.has_value());
    BOOST_TEST(!trial.error->message().empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
