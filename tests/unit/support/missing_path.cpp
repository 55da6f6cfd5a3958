// Why nothing is at a path: broken links and files in place of directories.
#include "sdk/support/missing_path.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>

namespace slipway::test {
namespace {

struct MissingPathFixture {
  MissingPathFixture() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "slipway-missing-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    root = pattern;
    std::ofstream(root + "/file");
  }
  MissingPathFixture(const MissingPathFixture&) = delete;
  MissingPathFixture& operator=(const MissingPathFixture&) = delete;
  ~MissingPathFixture() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }

  std::string obstacle(const std::string& name) const {
    const auto found = obstacle_of(root + "/" + name);
    return found ? to_string(*found) : std::string();
  }
  void link(const std::string& target, const std::string& name) const {
    BOOST_REQUIRE(::symlink(target.c_str(), (root + "/" + name).c_str()) == 0);
  }

  std::string root;
};

BOOST_FIXTURE_TEST_SUITE(MissingPath, MissingPathFixture)

BOOST_AUTO_TEST_CASE(a_missing_file_has_no_obstacle) {
  BOOST_TEST(obstacle("gone") == "");
  BOOST_TEST(obstacle("a/b/gone") == "");
  link(".", "here");
  BOOST_TEST(obstacle("here/a/gone") == "");
  BOOST_TEST(obstacle("file") == "");
}

BOOST_AUTO_TEST_CASE(a_link_without_a_target_is_the_obstacle) {
  link("/nowhere/x", "broken");
  const std::string said = "the link " + root + "/broken leads to /nowhere/x, which does not exist";
  BOOST_TEST(obstacle("broken") == said);
  BOOST_TEST(obstacle("broken/a/b") == said);
  link("file/x", "through");
  BOOST_TEST(obstacle("through") ==
             "the link " + root + "/through leads to file/x, which does not exist");
}

BOOST_AUTO_TEST_CASE(a_file_above_the_path_is_the_obstacle) {
  BOOST_TEST(obstacle("file/a/b") == root + "/file is not a directory");
  link("file", "to_file");
  BOOST_TEST(obstacle("to_file/a") == root + "/to_file is not a directory");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::test
