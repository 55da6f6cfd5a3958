// Locks of this machine: who has one, and what is refused.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "plugins/local/engine/machine_locks.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

namespace fs = std::filesystem;

struct LockDir {
  LockDir() {
    char name[] = "/tmp/slipway-locks-XXXXXX";
    BOOST_TEST_REQUIRE(::mkdtemp(name) != nullptr);
    top = name;
    ::setenv("SLIPWAY_LOCAL_LOCK_DIR", (top + "/locks").c_str(), 1);
  }
  ~LockDir() {
    ::unsetenv("SLIPWAY_LOCAL_LOCK_DIR");
    fs::remove_all(top);
  }
  std::string top;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(machine_locks, LockDir)

BOOST_AUTO_TEST_CASE(a_byte_has_one_open_file_at_a_time) {
  const std::string dir = machine_lock_dir();
  const OwnedFd first = open_machine_lock(dir, "x");
  const OwnedFd second = open_machine_lock(dir, "x");
  BOOST_TEST(lock_byte(first.get(), 7));
  BOOST_TEST(lock_byte(first.get(), 7));
  BOOST_TEST(!lock_byte(second.get(), 7));
  BOOST_TEST(lock_byte(second.get(), 8));
  unlock_byte(first.get(), 7);
  BOOST_TEST(lock_byte(second.get(), 7));
}

BOOST_AUTO_TEST_CASE(a_copy_of_the_descriptor_keeps_the_lock) {
  const std::string dir = machine_lock_dir();
  OwnedFd first = open_machine_lock(dir, "x");
  BOOST_TEST(lock_byte(first.get(), 1));
  OwnedFd copy(::dup(first.get()));
  first.reset();
  const OwnedFd second = open_machine_lock(dir, "x");
  BOOST_TEST(!lock_byte(second.get(), 1));
  copy.reset();
  BOOST_TEST(lock_byte(second.get(), 1));
}

BOOST_AUTO_TEST_CASE(directory_and_files_are_for_everybody) {
  const mode_t before = ::umask(077);
  const std::string dir = machine_lock_dir();
  open_machine_lock(dir, "x");
  ::umask(before);
  struct stat info {};
  BOOST_TEST(::stat(dir.c_str(), &info) == 0);
  BOOST_TEST((info.st_mode & 07777) == 01777U);
  BOOST_TEST(::stat((dir + "/x").c_str(), &info) == 0);
  BOOST_TEST((info.st_mode & 07777) == 0666U);
  BOOST_TEST(info.st_nlink == 1U);
}

BOOST_AUTO_TEST_CASE(what_is_no_plain_file_is_refused) {
  const std::string dir = machine_lock_dir();
  fs::create_symlink("/etc/passwd", dir + "/link");
  BOOST_TEST(::mkfifo((dir + "/fifo").c_str(), 0666) == 0);
  fs::create_directory(dir + "/dir");
  for (const char* name : {"link", "fifo", "dir"})
    BOOST_CHECK_THROW(open_machine_lock(dir, name), Error);
}

BOOST_AUTO_TEST_CASE(a_directory_behind_a_link_is_refused) {
  fs::create_directory(top + "/real");
  fs::create_symlink(top + "/real", top + "/locks");
  BOOST_CHECK_THROW(machine_lock_dir(), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::local
