#include "plugins/local/logs/combined_merger.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "sdk/support/line_cut.hpp"
#include "tests/unit/local/logs/inotify_shortage.hpp"
#include "tests/unit/local/logs/merger_fixture.hpp"

namespace slipway::local {
namespace {

using testing::lines_of;
using testing::open_descriptors;
using testing::readable;

BOOST_FIXTURE_TEST_SUITE(CombinedLog, testing::MergerFixture)

BOOST_AUTO_TEST_CASE(holds_the_lines_of_both_streams) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  run_until_idle(merger);
  append("role/0/stdout.log", "one\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\n"; }));
  append("role/0/stderr.log", "two\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\ntwo\n"; }));
  run_until_idle(merger);
  append("role/0/stdout.log", "three\nfour\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\ntwo\nthree\nfour\n"; }));
  BOOST_TEST(cursor.out_offset == 15U);
  BOOST_TEST(cursor.err_offset == 4U);
  merger.finish(0);
  BOOST_TEST(merger.error() == "");
}

BOOST_AUTO_TEST_CASE(starts_with_the_stream_that_was_written_first) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  run_until_idle(merger);
  append("role/0/stderr.log", "first\n");
  append("role/0/stdout.log", "second\n");
  run_until_idle(merger);
  BOOST_TEST(combined() == "first\nsecond\n");
}

BOOST_AUTO_TEST_CASE(beginning_of_a_line_is_copied_after_a_while) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  append("role/0/stdout.log", "half");
  append("role/0/stderr.log", "whole\n");
  run_past_text_patience(merger);
  BOOST_TEST(combined() == "whole\nhalf");
  append("role/0/stdout.log", " a line\nrest");
  BOOST_TEST(serve(merger, [&] { return combined() == "whole\nhalf a line\nrest"; }));
  merger.finish(0);
  BOOST_TEST(combined() == "whole\nhalf a line\nrest");
}

BOOST_AUTO_TEST_CASE(states_of_a_progress_bar_are_copied_before_their_line_ends) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  std::string bar;
  for (const std::string state : {"\r 10%", "\r 20%", "\r 30%"}) {
    append("role/0/stderr.log", state);
    bar += state;
    BOOST_TEST(serve(merger, [&] { return combined() == bar; }));
  }
  append("role/0/stdout.log", "epoch 1\n");
  BOOST_TEST(serve(merger, [&] { return combined() == bar + "epoch 1\n"; }));
  append("role/0/stderr.log", "\r100%\n");
  BOOST_TEST(serve(merger, [&] { return combined() == bar + "epoch 1\n\r100%\n"; }));
}

BOOST_AUTO_TEST_CASE(long_line_passes_in_pieces) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  const std::string piece(kLongLine, 'x');
  append("role/0/stdout.log", piece);
  BOOST_TEST(serve(merger, [&] { return cursor.out_offset == piece.size(); }));
  append("role/0/stdout.log", "end");
  run_until_idle(merger);
  merger.finish(0);
  BOOST_TEST(combined() == piece + "end");
}

BOOST_AUTO_TEST_CASE(replica_that_wrote_nothing_leaves_no_file) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stdout.log", "");
  append("role/0/stderr.log", "");
  merger.add(0, "role/0", &cursor);
  merger.add(1, "never_made/1", &cursor);
  merger.finish(0);
  merger.finish(1);
  merger.finish(1);   // again: no effect
  merger.finish(77);  // never added
  BOOST_TEST(!exists("role/0/combined.log"));
  BOOST_TEST(!exists("never_made"));
  BOOST_TEST(merger.error() == "");
}

BOOST_AUTO_TEST_CASE(merger_does_not_wake_up_without_output) {
  std::deque<CombinedCursor> cursors(100);
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < 100; ++i) {
    make("role/" + std::to_string(i));
    merger.add(i, "role/" + std::to_string(i), &cursors[i]);
  }
  append("role/5/stdout.log", "line\npartial");
  run_past_text_patience(merger);
  BOOST_TEST(combined("role/5") == "line\npartial");
  BOOST_TEST(!readable(merger.event_fd(), 300));
}

