// Names that mean a secret.
#include "core/spec/secret_names.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::spec::test {
namespace {

BOOST_AUTO_TEST_SUITE(SecretNames)

BOOST_AUTO_TEST_CASE(secrets_are_told_by_their_names) {
  for (const char* name :
       {"API_TOKEN", "db_password", "AWS_SECRET_ACCESS_KEY", "my-api-key", "GOOGLE_CREDENTIALS"}) {
    BOOST_TEST(is_secret_name(name), name);
  }
  for (const char* name : {"PATH", "HOME", "KEYBOARD", "TORCHX_JOB_ID"})
    BOOST_TEST(!is_secret_name(name), name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::spec::test
