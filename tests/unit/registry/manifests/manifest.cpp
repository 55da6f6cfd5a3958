#include "core/registry/manifests/manifest.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::contains;
using test::TempTree;

struct Parsed {
  std::vector<spec::Problem> problems;  // first: the initialiser of `manifest` fills it
  Manifest manifest;

  explicit Parsed(std::string_view text)
      : manifest(parse_manifest(text, "/m/plugins.d/x.toml", Origin::kSite, problems)) {}

  std::string lines() const {
    std::string all;
    for (const spec::Problem& problem : problems) all += to_string(problem) + '\n';
    return all;
  }
};

std::string json(const spec::Node& node) {
  std::string text;
  spec::append_json(node, text);
  return text;
}

BOOST_AUTO_TEST_SUITE(Manifests)

BOOST_AUTO_TEST_CASE(reads_every_key_of_a_plugin) {
  const Parsed parsed(R"(manifest_version = 1

[[plugin]]
id = "org.example.slurm"
version = "1.2.0"
library = "../lib/libslipway_slurm.so"
abi = "1.0"
override = true
description = "Slurm through slurmrestd"
license = "MIT"
url = "https://example.org"
enabled = true
sha256 = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"

[plugin.provides]
schedulers = ["slurm", { name = "slurm-gpu", entry = "slurm", config = { partition = "gpu" } }]
image_providers = []
named_resources = ["h200"]
components = ["train"]
workspaces = ["image"]

[plugin.config]
timeout_s = 30
)");
  BOOST_TEST(parsed.lines() == "");
  BOOST_REQUIRE(parsed.manifest.plugins.size() == 1u);
  const PluginEntry& plugin = parsed.manifest.plugins[0];
  BOOST_TEST(plugin.id == "org.example.slurm");
  BOOST_TEST(plugin.version == "1.2.0");
  BOOST_TEST(plugin.library == "/m/lib/libslipway_slurm.so");
  BOOST_TEST(plugin.abi == "1.0");
  BOOST_TEST(plugin.overrides);
  BOOST_TEST(plugin.description == "Slurm through slurmrestd");
  BOOST_TEST(plugin.license == "MIT");
  BOOST_TEST(plugin.url == "https://example.org");
  BOOST_TEST(plugin.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(json(plugin.config) == R"({"timeout_s":30})");
  BOOST_TEST(to_string(plugin.source) == "/m/plugins.d/x.toml:3:1");
  BOOST_REQUIRE(plugin.provides.size() == 5u);
  BOOST_TEST(plugin.provides[0].entry == "slurm");
  BOOST_TEST(plugin.provides[1].name == "slurm-gpu");
  BOOST_TEST(plugin.provides[1].entry == "slurm");
  BOOST_TEST(json(plugin.provides[1].config) == R"({"partition":"gpu"})");
  BOOST_TEST((plugin.provides[0].group == Group::kSchedulers));
  BOOST_TEST((plugin.provides[2].group == Group::kNamedResources));
  BOOST_TEST((plugin.provides[3].group == Group::kComponents));
  BOOST_TEST(plugin.provides[3].name == "train");
  BOOST_TEST((plugin.provides[4].group == Group::kWorkspaces));
  BOOST_TEST(plugin.provides[4].name == "image");
}

BOOST_AUTO_TEST_CASE(a_component_provider_may_claim_extensions_of_files) {
  const Parsed good(R"([[plugin]]
id = "a"
library = "a.so"
provides = { components = [{ name = "python", component_files = ["py", "pyi"] }] }
)");
  BOOST_TEST(good.lines() == "");
  BOOST_TEST(good.manifest.plugins.at(0).provides.at(0).component_files == (StrList{"py", "pyi"}),
             boost::test_tools::per_element());

  const Parsed bad(R"([[plugin]]
id = "a"
library = "a.so"
[plugin.provides]
components = [{ name = "a", component_files = [".py", "toml"] }]
schedulers = [{ name = "b", component_files = ["py"] }]
)");
  BOOST_TEST(contains(bad.lines(),
                      "x.toml:5:48: plugin[0].provides.components[0].component_files[0]: "
                      "'.py' is not an extension"));
  BOOST_TEST(contains(bad.lines(), "reads component files that end in .toml itself"));
  BOOST_TEST(contains(bad.lines(), "a scheduler reads no component files"));
}

BOOST_AUTO_TEST_CASE(messages_about_names_have_the_right_article_and_the_limit) {
  const std::string start = "[[plugin]]\nid = 'a'\nlibrary = 'a.so'\n[plugin.provides]\n";
  const Parsed lists(start + "image_providers = [{ name = 'i', resources = ['r'] }]");
  BOOST_TEST(contains(lists.lines(), " an image provider has no named resources"));
  const Parsed is_long(start + "image_providers = ['" + std::string(129, 'n') + "']");
  BOOST_TEST(contains(is_long.lines(), "is not a valid name of an image provider"));
  BOOST_REQUIRE(is_long.problems.size() == 1u);
  BOOST_TEST(contains(is_long.problems[0].hint, "at most 128 bytes"));
}

BOOST_AUTO_TEST_CASE(name_that_is_a_number_is_one_mistake) {
  const Parsed parsed(
      "[[plugin]]\nid = 'a'\nlibrary = 'a.so'\n[plugin.provides]\nschedulers = [{ name = 3 }]");
  BOOST_REQUIRE(parsed.problems.size() == 1u);
  BOOST_TEST(contains(parsed.lines(), "expected a string, found the integer 3"));
}

BOOST_AUTO_TEST_CASE(relative_library_is_resolved_from_the_manifest) {
  BOOST_TEST(Parsed("[[plugin]]\nid='a'\nlibrary='/opt/a.so'").manifest.plugins[0].library ==
             "/opt/a.so");
  BOOST_TEST(Parsed("[[plugin]]\nid='a'\nlibrary='a.so'").manifest.plugins[0].library ==
             "/m/plugins.d/a.so");
}

BOOST_AUTO_TEST_CASE(the_library_of_this_platform_is_taken) {
  const Parsed parsed(
      "[[plugin]]\nid='a'\nlibrary = { linux_amd64 = 'x86/a.so', linux_arm64 = 'arm/a.so' }");
  const std::string& library = parsed.manifest.plugins[0].library;
#if defined(__x86_64__)
  BOOST_TEST(library == "/m/plugins.d/x86/a.so");
#else
  BOOST_TEST(library == "/m/plugins.d/arm/a.so");
#endif
}

BOOST_AUTO_TEST_CASE(a_disabled_plugin_needs_neither_library_nor_abi_of_this_host) {
  for (const char* text :
       {"[[plugin]]\nid = 'a'\nenabled = false",
        "[[plugin]]\nlibrary = { plan9 = 'a.so' }\nabi = '9'\nid = 'a'\nenabled = false"}) {
    const Parsed parsed(text);
    BOOST_TEST(parsed.lines() == "");
    BOOST_REQUIRE(parsed.manifest.plugins.size() == 1u);
    BOOST_TEST(!parsed.manifest.plugins[0].enabled);
    BOOST_TEST(!parsed.manifest.plugins[0].error);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_key_is_a_warning_with_a_near_name) {
  const Parsed parsed(
      "[[plugin]]\nid = 'a'\nlibary = 'x.so'\nlibrary = 'a.so'\n[plugin.provides]\nscheduler = "
      "['a']\n[settings]\n");
  BOOST_TEST(parsed.lines() ==
             "/m/plugins.d/x.toml:3:1: warning: plugin[0].libary: unknown key (ignored), did you "
             "mean library?\n"
             "/m/plugins.d/x.toml:6:1: warning: plugin[0].provides.scheduler: unknown key "
             "(ignored), did you mean schedulers?\n"
             "/m/plugins.d/x.toml:7:2: warning: settings: unknown key (ignored)\n");
  BOOST_REQUIRE(parsed.manifest.plugins.size() == 1u);
  BOOST_TEST(!parsed.manifest.plugins[0].error);
}

BOOST_AUTO_TEST_CASE(problems_are_reported_with_their_place) {
  const std::string deep = "a = " + std::string(500, '[') + std::string(500, ']');
  const struct {
    std::string text;
    const char* place;
    const char* message;
  } cases[] = {
      {"", ".toml: ", "the manifest is empty"},
      {" \n\t\n", ".toml: ", "the manifest is empty"},
      {"[[plugin]\nid = 'a'", ":1:", "not valid TOML"},
      {"[[plugin]]\nid = \"a\nlibrary = 'x'", ":2:", "not valid TOML"},
      {"[[plugin]]\nid = 'a'\nid = 'b'", ":3:", "not valid TOML"},
      {"a = 1\n\xff\xfe = 2", ":2:", "not UTF-8"},
      {std::string("a = 1\nb = \"\0\"", 13), ":2:", "NUL"},
      {deep, ":1:", "nested too deeply"},
      {"manifest_version = 2\n[[plugin]]\nid = 'a'",
       ":1:20: manifest_version: ", "2 is newer than this host understands (1)"},
      {"manifest_version = 0", ":1:20: ", "expected 1, found the integer 0"},
      {"manifest_version = '1'", ":1:20: ", "expected 1, found the string '1'"},
      {"plugin = 7", ":1:10: plugin: ", "expected a list of [[plugin]] tables"},
      {"[plugin]\nid = 'a'", ":1:", "expected a list of [[plugin]] tables"},
      {"plugin = [7]", ":1:11: plugin[0]: ", "expected a table, found the integer 7"},
      {"[[plugin]]\nlibrary = 'a.so'", ":1:1: plugin[0]: ", "`id` is missing"},
      {"[[plugin]]\nid = 7\nlibrary = 'a.so'",
       ":2:6: plugin[0].id: ", "expected a string, found the integer 7"},
      {"[[plugin]]\nid = ''\nlibrary = 'a.so'", ":2:6: plugin[0].id: ", "'' is not an id"},
      {"[[plugin]]\nid = '../../x'\nlibrary = 'a.so'", ":2:6: plugin[0].id: ", "is not an id"},
      {"[[plugin]]\nid = \"a\\u001b[31m\"\nlibrary = 'a.so'",
       ":2:6: plugin[0].id: ", "'a\\x1b[31m' is not an id"},
      {"[[plugin]]\nid = 'a'", ":1:1: plugin[0]: ", "`library` is missing"},
      {"[[plugin]]\nid = 'a'\nlibrary = 7",
       ":3:11: plugin[0].library: ", "expected a path or a table of paths per platform"},
      {"[[plugin]]\nid = 'a'\nlibrary = ''", ":3:11: plugin[0].library: ", "'' is not a path"},
      {"[[plugin]]\nid = 'a'\nlibrary = \"a\\u0000.so\"",
       ":3:11: plugin[0].library: ", "is not a path"},
      {"[[plugin]]\nid = 'a'\nlibrary = { plan9_mips = 'a.so' }",
       ":3:11: plugin[0].library: ", "has no library for linux_"},
      {"[[plugin]]\nid = 'a'\nlibrary = {}", ":3:11: plugin[0].library: ", "it has none"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\nabi = '2.0'",
       ":4:7: plugin[0].abi: ", "a needs ABI 2.0; this host speaks 1."},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\nabi = '1.99'",
       ":4:7: plugin[0].abi: ", "needs a host with ABI >= 1.99"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\nabi = 'one'",
       ":4:7: plugin[0].abi: ", "expected a version such as \"1.0\", found 'one'"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\nabi = '1.'",
       ":4:7: plugin[0].abi: ", "expected a version"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\nabi = 1.0",
       ":4:7: plugin[0].abi: ", "write it as \"1.0\""},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\nenabled = 'no'",
       ":4:11: plugin[0].enabled: ", "expected true or false"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\noverride = 1",
       ":4:12: plugin[0].override: ", "expected true or false"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\nversion = 1.2",
       ":4:11: plugin[0].version: ", "expected a string"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\nprovides = ['x']",
       ":4:12: plugin[0].provides: ", "expected a table"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\n[plugin.provides]\nschedulers = 'x'",
       ":5:14: plugin[0].provides.schedulers: ", "expected a list of names"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\n[plugin.provides]\nschedulers = ['x', 7]",
       ":5:20: plugin[0].provides.schedulers[1]: ", "expected a name, or a table with `name`"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\n[plugin.provides]\nschedulers = ['x', 'x']",
       ":5:20: plugin[0].provides.schedulers[1]: ", "the scheduler \"x\" is listed twice"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\n[plugin.provides]\nschedulers = ['a/b']",
       ":5:15: plugin[0].provides.schedulers[0]: ", "'a/b' is not a valid name of a scheduler"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\n[plugin.provides]\nschedulers = [{ entry = 'x' }]",
       ":5:15: plugin[0].provides.schedulers[0]: ", "'' is not a valid name of a scheduler"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\nconfig = 7",
       ":4:10: plugin[0].config: ", "expected a table"},
      {"[[plugin]]\nid = 'a'\nlibrary = 'a.so'\n[plugin.config]\nx = nan",
       ":5:5: plugin[0].config.x: ", "JSON cannot hold nan"},
  };
  for (const auto& broken : cases) {
    const Parsed parsed(broken.text);
    BOOST_REQUIRE_MESSAGE(!parsed.problems.empty(), broken.message);
    const std::string first = to_string(parsed.problems[0]);
    BOOST_TEST((parsed.problems[0].severity == spec::Severity::kError), first);
    BOOST_TEST(contains(first, broken.place), first << " lacks " << broken.place);
    BOOST_TEST(contains(first, broken.message), first << " lacks " << broken.message);
    BOOST_TEST((parsed.problems[0].code != Code::kInvalid), first);  // the code of mistakes in apps
    for (const PluginEntry& plugin : parsed.manifest.plugins) {
      BOOST_TEST(plugin.error.has_value(), first);
      BOOST_TEST(plugin.library == "", first);
    }
  }
}

