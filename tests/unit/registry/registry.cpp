#include "core/registry/registry.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::bad_plugin;
using test::contains;
using test::error_of;
using test::Isolated;
using test::RecordingHost;
using test::ScopedEnv;

/// Returns a manifest of one plug-in. `schedulers` is the content of its list, `more` further keys.
std::string plugin(const std::string& id, const std::string& schedulers,
                   const std::string& more = {}) {
  return "[[plugin]]\nid = \"" + id + "\"\nlibrary = \"" + bad_plugin("good") + "\"\n" + more +
         "\n[plugin.provides]\nschedulers = [" + schedulers + "]\n";
}

struct Site : Isolated {
  void user(const std::string& name, std::string_view text) {
    tree.write("user/slipway/plugins.d/" + name, text);
  }
  void site(const std::string& name, std::string_view text) {
    tree.write("site/plugins.d/" + name, text);
  }
  void resources(const std::string& name, std::string_view text) {
    tree.write("site/resources.d/" + name, text);
  }
  void vendor(const std::string& name, std::string_view text) {
    tree.write("vendor/share/slipway/plugins.d/" + name, text);
  }
};

/// Returns the row of the manifest whose path contains `file`.
const PluginInfo& row(const std::vector<PluginInfo>& rows, std::string_view file) {
  for (const PluginInfo& info : rows) {
    if (contains(info.manifest.file, file)) return info;
  }
  throw std::logic_error("no such row");
}

BOOST_AUTO_TEST_SUITE(Registries)

BOOST_AUTO_TEST_CASE(finds_a_provider_by_name_with_its_merged_config) {
  Site world;
  world.site(
      "slurm.toml",
      plugin("org.example.slurm",
             "'slurm', { name = 'slurm-gpu', entry = 'slurm', config = { partition = 'gpu' } }",
             "config = { partition = 'cpu', timeout_s = 30 }"));
  Registry registry(world.options());
  const Provider plain = registry.find_provider(Group::kSchedulers, "slurm");
  BOOST_TEST(plain.config_json == R"({"partition":"cpu","timeout_s":30})");
  const Provider gpu = registry.find_provider(Group::kSchedulers, "slurm-gpu");
  BOOST_TEST(gpu.entry == "slurm");
  BOOST_TEST(gpu.config_json == R"({"partition":"gpu","timeout_s":30})");
  BOOST_TEST(gpu.plugin->id == "org.example.slurm");
  const std::vector<std::string> names = {"slurm", "slurm-gpu"};
  BOOST_TEST(registry.names(Group::kSchedulers) == names, boost::test_tools::per_element());
  BOOST_TEST(registry.names(Group::kComponents).empty());
}

BOOST_AUTO_TEST_CASE(provider_without_a_config_gets_an_empty_object) {
  Site world;
  world.site("a.toml", plugin("a", "'a'"));
  Registry registry(world.options());
  BOOST_TEST(registry.find_provider(Group::kSchedulers, "a").config_json == "{}");
}

BOOST_AUTO_TEST_CASE(unknown_name_is_explained_in_full) {
  Site world;
  world.user("30-broken.toml", "[[plugin]]\nid = \"a\n");
  world.user("40-future.toml", "manifest_version = 2\n");
  world.vendor("mem.toml", plugin("org.example.mem", "'mem', 'mem-gpu'"));
  Registry registry(world.options());
  const Error error = error_of([&] { registry.find_provider(Group::kSchedulers, "mem_gpu"); });
  BOOST_TEST((error.code() == Code::kNotFound));
  BOOST_TEST(error.hint() == "did you mean mem-gpu?");
  const std::string& said = error.message();
  const std::string user = world.tree.path("user/slipway/plugins.d");
  const std::vector<std::string> in_order = {
      "no scheduler named \"mem_gpu\"\nknown: mem mem-gpu\nsearched:\n",
      "  not set: SLIPWAY_PLUGIN_PATH (env)\n",
      "  " + user + " (user)\n",
      "  does not exist: " + world.tree.path("site/plugins.d") + " (site)\n",
      "  " + world.tree.path("vendor/share/slipway/plugins.d") + " (vendor)\n",
      "problem: " + user + "/30-broken.toml:2:",
      "problem: " + user +
          "/40-future.toml:1:20: manifest_version: 2 is newer than this host understands (1)"};
  std::size_t at = 0;
  for (const std::string& part : in_order) {
    const std::size_t found = said.find(part, at);
    BOOST_REQUIRE_MESSAGE(found != std::string::npos, part + "\nis not in its place in\n" + said);
    at = found + part.size();
  }
}

