#include "slipway/elastic_role.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(ElasticRoles)

BOOST_AUTO_TEST_CASE(the_program_runs_under_the_agent_with_its_options) {
  const AppDef app = AppDef("a").of(
      ElasticRole("trainer", {{"nnodes", "2:4"}, {"max_restarts", 3}, {"no_python", true}})
          .runs("/bin/echo", {"hello", "world"})
          .with_env("A", "1")
          .replicas(2));
  const Role& role = app.roles.at(0);
  BOOST_TEST(role.name == "trainer");
  BOOST_TEST(role.entrypoint == "python");
  BOOST_TEST((role.args == StrList{"-m", "torchelastic.distributed.launch", "--nnodes", "2:4",
                                   "--max_restarts", "3", "--no_python", "--rdzv_backend", "etcd",
                                   "--rdzv_id", "${app_id}", "--role", "trainer", "/bin/echo",
                                   "hello", "world"}));
  BOOST_TEST((role.env == StrDict{{"A", "1"}}));
  BOOST_TEST(role.num_replicas == 2);
}

BOOST_AUTO_TEST_CASE(given_options_are_not_repeated) {
  const Role role =
      ElasticRole("r", {{"rdzv_backend", "c10d"}, {"rdzv_id", "x"}, {"role", "y"}}).runs("/p");
  BOOST_TEST((role.args == StrList{"-m", "torchelastic.distributed.launch", "--rdzv_backend",
                                   "c10d", "--rdzv_id", "x", "--role", "y", "/p"}));
}

BOOST_AUTO_TEST_CASE(disabled_flag_is_omitted) {
  const Role role = ElasticRole("r", {{"no_python", false}}).runs("/p");
  BOOST_TEST((role.args == StrList{"-m", "torchelastic.distributed.launch", "--rdzv_backend",
                                   "etcd", "--rdzv_id", "${app_id}", "--role", "r", "/p"}));
}

BOOST_AUTO_TEST_CASE(a_relative_program_is_one_of_the_image) {
  BOOST_TEST(Role(ElasticRole("r").runs("bin/p")).args.back() == "${img_root}/bin/p");
  BOOST_TEST(Role(ElasticRole("r").runs("${img_root}/p")).args.back() == "${img_root}/p");
  BOOST_TEST(Role(ElasticRole("r").runs("/p")).args.back() == "/p");
}

BOOST_AUTO_TEST_CASE(the_agent_of_newer_pytorch_can_be_named) {
  const Role role = ElasticRole("r").launched_by("torch.distributed.run").runs("/p");
  BOOST_TEST(role.args.at(1) == "torch.distributed.run");
}

BOOST_AUTO_TEST_CASE(the_last_program_counts) {
  ElasticRole role("r");
  role.runs("/first", {"a"});
  role.runs("/second");
  BOOST_TEST(role.args.back() == "/second");
  BOOST_TEST(role.args.size() == 9u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
