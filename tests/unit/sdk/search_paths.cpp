#include "slipway/search_paths.hpp"

#include <boost/test/unit_test.hpp>
#include <string_view>
#include <vector>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(SearchPaths)

BOOST_AUTO_TEST_CASE(path_loses_empty_pieces_and_outer_colons) {
  BOOST_TEST(join_path({}).empty());
  BOOST_TEST(join_path({"", "/a:", "::/b::", ""}) == "/a:/b");
  BOOST_TEST(join_path({"/a:/b", "/c"}) == "/a:/b:/c");
}

BOOST_AUTO_TEST_CASE(piece_of_colons_leaves_an_empty_piece) {
  BOOST_TEST(join_path({"/a", ":", "/b"}) == "/a::/b");
}

BOOST_AUTO_TEST_CASE(empty_piece_of_path_is_the_working_directory) {
  const std::vector<std::string_view> expected = {".", "/a", ".", "b", "."};
  BOOST_TEST(path_directories(":/a::b:") == expected, boost::test_tools::per_element());
  BOOST_TEST(path_directories("") == std::vector<std::string_view>{"."},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
