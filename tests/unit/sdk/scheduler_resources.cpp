#include "slipway/scheduler_resources.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(SchedulerResources)

BOOST_AUTO_TEST_CASE(scheduler_can_have_its_own_resource) {
  Resource everywhere;
  everywhere.cpu = 4;
  Resource partition;
  partition.cpu = 48;
  AppDef app("train");
  app.of(Role("ps").require(everywhere).require(partition, "slurm"));
  app.of(Role("reader").require(everywhere));

  const AppDef on_slurm = for_scheduler(app, "slurm");
  BOOST_TEST((on_slurm.roles[0].resource == partition));
  BOOST_TEST((on_slurm.roles[1].resource == everywhere));
  BOOST_TEST(on_slurm.roles[0].scheduler_resources.empty());

  const AppDef elsewhere = for_scheduler(app, "local_cwd");
  BOOST_TEST((elsewhere.roles[0].resource == everywhere));
  BOOST_TEST(elsewhere.roles[0].scheduler_resources.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
