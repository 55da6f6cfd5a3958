// The SDK's example of a component, loaded as a real library: its description, its app, and the
// resource that it asks the host for. Also: a role gets the resource that it requires for one
// scheduler.
#include <boost/test/unit_test.hpp>

#include "core/runner/runner.hpp"
#include "slipway/error.hpp"
#include "tests/unit/built_files.hpp"

namespace slipway {
namespace {

struct TeamRunner {
  Runner runner{options()};
  registry::PluginComponents team{runner.plugins().components("team")};

  static RunnerOptions options() {
    RunnerOptions out;
    out.search.prefix = test::built_tree();
    out.search.site_dir = "/nonexistent";  // resources of this machine's site must not interfere
    out.search.plugin_path = {test::test_plugin("team_plugin")};
    return out;
  }
  static Cfg args(const std::string& machine) {
    Cfg out;
    out.set("script", std::string("train.py"));
    out.set("trainers", std::int64_t{3});
    out.set("machine", machine);
    out.set("args", StrList{"--lr", "0.1"});
    return out;
  }
};

BOOST_FIXTURE_TEST_SUITE(TeamComponent, TeamRunner)

BOOST_AUTO_TEST_CASE(description_passes_through_the_c_contract) {
  const std::vector<ComponentInfo> infos = team.list();
  BOOST_REQUIRE(infos.size() == 1);
  BOOST_TEST(infos[0].name == "team.train");
  BOOST_REQUIRE(infos[0].params.size() == 4);
  BOOST_TEST(!infos[0].help.empty());
  BOOST_TEST(infos[0].params[0].name == "script");
  BOOST_TEST((infos[0].params[0].type == ValueType::kStr));
  BOOST_TEST(!infos[0].params[0].help.empty());
  BOOST_TEST(infos[0].params[0].required);
  BOOST_TEST((infos[0].params[1].type == ValueType::kInt));
  BOOST_TEST(infos[0].params[1].short_name == "n");
  BOOST_TEST((infos[0].params[1].default_value == Value(std::int64_t{2})));
  BOOST_TEST(infos[0].params[3].variadic);
}

BOOST_AUTO_TEST_CASE(resource_of_another_plugin_is_resolved) {
  const AppDef app = team.build("team.train", args("gpu.large"));
  BOOST_REQUIRE(app.roles.size() == 2);
  const Role& trainer = app.roles[1];
  BOOST_TEST(trainer.resource.gpu == 4);
  BOOST_TEST(trainer.resource.mem_mb == 131072);
  BOOST_TEST(trainer.num_replicas == 3);
  BOOST_TEST((trainer.args == StrList{"-m", "torchelastic.distributed.launch", "--nnodes", "3",
                                      "--nproc_per_node", "4", "--rdzv_backend", "etcd",
                                      "--rdzv_id", "${app_id}", "--role", "trainer",
                                      "${img_root}/train.py", "--lr", "0.1"}));
}

BOOST_AUTO_TEST_CASE(unknown_resource_is_refused_with_a_similar_name_in_the_hint) {
  BOOST_CHECK_EXCEPTION(team.build("team.train", args("gpu.smal")), Error, [](const Error& error) {
    return error.code() == Code::kNotFound &&
           error.message().find("unknown resource 'gpu.smal'") != std::string::npos &&
           error.hint() == "did you mean gpu.small?";
  });
}

BOOST_AUTO_TEST_CASE(errors_of_the_component_reach_the_caller) {
  BOOST_CHECK_EXCEPTION(team.build("team.train", args("cpu.small")), Error, [](const Error& error) {
    return error.code() == Code::kInvalid &&
           error.message().find("cpu.small has no GPU") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(role_gets_its_requirements_for_the_scheduler) {
  Resource everywhere;
  everywhere.cpu = 1;
  Resource here;
  here.cpu = 7;
  Resource elsewhere;
  elsewhere.cpu = 9;
  AppDef app("app");
  app.of(Role("w")
             .runs("/bin/true")
             .require(everywhere)
             .require(here, "local_cwd")
             .require(elsewhere, "slurm"));
  const AppDryRun dryrun = runner.dryrun(app, "local_cwd");
  BOOST_TEST(dryrun.app.roles.at(0).resource.cpu.whole() == 7);
  BOOST_TEST(dryrun.app.roles.at(0).scheduler_resources.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
