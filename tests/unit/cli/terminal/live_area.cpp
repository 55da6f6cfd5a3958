#include "core/cli/terminal/live_area.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "slipway/owned_fd.hpp"

namespace slipway::cli {
namespace {

/// Returns the bytes of `line` that an area writes when it shows the line.
std::string shown(const std::string& line) {
  int ends[2] = {-1, -1};
  BOOST_REQUIRE_EQUAL(::pipe2(ends, O_CLOEXEC), 0);
  const OwnedFd reading(ends[0]);
  const OwnedFd writing(ends[1]);
  LiveArea area(writing.get());
  area.show({line});
  std::string out(1024, '\0');
  const ssize_t size = ::read(reading.get(), out.data(), out.size());
  BOOST_REQUIRE_GT(size, 0);
  out.resize(static_cast<std::size_t>(size));
  // While it writes, the area makes the terminal cut long lines.
  const std::string before = "\x1b[?7l";
  const std::string after = "\x1b[0m\x1b[?7h";
  BOOST_REQUIRE(out.starts_with(before) && out.ends_with(after));
  return out.substr(before.size(), out.size() - before.size() - after.size());
}

BOOST_AUTO_TEST_SUITE(LiveAreas)

BOOST_AUTO_TEST_CASE(colours_of_a_line_are_kept) {
  const std::string line = "\x1b[1;38:5:3m10%\x1b[m of it";
  BOOST_TEST(shown(line) == line);
}

BOOST_AUTO_TEST_CASE(other_sequences_and_control_characters_of_a_line_are_removed) {
  BOOST_TEST(shown("a\x1b[2Jb") == "ab");     // clears the screen
  BOOST_TEST(shown("a\x1b[>4;2mb") == "ab");  // changes the keyboard's mode
  BOOST_TEST(shown("a\x1b[\x07mb") == "ab");
  BOOST_TEST(shown("a\x1bm\bb\tc") == "ab c");
  BOOST_TEST(shown("a\xc2\x9b"
                   "2Jb\xc2\xa7") == "a2Jb\xc2\xa7");  // U+009B, and a section sign
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