BOOST_AUTO_TEST_CASE(unknown_name_is_explained_by_a_misspelt_key) {
  Site world;
  world.user("hq.toml",
             "[[plugin]]\nid = \"com.acme.hq\"\nlibrary = \"l.so\"\nfrom_the_future = 1\n"
             "[plugin.provides]\nscheduler = [\"hq\"]\n");
  Registry registry(world.options());
  const std::string said =
      error_of([&] { registry.find_provider(Group::kSchedulers, "hq"); }).message();
  BOOST_TEST(contains(said, "problem: " + world.tree.path("user/slipway/plugins.d/hq.toml") +
                                ":6:1: warning: plugin[0].provides.scheduler: unknown key "
                                "(ignored), did you mean schedulers?"),
             said);
  BOOST_TEST(!contains(said, "from_the_future"), said);
}

BOOST_AUTO_TEST_CASE(a_broken_manifest_does_not_affect_others) {
  Site world;
  world.site("10-broken.toml", "[[plugin");
  world.site("20-good.toml", plugin("good", "'good'"));
  Registry registry(world.options());
  BOOST_CHECK_NO_THROW(registry.find_provider(Group::kSchedulers, "good"));
  BOOST_TEST(registry.problems().size() == 1u);
}

BOOST_AUTO_TEST_CASE(entry_of_an_earlier_place_hides_the_whole_later_one) {
  Site world;
  world.user("x.toml", plugin("org.example.x", "'x'"));
  world.site("x.toml", plugin("org.example.x", "'x', 'only-here'"));
  Registry registry(world.options());
  BOOST_TEST((registry.find_provider(Group::kSchedulers, "x").plugin->origin == Origin::kUser));
  const Error error = error_of([&] { registry.find_provider(Group::kSchedulers, "only-here"); });
  BOOST_TEST(contains(error.message(),
                      "org.example.x would provide it, but is not usable: " +
                          world.tree.path("site/plugins.d/x.toml") + ":1:1 is shadowed by " +
                          world.tree.path("user/slipway/plugins.d/x.toml") + ":1:1"),
             error.message());
  const auto rows = registry.plugins();
  BOOST_REQUIRE(rows.size() == 2u);
  BOOST_TEST((rows[0].state == PluginState::kOk), rows[0].error);
  BOOST_TEST((rows[1].state == PluginState::kShadowed));
  BOOST_TEST(contains(rows[1].error, "user/slipway/plugins.d/x.toml"));
}

BOOST_AUTO_TEST_CASE(a_disabled_entry_hides_the_same_id_in_later_places) {
  Site world;
  world.user("mask.toml", "[[plugin]]\nid = 'org.example.x'\nenabled = false\n");
  world.site("x.toml", plugin("org.example.x", "'x'"));
  Registry registry(world.options());
  const Error error = error_of([&] { registry.find_provider(Group::kSchedulers, "x"); });
  BOOST_TEST((error.code() == Code::kNotFound));
  BOOST_TEST(contains(error.message(), "mask.toml:1:1"), error.message());
  const auto rows = registry.plugins();
  BOOST_TEST((row(rows, "mask.toml").state == PluginState::kDisabled));
  BOOST_TEST((row(rows, "x.toml").state == PluginState::kShadowed));
}

BOOST_AUTO_TEST_CASE(earlier_of_two_plugins_with_the_same_name_wins_with_a_warning) {
  Site world;
  world.site("10-a.toml", plugin("a", "'same'"));
  world.site("20-b.toml", plugin("b", "'same'"));
  Registry registry(world.options());
  BOOST_TEST(registry.find_provider(Group::kSchedulers, "same").plugin->id == "a");
  BOOST_REQUIRE(registry.problems().size() == 1u);
  const std::string warning = to_string(registry.problems()[0]);
  BOOST_TEST(contains(warning,
                      "to use both, list it under another name: { name = \"same2\", entry "
                      "= \"same\" }; to use only this one, move its manifest to an "
                      "earlier place, or disable a"),
             warning);
  BOOST_TEST(contains(warning, "warning: scheduler \"same\" of b is not used, because a ("),
             warning);
  BOOST_TEST(contains(warning, "10-a.toml:"), warning);
  BOOST_TEST(contains(warning, "20-b.toml:"), warning);
}

