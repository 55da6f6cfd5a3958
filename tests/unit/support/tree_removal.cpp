#include "sdk/support/tree_removal.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "tests/unit/refused_call.hpp"

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

// Makes `levels` directories "d", each in the one before and beside a file and a directory that
// its owner may not enter. Their path may be longer than PATH_MAX.
void nest(int dir_fd, int levels) {
  OwnedFd at(::fcntl(dir_fd, F_DUPFD_CLOEXEC, 0));
  for (int level = 0; level < levels; ++level) {
    BOOST_REQUIRE(::mkdirat(at.get(), "d", 0700) == 0);
    at = OwnedFd(::openat(at.get(), "d", O_PATH | O_DIRECTORY | O_CLOEXEC));
    BOOST_REQUIRE(::mkdirat(at.get(), "beside", 0400) == 0);
    BOOST_REQUIRE(OwnedFd(::openat(at.get(), "file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600)));
  }
}

BOOST_AUTO_TEST_CASE(tree_that_is_deeper_than_a_process_may_open_files_is_removed) {
  nest(fd.get(), 3000);
  rlimit usual{};
  ::getrlimit(RLIMIT_NOFILE, &usual);
  const rlimit few{64, usual.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  const auto left = remove_tree(fd.get(), "d");
  ::setrlimit(RLIMIT_NOFILE, &usual);
  BOOST_TEST(!left);
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

/// Runs `body` in a process with private mounts, and returns the result of `body`, 0 to 98.
/// Returns 99 if the process crashes, and 100 if it cannot be made.
int in_own_mounts(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool apart = ::unshare(CLONE_NEWNS | (::geteuid() == 0 ? 0 : CLONE_NEWUSER)) == 0 &&
                       ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    ::_exit(apart ? body() : 100);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

/// Mounts a directory in a tree and removes the tree. Returns the error of opening the mounted
/// directory, 98 if the removal reports another error, or 100 if this user may not mount.
int remove_tree_around_mount(const fs::path& directory) {
  const std::string mounted = directory / "tree/mounted";
  const std::string inside = directory / "precious";
  if (::mount(inside.c_str(), mounted.c_str(), nullptr, MS_BIND, nullptr) != 0) return 100;
  // A descriptor from before the mount would not show it.
  const OwnedFd opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int opening = open_on_same_mount(opened.get(), "tree/mounted") ? 0 : errno;
  const auto left = remove_tree(opened.get(), "tree");
  return left && left->error == opening ? opening : 98;
}

BOOST_AUTO_TEST_CASE(mounted_directory_is_never_entered) {
  fs::create_directories(path / "tree/mounted");
  fs::create_directories(path / "precious");
  std::ofstream(path / "precious/file") << "x";
  const int plain = in_own_mounts([&] { return remove_tree_around_mount(path); });
  // Continuous integration may mount, so there this test is never skipped.
  if (plain == 100 && std::getenv("CI") == nullptr) {
    BOOST_TEST_MESSAGE("SKIPPED: this user may not mount");
    return;
  }
  BOOST_TEST(plain == EXDEV);
  // 97: the process could not make the kernel refuse the call, or could not hide /proc.
  BOOST_TEST(in_own_mounts([&] {
               return test::refuse_call(SYS_openat2, ENOSYS) ? remove_tree_around_mount(path) : 97;
             }) == EXDEV);
  // Without openat2() and /proc, open_on_same_mount() cannot detect a mount, and refuses.
  BOOST_TEST(in_own_mounts([&] {
               if (::mount("none", "/proc", "tmpfs", 0, nullptr) != 0) return 97;
               return test::refuse_call(SYS_openat2, ENOSYS) ? remove_tree_around_mount(path) : 97;
             }) == ENOSYS);
  BOOST_TEST(fs::exists(path / "precious/file"));
}

BOOST_AUTO_TEST_CASE(missing_name_is_not_a_failure) {
  BOOST_TEST(!remove_tree(fd.get(), "nothing"));
}

BOOST_AUTO_TEST_CASE(failure_has_its_path_and_its_error) {
  const std::string long_name(300, 'n');
  const auto left = remove_tree(fd.get(), long_name);
  BOOST_REQUIRE(left.has_value());
  BOOST_TEST(left->path == long_name);
  BOOST_TEST(left->error == ENAMETOOLONG);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