BOOST_AUTO_TEST_CASE(wrong_plugin_does_not_affect_others) {
  const Parsed parsed(
      "[[plugin]]\nid = 7\nlibrary = 'b.so'\n[[plugin]]\nid = 'good'\nlibrary = "
      "'g.so'\n[[plugin]]\nid = 'bad'\nlibrary = 7\n");
  BOOST_TEST(parsed.problems.size() == 2u);
  BOOST_REQUIRE(parsed.manifest.plugins.size() == 2u);
  BOOST_TEST(parsed.manifest.plugins[0].id == "good");
  BOOST_TEST(!parsed.manifest.plugins[0].error);
  BOOST_TEST(parsed.manifest.plugins[1].id == "bad");
  BOOST_REQUIRE(parsed.manifest.plugins[1].error.has_value());
  BOOST_TEST(parsed.manifest.plugins[1].error->where.line == 9u);
}

BOOST_AUTO_TEST_CASE(config_tables_merge_key_by_key) {
  const Parsed under(
      "[[plugin]]\nid='a'\nlibrary='a.so'\nconfig = { a = 1, t = { x = 1, y = 2 }, l = [1] }");
  const Parsed over(
      "[[plugin]]\nid='a'\nlibrary='a.so'\nconfig = { t = { y = 3, z = 4 }, l = [2], n = 5 }");
  spec::Node config = under.manifest.plugins[0].config;
  merge_config(config, over.manifest.plugins[0].config);
  BOOST_TEST(json(config) == R"({"a":1,"t":{"x":1,"y":3,"z":4},"l":[2],"n":5})");
}

