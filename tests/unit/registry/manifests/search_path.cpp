#include "core/registry/manifests/search_path.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::contains;
using test::Isolated;
using test::ScopedEnv;

const SearchEntry& entry_of(const std::vector<SearchEntry>& path, Origin origin) {
  for (const SearchEntry& entry : path) {
    if (entry.origin == origin) return entry;
  }
  throw std::logic_error("no such entry");
}

BOOST_AUTO_TEST_SUITE(SearchPath)

BOOST_AUTO_TEST_CASE(goes_from_flag_to_environment_user_site_shared_and_vendor) {
  const Isolated isolated;
  const ScopedEnv env("SLIPWAY_PLUGIN_PATH", "/env/a::/env/b/");
  SearchOptions options = isolated.options();
  options.plugin_path = {"/flag/b", "/flag/a.toml"};
  const auto path = search_path(options);
  std::string all;
  for (const SearchEntry& entry : path)
    all += std::string(to_string(entry.origin)) + ' ' + entry.path + '\n';
  BOOST_TEST(all == "flag /flag/b\nflag /flag/a.toml\nenv /env/a\nenv /env/b\nuser " +
                        isolated.tree.path("user/slipway/plugins.d") + "\nsite " +
                        isolated.tree.path("site/plugins.d") + "\nshared " +
                        isolated.tree.path("etc/slipway/plugins.d") + "\nvendor " +
                        isolated.tree.path("vendor/share/slipway/plugins.d") + "\n");
}

BOOST_AUTO_TEST_CASE(lists_a_variable_that_is_not_set) {
  const Isolated isolated;
  const auto path = search_path(isolated.options());
  BOOST_TEST(entry_of(path, Origin::kEnv).path == "SLIPWAY_PLUGIN_PATH");
  BOOST_TEST(entry_of(path, Origin::kEnv).state == "not set");
  BOOST_TEST(!entry_of(path, Origin::kEnv).usable);
}

BOOST_AUTO_TEST_CASE(ignores_environment_and_user_with_elevated_privileges) {
  const Isolated isolated;
  const ScopedEnv env("SLIPWAY_PLUGIN_PATH", "/evil");
  SearchOptions options = isolated.options();
  options.elevated = true;
  const auto path = search_path(options);
  for (const Origin origin : {Origin::kEnv, Origin::kUser}) {
    BOOST_TEST(entry_of(path, origin).state == "ignored: elevated privileges");
    BOOST_TEST(!entry_of(path, origin).usable);
  }
  for (const SearchEntry& entry : path) BOOST_TEST(!contains(entry.path, "/evil"));
}

BOOST_AUTO_TEST_CASE(no_plugins_keeps_only_the_vendor) {
  const Isolated isolated;
  SearchOptions options = isolated.options();
  options.plugin_path = {"/flag"};
  options.no_plugins = true;
  for (const SearchEntry& entry : search_path(options)) {
    BOOST_TEST(entry.usable == (entry.origin == Origin::kVendor), entry.path);
  }
  BOOST_TEST(entry_of(search_path(options), Origin::kFlag).state == "ignored: --no-plugins");
}

BOOST_AUTO_TEST_CASE(checked_manifest_comes_first_also_without_plugins) {
  const Isolated isolated;
  SearchOptions options = isolated.options();
  options.plugin_path = {"/flag"};
  options.checked_manifest = "/checked.toml";
  options.no_plugins = true;
  const SearchEntry first = search_path(options).front();
  BOOST_TEST(first.path == "/checked.toml");
  BOOST_TEST(first.usable);
}

BOOST_AUTO_TEST_CASE(the_variable_for_no_plugins_must_be_1) {
  const Isolated isolated;
  {
    const ScopedEnv on("SLIPWAY_NO_PLUGINS", "1");
    BOOST_TEST(entry_of(search_path(isolated.options()), Origin::kSite).state ==
               "ignored: SLIPWAY_NO_PLUGINS=1");
  }
  const ScopedEnv off("SLIPWAY_NO_PLUGINS", "0");
  BOOST_TEST(entry_of(search_path(isolated.options()), Origin::kSite).usable);
}

BOOST_AUTO_TEST_CASE(a_relative_path_is_made_absolute) {
  const Isolated isolated;
  SearchOptions options = isolated.options();
  options.plugin_path = {"./plugins.d/", "../plugins.d"};
  const auto path = search_path(options);
  const std::filesystem::path here = std::filesystem::current_path();
  BOOST_TEST(path[0].path == (here / "plugins.d").string());
  BOOST_TEST(path[1].path == (here.parent_path() / "plugins.d").string());
}

BOOST_AUTO_TEST_CASE(parent_of_a_link_is_that_of_its_target) {
  const Isolated isolated;
  isolated.tree.write("real/deep/file", "");
  std::filesystem::create_directory_symlink("real/deep", isolated.tree.path("link"));
  SearchOptions options = isolated.options();
  options.plugin_path = {isolated.tree.path("link/../p"), isolated.tree.path("link/./p")};
  const auto path = search_path(options);
  BOOST_TEST(path[0].path ==
             std::filesystem::canonical(isolated.tree.path("real")).string() + "/p");
  BOOST_TEST(path[1].path == isolated.tree.path("link/p"));
}

BOOST_AUTO_TEST_CASE(lists_a_variable_without_a_path) {
  const Isolated isolated;
  const ScopedEnv env("SLIPWAY_PLUGIN_PATH", "::");
  const auto path = search_path(isolated.options());
  BOOST_TEST(entry_of(path, Origin::kEnv).path == "SLIPWAY_PLUGIN_PATH");
  BOOST_TEST(entry_of(path, Origin::kEnv).state == "not set: it contains no path");
  BOOST_TEST(!entry_of(path, Origin::kEnv).usable);
}

BOOST_AUTO_TEST_CASE(a_relative_xdg_directory_is_ignored) {
  const Isolated isolated;
  const ScopedEnv xdg("XDG_CONFIG_HOME", "relative");
  const ScopedEnv home("HOME", "/home/me");
  BOOST_TEST(entry_of(search_path(isolated.options()), Origin::kUser).path ==
             "/home/me/.config/slipway/plugins.d");
}

BOOST_AUTO_TEST_CASE(without_a_home_the_user_has_no_place) {
  const Isolated isolated;
  const ScopedEnv xdg("XDG_CONFIG_HOME", nullptr);
  const ScopedEnv home("HOME", nullptr);
  BOOST_TEST(!entry_of(search_path(isolated.options()), Origin::kUser).usable);
}

BOOST_AUTO_TEST_CASE(the_prefix_is_above_the_directory_of_the_executable) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  BOOST_TEST(executable_prefix() == self.parent_path().parent_path().string());
}

BOOST_AUTO_TEST_CASE(resources_lie_beside_plugins) {
  BOOST_TEST(resources_dir_of("/etc/slipway/plugins.d") == "/etc/slipway/resources.d");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
