#include "core/registry/libraries/library.hpp"

#include <boost/test/unit_test.hpp>

#include "core/registry/libraries/shared_object.hpp"
#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::bad_plugin;
using test::contains;
using test::error_of;
using test::RecordingHost;

PluginEntry entry_for(const std::string& name) {
  PluginEntry entry;
  entry.id = "org.example." + name;
  entry.version = "1.0.0";
  entry.library = bad_plugin(name);
  entry.source = {"/etc/slipway/plugins.d/" + name + ".toml", 3, 1};
  return entry;
}

struct Loader {
  RecordingHost host;
  std::vector<spec::Problem> warnings;

  std::shared_ptr<Library> load(const PluginEntry& entry) {
    return Library::load(entry, host.table(), TrustPolicy::of_process(/*elevated=*/false),
                         warnings);
  }
  /// Checks that the library is refused with this error.
  void refuses(const PluginEntry& entry, Code code, std::string_view message,
               std::string_view hint = {}) {
    const Error error = error_of([&] { load(entry); });
    BOOST_TEST(static_cast<int>(error.code()) == static_cast<int>(code), error.message());
    BOOST_TEST(contains(error.message(), message), error.message());
    BOOST_TEST(contains(error.hint(), hint), error.hint());
    BOOST_TEST(error.where() == entry.library);
  }
};

Provided scheduler(const std::string& name) {
  Provided provided;
  provided.group = Group::kSchedulers;
  provided.name = provided.entry = name;
  provided.source = {"/etc/slipway/plugins.d/good.toml", 7, 15};
  return provided;
}

BOOST_AUTO_TEST_SUITE(LibraryLoading)

BOOST_AUTO_TEST_CASE(a_good_plugin_starts_once_and_ends_once) {
  Loader loader;
  PluginEntry entry = entry_for("good");
  entry.provides = {scheduler("good")};
  {
    const auto library = loader.load(entry);
    BOOST_TEST(library->id() == "org.example.good");
    BOOST_TEST(library->version() == "1.0.0");
    BOOST_TEST(library->path() == entry.library);
    BOOST_TEST(library->provider("slipway.scheduler/1", "good") != nullptr);
    BOOST_TEST(library->provider("slipway.scheduler/1", "other") == nullptr);
    BOOST_TEST(library->provider("slipway.scheduler/2", "good") == nullptr);
    BOOST_TEST(loader.host.messages == std::vector<std::string>{"started"},
               boost::test_tools::per_element());
  }
  const std::vector<std::string> all = {"started", "finished"};
  BOOST_TEST(loader.host.messages == all, boost::test_tools::per_element());
  BOOST_TEST(loader.warnings.empty());
}

BOOST_AUTO_TEST_CASE(the_descriptor_is_checked_field_by_field) {
  Loader loader;
  loader.refuses(entry_for("wrong_magic"), Code::kAbi, "wrong magic number", "export macro");
  loader.refuses(entry_for("major_2"), Code::kAbi, "claims ABI 2.1; this host speaks 1.");
  loader.refuses(entry_for("newer_minor"), Code::kAbi,
                 "(org.example.newer_minor) needs a host with ABI >= 1.99", "upgrade Slipway");
  loader.refuses(entry_for("other_draft"), Code::kAbi,
                 "(org.example.other_draft) was built for draft", "compile it with the SDK");
  loader.refuses(entry_for("small_descriptor"), Code::kAbi, "48 bytes, fewer than version 1.0's");
  loader.refuses(entry_for("broken_providers"), Code::kAbi, "broken list of providers");
  loader.refuses(entry_for("small_provider"), Code::kAbi,
                 "broken provider at place 0: its struct_size is smaller than version 1.0's");
}