BOOST_AUTO_TEST_CASE(built_in_name_yields_only_to_override) {
  Site world;
  world.vendor("local.toml", plugin("org.slipway.local", "'local'"));
  world.site("mine.toml", plugin("org.example.mine", "'local'"));
  {
    Registry registry(world.options());
    BOOST_TEST(registry.find_provider(Group::kSchedulers, "local").plugin->id ==
               "org.slipway.local");
    BOOST_REQUIRE(registry.problems().size() == 1u);
    BOOST_TEST(contains(registry.problems()[0].message, "`override = true` replaces it"));
  }
  world.site("mine.toml", plugin("org.example.mine", "'local'", "override = true"));
  {
    Registry registry(world.options());
    BOOST_TEST(registry.find_provider(Group::kSchedulers, "local").plugin->id ==
               "org.example.mine");
    BOOST_TEST(registry.problems().empty());
  }
  // An entry that is not used does not keep a later one from the name.
  world.user("other.toml", plugin("org.example.other", "'local'"));
  Registry registry(world.options());
  BOOST_TEST(registry.find_provider(Group::kSchedulers, "local").plugin->id == "org.example.mine");
  BOOST_REQUIRE(registry.problems().size() == 1u);
  BOOST_TEST(contains(registry.problems()[0].message, "org.example.other is not used"));
}

BOOST_AUTO_TEST_CASE(wrong_entry_is_reported_when_its_name_is_requested) {
  Site world;
  world.user("x.toml", plugin("org.example.x", "'x'", "abi = '7.0'"));
  world.site("x.toml", plugin("org.example.x", "'x'"));
  Registry registry(world.options());
  const Error error = error_of([&] { registry.find_provider(Group::kSchedulers, "x"); });
  BOOST_TEST((error.code() == Code::kAbi));
  BOOST_TEST(
      contains(error.message(),
               "the scheduler \"x\" cannot be used: plugin[0].abi: org.example.x needs ABI 7.0"),
      error.message());
  BOOST_TEST(contains(error.where(), "user/slipway/plugins.d/x.toml:4:7"));
}

BOOST_AUTO_TEST_CASE(list_shows_a_missing_library_without_loading_any) {
  Site world;
  world.site("gone.toml", "[[plugin]]\nid = 'gone'\nlibrary = 'gone.so'\n");
  world.site("unreadable.toml", "[[plugin");
  world.site("good.toml", plugin("org.example.good", "'good'"));
  Registry registry(world.options());
  const auto rows = registry.plugins();
  BOOST_REQUIRE(rows.size() == 3u);
  BOOST_TEST((row(rows, "good.toml").state == PluginState::kOk));
  BOOST_TEST(contains(row(rows, "gone.toml").error,
                      "gone.so does not exist; check `library` in the manifest"));
  BOOST_TEST(row(rows, "unreadable.toml").id == "");
  BOOST_TEST((row(rows, "unreadable.toml").state == PluginState::kError));
  BOOST_TEST(contains(row(rows, "unreadable.toml").error, "unreadable.toml:1:"));
  BOOST_TEST(registry.loaded().empty());
}

BOOST_AUTO_TEST_CASE(a_library_is_loaded_once) {
  Site world;
  world.site("good.toml", plugin("org.example.good", "'good', { name = 'again', entry = 'good' }"));
  RecordingHost host;
  {
    Registry registry(world.options());
    const auto first =
        registry.library_of(registry.find_provider(Group::kSchedulers, "good"), host.table());
    const auto second =
        registry.library_of(registry.find_provider(Group::kSchedulers, "again"), host.table());
    BOOST_TEST(first == second);
    BOOST_TEST(host.messages.size() == 1u);
  }
  BOOST_TEST(host.messages.back() == "finished");
}

