#include "sdk/support/tree_removal.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace slipway {
namespace {

namespace fs = std::filesystem;

struct Directory {
  Directory() {
    std::string name = (fs::temp_directory_path() / "slipway-tree-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
    fd = OwnedFd(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    BOOST_REQUIRE(fd);
  }
  ~Directory() { fs::remove_all(path); }

  fs::path path;
  OwnedFd fd;
};

BOOST_FIXTURE_TEST_SUITE(TreeRemoval, Directory)

BOOST_AUTO_TEST_CASE(directory_is_removed_with_its_content) {
  fs::path deep = path / "tree";
  for (int level = 0; level < 100; ++level) deep /= "d";
  fs::create_directories(deep);
  std::ofstream(deep / "file") << "x";
  BOOST_TEST(!remove_tree(fd.get(), "tree"));
  BOOST_TEST(fs::is_empty(path));
}

BOOST_AUTO_TEST_CASE(directories_that_deny_their_owner_are_removed) {
  fs::create_directories(path / "tree/closed/below");
  ::chmod((path / "tree/closed").c_str(), 0);
  ::chmod((path / "tree").c_str(), 0500);
  BOOST_TEST(!remove_tree(fd.get(), "tree"));
  BOOST_TEST(fs::is_empty(path));
}

BOOST_AUTO_TEST_CASE(links_are_removed_and_not_followed) {
  fs::create_directories(path / "precious");
  std::ofstream(path / "precious/file") << "x";
  fs::create_directories(path / "tree");
  fs::create_directory_symlink(path / "precious", path / "tree/link");
  fs::create_directory_symlink(path / "precious", path / "top");
  BOOST_TEST(!remove_tree(fd.get(), "tree"));
  BOOST_TEST(!remove_tree(fd.get(), "top"));
  BOOST_TEST(fs::exists(path / "precious/file"));
  BOOST_TEST(!fs::exists(path / "tree"));
}

BOOST_AUTO_TEST_CASE(missing_name_is_no_failure) { BOOST_TEST(!remove_tree(fd.get(), "nothing")); }

BOOST_AUTO_TEST_CASE(first_failure_names_its_place) {
  const auto left = remove_tree(fd.get(), std::string(300, 'n'));
  BOOST_REQUIRE(left.has_value());
  BOOST_TEST(left->error == ENAMETOOLONG);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