BOOST_AUTO_TEST_CASE(finish_returns_true_only_if_certainly_no_error_file_exists) {
  constexpr std::uint32_t kReplicas = 6;
  std::deque<CombinedCursor> cursors(kReplicas);
  CombinedMerger merger(fd.get());
  const auto place = [](std::uint32_t i) { return "role/" + std::to_string(i); };
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    make(place(i));
    if (i == 1) append(place(i) + "/error.json", "{}");
    merger.add(i, place(i), &cursors[i]);
  }
  run_until_idle(merger);
  append(place(2) + "/error.json", "{}");
  append(place(3) + "/error.tmp", "{}");
  std::filesystem::rename(path(place(3) + "/error.tmp"), path(place(3) + "/error.json"));
  std::filesystem::rename(path(place(4)), path("elsewhere"));
  make(place(4));
  append(place(4) + "/error.json", "{}");
  for (std::uint32_t i = 0; i < kReplicas; ++i)
    BOOST_TEST(merger.finish(i) == (i == 0 || i == 5), "replica " << i);
  BOOST_TEST(!merger.finish(0));  // it has finished already
  // The merger has not looked at this replica yet.
  merger.add(0, place(0), &cursors[0]);
  BOOST_TEST(!merger.finish(0));
}

BOOST_AUTO_TEST_CASE(ending_app_copies_running_replicas_and_ignores_finished_ones) {
  std::deque<CombinedCursor> cursors(2);
  CombinedMerger merger(fd.get());
  make("role/0");
  make("role/1");
  merger.add(0, "role/0", &cursors[0]);
  merger.add(1, "role/1", &cursors[1]);
  run_until_idle(merger);
  merger.expect_ends();
  merger.finish(0);
  append("role/0/stdout.log", "too late\n");
  append("role/1/stdout.log", "in time\n");
  BOOST_TEST(serve(merger, [&] { return combined("role/1") == "in time\n"; }));
  merger.finish_all();
  BOOST_TEST(!exists("role/0/combined.log"));
}

BOOST_AUTO_TEST_CASE(later_directory_is_noticed) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  merger.add(0, "late/0", &cursor);
  run_until_idle(merger);
  append("late/0/stdout.log", "here\n");
  BOOST_TEST(serve(merger, [&] { return combined("late/0") == "here\n"; }));
  run_until_idle(merger);
  append("late/0/stdout.log", "again\n");
  BOOST_TEST(serve(merger, [&] { return combined("late/0") == "here\nagain\n"; }));
  run_until_idle(merger);
  BOOST_TEST(!readable(merger.event_fd(), 300));
}

BOOST_AUTO_TEST_CASE(directories_of_every_shape_are_found) {
  // The merger stores the last name of a path as a number if it has no leading zero and is below
  // 2^32-1.
  const std::vector<std::string> shapes = {"role/0",   "role/00",         "role/x",          "flat",
                                           "a/b/c/12", "role/4294967295", "role/99999999999"};
  std::deque<CombinedCursor> cursors(shapes.size());
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    append(shapes[i] + "/stdout.log", shapes[i] + "\n");
    merger.add(i, shapes[i], &cursors[i]);
  }
  merger.finish_all();
  for (const std::string& shape : shapes) BOOST_TEST(combined(shape) == shape + "\n");
}

BOOST_AUTO_TEST_CASE(works_without_inotify) {
  testing::InotifyShortage shortage;
  if (!shortage.is_complete()) return;
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  merger.add(0, "role/0", &cursor);
  append("role/0/stdout.log", "one\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\n"; }));
  append("role/0/stderr.log", "two\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\ntwo\n"; }));
  // The merger uses watches again, and is idle, as soon as it gets an instance.
  shortage.end();
  BOOST_TEST(serve(merger, [&] { return !readable(merger.event_fd(), 250); }));
  append("role/0/stdout.log", "three\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\ntwo\nthree\n"; }));
}