BOOST_AUTO_TEST_CASE(a_failed_load_is_tried_again) {
  Site world;
  const std::string library = world.tree.path("site/plugins.d/late.so");
  world.site("good.toml",
             "[[plugin]]\nid = 'org.example.good'\nlibrary = "
             "'late.so'\n[plugin.provides]\nschedulers = ['good']\n");
  RecordingHost host;
  Registry registry(world.options());
  const Provider provider = registry.find_provider(Group::kSchedulers, "good");
  BOOST_TEST((error_of([&] { registry.library_of(provider, host.table()); }).code() ==
              Code::kUnavailable));
  world.tree.copy(bad_plugin("good"), "site/plugins.d/late.so");
  BOOST_TEST(registry.library_of(provider, host.table())->path() == library);
}

BOOST_AUTO_TEST_CASE(manifests_of_a_directory_are_sorted_and_other_files_ignored) {
  Site world;
  world.site("b.toml", plugin("b", "'b'"));
  world.site("a.toml", plugin("a", "'a'"));
  world.site(".hidden.toml", "[[plugin");
  world.site("a.toml~", "[[plugin");
  world.site("README", "[[plugin");
  Registry registry(world.options());
  const auto rows = registry.plugins();
  BOOST_REQUIRE(rows.size() == 2u);
  BOOST_TEST(rows[0].id == "a");
  BOOST_TEST(registry.problems().empty());
}

BOOST_AUTO_TEST_CASE(a_flag_may_name_a_file_or_a_directory) {
  Site world;
  SearchOptions options = world.options();
  options.plugin_path = {world.tree.write("one/x.toml", plugin("x", "'x'")),
                         world.tree.path("one")};
  Registry registry(options);
  BOOST_TEST(registry.plugins().size() == 1u);
  BOOST_TEST((registry.find_provider(Group::kSchedulers, "x").plugin->origin == Origin::kFlag));
}

BOOST_AUTO_TEST_CASE(a_directory_named_twice_is_searched_once) {
  Site world;
  world.site("x.toml", plugin("x", "'x'"));
  const ScopedEnv env("SLIPWAY_PLUGIN_PATH", world.tree.path("site/plugins.d").c_str());
  Registry registry(world.options());
  BOOST_TEST(registry.plugins().size() == 1u);
  const auto& places = registry.searched();
  BOOST_TEST(std::count_if(places.begin(), places.end(), [](const auto& place) {
               return place.state == "ignored: already searched";
             }) == 1);
}

BOOST_AUTO_TEST_CASE(world_writable_file_of_the_command_line_is_refused_and_reported) {
  Site world;
  SearchOptions options = world.options();
  const std::string file = world.tree.write("one/x.toml", plugin("x", "'x'"));
  BOOST_REQUIRE(chmod(file.c_str(), 0666) == 0);
  options.plugin_path = {file};
  Registry registry(options);
  BOOST_TEST(registry.searched()[0].path == file);
  BOOST_TEST(registry.searched()[0].state ==
             "refused: the manifest " + file + " is world-writable");
  BOOST_REQUIRE(registry.problems().size() == 1u);
  BOOST_TEST(registry.problems()[0].hint == "chmod o-w " + file);
}

BOOST_AUTO_TEST_CASE(world_writable_directory_is_refused_and_reported) {
  Site world;
  world.site("x.toml", plugin("x", "'x'"));
  const std::string directory = world.tree.path("site/plugins.d");
  BOOST_REQUIRE(chmod(directory.c_str(), 0777) == 0);
  Registry registry(world.options());
  BOOST_TEST(registry.names(Group::kSchedulers).empty());
  const auto& places = registry.searched();
  const auto place = std::find_if(places.begin(), places.end(),
                                  [&](const auto& entry) { return entry.path == directory; });
  BOOST_REQUIRE((place != places.end()));
  BOOST_TEST(place->state == "refused: the directory " + directory + " is world-writable");
  BOOST_REQUIRE(registry.problems().size() == 1u);
  BOOST_TEST(registry.problems()[0].hint == "chmod o-w " + directory);
}

