#include "plugins/archive_image/entry_path.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/archive_image/temporary_directory.hpp"

namespace slipway::archive_image {
namespace {

using Parts = std::vector<std::string>;

constexpr std::size_t kMostBytes = 1024;  // of a path

bool refused(const std::string& name) {
  return test::throws(Code::kInvalid, [&] { entry_parts(name, kMostBytes); });
}

BOOST_AUTO_TEST_SUITE(EntryPath)

BOOST_AUTO_TEST_CASE(dots_and_double_slashes_are_removed) {
  BOOST_TEST((entry_parts("./a//b/./c", kMostBytes) == Parts{"a", "b", "c"}));
  BOOST_TEST((entry_parts("a/", kMostBytes) == Parts{"a"}));
  BOOST_TEST(entry_parts("./", kMostBytes).empty());
}

BOOST_AUTO_TEST_CASE(names_that_contain_dots_are_accepted) {
  BOOST_TEST((entry_parts("..a/b../...", kMostBytes) == Parts{"..a", "b..", "..."}));
}

BOOST_AUTO_TEST_CASE(empty_path_and_path_outside_the_image_are_refused) {
  for (const char* name : {"", "/", "/etc/passwd", "..", "../a", "a/..", "a/../../b", "a/../b"}) {
    BOOST_TEST_CONTEXT(name) { BOOST_TEST(refused(name)); }
  }
}

BOOST_AUTO_TEST_CASE(name_that_is_too_long_or_too_deep_is_refused) {
  BOOST_TEST(!refused(std::string(255, 'a')));
  BOOST_TEST(refused(std::string(256, 'a')));
  std::string deep;
  for (int i = 0; i < 256; ++i) deep += "a/";
  BOOST_TEST(!refused(deep));
  BOOST_TEST(refused(deep + "a"));
  BOOST_TEST(test::throws(Code::kInvalid, [] { entry_parts("abc", 2); }));
}

BOOST_AUTO_TEST_CASE(a_message_has_the_whole_name_after_what_it_names) {
  const auto message = [](const std::string& name, const std::string& what) {
    try {
      entry_parts(name, kMostBytes, what);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  BOOST_TEST(message("pkg/lib/../../../etc/x", "entry") ==
             "entry \"pkg/lib/../../../etc/x\" leads out of the image (\"..\")");
  BOOST_TEST(message("/etc/passwd", "its target") ==
             "its target \"/etc/passwd\" has an absolute path");
}

BOOST_AUTO_TEST_CASE(a_message_shows_no_control_characters) {
  BOOST_TEST(printable_name("a\x1b[31m\nb") == "a\\x1b[31m\\nb");
  BOOST_TEST(printable_name(std::string(500, 'x')).size() < 200u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::archive_image
