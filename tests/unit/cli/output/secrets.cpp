#include "core/cli/output/secrets.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::cli {
namespace {

BOOST_AUTO_TEST_SUITE(Secrets)

BOOST_AUTO_TEST_CASE(are_redacted_in_every_role) {
  AppDef app("a");
  app.of(Role("x").with_env("HF_TOKEN", "s3cret").with_env("A", "1"))
      .of(Role("y").with_env("PASSWORD", "p").with_env("A", "db://ada:p@host"));
  BOOST_TEST(redact_secrets(app));
  BOOST_TEST(app.roles[0].env[0].second == kRedacted);
  BOOST_TEST(app.roles[0].env[1].second == "1");
  BOOST_TEST(app.roles[1].env[0].second == kRedacted);
  BOOST_TEST(app.roles[1].env[1].second == kRedacted);
  app.roles = {Role("x").with_env("A", "1")};
  BOOST_TEST(!redact_secrets(app));
}

BOOST_AUTO_TEST_CASE(are_redacted_wherever_a_run_record_has_them) {
  const std::string url = "https://ada:p@host";
  RunRecord record;
  record.options = {{"on_end", "echo", "-c"}};
  record.labels = {{"team", "ml"}};
  BOOST_TEST(!redact_secrets(record));
  record.options = {{"on_end", "curl " + url, "-c"}};
  BOOST_TEST(redact_secrets(record));
  BOOST_TEST((record.options[0].value == Value(std::string(kRedacted))));
  record.options.clear();
  record.labels = {{"origin", url}};
  BOOST_TEST(redact_secrets(record));
  BOOST_TEST(record.labels[0].second == kRedacted);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