BOOST_AUTO_TEST_CASE(resources_come_from_plugins_d_and_resources_d_and_the_earlier_place_wins) {
  Site world;
  world.user("mine.toml", "[named_resources.\"gpu.small\"]\ncpu = 1\n");
  world.site("site.toml",
             "[named_resources.\"gpu.small\"]\ncpu = 2\n[named_resources.other]\ninherits = "
             "'gpu.small'\n");
  world.resources("more.toml", "[named_resources.more]\ncpu = 3\n");
  Registry registry(world.options());
  BOOST_TEST(registry.find_inline_resource("gpu.small")->resource.cpu.whole() == 1);
  BOOST_TEST(registry.find_inline_resource("other")->resource.cpu.whole() == 1);
  BOOST_TEST(registry.find_inline_resource("more")->resource.cpu.whole() == 3);
  BOOST_TEST(!registry.find_inline_resource("none").has_value());
  std::size_t shadowed = 0;
  for (const InlineResource& resource : registry.inline_resources()) {
    if (resource.shadowed_by.empty()) continue;
    ++shadowed;
    BOOST_TEST(resource.own.cpu.whole() == 2);
    BOOST_TEST(contains(resource.shadowed_by, "mine.toml:1:"));
  }
  BOOST_TEST(shadowed == 1u);
}

BOOST_AUTO_TEST_CASE(wrong_resource_does_not_fall_back_silently) {
  Site world;
  world.user("mine.toml", "[named_resources.big]\ncpu = 'many'\n");
  world.site("site.toml", "[named_resources.big]\ncpu = 2\n");
  Registry registry(world.options());
  const Error error = error_of([&] { registry.find_inline_resource("big"); });
  BOOST_TEST((error.code() == Code::kConfig));
  BOOST_TEST(contains(error.where(), "mine.toml:2:7"));
}

BOOST_AUTO_TEST_CASE(first_table_of_a_device_is_used) {
  Isolated world;
  world.tree.write("user/slipway/resources.d/a.toml",
                   "[devices.'x/efa']\npath = '/dev/mine{i}'\npermissions = 'r'\n"
                   "[devices.wrong]\npath = 'dev'\n");
  world.tree.write("site/resources.d/a.toml",
                   "[devices.'x/efa']\npath = '/dev/site{i}'\n[devices.fuse]\npath = '/dev/fuse'\n"
                   "[devices.wrong]\npath = '/dev/right'\n");
  Registry registry(world.options());
  BOOST_REQUIRE(registry.find_device("x/efa") != nullptr);
  BOOST_TEST(registry.find_device("x/efa")->path == "/dev/mine{i}");
  BOOST_TEST(registry.find_device("x/efa")->permissions == "r");
  BOOST_TEST(registry.find_device("fuse")->permissions == "rwm");
  BOOST_TEST((registry.find_device("none") == nullptr));
  const Error error = error_of([&] { registry.find_device("wrong"); });
  BOOST_TEST((error.code() == Code::kConfig));
  BOOST_TEST(contains(error.where(), "a.toml:5:8"), error.where());
}

BOOST_AUTO_TEST_CASE(settings_of_the_host_disable_and_configure_plugins) {
  Isolated world;
  world.tree.write("site/plugins.d/a.toml",
                   "[[plugin]]\nid = 'a'\nlibrary = '" + bad_plugin("good") +
                       "'\nconfig = { x = 1 }\n[plugin.provides]\nschedulers = "
                       "['good', { name = 'own', entry = 'good', config = { x = 3 } }]\n");
  AllPluginSettings settings;
  settings["a"].config.type = spec::NodeType::kTable;
  spec::NodeEntry x{"x", {}, {}};
  x.value.type = spec::NodeType::kInt;
  x.value.integer = 2;
  settings["a"].config.entries.push_back(x);
  Registry configured(world.options());
  configured.configure(settings);
  BOOST_TEST(configured.find_provider(Group::kSchedulers, "good").config_json == R"({"x":2})");
  // The manifest's config of one provider overrides the host's config of the plug-in.
  BOOST_TEST(configured.find_provider(Group::kSchedulers, "own").config_json == R"({"x":3})");
  settings["a"].enabled = false;
  settings["a"].enabled_source = {"/c.toml", 4, 1};
  Registry disabled(world.options());
  disabled.configure(settings);
  BOOST_TEST(disabled.names(Group::kSchedulers).empty());
  BOOST_TEST(
      contains(error_of([&] { disabled.find_provider(Group::kSchedulers, "good"); }).message(),
               "disabled in /c.toml:4:1"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
