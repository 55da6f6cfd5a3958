#include "core/logs/log_output.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/error.hpp"

namespace slipway::logs {
namespace {

struct Printed {
  std::string text;
  LogOutput output;

  explicit Printed(LogOutputOptions options)
      : output(std::move(options), [this](std::string_view bytes) { text.append(bytes); }) {}

  void chunk(std::string_view role, std::int32_t replica, std::string_view bytes) {
    output.chunk({role, replica, Stream::kStdout, std::nullopt, bytes});
  }
  const std::string& done() {
    output.end_of_backlog();
    output.flush();
    return text;
  }
};

LogOutputOptions prefixed() {
  LogOutputOptions options;
  options.style.prefix = true;
  return options;
}

BOOST_AUTO_TEST_SUITE(Output)

BOOST_AUTO_TEST_CASE(plain_bytes_go_through_untouched) {
  Printed printed({});
  printed.chunk("w", 0, std::string_view("a\0b\r\xff\nno newline", 16));
  BOOST_TEST(printed.done() == std::string("a\0b\r\xff\nno newline", 16));
}

BOOST_AUTO_TEST_CASE(each_line_gets_its_replicas_prefix) {
  Printed printed(prefixed());
  printed.chunk("trainer", 1, "a\nb\n");
  printed.chunk("ps", 0, "c");
  BOOST_TEST(printed.done() == "trainer/1 a\ntrainer/1 b\nps/0 c");
}

BOOST_AUTO_TEST_CASE(line_that_a_replica_has_not_ended_ends_before_the_text_of_another) {
  for (const auto tail : {std::optional<std::size_t>(), std::optional<std::size_t>(9)}) {
    LogOutputOptions options = prefixed();
    options.tail = tail;
    Printed printed(options);
    printed.chunk("w", 0, "a");
    printed.chunk("w", 1, "b");
    printed.chunk("v", 1, "c");
    BOOST_TEST(printed.done() == (tail ? "v/1 c\nw/0 a\nw/1 b" : "w/0 a\nw/1 b\nv/1 c"));
  }
}

BOOST_AUTO_TEST_CASE(the_prefix_follows_a_carriage_return) {
  Printed printed(prefixed());
  printed.chunk("w", 0, "\r50%\r60%\n");
  BOOST_TEST(printed.done() == "\rw/0 50%\rw/0 60%\n");
}

BOOST_AUTO_TEST_CASE(a_carriage_return_before_the_newline_is_followed_by_a_prefix) {
  Printed printed(prefixed());
  printed.chunk("w", 0, "a\r\nb\n");
  BOOST_TEST(printed.done() == "w/0 a\rw/0 \nw/0 b\n");
}

BOOST_AUTO_TEST_CASE(only_matching_lines_are_printed) {
  LogOutputOptions options;
  options.regex = "^(?=.*loss)(?!.*nan)";
  Printed printed(options);
  printed.chunk("w", 0, "loss 1\nnothing\nloss nan\nloss 0.5\n");
  BOOST_TEST(printed.done() == "loss 1\nloss 0.5\n");
}

BOOST_AUTO_TEST_CASE(a_wrong_pattern_is_refused_with_its_place) {
  LogOutputOptions options;
  options.regex = "a(b";
  BOOST_CHECK_EXCEPTION(Printed printed(options), Error, [](const Error& error) {
    return error.code() == Code::kUsage && error.message().find("character 4") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(exponential_pattern_fails_and_does_not_hang) {
  LogOutputOptions options;
  options.regex = "^(a+)+$";
  Printed printed(options);
  BOOST_CHECK_THROW(printed.chunk("w", 0, std::string(64, 'a') + "b\n"), Error);
}

BOOST_AUTO_TEST_CASE(backlog_that_is_too_long_to_merge_is_an_error_or_printed_as_it_comes) {
  LogOutputOptions options = prefixed();
  options.most_merged = 3;
  options.merge = Merge::kYes;
  Printed strict(options);
  BOOST_CHECK_THROW(strict.chunk("w", 0, "a\nb\n"), Error);
  options.merge = Merge::kIfItFits;
  Printed lenient(options);
  lenient.chunk("w", 0, "a\nb\nc\n");
  lenient.chunk("v", 0, "d\n");
  BOOST_TEST(lenient.done() == "w/0 a\nw/0 b\nw/0 c\nv/0 d\n");
}

BOOST_AUTO_TEST_CASE(the_tail_is_counted_for_each_replica_and_ends_with_the_backlog) {
  LogOutputOptions options = prefixed();
  options.tail = 2;
  Printed printed(options);
  printed.chunk("w", 0, "1\n2\n3\n");
  printed.chunk("w", 1, "4\n");
  BOOST_TEST(printed.text.empty());
  printed.output.end_of_backlog();
  printed.chunk("w", 0, "5\n6\n7\n");
  BOOST_TEST(printed.done() == "w/0 2\nw/0 3\nw/1 4\nw/0 5\nw/0 6\nw/0 7\n");
}

BOOST_AUTO_TEST_CASE(tail_of_zero_prints_no_backlog) {
  LogOutputOptions options;
  options.tail = 0;
  Printed printed(options);
  printed.chunk("w", 0, "1\n2\n");
  BOOST_TEST(printed.done().empty());
}

BOOST_AUTO_TEST_CASE(json_lines_are_valid_for_any_bytes) {
  LogOutputOptions options;
  options.style.json = true;
  Printed printed(options);
  printed.chunk("w", 3, "a\"\xff\xc3\xa9\n");
  BOOST_TEST(printed.done() ==
             "{\"role\":\"w\",\"replica\":3,\"stream\":\"stdout\",\"time\":null,\"line\":"
             "\"a\\\"\xEF\xBF\xBD\xc3\xa9\"}\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::logs
