// Normal forms of paths: `..` after a link leads to the directory above the link's target.
#include "sdk/support/absolute_path.hpp"

#include <stdlib.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

namespace slipway::test {
namespace {

namespace fs = std::filesystem;

struct LinkFixture {
  LinkFixture() {
    std::string pattern =
        (fs::canonical(fs::temp_directory_path()) / "slipway-path-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    root = pattern;
    fs::create_directories(root + "/real/sub");
    fs::create_symlink("real/sub", root + "/l");
    fs::create_symlink("l", root + "/to_l");
    fs::create_symlink("gone", root + "/broken");
  }
  LinkFixture(const LinkFixture&) = delete;
  LinkFixture& operator=(const LinkFixture&) = delete;
  ~LinkFixture() {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }

  /// Returns the normal form of a path below the root, without the root.
  std::string normal(const std::string& path) const {
    const std::string out = normal_path(root + path).string();
    return out.starts_with(root) ? out.substr(root.size()) : out;
  }

  std::string root;
};

BOOST_FIXTURE_TEST_SUITE(NormalPath, LinkFixture)

BOOST_AUTO_TEST_CASE(dots_and_superfluous_slashes_disappear) {
  BOOST_TEST(normal("/./real//sub/../x") == "/real/x");
  BOOST_TEST(normal("/gone/../x") == "/x");
  BOOST_TEST(normal("/real/") == "/real/");
  BOOST_TEST(normal_path("/").string() == "/");
  BOOST_TEST(normal_path("/../..").string() == "/");
}

BOOST_AUTO_TEST_CASE(parent_of_a_link_is_the_parent_of_its_target) {
  BOOST_TEST(normal("/l/../x") == "/real/x");
  BOOST_TEST(normal("/to_l/./..") == "/real");
  BOOST_TEST(normal("/l/../../x") == "/x");
  BOOST_TEST(normal("/l/gone/../..") == "/real");
  BOOST_TEST(normal("/l/x") == "/l/x");
}

BOOST_AUTO_TEST_CASE(dots_without_a_known_directory_are_kept) {
  BOOST_TEST(normal("/broken/../x") == "/broken/../x");
  BOOST_TEST(normal("/broken/../../x") == "/broken/../../x");
  BOOST_TEST(normal_path("../x").string() == "../x");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::test
