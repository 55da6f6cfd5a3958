#include "core/cli/commands/list_tables.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace slipway::cli {
namespace {

/// Returns the row of an app with these details.
std::string row_of(const AppDetails& details) {
  ListedApp app;
  app.handle = {"local_cwd", "s", "a-1"};
  app.item.name = "a";
  const std::string table = app_table({app}, {details});
  return table.substr(table.find('\n') + 1);
}

BOOST_AUTO_TEST_SUITE(ListTables)

BOOST_AUTO_TEST_CASE(duration_is_the_time_from_start_to_end) {
  AppDetails details;
  BOOST_TEST(row_of(details).find(" s ") == std::string::npos);
  details.started_at = 100'000'000'000;
  details.finished_at = 102'000'000'000;
  details.exit = 0;
  BOOST_TEST(row_of(details).find(" 2.0 s ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(app_that_ended_at_an_unknown_time_has_no_duration) {
  AppDetails details;
  details.started_at = 100'000'000'000;
  BOOST_TEST(row_of(details).find(" s ") != std::string::npos);  // it still runs
  details.exit = 0;
  BOOST_TEST(row_of(details).find(" s ") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
