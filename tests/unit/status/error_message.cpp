#include "core/status/error_message.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(ErrorMessage)

BOOST_AUTO_TEST_CASE(remote_error_is_extracted_from_the_message) {
  BOOST_TEST(reduce_error_message("before Err('On WorkerInfo(id=1):\nwhy\n') after") ==
             "Err('On WorkerInfo(id=1):\nwhy\n')");
}

BOOST_AUTO_TEST_CASE(second_start_is_tried_when_the_first_does_not_match) {
  BOOST_TEST(reduce_error_message("A('On WorkerInfo(x) no\nB('On WorkerInfo(1):\nwhy\n') after") ==
             "B('On WorkerInfo(1):\nwhy\n')");
}

BOOST_AUTO_TEST_CASE(other_messages_are_kept_completely) {
  for (const char* text : {"", "\n", "plain", "('On WorkerInfo(", "E('On WorkerInfo():\nx\n')",
                           "\n')E('On WorkerInfo(1):\nx"})
    BOOST_TEST(reduce_error_message(text) == text);
}

BOOST_AUTO_TEST_CASE(line_before_an_exception_replaces_the_message) {
  BOOST_TEST(reduce_error_message("a\nwhy\nException: b\nc") == "why");
  // The line before may itself start with `Exception`.
  BOOST_TEST(reduce_error_message("Exception\nException") == "Exception");
}

BOOST_AUTO_TEST_CASE(lines_break_at_the_first_space_at_or_behind_the_width) {
  BOOST_TEST((wrap_error_message("ab cd ef", 4) == std::vector<std::string>{"ab cd", "ef"}));
  BOOST_TEST(
      (wrap_error_message("abcde fg h i", 4) == std::vector<std::string>{"abcde", "fg h", "i"}));
  BOOST_TEST((wrap_error_message("abcdefgh", 4) == std::vector<std::string>{"abcdefgh"}));
  BOOST_TEST((wrap_error_message("", 4) == std::vector<std::string>{""}));
  BOOST_TEST((wrap_error_message("éé é", 3) == std::vector<std::string>{"éé é"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