BOOST_AUTO_TEST_CASE(a_missing_entry_symbol_is_explained) {
  Loader loader;
  loader.refuses(entry_for("no_symbol"), Code::kAbi, "does not export slipway_plugin_v1",
                 "is it a plug-in for Slipway?");
  loader.refuses(entry_for("exports_v2"), Code::kAbi,
                 "does not export slipway_plugin_v1, but slipway_plugin_v2",
                 "it is a plug-in for ABI major 2; this host speaks 1");
}

BOOST_AUTO_TEST_CASE(message_of_the_dynamic_loader_is_quoted_alone_and_explained) {
  Loader loader;
  loader.refuses(entry_for("undefined_symbol"), Code::kUnavailable,
                 "cannot be loaded: undefined symbol: function_of_a_library_that_was_not_linked",
                 "-Wl,-z,defs");
  loader.refuses(
      entry_for("needs_library"), Code::kUnavailable,
      "libslipway_not_installed.so: cannot open shared object file: No such file or directory",
      "run `ldd`");
  const Error error = error_of([&] { loader.load(entry_for("undefined_symbol")); });
  // Parts of the text in which Boost.DLL encloses the loader's message.
  BOOST_TEST(!contains(error.message(), "Bad file descriptor"));
  BOOST_TEST(!contains(error.message(), "generic"));
  BOOST_TEST(!contains(error.message(), "dlerror"));
}

BOOST_AUTO_TEST_CASE(messages_of_the_loader_have_hints) {
  BOOST_TEST(contains(explain_loader_message("version `GLIBC_2.99' not found (required by x.so)"),
                      "newer distribution"));
  BOOST_TEST(
      contains(explain_loader_message("version `GLIBCXX_3.4.99' not found"), "newer distribution"));
  BOOST_TEST(contains(explain_loader_message("cannot allocate memory in static TLS block"),
                      "initial-exec"));
  BOOST_TEST(
      contains(explain_loader_message("failed to map segment from shared object"), "noexec"));
  BOOST_TEST(explain_loader_message("something else") == "");
}

BOOST_AUTO_TEST_CASE(a_plugin_that_refuses_to_start_is_quoted) {
  Loader loader;
  loader.refuses(entry_for("failing_init"), Code::kPrecondition,
                 "plug-in org.example.failing_init 1.0.0 cannot initialise: SLURM_CONF is not set "
                 "[failed precondition]",
                 "export SLURM_CONF");
  loader.refuses(entry_for("silent_init"), Code::kUnavailable,
                 "cannot initialise: no reason given [unavailable]", kReasonIsMissing);
  BOOST_TEST(loader.host.messages.empty());
}

BOOST_AUTO_TEST_CASE(id_that_differs_from_the_manifest_is_refused_before_init) {
  Loader loader;
  PluginEntry entry = entry_for("good");
  entry.id = "org.example.other";
  loader.refuses(entry, Code::kAbi,
                 "has the id \"org.example.good\", but /etc/slipway/plugins.d/good.toml:3:1 says "
                 "\"org.example.other\"");
  BOOST_TEST(loader.host.messages.empty());
}

BOOST_AUTO_TEST_CASE(missing_promised_provider_is_refused) {
  Loader loader;
  PluginEntry entry = entry_for("good");
  entry.provides = {scheduler("good"), scheduler("better")};
  loader.refuses(entry, Code::kAbi,
                 "does not provide the scheduler \"better\", which "
                 "/etc/slipway/plugins.d/good.toml:7:15 lists",
                 "it provides: slipway.scheduler/1 good");
  const std::vector<std::string> all = {"started", "finished"};
  BOOST_TEST(loader.host.messages == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(version_that_differs_from_the_manifest_is_a_warning) {
  Loader loader;
  PluginEntry entry = entry_for("good");
  entry.version = "2.0";
  BOOST_TEST(loader.load(entry) != nullptr);
  BOOST_REQUIRE(loader.warnings.size() == 1u);
  BOOST_TEST((loader.warnings[0].severity == spec::Severity::kWarning));
  BOOST_TEST(contains(loader.warnings[0].message,
                      "says 2.0, but the library " + entry.library + " says 1.0.0"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
