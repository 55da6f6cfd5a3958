#include "core/registry/libraries/checksum.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"
#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::contains;
using test::error_of;
using test::TempTree;

BOOST_AUTO_TEST_SUITE(Checksums)

BOOST_AUTO_TEST_CASE(checksum_in_the_manifest_must_be_that_of_the_file) {
  const TempTree tree;
  const std::string file = tree.write("abc", "abc");
  constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  BOOST_TEST(sha256_of_file(file) == kAbc);
  BOOST_TEST(sha256_of_file(tree.write("none", "")) ==
             "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(sha256_of_file(tree.write("many", std::string(1'000'000, 'a'))) ==
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  check_sha256(file, kAbc, "m.toml:1:1");
  check_sha256(tree.path("missing"), "", "m.toml:1:1");  // the manifest has no checksum
  const Error other = error_of([&] { check_sha256(tree.path("none"), kAbc, "m.toml:1:1"); });
  BOOST_TEST((other.code() == Code::kDenied));
  BOOST_TEST(contains(other.message(), "m.toml:1:1"));
  BOOST_TEST(
      (error_of([&] { sha256_of_file(tree.path("missing")); }).code() == Code::kUnavailable));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