struct OnDisk {
  TempTree tree;
  std::vector<spec::Problem> problems;

  Manifest read(const std::string& file) {
    problems.clear();
    return read_manifest(file, Origin::kSite, TrustPolicy::of_process(/*elevated=*/false),
                         problems);
  }
  /// Checks that the file is refused with this error.
  void refuses(const std::string& file, Code code, std::string_view message) {
    const Manifest manifest = read(file);
    BOOST_TEST(manifest.plugins.empty());
    BOOST_REQUIRE_MESSAGE(problems.size() == 1u, message);
    BOOST_TEST(static_cast<int>(problems[0].code) == static_cast<int>(code), problems[0].message);
    BOOST_TEST(contains(to_string(problems[0]), message), to_string(problems[0]));
    BOOST_TEST(problems[0].where.file == file);
  }
};

BOOST_AUTO_TEST_CASE(file_that_is_not_a_manifest_neither_blocks_nor_throws) {
  OnDisk disk;
  const std::string fifo = disk.tree.path("fifo.toml");
  BOOST_REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  disk.refuses(fifo, Code::kConfig, "the manifest is not a regular file");
  std::filesystem::create_directory(disk.tree.path("dir.toml"));
  disk.refuses(disk.tree.path("dir.toml"), Code::kConfig, "the manifest is a directory");
  disk.refuses(disk.tree.path("none.toml"), Code::kNotFound,
               "cannot be read: No such file or directory");
  BOOST_REQUIRE(symlink("loop.toml", disk.tree.path("loop.toml").c_str()) == 0);
  disk.refuses(disk.tree.path("loop.toml"), Code::kUnavailable, "cannot be read");
}

