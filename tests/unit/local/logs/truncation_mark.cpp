// A truncation mark is a reserved block behind the end of a file, which a truncation frees.
#include "plugins/local/logs/truncation_mark.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/owned_fd.hpp"
#include "tests/unit/local/logs/fixture.hpp"

namespace slipway::local {
namespace {

struct MarkedFile : testing::LogDirectory {
  MarkedFile()
      : file(::open(path("marked.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}

  bool mark() {
    if (set_truncation_mark(file.get())) return true;
    BOOST_TEST_MESSAGE("this file system has no marks");
    return false;
  }
  void write(const std::string& text) {
    BOOST_TEST_REQUIRE(::write(file.get(), text.data(), text.size()) ==
                       static_cast<ssize_t>(text.size()));
  }

  OwnedFd file;
};

BOOST_FIXTURE_TEST_SUITE(TruncationMark, MarkedFile)

BOOST_AUTO_TEST_CASE(mark_changes_no_size_and_stays_when_the_file_grows) {
  if (!mark()) return;
  for (const std::string& text :
       {std::string(), std::string("a line\n"), std::string(100'000, 'x')}) {
    write(text);
    BOOST_TEST(has_truncation_mark(file.get()));
  }
  struct stat info {};
  BOOST_TEST_REQUIRE(::fstat(file.get(), &info) == 0);
  BOOST_TEST(info.st_size == 100'007);
}

BOOST_AUTO_TEST_CASE(every_truncation_removes_the_mark) {
  for (const std::string& text : {std::string(), std::string("a line\n")}) {
    if (!mark()) return;
    write(text);
    const OwnedFd again(::open(path("marked.log").c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    BOOST_TEST(!has_truncation_mark(file.get()));
    write("a longer line than the one before\n");
    BOOST_TEST(!has_truncation_mark(file.get()));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
