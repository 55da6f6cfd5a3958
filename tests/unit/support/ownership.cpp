// Refuses directories that other users can redirect, however deep they are.
#include "sdk/support/ownership.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "sdk/support/tree_removal.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway {
namespace {

namespace fs = std::filesystem;

/// A directory with a directory `open`, which every user may change.
struct OpenDirectory {
  OpenDirectory() {
    std::string name = (fs::temp_directory_path() / "slipway-ownership-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
    fd = OwnedFd(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    fs::create_directory(path / "open");
    fs::permissions(path / "open", fs::perms::all);
  }
  ~OpenDirectory() {
    remove_tree(fd.get(), "open");
    fs::remove(path);
  }

  /// Returns distrust_place() of a directory that is `levels` below `open`.
  std::string distrust_below(int levels) const {
    OwnedFd at(::openat(fd.get(), "open", O_PATH | O_DIRECTORY | O_CLOEXEC));
    for (int level = 0; level < levels; ++level) {
      ::mkdirat(at.get(), "d", 0700);
      at = OwnedFd(::openat(at.get(), "d", O_PATH | O_DIRECTORY | O_CLOEXEC));
      BOOST_REQUIRE(at);
    }
    return distrust_place(at.get());
  }

  fs::path path;
  OwnedFd fd;
};

BOOST_FIXTURE_TEST_SUITE(Ownership, OpenDirectory)

BOOST_AUTO_TEST_CASE(place_below_a_directory_that_every_user_may_change_is_refused) {
  for (const int levels : {0, 1, 100}) {
    const std::string why = distrust_below(levels);
    BOOST_TEST(why == (path / "open").string() + " may be changed by every user: its mode is 0777");
  }
}

BOOST_AUTO_TEST_CASE(place_that_is_too_deep_to_inspect_all_levels_above_it_is_refused) {
  const std::string why = distrust_below(1400);
  BOOST_TEST(why.find("/d/d cannot be inspected: File name too long") != std::string::npos, why);
  BOOST_TEST(why.starts_with("a directory above " + path.string()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