BOOST_AUTO_TEST_CASE(needs_few_descriptors_for_many_replicas) {
  constexpr std::uint32_t kReplicas = 500;
  std::deque<CombinedCursor> cursors(kReplicas);
  const std::size_t before = open_descriptors();
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    const std::string directory = "role/" + std::to_string(i);
    append(directory + "/stdout.log", directory + "\n");
    merger.add(i, directory, &cursors[i]);
  }
  run_until_idle(merger);
  BOOST_TEST(open_descriptors() - before <= 3U);
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    const std::string directory = "role/" + std::to_string(i);
    BOOST_TEST_REQUIRE(combined(directory) == directory + "\n");
  }
}

BOOST_AUTO_TEST_CASE(loses_no_line_of_concurrent_writers) {
  constexpr std::uint32_t kReplicas = 20;
  constexpr int kLines = 3000;
  std::deque<CombinedCursor> cursors(kReplicas);
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    make("role/" + std::to_string(i));
    merger.add(i, "role/" + std::to_string(i), &cursors[i]);
  }
  std::vector<pid_t> writers;
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    const pid_t writer = ::fork();
    BOOST_TEST_REQUIRE(writer >= 0);
    if (writer == 0) {
      const std::string base = path("role/" + std::to_string(i));
      const int out =
          ::open((base + "/stdout.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
      const int err =
          ::open((base + "/stderr.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
      for (int line = 0; line < kLines; ++line) {
        const std::string text = (line % 3 == 0 ? "E " : "O ") + std::to_string(line) + "\n";
        // Writes in two halves, so that the merger finds partial lines.
        const int to = line % 3 == 0 ? err : out;
        const auto rest = static_cast<ssize_t>(text.size()) - 3;
        if (::write(to, text.data(), 3) != 3) ::_exit(1);
        if (::write(to, text.data() + 3, text.size() - 3) != rest) ::_exit(1);
      }
      ::_exit(0);
    }
    writers.push_back(writer);
  }
  std::size_t ended = 0;
  std::size_t failed = 0;
  const bool all_ended = serve(merger, [&] {
    int status = 0;
    while (ended < writers.size() && ::waitpid(writers[ended], &status, WNOHANG) > 0) {
      failed += status == 0 ? 0 : 1;
      merger.finish(static_cast<std::uint32_t>(ended++));
    }
    return ended == writers.size();
  });
  BOOST_TEST_REQUIRE(all_ended);
  BOOST_TEST_REQUIRE(failed == 0U);
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    const std::string replica = "role/" + std::to_string(i);
    const std::string text = combined(replica);
    BOOST_TEST_REQUIRE(text.size() == cursors[i].out_offset + cursors[i].err_offset);
    const std::vector<std::string> lines = lines_of(text);
    BOOST_TEST_REQUIRE(lines.size() == static_cast<std::size_t>(kLines));
    std::string out, err;
    for (const std::string& line : lines) (line[0] == 'E' ? err : out) += line + "\n";
    BOOST_TEST_REQUIRE((out == read(replica + "/stdout.log")));
    BOOST_TEST_REQUIRE((err == read(replica + "/stderr.log")));
  }
}

BOOST_AUTO_TEST_CASE(many_files_leave_time_for_other_events) {
  // Adds all at once, as after a take-over.
  constexpr std::uint32_t kReplicas = 2000;
  std::deque<CombinedCursor> cursors(kReplicas);
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    make("role/" + std::to_string(i));
    merger.add(i, "role/" + std::to_string(i), &cursors[i]);
  }
  int events = 0;
  while (readable(merger.event_fd(), 100)) {
    merger.on_event();
    ++events;
  }
  BOOST_TEST(events >= 2000 / 256);  // one on_event() looks at no more than 256 replicas
  append("role/1999/stdout.log", "x\n");
  BOOST_TEST(serve(merger, [&] { return combined("role/1999") == "x\n"; }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
