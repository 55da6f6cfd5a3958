// Site configuration other than plug-ins and resources: devices, settings of plug-ins, checksums,
// trials.
#include <boost/test/unit_test.hpp>

#include "core/registry/libraries/checksum.hpp"
#include "core/registry/queries/load_trial.hpp"
#include "core/registry/registry.hpp"
#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::bad_plugin;
using test::contains;
using test::error_of;
using test::Isolated;
using test::TempTree;

BOOST_AUTO_TEST_SUITE(SiteRules)

BOOST_AUTO_TEST_CASE(the_first_table_of_a_device_is_used) {
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

BOOST_AUTO_TEST_CASE(a_checksum_is_that_of_the_file) {
  const TempTree tree;
  const std::string file = tree.write("abc", "abc");
  constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  BOOST_TEST(sha256_of_file(file) == kAbc);
  BOOST_TEST(sha256_of_file(tree.write("none", "")) ==
             "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(sha256_of_file(tree.write("many", std::string(1'000'000, 'a'))) ==
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  check_sha256(file, kAbc, "m.toml:1:1");
  check_sha256(tree.path("missing"), "", "m.toml:1:1");
  const Error other = error_of([&] { check_sha256(tree.path("none"), kAbc, "m.toml:1:1"); });
  BOOST_TEST((other.code() == Code::kDenied));
  BOOST_TEST(contains(other.message(), "m.toml:1:1"));
  BOOST_TEST(
      (error_of([&] { sha256_of_file(tree.path("missing")); }).code() == Code::kUnavailable));
}

PluginEntry entry_of(const std::string& library) {
  PluginEntry entry;
  entry.library = library;
  entry.source.file = "m.toml";
  return entry;
}

BOOST_AUTO_TEST_CASE(trial_reports_the_facts_of_a_library) {
  const LoadTrial trial = try_load(entry_of(bad_plugin("good")), TrustPolicy::of_process(false));
  BOOST_TEST_INFO_SCOPE((trial.error ? trial.error->message() : std::string()));
  BOOST_REQUIRE(!trial.error.has_value());
  BOOST_TEST(!trial.id.empty());
  BOOST_TEST(!trial.provides.empty());
}

BOOST_AUTO_TEST_CASE(trial_fails_with_the_loaders_message) {
  for (const char* name : {"no_symbol", "wrong_magic", "failing_init", "undefined_symbol"}) {
    BOOST_TEST_INFO_SCOPE(name);
    const LoadTrial trial = try_load(entry_of(bad_plugin(name)), TrustPolicy::of_process(false));
    BOOST_REQUIRE(trial.error.has_value());
    BOOST_TEST(!trial.error->message().empty());
  }
}

BOOST_AUTO_TEST_CASE(settings_of_the_host_disable_and_configure) {
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
  // The manifest's entry for one name is more specific than either.
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
