#include "core/registry/plugin_host.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "core/registry/queries/query_message.hpp"
#include "core/registry/queries/query_process.hpp"
#include "tests/unit/built_files.hpp"

namespace slipway::registry {
namespace {

BOOST_AUTO_TEST_SUITE(plugin_host)

// A plug-in may need an image provider or a device while it reads logs, which the host does in a
// thread of its own.
BOOST_AUTO_TEST_CASE(threads_find_providers_and_create_objects_at_the_same_time) {
  SearchOptions options;
  options.prefix = slipway::test::built_tree();
  options.site_dir = "/nonexistent";  // plug-ins of this machine's site must not interfere
  PluginHost host(options);
  std::atomic<int> made{0};
  std::atomic<int> refused{0};
  const auto use = [&] {
    for (int i = 0; i < 20; ++i) {
      const PluginScheduler scheduler = host.scheduler("local_cwd", "slipway");
      const PluginImageProvider images = host.image_provider("archive:///srv/x.tar");
      const PluginResources sizes = host.resources("generic");
      made += 3;
      // A device would end the thread early, so that the counts below are too small.
      if (host.registry().find_device("no such device") != nullptr) return;
      try {
        host.image_provider("nowhere");
      } catch (const Error& error) {
        refused += error.code() == Code::kNotFound ? 1 : 0;
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(use);
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(made == 4 * 20 * 3);
  BOOST_TEST(refused == 4 * 20);
}

// Writes to every pipe of the process, as a plug-in may do that overwrites the memory of its query
// process.
void write_to_every_pipe(const std::string& bytes) {
  for (int fd = 3; fd < 1000; ++fd) {
    struct stat found {};
    if (::fstat(fd, &found) != 0 || !S_ISFIFO(found.st_mode)) continue;
    [[maybe_unused]] const auto written = ::write(fd, bytes.data(), bytes.size());
  }
}

BOOST_AUTO_TEST_CASE(a_reply_about_an_unknown_provider_costs_only_the_answers_of_its_plugin) {
  // ThreadSanitizer has a thread of its own, and then the host starts no query process.
  if (!process_has_one_thread()) return;
  SearchOptions options;
  options.prefix = slipway::test::built_tree();
  options.site_dir = "/nonexistent";  // plug-ins of this machine's site must not interfere
  PluginHost host(options);
  host.use_query_processes(std::chrono::seconds(60));
  const auto answers =
      host.ask_each(Group::kSchedulers, {"local_cwd", "slurm"}, [](const std::string& name) {
        // A frame of kind R has a reply: the place of its provider in the list of names, where none
        // is at 99; 0 for an answer that is not an error; and the answer.
        const std::string place = MessageWriter().number(99).number(0).text("x").take();
        const std::int64_t size = std::ssize(place);
        if (name == "local_cwd") {
          write_to_every_pipe('R' + std::string(reinterpret_cast<const char*>(&size), sizeof size) +
                              place);
        }
        return name;
      });
  BOOST_REQUIRE(answers[0].error.has_value());
  BOOST_TEST(answers[0].error->message() ==
             "org.slipway.local sent a damaged answer: it has overwritten memory");
  BOOST_TEST(answers[0].lost);
  BOOST_TEST(!answers[1].error.has_value());
  BOOST_TEST(answers[1].bytes == "slurm");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
