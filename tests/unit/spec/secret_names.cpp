// Recognizes names of secrets.
#include "core/spec/secret_names.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::spec::test {
namespace {

BOOST_AUTO_TEST_SUITE(SecretNames)

BOOST_AUTO_TEST_CASE(secrets_are_recognized_by_name) {
  for (const char* name :
       {"API_TOKEN", "db_password", "AWS_SECRET_ACCESS_KEY", "my-api-key", "GOOGLE_CREDENTIALS",
        "OPENAI_APIKEY", "DB_PASS", "PWD", "mysql.pwd", "AUTH", "HTTP_AUTH", "BEARER",
        "SSH_PASSPHRASE", "SESSION_COOKIE", "DATABASE_URL", "SENTRY_DSN"}) {
    BOOST_TEST(is_secret_name(name), name);
  }
  for (const char* name : {"PATH", "HOME", "KEYBOARD", "TORCHX_JOB_ID", "OLDPWD", "COMPASS",
                           "AUTHOR", "XAUTHORITY", "SSH_AUTH_SOCK", "AUTH_TYPE", "PASSES"})
    BOOST_TEST(!is_secret_name(name), name);
}

BOOST_AUTO_TEST_CASE(url_with_a_password_is_a_secret_under_any_name) {
  for (const char* value :
       {"postgres://ada:pw@host/db", "x redis://:pw@host", "amqp://a:b@c,amqp://d"})
    BOOST_TEST(holds_url_password(value), value);
  for (const char* value : {"https://host:8080/a@b", "ssh://git@host/x", "mail ada:x@host",
                            "http://a/?next=b:c@d", "://@", "tcp://ada:@host"})
    BOOST_TEST(!holds_url_password(value), value);
}

Node text_node(const char* text) {
  Node out;
  out.type = NodeType::kString;
  out.text = text;
  return out;
}

BOOST_AUTO_TEST_CASE(secrets_in_tables_and_lists_are_redacted_by_the_path_of_their_key) {
  const auto table = [](std::string key, Node value) {
    Node out;
    out.type = NodeType::kTable;
    out.entries.push_back({std::move(key), {}, std::move(value)});
    return out;
  };
  Node hosts;
  hosts.type = NodeType::kList;
  hosts.items = {table("api_key", text_node("k")), text_node("https://ada:pw@host"),
                 text_node("host")};
  Node config = table("hosts", hosts);
  config.entries.push_back({"auth", {}, table("user", text_node("ada"))});
  config.entries.push_back({"size", {}, text_node("3")});
  BOOST_TEST(redact_secrets(config, {}));
  std::string text;
  append_json(config, text);
  BOOST_TEST(text ==
             R"({"hosts":[{"api_key":"<redacted>"},"<redacted>","host"],"auth":"<redacted>",)"
             R"("size":"3"})");
  Node user = text_node("ada");
  BOOST_TEST(redact_secrets(user, "config.auth.user"));
  Node size = text_node("3");
  BOOST_TEST(!redact_secrets(size, "config.size"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::spec::test
