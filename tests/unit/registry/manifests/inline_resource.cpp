#include <boost/test/unit_test.hpp>

#include "core/registry/manifests/manifest.hpp"
#include "core/registry/manifests/resource_resolution.hpp"
#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::contains;
using test::error_of;

struct Resources {
  std::vector<spec::Problem> problems;
  Manifest manifest;

  explicit Resources(std::string_view text) {
    manifest = parse_manifest(text, "/m/r.toml", Origin::kSite, problems);
  }

  const InlineResource* find(std::string_view name) const {
    for (const InlineResource& resource : manifest.resources) {
      if (resource.name == name) return &resource;
    }
    return nullptr;
  }
  ResolvedResource resolve(std::string_view name, const BaseLookup& external = {}) const {
    return resolve_inline_resource(
        *find(name), [&](std::string_view other) { return find(other); }, external);
  }
};

BOOST_AUTO_TEST_SUITE(InlineResources)

BOOST_AUTO_TEST_CASE(every_key_is_read) {
  const Resources file(R"([named_resources."a100.half"]
cpu = 48
gpu = 4
mem = "64GiB"
capabilities = { "node.kubernetes.io/instance-type" = "p4d.24xlarge", spot = true }
devices = { "vpc.amazonaws.com/efa" = 4 }
tags = { owner = "vision" }
)");
  BOOST_TEST(file.problems.empty());
  const ResolvedResource resolved = file.resolve("a100.half");
  BOOST_TEST(resolved.resource.cpu.whole() == 48);
  BOOST_TEST(resolved.resource.gpu == 4);
  BOOST_TEST(resolved.resource.mem_mb == 65536);
  BOOST_TEST(resolved.resource.capabilities_json ==
             R"({"node.kubernetes.io/instance-type":"p4d.24xlarge","spot":true})");
  BOOST_TEST(*slipway::find(resolved.resource.devices, "vpc.amazonaws.com/efa") == 4);
  BOOST_TEST(resolved.resource.tags_json == R"({"owner":"vision"})");
  BOOST_TEST(contains(to_string(resolved.source), "/m/r.toml:1:"));
}

BOOST_AUTO_TEST_CASE(unset_fields_stay_unset) {
  const Resources file("[named_resources.small]\ncpu = 2");
  const Resource resource = file.resolve("small").resource;
  BOOST_TEST(resource.cpu.whole() == 2);
  BOOST_TEST(resource.gpu == -1);
  BOOST_TEST(resource.mem_mb == -1);
}

