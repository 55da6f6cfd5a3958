#include "core/registry/plugin_host.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/built_files.hpp"

namespace slipway::registry {
namespace {

BOOST_AUTO_TEST_SUITE(plugin_host)

// A plug-in may need an image provider or a device while it reads logs, which the host does in a
// thread of its own.
BOOST_AUTO_TEST_CASE(threads_find_providers_and_create_objects_at_the_same_time) {
  SearchOptions options;
  options.prefix = slipway::test::built_tree();
  PluginHost host(options);
  std::atomic<int> made{0};
  std::atomic<int> refused{0};
  const auto use = [&] {
    for (int i = 0; i < 20; ++i) {
      const PluginScheduler scheduler = host.scheduler("local_cwd", "slipway");
      const PluginImageProvider images = host.image_provider("archive:///srv/x.tar");
      const PluginResources sizes = host.resources("generic");
      made += 3;
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
