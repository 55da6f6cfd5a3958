#include "core/registry/queries/query_process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/registry/calls/call_context.hpp"

namespace slipway::registry {
namespace {

std::vector<QueryAnswer> answers_of(const std::vector<PluginQuery>& queries) {
  std::vector<QueryAnswer> out(queries.size());
  // Far more than any test takes, also under a sanitizer on a busy machine.
  run_queries(queries, std::chrono::seconds(600),
              [&](std::size_t index, QueryAnswer answer) { out[index] = std::move(answer); });
  return out;
}

BOOST_AUTO_TEST_SUITE(QueryProcesses)

BOOST_AUTO_TEST_CASE(an_error_of_a_query_is_its_answer) {
  const auto answers = answers_of({{"org.example.a", "", [](const QueryPipe&) {
                                      throw Error(Code::kDenied, "not today", "ask tomorrow");
                                    }}});
  BOOST_REQUIRE(answers[0].error.has_value());
  BOOST_TEST((answers[0].error->code() == Code::kDenied));
  BOOST_TEST(answers[0].error->message() == "not today");
  BOOST_TEST(answers[0].error->hint() == "ask tomorrow");
  BOOST_TEST(answers[0].failure == "");
}

// A query that is started nevertheless may be complete before the command notices the end.
BOOST_AUTO_TEST_CASE(no_query_starts_after_the_limit_of_the_calls) {
  int started[2];
  BOOST_REQUIRE(::pipe2(started, O_CLOEXEC | O_NONBLOCK) == 0);
  const CallTime now = CallTime::clock::now();
  limit_calls(now, now);
  const std::vector<PluginQuery> queries(20, {"org.example.a", "", [&](const QueryPipe& pipe) {
                                                BOOST_TEST(::write(started[1], "x", 1) == 1);
                                                pipe.reply("in time");
                                              }});
  const auto answers = answers_of(queries);
  lift_call_limit();
  for (const QueryAnswer& answer : answers) {
    BOOST_REQUIRE(answer.error.has_value());
    BOOST_TEST((answer.error->code() == Code::kTimeout));
    BOOST_TEST(answer.error->message() == "org.example.a was not asked");
    BOOST_TEST(answer.replies.empty());
  }
  ::close(started[1]);
  char byte = 0;
  BOOST_TEST(::read(started[0], &byte, 1) == 0);
  ::close(started[0]);
}

// An exception that left the query would unwind the stack of the command in the query process,
// destroy its copies of the other queries, and so kill their processes.
BOOST_AUTO_TEST_CASE(any_other_exception_of_a_query_ends_that_query_alone) {
  const auto answers = answers_of({
      {"org.example.slow", "",
       [](const QueryPipe& pipe) {
         pipe.reply("first");
         std::string lines;
         for (int i = 0; i < 200'000; ++i) lines += std::to_string(i);
         pipe.reply(std::to_string(lines.size()));
       }},
      {"org.example.throwing", "",
       [](const QueryPipe&) { throw std::length_error("basic_string::_M_create"); }},
      {"org.example.odd", "", [](const QueryPipe&) { throw 7; }},
  });
  // The numbers below 200,000 have 1,088,890 digits.
  BOOST_TEST((answers[0].replies == std::vector<std::string>{"first", "1088890"}));
  BOOST_TEST(answers[0].failure == "");
  for (const std::size_t i : {1u, 2u}) {
    BOOST_TEST_CONTEXT("query " << i) {
      BOOST_REQUIRE(answers[i].error.has_value());
      BOOST_TEST((answers[i].error->code() == Code::kInternal));
      BOOST_TEST(answers[i].failure == "");
    }
  }
  BOOST_TEST(answers[1].error->message().ends_with("basic_string::_M_create"));
}

// A plug-in may overwrite the memory of its query process, and so damage what the process sends.
BOOST_AUTO_TEST_CASE(a_damaged_frame_ends_that_query_alone) {
  // Kinds of frames: R has a reply, L a message of the log, X an error; no frame has the kind `?`.
  const auto frame = [](char kind, std::int64_t size, const std::string& bytes) {
    return kind + std::string(reinterpret_cast<const char*>(&size), sizeof size) + bytes;
  };
  std::vector<PluginQuery> queries;
  for (const std::string& bytes :
       {frame('R', -1, ""), frame('L', 3, "abc"), frame('X', 0, ""), frame('?', 0, "")}) {
    queries.push_back({"org.example.bad", "", [bytes](const QueryPipe& pipe) {
                         // QueryPipe consists of its descriptor, and sends only whole frames.
                         static_assert(sizeof(QueryPipe) == sizeof(int));
                         int fd = -1;
                         std::memcpy(&fd, &pipe, sizeof fd);
                         [[maybe_unused]] const auto n = ::write(fd, bytes.data(), bytes.size());
                       }});
  }
  queries.push_back({"org.example.good", "", [](const QueryPipe& pipe) { pipe.reply("yes"); }});
  std::vector<QueryAnswer> answers = answers_of(queries);
  BOOST_TEST((answers.back().replies == std::vector<std::string>{"yes"}));
  BOOST_TEST(answers.back().failure == "");
  answers.pop_back();
  for (const QueryAnswer& answer : answers)
    BOOST_TEST(answer.failure ==
               "org.example.bad sent a damaged answer: it has overwritten memory");
}

BOOST_AUTO_TEST_CASE(many_small_replies_are_limited_like_one_large_one) {
  const std::string reply(std::size_t{1} << 20, 'x');
  const auto answers = answers_of({{"org.example.a", "", [&](const QueryPipe& pipe) {
                                      for (int i = 0; i < 300; ++i) pipe.reply(reply);
                                    }}});
  BOOST_TEST(answers[0].failure == "org.example.a answered with more than 256 MiB");
  BOOST_TEST(answers[0].replies.size() < 256U);
}

BOOST_AUTO_TEST_CASE(one_reply_may_be_too_large) {
  const auto answers = answers_of({{"org.example.a", "", [&](const QueryPipe& pipe) {
                                      pipe.reply(std::string(std::size_t{257} << 20, 'x'));
                                    }}});
  BOOST_TEST(answers[0].failure == "org.example.a answered with more than 256 MiB");
  BOOST_TEST(answers[0].replies.empty());
}

// A frame that is larger than the pipe's free space takes several calls of write().
BOOST_AUTO_TEST_CASE(threads_of_a_plugin_may_log_while_another_one_replies) {
  const std::string large(std::size_t{1} << 20, 'x');
  const auto answers = answers_of({{"org.example.a", "", [&](const QueryPipe& pipe) {
                                      std::atomic<bool> done = false;
                                      std::thread logging([&] {
                                        for (int i = 0; !done; ++i)
                                          pipe.log(LogLevel::kInfo, std::to_string(i));
                                      });
                                      for (int i = 0; i < 20; ++i) pipe.reply(large);
                                      done = true;
                                      logging.join();
                                    }}});
  BOOST_TEST(answers[0].failure == "");
  BOOST_TEST((answers[0].replies == std::vector<std::string>(20, large)));
  for (std::size_t i = 0; i < answers[0].messages.size(); ++i)
    BOOST_REQUIRE(answers[0].messages[i].text == std::to_string(i));
}

// The fork runs the rest of the query, as one does whose plug-in forgets to end it.
BOOST_AUTO_TEST_CASE(a_fork_of_the_query_process_sends_nothing) {
  const auto answers = answers_of({{"org.example.a", "", [](const QueryPipe& pipe) {
                                      const pid_t fork = ::fork();
                                      if (fork > 0) ::waitpid(fork, nullptr, 0);
                                      pipe.log(LogLevel::kInfo, "a message");
                                      pipe.reply(fork > 0 ? "the query" : "its fork");
                                    }}});
  BOOST_TEST(answers[0].failure == "");
  BOOST_TEST((answers[0].replies == std::vector<std::string>{"the query"}));
  BOOST_TEST(answers[0].messages.size() == 1U);
}

BOOST_AUTO_TEST_CASE(buffered_output_of_the_caller_is_not_printed_by_the_query) {
  std::printf("[output of the caller]");
  const auto answers =
      answers_of({{"org.example.a", "", [](const QueryPipe&) { std::printf("of the plug-in"); }}});
  BOOST_TEST(answers[0].printed == "of the plug-in");
}

// Leaves so few descriptors that the command gets no pidfd of the query process.
BOOST_AUTO_TEST_CASE(without_a_pidfd_a_process_that_closes_its_pipes_and_hangs_is_killed) {
  rlimit before{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit few{std::min<rlim_t>(128, before.rlim_cur), before.rlim_max};
  BOOST_REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  std::vector<int> filling;
  const auto copy = [] { return ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0); };
  for (int fd = copy(); fd >= 0; fd = copy()) filling.push_back(fd);
  const bool has_pipes = filling.size() >= 4;
  for (int i = 0; has_pipes && i < 4; ++i) {  // the ends of two pipes
    ::close(filling.back());
    filling.pop_back();
  }
  std::vector<QueryAnswer> answers;
  if (has_pipes) {
    answers = answers_of({{"org.example.a", "", [](const QueryPipe& pipe) {
                             struct stat input {};
                             pipe.reply(::fstat(0, &input) == 0 && S_ISCHR(input.st_mode) &&
                                                input.st_rdev == makedev(1, 3)
                                            ? "/dev/null"
                                            : "another file");
                             for (int fd = 0; fd < 128; ++fd) ::close(fd);
                             for (;;) ::pause();
                           }}});
  }
  for (const int fd : filling) ::close(fd);
  ::setrlimit(RLIMIT_NOFILE, &before);
  BOOST_REQUIRE(has_pipes);
  BOOST_TEST(answers[0].failure == "org.example.a crashed (SIGKILL)");
  BOOST_TEST((answers[0].replies == std::vector<std::string>{"/dev/null"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
