#include "plugins/local/engine/plan.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "sdk/support/checksum.hpp"
#include "slipway/error.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

BOOST_AUTO_TEST_SUITE(LocalEnginePlan)

BOOST_AUTO_TEST_CASE(plan_with_any_changed_byte_is_refused_or_decoded_exactly) {
  LaunchPlan plan = small_plan("app-1", 3);
  plan.owned = true;
  plan.environment = {"A=1"};
  plan.groups[0].env = {{"K", "v"}};
  const std::string bytes = encode_plan(plan);
  for (std::size_t at = 0; at + sizeof(std::uint32_t) < bytes.size(); ++at) {
    for (const char value : {'\x02', '\xff'}) {
      std::string changed = bytes.substr(0, bytes.size() - sizeof(std::uint32_t));
      changed[at] = value;
      // A correct checksum, so that decode_plan() reads the changed byte.
      const std::uint32_t crc = crc32(changed);
      changed.append(reinterpret_cast<const char*>(&crc), sizeof crc);
      try {
        BOOST_TEST_REQUIRE(encode_plan(decode_plan(changed)) == changed, "byte " << at);
      } catch (const Error&) {
        continue;  // decode_plan() refused it
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(survives_encoding_and_decoding) {
  LaunchPlan plan = small_plan("app-1", 3);
  plan.app_name = std::string(255, '\xC3');
  plan.log_dir = "/logs/x";
  plan.rank0_env = "RANK0";
  plan.owned = true;
  plan.rules.grace_ms = 1234;
  plan.environment = {"A=1", "B=", "C=x=y"};
  plan.held_files = {"/images/.locks/a", "/b"};
  plan.groups[0].env = {{"K", "v"}, {"EMPTY", ""}};
  plan.groups[0].img_root = "/img";
  const LaunchPlan copy = decode_plan(encode_plan(plan));
  BOOST_TEST(copy.app_name == plan.app_name);
  BOOST_TEST(copy.log_dir == plan.log_dir);
  BOOST_TEST(copy.rank0_env == plan.rank0_env);
  BOOST_TEST(copy.owned);
  BOOST_TEST(copy.rules.grace_ms == 1234);
  BOOST_TEST(copy.environment == plan.environment);
  BOOST_TEST(copy.held_files == plan.held_files);
  BOOST_TEST_REQUIRE(copy.groups.size() == 1U);
  BOOST_TEST(copy.groups[0].argv == plan.groups[0].argv);
  BOOST_TEST((copy.groups[0].env == plan.groups[0].env));
  BOOST_TEST(copy.groups[0].count == 3);
}

BOOST_AUTO_TEST_CASE(needs_of_replicas_survive_encoding_and_decoding) {
  LaunchPlan plan = small_plan("app-1", 1);
  plan.lease_pool = "room-7";
  plan.machine_gpus = 4;
  plan.gpu_variables = {"CUDA_VISIBLE_DEVICES"};
  plan.cgroups = {false, "/sys/memory", "/sys/cpu"};
  plan.groups.push_back(plan.groups[0]);
  plan.groups[1].role = "x";
  LaunchGroup& group = plan.groups[0];
  group.ports = {{"http", 8080}};
  group.needs.gpus = 2;
  group.needs.limits = {Enforce::kCgroup, 1 << 20, 3};
  group.needs.mounts = {{"/a", "/b", true}};
  group.needs.after = {{"x", Dependency::Until::kSucceeded}};
  const LaunchPlan copy = decode_plan(encode_plan(plan));
  BOOST_TEST(copy.lease_pool == "room-7");
  BOOST_TEST(copy.machine_gpus == 4);
  BOOST_TEST(copy.gpu_variables == plan.gpu_variables);
  BOOST_TEST(!copy.cgroups.unified);
  BOOST_TEST(copy.cgroups.memory == "/sys/memory");
  BOOST_TEST(copy.cgroups.cpu == "/sys/cpu");
  BOOST_TEST((copy.groups[0].ports == group.ports));
  const ReplicaNeeds& needs = copy.groups[0].needs;
  BOOST_TEST(needs.gpus == 2);
  BOOST_TEST((needs.limits.enforce == Enforce::kCgroup));
  BOOST_TEST(needs.limits.memory_bytes == 1 << 20);
  BOOST_TEST(needs.limits.cpu_milli == 3);
  BOOST_TEST_REQUIRE(needs.mounts.size() == 1U);
  BOOST_TEST(needs.mounts[0].src == "/a");
  BOOST_TEST(needs.mounts[0].dst == "/b");
  BOOST_TEST(needs.mounts[0].read_only);
  BOOST_TEST_REQUIRE(needs.after.size() == 1U);
  BOOST_TEST(needs.after[0].role == "x");
  BOOST_TEST((needs.after[0].until == Dependency::Until::kSucceeded));
}

BOOST_AUTO_TEST_CASE(readiness_probes_survive_encoding_and_decoding) {
  LaunchPlan plan = small_plan("app-1", 1);
  plan.rules.retry_on.not_ready = true;
  ReadyProbe& probe = plan.groups[0].needs.ready;
  probe.kind = ReadyProbe::Kind::kCommand;
  probe.address = "::1";
  probe.port_name = "http";
  probe.port = 8080;
  probe.command = {"check", "${replica_id}"};
  probe.pattern = "up";
  probe.interval_ms = 1;
  probe.timeout_ms = 2;
  probe.within_ms = 3;
  const LaunchPlan copy = decode_plan(encode_plan(plan));
  const ReadyProbe& read = copy.groups[0].needs.ready;
  BOOST_TEST(copy.rules.retry_on.not_ready);
  BOOST_TEST(!copy.rules.retry_on.timeout);
  BOOST_TEST((read.kind == probe.kind));
  BOOST_TEST(read.address == probe.address);
  BOOST_TEST(read.port_name == probe.port_name);
  BOOST_TEST(read.port == probe.port);
  BOOST_TEST(read.command == probe.command);
  BOOST_TEST(read.pattern == probe.pattern);
  BOOST_TEST(read.interval_ms == 1);
  BOOST_TEST(read.timeout_ms == 2);
  BOOST_TEST(read.within_ms == 3);
}

BOOST_AUTO_TEST_CASE(refuses_invalid_probes) {
  const auto probed_plan = [](auto change) {
    LaunchPlan plan = small_plan("app-1", 1);
    ReadyProbe& probe = plan.groups[0].needs.ready;
    probe.kind = ReadyProbe::Kind::kCommand;
    probe.command = {"/bin/true"};
    plan.groups.push_back(plan.groups[0]);
    plan.groups[1].role = "x";
    plan.groups[1].needs.after = {{"w", Dependency::Until::kHealthy}};
    change(plan.groups[0].needs.ready);
    return plan;
  };
  const auto accepted = [&](auto change) {
    BOOST_CHECK_NO_THROW(validate_plan(probed_plan(change)));
  };
  const auto refused = [&](auto change) {
    BOOST_CHECK_EXCEPTION(validate_plan(probed_plan(change)), Error, is_invalid);
  };
  accepted([](ReadyProbe&) {});
  accepted([](ReadyProbe& p) { p.kind = ReadyProbe::Kind::kLog; });
  accepted([](ReadyProbe& p) { p.within_ms = 0; });
  refused([](ReadyProbe& p) { p.kind = ReadyProbe::Kind::kNone; });  // x waits for it
  refused([](ReadyProbe& p) { p.kind = ReadyProbe::Kind::kTcp; });   // without a port
  refused([](ReadyProbe& p) { p.kind = static_cast<ReadyProbe::Kind>(9); });
  refused([](ReadyProbe& p) { p.command.clear(); });
  refused([](ReadyProbe& p) { p.command = {std::string("a\0b", 3)}; });
  refused([](ReadyProbe& p) { p.interval_ms = 0; });
  refused([](ReadyProbe& p) { p.timeout_ms = INT64_MAX; });
  refused([](ReadyProbe& p) { p.within_ms = -1; });
}

BOOST_AUTO_TEST_CASE(refuses_invalid_needs) {
  const auto refused = [](auto change) {
    LaunchPlan plan = small_plan("app-1", 2);
    change(plan);
    BOOST_CHECK_EXCEPTION(validate_plan(plan), Error, is_invalid);
  };
  refused([](LaunchPlan& p) {  // a GPU on a machine without GPUs
    p.groups[0].count = 1;
    p.groups[0].needs.gpus = 1;
  });
  refused([](LaunchPlan& p) {  // a GPU for a group of two replicas
    p.machine_gpus = 2;
    p.lease_pool = "pool";
    p.groups[0].needs.gpus = 1;
  });
  LaunchPlan without_pool = small_plan("app-1", 2);
  without_pool.machine_gpus = 1;
  BOOST_CHECK_EXCEPTION(validate_plan(without_pool), Error, [](const Error& error) {
    return error.message() == "the plan has no pool for the leases of its GPUs";
  });
  refused([](LaunchPlan& p) { p.groups[0].needs.limits.cpu_milli = -1; });
  // The plan has no place for cgroups.
  refused([](LaunchPlan& p) { p.groups[0].needs.limits.enforce = Enforce::kCgroup; });
  refused([](LaunchPlan& p) { p.groups[0].needs.mounts = {{"a", "/b", false}}; });
  // Its own role, and one that the app does not have.
  refused([](LaunchPlan& p) { p.groups[0].needs.after = {{"w", Dependency::Until::kStarted}}; });
  refused([](LaunchPlan& p) { p.groups[0].needs.after = {{"z", Dependency::Until::kStarted}}; });
}

BOOST_AUTO_TEST_CASE(refuses_every_truncation_and_a_flipped_bit_in_any_byte) {
  const std::string good = encode_plan(small_plan("app-1", 2));
  for (std::size_t size = 0; size < good.size(); ++size) {
    BOOST_CHECK_EXCEPTION(decode_plan(good.substr(0, size)), Error, is_invalid);
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x40);
    BOOST_CHECK_EXCEPTION(decode_plan(bad), Error, is_invalid);
  }
}

BOOST_AUTO_TEST_CASE(refuses_names_that_are_empty_hidden_or_outside_their_directory) {
  for (const char* name : {"", ".", "..", ".hidden", "a/b", "/"}) {
    LaunchPlan plan = small_plan("app-1", 1);
    plan.groups[0].role = name;
    BOOST_CHECK_EXCEPTION(validate_plan(plan), Error, is_invalid);
    plan = small_plan(name, 1);
    BOOST_CHECK_EXCEPTION(validate_plan(plan), Error, is_invalid);
  }
}

BOOST_AUTO_TEST_CASE(refuses_two_roles_with_one_name) {
  LaunchPlan plan = small_plan("app-1", 1);
  plan.groups.push_back(plan.groups[0]);
  BOOST_CHECK_EXCEPTION(validate_plan(plan), Error, is_invalid);
}

BOOST_AUTO_TEST_CASE(accepts_a_role_in_several_groups) {
  LaunchPlan plan = small_plan("app-1", 2);
  plan.groups.push_back(plan.groups[0]);
  plan.groups[1].first_replica = 2;
  BOOST_CHECK_NO_THROW(validate_plan(plan));
  BOOST_TEST(replica_count(plan) == 4);
  plan.groups[1].first_replica = 3;  // no group has replica 2
  BOOST_CHECK_EXCEPTION(validate_plan(plan), Error, is_invalid);
}

BOOST_AUTO_TEST_CASE(
    refuses_a_nul_byte_in_an_argument_and_an_equals_sign_in_the_name_of_a_variable) {
  LaunchPlan plan = small_plan("app-1", 1);
  plan.groups[0].argv.push_back(std::string("a\0b", 3));
  BOOST_CHECK_EXCEPTION(validate_plan(plan), Error, is_invalid);
  plan = small_plan("app-1", 1);
  plan.groups[0].env.emplace_back("A=B", "x");
  BOOST_CHECK_EXCEPTION(validate_plan(plan), Error, is_invalid);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
