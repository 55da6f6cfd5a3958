#include "core/logs/log_output.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>
#include <vector>

#include "sdk/support/line_cut.hpp"
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
    output.finish();
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

BOOST_AUTO_TEST_CASE(output_of_the_app_itself_has_no_number_of_a_replica) {
  Printed printed(prefixed());
  printed.chunk("", -1, "pulling\n");
  printed.chunk("w", 0, "a\n");
  BOOST_TEST(printed.done() == "app pulling\nw/0 a\n");
}

BOOST_AUTO_TEST_CASE(output_of_the_app_itself_has_nulls_in_json) {
  LogOutputOptions options;
  options.style.json = true;
  Printed printed(options);
  printed.chunk("", -1, "pulling\n");
  BOOST_TEST(printed.done() ==
             R"({"role":null,"replica":null,"stream":"stdout","time":null,"line":"pulling"})"
             "\n");
}

BOOST_AUTO_TEST_CASE(lines_of_several_apps_name_their_app) {
  LogOutputOptions options = prefixed();
  options.style.apps = {{"b-1", "s://x/b-1"}, {"a-2", "s://x/a-2"}};
  // Without a tail the lines are printed at once, with one they pass through the backlog.
  for (const auto tail : {std::optional<std::size_t>(), std::optional<std::size_t>(9)}) {
    options.tail = tail;
    Printed printed(options);
    printed.output.chunk({"w", 0, Stream::kStdout, std::nullopt, "one"}, 0);
    printed.output.chunk({"w", 0, Stream::kStdout, std::nullopt, "two\n"}, 1);
    BOOST_TEST(printed.done() == "b-1/w/0 one\na-2/w/0 two\n");
  }
  options.style.json = true;
  Printed printed(options);
  printed.output.chunk({"w", 0, Stream::kStdout, std::nullopt, "two\n"}, 1);
  BOOST_TEST(printed.done().find("\"handle\":\"s://x/a-2\"}") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(unfinished_lines_of_two_apps_are_not_joined) {
  LogOutputOptions options = prefixed();
  options.style.apps = {{"b-1", "s://x/b-1"}, {"a-2", "s://x/a-2"}};
  options.follow = true;
  Printed printed(options);
  printed.output.chunk({"w", 0, Stream::kStdout, std::nullopt, "one "}, 0);
  printed.output.chunk({"w", 0, Stream::kStdout, std::nullopt, "two\n"}, 1);
  printed.output.chunk({"w", 0, Stream::kStdout, std::nullopt, "three\n"}, 0);
  BOOST_TEST(printed.done() == "a-2/w/0 two\nb-1/w/0 one three\n");
}

BOOST_AUTO_TEST_CASE(line_that_a_replica_has_not_ended_ends_before_the_text_of_another) {
  for (const auto tail : {std::optional<std::size_t>(), std::optional<std::size_t>(9)}) {
    LogOutputOptions options = prefixed();
    options.tail = tail;
    Printed printed(options);
    printed.chunk("w", 0, "a");
    printed.chunk("w", 1, "b");
    printed.chunk("v", 1, "c");
    // A tail without times is in the order of roles and replicas.
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

BOOST_AUTO_TEST_CASE(pieces_of_a_very_long_line_have_one_prefix) {
  const std::string part(kLongLine, 'x');
  Printed printed(prefixed());
  printed.chunk("w", 0, "short\n" + part);
  printed.chunk("w", 0, part + "nee");
  printed.chunk("w", 0, "dle end\nnext\n");
  BOOST_TEST(printed.done() == "w/0 short\nw/0 " + part + part + "needle end\nw/0 next\n");
}

BOOST_AUTO_TEST_CASE(match_in_a_very_long_line_prints_the_rest_of_this_line_alone) {
  const std::string part = std::string(kLongLine, 'x') + "needle";
  LogOutputOptions options;
  options.regex = "needle";
  Printed printed(options);
  printed.chunk("w", 0, part);
  printed.chunk("w", 0, " end\nother\na needle\n");
  BOOST_TEST(printed.done() == part + " end\na needle\n");
}

BOOST_AUTO_TEST_CASE(backlog_has_the_rest_of_a_very_long_line_that_matches) {
  const std::string part = "needle" + std::string(kLongLine, 'x');
  LogOutputOptions options;
  options.regex = "needle";
  options.tail = 5;
  for (const Merge merge : {Merge::kNo, Merge::kYes}) {
    options.merge = merge;
    Printed printed(options);
    printed.chunk("w", 0, part);
    printed.chunk("w", 0, part.substr(6));
    printed.chunk("w", 0, "END\nother\nneedle two\n");
    BOOST_TEST(printed.done() == part + part.substr(6) + "END\nneedle two\n");
  }
}

BOOST_AUTO_TEST_CASE(backlog_prints_a_very_long_line_from_the_first_part_that_matches) {
  const std::string part = std::string(kLongLine, 'x') + "needle";
  LogOutputOptions options;
  options.regex = "needle";
  options.tail = 5;
  Printed printed(options);
  printed.chunk("w", 0, std::string(kLongLine, 'y'));
  printed.chunk("w", 0, part);
  printed.chunk("w", 0, "end\nother\nneedle without a newline");
  BOOST_TEST(printed.done() == part + "end\nneedle without a newline");
}

BOOST_AUTO_TEST_CASE(pieces_of_a_line_are_one_document_in_json) {
  LogOutputOptions options;
  options.style.json = true;
  Printed printed(options);
  printed.chunk("w", 0, "be");
  printed.chunk("w", 0, "gun\n");
  BOOST_TEST(printed.done() ==
             R"({"role":"w","replica":0,"stream":"stdout","time":null,"line":"begun"})"
             "\n");
}

BOOST_AUTO_TEST_CASE(very_long_line_continues_after_text_of_another_replica) {
  const std::string part(kLongLine, 'x');
  Printed printed(prefixed());
  printed.chunk("w", 0, part);
  // The '\r' makes the last line a progress bar, which is printed at once.
  printed.chunk("w", 1, "a\nno newline\r");
  printed.chunk("w", 0, "end\n");
  BOOST_TEST(printed.done() == "w/0 " + part + "\nw/1 a\nw/1 no newline\rw/1 \nw/0 end\n");
}

BOOST_AUTO_TEST_CASE(backlog_that_is_too_long_to_merge_is_an_error_or_printed_as_it_comes) {
  LogOutputOptions options = prefixed();
  options.most_merged = 3;  // bytes
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

/// The output of `log -f`: printed lines and, on a terminal, the lines that are shown below them.
struct Followed {
  std::string text;
  std::vector<std::string> shown;
  LogOutput output;

  Followed(LogOutputOptions options, bool on_terminal)
      : output(
            follow(std::move(options)), [this](std::string_view bytes) { text.append(bytes); },
            on_terminal ? [this](const std::vector<std::string>& lines) { shown = lines; }
                        : LogOutput::Show()) {}

  static LogOutputOptions follow(LogOutputOptions options) {
    options.follow = true;
    return options;
  }
  void chunk(std::string_view role, std::int32_t replica, std::string_view bytes,
             Stream stream = Stream::kCombined) {
    output.chunk({role, replica, stream, std::nullopt, bytes});
    // flush() returns true while it waits for its next turn to show lines.
    while (output.flush()) std::this_thread::sleep_for(LogOutput::kShowPause);
  }
  const std::string& done() {
    output.finish();
    return text;
  }
};

BOOST_AUTO_TEST_SUITE(FollowedOutput)

BOOST_AUTO_TEST_CASE(pieces_of_a_line_are_printed_as_one_line) {
  for (const bool on_terminal : {false, true}) {
    Followed followed(prefixed(), on_terminal);
    followed.chunk("w", 0, "one\ntw");
    followed.chunk("w", 1, "other\n");
    followed.chunk("w", 0, "o\nthree\n");
    BOOST_TEST(followed.done() == "w/0 one\nw/1 other\nw/0 two\nw/0 three\n");
  }
}

BOOST_AUTO_TEST_CASE(states_of_a_progress_bar_are_printed_as_they_come) {
  Followed followed(prefixed(), /*on_terminal=*/false);
  followed.chunk("w", 0, "\r10%");
  BOOST_TEST(followed.text == "\rw/0 10%");
  followed.chunk("w", 0, "\r2");
  followed.chunk("w", 0, "0%\r");
  BOOST_TEST(followed.text == "\rw/0 10%\rw/0 20%");
  followed.chunk("w", 0, "30%\rdone\nnext\n");
  BOOST_TEST(followed.done() == "\rw/0 10%\rw/0 20%\rw/0 30%\rw/0 done\nw/0 next\n");
}

BOOST_AUTO_TEST_CASE(bytes_of_one_replica_stay_unchanged) {
  const std::string all = "a\r\nb\r\rc\r10%\r20%\n\r\n\rend";
  for (std::size_t step = 1; step <= all.size(); ++step) {
    Followed followed({}, /*on_terminal=*/false);
    for (std::size_t at = 0; at < all.size(); at += step)
      followed.chunk("w", 0, std::string_view(all).substr(at, step));
    BOOST_TEST(followed.done() == all);
  }
}

BOOST_AUTO_TEST_CASE(prefixes_do_not_depend_on_where_chunks_end) {
  const std::string all = "a\r\nb\r\rc\r10%\r20%\n\r\n\rend";
  Printed whole(prefixed());
  whole.chunk("w", 0, all);
  for (std::size_t step = 1; step <= all.size(); ++step) {
    Followed followed(prefixed(), /*on_terminal=*/false);
    for (std::size_t at = 0; at < all.size(); at += step)
      followed.chunk("w", 0, std::string_view(all).substr(at, step));
    BOOST_TEST(followed.done() == whole.done());
  }
}

BOOST_AUTO_TEST_CASE(bars_of_several_replicas_get_lines_of_their_own) {
  Followed followed(prefixed(), /*on_terminal=*/false);
  followed.chunk("w", 0, "\r10%");
  followed.chunk("w", 1, "\r15%");
  followed.chunk("w", 0, "\r20%");
  followed.chunk("w", 1, "\n");
  BOOST_TEST(followed.done() == "\rw/0 10%\n\rw/1 15%\n\rw/0 20%\nw/1 \n");
}

BOOST_AUTO_TEST_CASE(terminal_shows_the_newest_state_below_the_lines) {
  Followed followed(prefixed(), /*on_terminal=*/true);
  followed.chunk("w", 0, "\r10%\r20%");
  followed.chunk("w", 1, "line\nhalf");
  BOOST_TEST(followed.text == "w/1 line\n");
  BOOST_TEST(followed.shown == (std::vector<std::string>{"w/0 20%", "w/1 half"}),
             boost::test_tools::per_element());
  followed.chunk("w", 0, "\r100%\n");
  BOOST_TEST(followed.text == "w/1 line\nw/0 100%\n");
  BOOST_TEST(followed.shown == std::vector<std::string>{"w/1 half"},
             boost::test_tools::per_element());
  BOOST_TEST(followed.done() == "w/1 line\nw/0 100%\nw/1 half\n");
  BOOST_TEST(followed.shown.empty());
}

BOOST_AUTO_TEST_CASE(terminal_gets_the_last_state_of_lines_that_came_as_a_whole) {
  LogOutputOptions options = prefixed();
  options.tail = 1;
  Followed followed(options, /*on_terminal=*/true);
  followed.output.chunk({"w", 0, Stream::kCombined, std::nullopt, "\r 10%|#    |\repoch 1\n"});
  followed.output.end_of_backlog();
  followed.chunk("w", 0, "one\n\r10%\r100%\ntwo\r\n");
  BOOST_TEST(followed.done() == "w/0 epoch 1\nw/0 one\nw/0 100%\nw/0 two\n");
}

BOOST_AUTO_TEST_CASE(bar_that_was_removed_leaves_no_line_on_a_terminal) {
  Followed followed(prefixed(), /*on_terminal=*/true);
  followed.chunk("w", 0, "\r10%");
  followed.chunk("w", 0, "\r   \r");
  BOOST_TEST(followed.shown.empty());
  followed.chunk("w", 0, "epoch 1\n\r10%\r   \r");
  BOOST_TEST(followed.done() == "w/0 epoch 1\n");
}

BOOST_AUTO_TEST_CASE(terminal_shows_the_bars_that_changed_last_of_a_thousand) {
  Followed followed(prefixed(), /*on_terminal=*/true);
  for (std::int32_t k = 0; k < 1000; ++k)
    followed.output.chunk({"w", k, Stream::kCombined, std::nullopt, "\r1%"});
  followed.chunk("w", 3, "\r2%");
  BOOST_TEST(followed.shown.size() == 9U);
  BOOST_TEST(followed.shown.front() == "w/3 2%");
  BOOST_TEST(followed.shown.back() == "(992 more unfinished lines)");
  BOOST_TEST(followed.text.empty());
}

BOOST_AUTO_TEST_CASE(json_and_patterns_get_whole_lines) {
  LogOutputOptions json;
  json.style.json = true;
  Followed lines(json, /*on_terminal=*/false);
  lines.chunk("w", 0, "\r10%");
  BOOST_TEST(lines.text.empty());
  lines.chunk("w", 0, "\r20%\n");
  BOOST_TEST(lines.done().find("\"line\":\"\\r10%\\r20%\"") != std::string::npos);
  LogOutputOptions pattern;
  pattern.regex = "^loss.*end$";
  Followed matching(pattern, /*on_terminal=*/false);
  matching.chunk("w", 0, "loss ");
  matching.chunk("w", 0, "1 end\nloss 2");
  BOOST_TEST(matching.done() == "loss 1 end\n");
}

BOOST_AUTO_TEST_CASE(very_long_line_is_printed_in_parts) {
  const std::string part(kLongLine, 'x');
  for (const bool on_terminal : {false, true}) {
    Followed followed(prefixed(), on_terminal);
    followed.chunk("w", 0, part);
    BOOST_TEST(followed.text == "w/0 " + part);
    followed.chunk("w", 0, "end\n");
    BOOST_TEST(followed.done() == "w/0 " + part + "end\n");
  }
}

BOOST_AUTO_TEST_CASE(very_long_line_without_a_match_is_not_printed) {
  for (const bool on_terminal : {false, true}) {
    LogOutputOptions options;
    options.regex = "needle";
    Followed followed(options, on_terminal);
    followed.chunk("w", 0, std::string(kLongLine, 'x'));
    followed.chunk("w", 0, "end\na needle\n");
    BOOST_TEST(followed.done() == "a needle\n");
  }
}

BOOST_AUTO_TEST_CASE(very_long_line_is_printed_from_the_first_part_that_matches) {
  for (const bool on_terminal : {false, true}) {
    const std::string part = std::string(kLongLine, 'x') + "needle";
    LogOutputOptions options;
    options.regex = "needle";
    Followed followed(options, on_terminal);
    followed.chunk("w", 0, std::string(kLongLine, 'y'));
    followed.chunk("w", 0, part);
    followed.chunk("w", 0, "end\nother\nneedle\n");
    BOOST_TEST(followed.done() == part + "end\nneedle\n");
  }
}

BOOST_AUTO_TEST_CASE(unfinished_line_of_the_backlog_continues) {
  LogOutputOptions options = prefixed();
  options.tail = 1;
  Followed followed(options, /*on_terminal=*/false);
  followed.output.chunk({"w", 0, Stream::kCombined, std::nullopt, "old\nbeg"});
  followed.output.end_of_backlog();
  followed.chunk("w", 0, "un\nnext\n");
  BOOST_TEST(followed.done() == "w/0 begun\nw/0 next\n");
}

BOOST_AUTO_TEST_CASE(line_that_matches_in_the_backlog_continues_and_no_other_line_does) {
  const std::string part = "needle" + std::string(kLongLine, 'x');
  for (const bool on_terminal : {false, true}) {
    for (const std::string_view end : {"", "END\n"}) {
      LogOutputOptions options = prefixed();
      options.regex = "needle";
      options.tail = 5;
      Followed followed(options, on_terminal);
      followed.output.chunk({"w", 0, Stream::kCombined, std::nullopt, part});
      followed.output.chunk({"w", 0, Stream::kCombined, std::nullopt, end});
      followed.output.end_of_backlog();
      if (end.empty()) followed.chunk("w", 0, "END\n");
      followed.chunk("w", 0, "later\nneedle two\n");
      BOOST_TEST(followed.done() == "w/0 " + part + "END\nw/0 needle two\n");
    }
  }
}

BOOST_AUTO_TEST_CASE(pattern_gets_a_line_of_which_the_backlog_has_the_beginning) {
  LogOutputOptions options;
  options.regex = "begun";
  options.tail = 5;
  for (const bool on_terminal : {false, true}) {
    Followed followed(options, on_terminal);
    followed.output.chunk({"w", 0, Stream::kCombined, std::nullopt, "old\nbeg"});
    followed.output.end_of_backlog();
    followed.chunk("w", 0, "un\nnext\n");
    BOOST_TEST(followed.done() == "begun\n");
  }
}

BOOST_AUTO_TEST_CASE(line_of_the_backlog_that_text_of_the_other_stream_divides_is_one_line) {
  LogOutputOptions options = prefixed();
  options.tail = 5;
  for (const Merge merge : {Merge::kNo, Merge::kIfItFits}) {
    for (const std::string_view regex : {"", "."}) {
      options.merge = merge;
      options.regex = regex;
      Followed followed(options, /*on_terminal=*/false);
      followed.output.chunk({"w", 0, Stream::kStdout, 1, "P1"});
      followed.output.chunk({"w", 0, Stream::kStderr, 2, "err\n"});
      followed.output.chunk({"w", 0, Stream::kStdout, 3, "P2\n"});
      followed.output.end_of_backlog();
      followed.chunk("w", 0, "later\n", Stream::kStdout);
      BOOST_TEST(followed.done() == "w/0 err\nw/0 P1P2\nw/0 later\n");
    }
  }
}

BOOST_AUTO_TEST_CASE(line_continues_after_a_backlog_that_is_too_long_to_merge) {
  LogOutputOptions options = prefixed();
  options.merge = Merge::kIfItFits;
  options.most_merged = 3;  // bytes
  Followed followed(options, /*on_terminal=*/false);
  followed.chunk("w", 0, "one\ntw");
  followed.chunk("w", 0, "o\n");
  BOOST_TEST(followed.done() == "w/0 one\nw/0 two\n");
}

BOOST_AUTO_TEST_CASE(pattern_gets_all_states_of_a_progress_bar_on_a_terminal) {
  LogOutputOptions options;
  options.regex = "50%";
  Followed followed(options, /*on_terminal=*/true);
  followed.chunk("w", 0, "\r50%");
  followed.chunk("w", 0, "\r100% one");
  BOOST_TEST(followed.shown == std::vector<std::string>{"100% one"},
             boost::test_tools::per_element());
  followed.chunk("w", 0, "\n");
  followed.chunk("w", 0, "\r50%\r100% two\n");
  followed.chunk("w", 0, "\r60%\r100% three\n");
  BOOST_TEST(followed.done() == "100% one\n100% two\n");
}

BOOST_AUTO_TEST_CASE(match_in_an_old_state_of_a_very_long_progress_bar_selects_the_line) {
  LogOutputOptions options;
  options.regex = "50%";
  Followed followed(options, /*on_terminal=*/true);
  followed.chunk("w", 0, "\r50%" + std::string(kLongLine, ' ') + "\r60%");
  followed.chunk("w", 0, "\r100%\n");
  BOOST_TEST(followed.done() == "100%\n");
}

BOOST_AUTO_TEST_CASE(streams_of_one_replica_do_not_share_a_line) {
  Followed followed(prefixed(), /*on_terminal=*/false);
  followed.chunk("w", 0, "\r10%", Stream::kStderr);
  followed.chunk("w", 0, "epoch\n", Stream::kStdout);
  followed.chunk("w", 0, "\r20%\n", Stream::kStderr);
  BOOST_TEST(followed.done() == "\rw/0 10%\nw/0 epoch\n\rw/0 20%\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::logs
