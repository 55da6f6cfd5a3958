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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::spec::test
