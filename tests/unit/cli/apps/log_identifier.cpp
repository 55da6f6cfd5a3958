#include "core/cli/apps/log_identifier.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"

namespace slipway::cli {
namespace {

BOOST_AUTO_TEST_SUITE(LogIdentifier)

BOOST_AUTO_TEST_CASE(missing_session_means_the_callers_session) {
  BOOST_TEST(parse_log_identifier("a:///c", "mine").app.session == "mine");
  BOOST_TEST(parse_log_identifier("a://b/c", "mine").app.session == "b");
}

BOOST_AUTO_TEST_CASE(error_quotes_the_part_that_is_wrong) {
  BOOST_CHECK_EXCEPTION(parse_log_identifier("a://b/c/d/0,x", "s"), Error, [](const Error& error) {
    return error.code() == Code::kUsage && error.message().find("'x'") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(text_without_a_scheduler_is_refused) {
  BOOST_CHECK_THROW(parse_log_identifier("app/role/0", "s"), Error);
}

BOOST_AUTO_TEST_CASE(role_without_a_name_is_refused) {
  BOOST_TEST((parse_log_identifier("s://a/app/v,w", "x").role == "v,w"));
  for (const char* wrong : {"s://a/app/", "s://a/app/,", "s://a/app/,/0"})
    BOOST_CHECK_THROW(parse_log_identifier(wrong, "x"), Error);
}

BOOST_AUTO_TEST_CASE(names_ranges_of_replicas) {
  const auto of = [](const std::string& list) {
    return parse_log_identifier("s://a/app/w/" + list, "x").replicas;
  };
  BOOST_TEST((of("0-3") == std::vector<std::int32_t>{0, 1, 2, 3}));
  BOOST_TEST((of("7,2-3,5") == std::vector<std::int32_t>{7, 2, 3, 5}));
  BOOST_TEST((of("2147483647") == std::vector<std::int32_t>{2147483647}));  // the largest id
  for (const char* wrong : {"99999999999", "3-0", "-3", "0-", "a-b", "0-1-2", "0-2000000000"})
    BOOST_CHECK_THROW(of(wrong), Error);
}

BOOST_AUTO_TEST_CASE(all_ranges_together_have_at_most_a_million_replicas) {
  const std::string replicas = "s://a/app/w/0-499999,500000-";
  BOOST_TEST(parse_log_identifier(replicas + "999999", "x").replicas.size() == 1'000'000U);
  BOOST_CHECK_EXCEPTION(
      parse_log_identifier(replicas + "1000000", "x"), Error,
      [](const Error& error) { return error.message().find("a million") != std::string::npos; });
  BOOST_CHECK_THROW(parse_log_identifier(replicas + "999999,0", "x"), Error);
}

BOOST_AUTO_TEST_CASE(error_about_a_missing_app_id_names_the_whole_text) {
  BOOST_CHECK_EXCEPTION(parse_log_identifier("s://a//w/0", "x"), Error, [](const Error& error) {
    return error.code() == Code::kUsage && error.message().find("'s://a//w/0'") == 0;
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