/// Returns the number of bytes that this process has read; nullopt if the kernel does not count.
std::optional<std::uint64_t> bytes_read() {
  std::ifstream in("/proc/self/io");
  std::string key;
  std::uint64_t value = 0;
  if (in >> key >> value && key == "rchar:") return value;
  return std::nullopt;
}

BOOST_AUTO_TEST_CASE(the_size_is_limited_before_anything_is_read,
                     *boost::unit_test::precondition([](auto) {
                       return bytes_read().has_value();
                     })) {
  OnDisk disk;
  const std::string file = disk.tree.write("big.toml", "a = 1\n");
  std::filesystem::resize_file(file, 100u << 20);  // sparse
  const std::uint64_t before = bytes_read().value_or(0);
  disk.refuses(file, Code::kConfig, "is larger than 4 MiB");
  // The bytes that the check of the owner and the count itself read are fewer.
  BOOST_TEST(bytes_read().value_or(0) - before < 1u << 20);
}

BOOST_AUTO_TEST_CASE(a_world_writable_manifest_is_refused) {
  OnDisk disk;
  const std::string file = disk.tree.write("open.toml", "[[plugin]]\nid='a'\nlibrary='a.so'");
  BOOST_REQUIRE(chmod(file.c_str(), 0666) == 0);
  disk.refuses(file, Code::kDenied,
               "the manifest " + file + " is world-writable, chmod o-w " + file);
  // The private group of the file's owner may write.
  BOOST_REQUIRE(chmod(file.c_str(), 0664) == 0);
  BOOST_TEST(disk.read(file).plugins.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_file_of_another_user_is_refused,
                     *boost::unit_test::precondition([](auto) { return geteuid() == 0; })) {
  OnDisk disk;
  const std::string file = disk.tree.write("theirs.toml", "[[plugin]]\nid='a'\nlibrary='a.so'");
  BOOST_REQUIRE(chown(file.c_str(), 65534, 65534) == 0);
  disk.refuses(file, Code::kDenied, "is owned by uid 65534");
}

BOOST_AUTO_TEST_CASE(an_unreadable_manifest_is_refused,
                     *boost::unit_test::precondition([](auto) { return geteuid() != 0; })) {
  OnDisk disk;
  const std::string file = disk.tree.write("closed.toml", "a = 1");
  BOOST_REQUIRE(chmod(file.c_str(), 0) == 0);
  disk.refuses(file, Code::kDenied, "cannot be read: Permission denied");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