BOOST_AUTO_TEST_CASE(a_resource_inherits_fields_that_it_does_not_set) {
  const Resources file(R"([named_resources.base]
cpu = 48
gpu = 4
memMB = 1000
capabilities = { zone = "a", kind = "p4d" }
devices = { efa = 4 }
[named_resources.middle]
inherits = "base"
memMB = 2000
[named_resources.leaf]
inherits = "middle"
capabilities = { zone = "b" }
devices = { nic = 1 }
)");
  const ResolvedResource leaf = file.resolve("leaf");
  BOOST_TEST(leaf.resource.cpu.whole() == 48);
  BOOST_TEST(leaf.resource.gpu == 4);
  BOOST_TEST(leaf.resource.mem_mb == 2000);
  BOOST_TEST(leaf.resource.capabilities_json == R"({"zone":"b","kind":"p4d"})");
  BOOST_TEST(leaf.resource.devices.size() == 2u);
  const std::vector<std::string> chain = {"middle", "base"};
  BOOST_TEST(leaf.inherited == chain, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_base_may_come_from_a_library) {
  const Resources file("[named_resources.mine]\ninherits = 'aws_p4d.24xlarge'\ngpu = 2");
  const ResolvedResource mine =
      file.resolve("mine", [](std::string_view name) -> std::optional<Resource> {
        if (name != "aws_p4d.24xlarge") return std::nullopt;
        Resource resource;
        resource.cpu = 96;
        resource.gpu = 8;
        return resource;
      });
  BOOST_TEST(mine.resource.cpu.whole() == 96);
  BOOST_TEST(mine.resource.gpu == 2);
}

BOOST_AUTO_TEST_CASE(a_cycle_is_refused_and_shown) {
  const Resources file(
      "[named_resources.a]\ninherits='b'\n[named_resources.b]\ninherits='c'\n[named_resources.c]"
      "\ninherits='b'");
  const Error error = error_of([&] { file.resolve("a"); });
  BOOST_TEST((error.code() == Code::kConfig));
  BOOST_TEST(error.message() ==
             "the base \"b\" of the resource \"a\" inherits from itself: b -> c -> b");
  BOOST_TEST(error.where() == "/m/r.toml:4:10");
  // All members report the same problem.
  for (const char* member : {"b", "c"}) {
    const Error same = error_of([&] { file.resolve(member); });
    BOOST_TEST(same.message() == "the resource \"b\" inherits from itself: b -> c -> b");
    BOOST_TEST(same.where() == "/m/r.toml:4:10");
  }
  const Resources self("[named_resources.a]\ninherits='a'");
  BOOST_TEST(contains(error_of([&] { self.resolve("a"); }).message(), "a -> a"));
}

BOOST_AUTO_TEST_CASE(a_base_that_does_not_exist_is_refused_with_its_place) {
  const Resources file("[named_resources.a]\ncpu = 1\ninherits = 'nothing'");
  const Error error = error_of([&] { file.resolve("a"); });
  BOOST_TEST((error.code() == Code::kConfig));
  BOOST_TEST(error.message() ==
             "the resource \"a\" inherits from \"nothing\", which does not exist");
  BOOST_TEST(error.where() == "/m/r.toml:3:12");
}

BOOST_AUTO_TEST_CASE(wrong_resources_are_reported_with_their_place_and_cannot_be_resolved) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"named_resources = 7", "/m/r.toml:1:19: named_resources: expected a table"},
      {"[named_resources]\na = 7",
       ":2:5: named_resources.a: expected a table, found the integer 7"},
      {"[named_resources.a]\ncpu = '4'", ":2:7: named_resources.a.cpu: expected a number"},
      {"[named_resources.a]\ncpu = 0.0005",
       ":2:7: named_resources.a.cpu: expected a number of CPUs with at most three decimals, found "
       "0.0005"},
      {"[named_resources.a]\ncpu = -1",
       ":2:7: named_resources.a.cpu: expected 0 or more, found -1"},
      {"[named_resources.a]\ngpu = 1.5", ":2:7: named_resources.a.gpu: expected an integer"},
      {"[named_resources.a]\ncpu = 99999999999",
       ":2:7: named_resources.a.cpu: the integer 99999999999 is out of range"},
      {"[named_resources.a]\nmem = '64 gigs'",
       ":2:7: named_resources.a.mem: '64 gigs' has no known unit"},
      {"[named_resources.a]\nmem = 64", ":2:7: named_resources.a.mem: expected an amount"},
      {"[named_resources.a]\nmem = '1GiB'\nmemMB = 1024",
       ":3:1: named_resources.a.memMB: `mem` already sets the memory"},
      {"[named_resources.a]\ncapabilities = 'x'", ":2:16: named_resources.a.capabilities: "},
      {"[named_resources.a]\ndevices = { efa = 'x' }",
       "named_resources.a.devices.efa: expected an integer"},
      {"[named_resources.a]\ndevices = { efa = -4 }",
       "named_resources.a.devices.efa: expected 0 or more, found -4"},
      {"[named_resources.a]\ninherits = ['b']",
       ":2:12: named_resources.a.inherits: expected a string"},
      {"[named_resources.a]\ninherits = ''",
       ":2:12: named_resources.a.inherits: expected the name of a resource"},
      {"[named_resources.a]\ncpu = 1\n[named_resources.a.slurm]\ninherits = 'b'",
       ":4:1: named_resources.a.slurm.inherits: the variant of 'a' for the scheduler 'slurm' "
       "cannot have"},
      {"[named_resources.a]\ncpu = 1\n[named_resources.a.slurm]\ngpu = -1",
       ":4:7: named_resources.a.slurm.gpu: expected 0 or more, found -1"},
      {"[named_resources.a]\nalias_of = 'b'\ncpu = 1",
       ":3:1: named_resources.a.cpu: an alias of 'b' cannot set values"},
      {"[named_resources.a]\nalias_of = ''",
       ":2:12: named_resources.a.alias_of: expected the name"},
      {"[named_resources.a]\ncpu = 1\ndeprecated = true",
       ":3:14: named_resources.a.deprecated: expected a string"},
      {"[named_resources.'']\ncpu = 1", "a resource needs a name"},
  };
  for (const auto& broken : cases) {
    const Resources file(broken.text);
    BOOST_REQUIRE_MESSAGE(!file.problems.empty(), broken.message);
    BOOST_TEST(contains(to_string(file.problems[0]), broken.message),
               to_string(file.problems[0]) << " lacks " << broken.message);
    BOOST_TEST((file.problems[0].code == Code::kConfig));
    for (const InlineResource& resource : file.manifest.resources) {
      const Error error = error_of([&] { file.resolve(resource.name); });
      BOOST_TEST((error.code() == Code::kConfig), error.message());
      BOOST_TEST(contains(error.where(), "/m/r.toml:"));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_dotted_name_needs_no_quotes) {
  const Resources file(
      "[named_resources.gpu.small]\ncpu = 1\n[named_resources.gpu.large.x]\ncpu = 2\n"
      "[named_resources.plain]\ndevices = { efa = 1 }\n");
  BOOST_TEST(file.problems.empty());
  BOOST_REQUIRE(file.find("gpu.small") != nullptr);
  BOOST_TEST(file.find("gpu.small")->source.line == 1u);
  BOOST_REQUIRE(file.find("gpu.large.x") != nullptr);
  BOOST_REQUIRE(file.find("plain") != nullptr);
  BOOST_TEST(file.manifest.resources.size() == 3u);
}

BOOST_AUTO_TEST_CASE(same_name_in_two_notations_is_a_duplicate) {
  const Resources file(
      "[named_resources.gpu.small]\ncpu = 1\n[named_resources.'gpu.small']\ncpu = 2");
  BOOST_REQUIRE(file.problems.size() == 1u);
  const std::string said = to_string(file.problems[0]);
  BOOST_TEST(contains(said, "/m/r.toml:3:18: "), said);
  BOOST_TEST(contains(said, "line 1 already defines the resource 'gpu.small'"), said);
  BOOST_TEST(file.resolve("gpu.small").resource.cpu.whole() == 1);
}

BOOST_AUTO_TEST_CASE(a_misspelt_table_is_neither_a_name_nor_a_scheduler) {
  const Resources file(
      "[named_resources.a]\ncpu = 1\n[named_resources.a.capabilites]\nzone = 'b'\n"
      "[named_resources.b.device]\nefa = 1\n");
  BOOST_REQUIRE(file.problems.size() == 2u);
  BOOST_TEST(contains(to_string(file.problems[0]), ":3:20: "), to_string(file.problems[0]));
  BOOST_TEST(contains(to_string(file.problems[0]), "did you mean capabilities?"));
  BOOST_TEST(contains(to_string(file.problems[1]), "did you mean devices?"));
  BOOST_TEST(file.find("a")->variants.empty());
  BOOST_TEST((file.find("b") != nullptr));
}

BOOST_AUTO_TEST_CASE(a_resource_may_differ_on_a_scheduler) {
  const Resources file(R"([named_resources.big]
cpu = 8
gpu = 4
tags = { team = "a" }
capabilities = { zone = "a" }
[named_resources.big.slurm]
gpu = 2
capabilities = { partition = "gpu" }
[named_resources.heir]
inherits = "big"
cpu = 16
)");
  BOOST_TEST(file.problems.empty());
  const ResolvedResource big = file.resolve("big");
  BOOST_TEST(big.resource.gpu == 4);
  BOOST_REQUIRE(big.on_schedulers.size() == 1u);
  const Resource& slurm = *slipway::find(big.on_schedulers, "slurm");
  BOOST_TEST(slurm.cpu.whole() == 8);
  BOOST_TEST(slurm.gpu == 2);
  BOOST_TEST(slurm.capabilities_json == R"({"zone":"a","partition":"gpu"})");
  BOOST_TEST(slurm.tags_json == R"({"team":"a"})");
  const ResolvedResource heir = file.resolve("heir");
  BOOST_REQUIRE(heir.on_schedulers.size() == 1u);
  BOOST_TEST(heir.on_schedulers[0].second.cpu.whole() == 16);
  BOOST_TEST(heir.on_schedulers[0].second.gpu == 2);
  BOOST_TEST(heir.on_schedulers[0].second.tags_json == "");  // tags are not inherited
}

BOOST_AUTO_TEST_CASE(alias_equals_its_target) {
  const Resources file(R"([named_resources.big]
cpu = 8
tags = { team = "a" }
[named_resources.big.slurm]
cpu = 4
[named_resources.huge]
alias_of = "big"
deprecated = "write big; huge goes away in March"
[named_resources.heir]
inherits = "huge"
)");
  BOOST_TEST(file.problems.empty());
  const ResolvedResource huge = file.resolve("huge");
  BOOST_TEST((huge.resource == file.resolve("big").resource));
  BOOST_TEST(huge.on_schedulers.size() == 1u);
  BOOST_TEST(huge.deprecated == "write big; huge goes away in March");
  BOOST_TEST(contains(to_string(huge.source), "/m/r.toml:6:"));
  // Only the base is deprecated, not the heir.
  BOOST_TEST(file.resolve("heir").deprecated == "");
}

BOOST_AUTO_TEST_CASE(alias_without_a_target_or_in_a_cycle_is_refused) {
  const Resources file(
      "[named_resources.a]\nalias_of='b'\n[named_resources.b]\ninherits='a'\n"
      "[named_resources.c]\nalias_of = 'nothing'");
  const Error circle = error_of([&] { file.resolve("a"); });
  BOOST_TEST(contains(circle.message(), "a -> b -> a"), circle.message());
  BOOST_TEST(error_of([&] { file.resolve("c"); }).message() ==
             "the resource \"c\" is an alias of \"nothing\", which does not exist");
}

BOOST_AUTO_TEST_CASE(every_value_has_its_source) {
  const Resources file(R"([named_resources.base]
cpu = 8
gpu = 4
capabilities = { zone = "a", kind = "x" }
tags = { team = "a" }
[named_resources.leaf]
inherits = "base"
gpu = 2
capabilities = { zone = "b" }
)");
  std::string said;
  for (const FieldOrigin& origin : file.resolve("leaf").origins)
    said += origin.field + "=" + origin.resource + ":" + std::to_string(origin.where.line) + " ";
  // Tags are not inherited, so those of the base are missing.
  BOOST_TEST(said == "cpu=base:2 gpu=leaf:8 capabilities.zone=leaf:9 capabilities.kind=base:4 ");
}

BOOST_AUTO_TEST_CASE(an_unknown_key_is_a_warning_with_a_near_name) {
  const Resources file("[named_resources.a]\ncpus = 4\ncpu = 2");
  BOOST_REQUIRE(file.problems.size() == 1u);
  BOOST_TEST(
      to_string(file.problems[0]) ==
      "/m/r.toml:2:1: warning: named_resources.a.cpus: unknown key (ignored), did you mean cpu?");
  const ResolvedResource resolved = file.resolve("a");
  BOOST_TEST(resolved.resource.cpu.whole() == 2);
  BOOST_REQUIRE(resolved.origins.size() == 1u);  // the unknown key sets nothing
  BOOST_TEST(resolved.origins[0].field == "cpu");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
