#include "plugins/slurm/script/plan_builder.hpp"

#include <boost/test/unit_test.hpp>

#include "plugins/slurm/script/batch_script.hpp"
#include "plugins/slurm/script/text_places.hpp"
#include "plugins/slurm/script/time_limit.hpp"
#include "slipway/error.hpp"
#include "tests/unit/slurm/slurm_fixture.hpp"

namespace slipway::slurm::test {
namespace {

std::optional<std::string> option(const JobPart& part, const std::string& name) {
  const auto* value = find(part.sbatch, name);
  return value != nullptr ? *value : std::nullopt;
}

Role worker(std::int32_t replicas) {
  Resource needs;
  needs.cpu = 4;
  needs.mem_mb = 1001;
  return Role("w").runs("x").replicas(replicas).require(needs);
}

SlurmOptions options_with(const char* name, Value value) {
  Cfg cfg;
  cfg.set(name, std::move(value));
  return read_options(cfg);
}

bool is_invalid(const Error& error) { return error.code() == Code::kInvalid; }

}  // namespace

BOOST_FIXTURE_TEST_SUITE(PlanBuilder, SlurmFixture)

BOOST_AUTO_TEST_CASE(ten_thousand_replicas_are_one_component) {
  const JobPlan job = plan(app_of(worker(10000)));
  BOOST_REQUIRE(job.parts.size() == 1u);
  BOOST_TEST(option(job.parts[0], "ntasks").value() == "10000");
}

struct NodesFixture : SlurmFixture {
  NodesFixture() {
    // Partition, MB of a node, number of nodes: `small`, the default, has two nodes.
    facts.partitions = Partitions("P,M,N\nsmall*,64000,1\nsmall*,1000,1\nbig,1,9\n");
  }
  /// Returns the message of the refusal; empty: the app is accepted.
  std::string refusal(const AppDef& app) const {
    try {
      plan(app, options, facts);
    } catch (const Error& error) {
      BOOST_TEST(is_invalid(error));
      return error.message();
    }
    return {};
  }
  static AppDef roles(int count) {
    AppDef out("app");
    for (int i = 0; i < count; ++i) out.of(Role("r" + std::to_string(i)).runs("x").replicas(3));
    return out;
  }
  static AppDef elastic(int least, int most) {
    Role role = worker(most);
    role.min_replicas = least;
    return app_of(role);
  }
  SlurmOptions options;
  ClusterFacts facts;
};

BOOST_FIXTURE_TEST_CASE(more_roles_than_nodes_are_refused, NodesFixture) {
  BOOST_TEST(refusal(roles(2)) == "");
  BOOST_TEST(refusal(roles(3)).find("needs at least 3 nodes") != std::string::npos);
  BOOST_TEST(refusal(roles(3)).find("that is the default has 2:") != std::string::npos);
  options.partition = "unknown";  // so is its number of nodes
  BOOST_TEST(refusal(roles(3)) == "");
}

BOOST_FIXTURE_TEST_CASE(the_partition_of_the_option_sbatch_decides, NodesFixture) {
  options.partition = "small";
  options.sbatch = {{"partition", "big"}};
  BOOST_TEST(refusal(roles(3)) == "");
  BOOST_TEST(refusal(roles(10)).find("partition big has 9:") != std::string::npos);
  // The nodes of this partition are configured without memory.
  BOOST_TEST(!option(plan(app_of(worker(1)), options, facts).parts[0], "mem-per-cpu"));
}

BOOST_FIXTURE_TEST_CASE(facts_of_this_cluster_do_not_count_if_another_may_run_the_job,
                        NodesFixture) {
  facts.partitions = Partitions("P,M,N\nsmall*,1,1\n");
  facts.max_array_size = 2;
  options.sbatch = {{"clusters", "other"}};
  BOOST_TEST(refusal(roles(3)) == "");
  BOOST_TEST(option(plan(app_of(worker(1)), options, facts).parts[0], "mem-per-cpu").has_value());
  options.array = true;
  BOOST_TEST(refusal(roles(1)) == "");
}

BOOST_FIXTURE_TEST_CASE(the_least_number_of_nodes_of_each_component_counts, NodesFixture) {
  options.het_per_replica = true;
  BOOST_TEST(refusal(roles(1)).find("each replica nodes") != std::string::npos);
  options.het_per_replica = false;
  BOOST_TEST(refusal(elastic(2, 3)) == "");
  BOOST_TEST(refusal(elastic(3, 4)).find("at least 3 nodes") != std::string::npos);
  facts.version = {24, 11};
  Role gpus = worker(3);
  gpus.resource.gpu = 1;
  BOOST_TEST(refusal(app_of(gpus)).find("at least 3 nodes") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(all_arguments_and_variables_together_are_limited) {
  const auto app = [](int roles, std::size_t bytes) {
    AppDef out("app");
    for (int i = 0; i < roles; ++i)
      out.of(Role("r" + std::to_string(i)).runs("x").with_env("A", std::string(bytes, 'a')));
    return out;
  };
  // Linux limits them to 2 MiB for one program, part of which is left to other variables.
  BOOST_TEST(plan(app(15, 120000)).parts.size() == 15u);
  BOOST_CHECK_EXCEPTION(plan(app(20, 120000)), Error, [](const Error& error) {
    return error.message().find("all 20 parts of the job") != std::string::npos;
  });
  SlurmOptions options;
  options.het_per_replica = true;
  AppDef replicas = app(1, 60000);
  replicas.roles[0].num_replicas = 50;
  BOOST_CHECK_EXCEPTION(plan(replicas, options), Error, is_invalid);
}

BOOST_AUTO_TEST_CASE(macros_of_ports_and_hosts_become_numbers_and_variables) {
  AppDef app("app");
  app.of(Role("w")
             .runs("x", {"${role.kv.host}:${role.kv.port.http}", "$${port.a}"})
             .port("a", 0)  // "$${port.a}" is no macro: nothing needs this port
             .replicas(2))
      .of(Role("kv").runs("y", {"${port.http}"}).port("http", 80));
  const JobPlan job = plan(app);
  BOOST_TEST(bash_word(job.parts[0].args[0]) == "\"$SLIPWAY_HOST_1\":80");
  BOOST_TEST(readable_text(job.parts[0].args[0]) == "$SLIPWAY_HOST_1:80");
  BOOST_TEST(job.parts[0].args[1] == "${port.a}");
  BOOST_TEST(job.parts[1].args[0] == "80");
  SlurmOptions options;
  options.het_per_replica = true;
  BOOST_TEST(bash_word(plan(app, options).parts[0].args[0]) == "\"$SLIPWAY_HOST_2\":80");
}

BOOST_AUTO_TEST_CASE(port_that_nothing_chooses_is_refused_where_a_macro_needs_it) {
  AppDef app = app_of(Role("w").runs("x", {"${port.a}"}).port("a", 0));
  BOOST_CHECK_EXCEPTION(plan(app), Error, is_invalid);
}

BOOST_AUTO_TEST_CASE(macro_of_a_host_is_refused_in_an_array) {
  SlurmOptions options;
  const AppDef app = app_of(Role("w").runs("x", {"${role.w.host}"}));
  BOOST_CHECK_NO_THROW(plan(app, options));
  options.array = true;
  BOOST_CHECK_EXCEPTION(plan(app, options), Error, is_invalid);
}

BOOST_AUTO_TEST_CASE(services_need_a_step_of_their_own_and_work_beside_them) {
  Role board = Role("board").runs("x");
  board.metadata_json = R"({"slipway.service":true})";
  BOOST_CHECK_EXCEPTION(plan(app_of(board)), Error, is_invalid);
  AppDef app("app");
  app.of(board).of(worker(1));
  BOOST_TEST(plan(app).parts[0].service);
  SlurmOptions options;
  options.het_per_replica = true;
  BOOST_CHECK_EXCEPTION(plan(app, options), Error, is_invalid);
}

BOOST_AUTO_TEST_CASE(memory_of_replicas_that_may_share_a_node_is_per_cpu_rounded_up) {
  const JobPlan job = plan(app_of(worker(2)));
  BOOST_TEST(option(job.parts[0], "mem-per-cpu").value() == "251");
  BOOST_TEST(!option(job.parts[0], "mem").has_value());
}

BOOST_AUTO_TEST_CASE(the_shorter_limit_of_role_and_run_option_counts) {
  const auto limit = [](const char* timeout, const std::optional<std::string>& time) {
    Role role = worker(1);
    role.metadata_json = std::string("{\"slipway.timeout_s\":") + timeout + "}";
    return time_limit(role, time).value_or("none");
  };
  BOOST_TEST(limit("5400", std::nullopt) == "01:30:00");
  BOOST_TEST(limit("90061", std::nullopt) == "1-01:01:01");
  BOOST_TEST(limit("0", std::nullopt) == "none");
  BOOST_TEST(limit("0", "30") == "30");
  for (const char* longer : {"2", "1:01", "0:01:01", "0-1", "0-00:02", "0-00:01:01"})
    BOOST_TEST(limit("60", longer) == "00:01:00", longer);
  for (const char* no_limit :
       {"UNLIMITED", "unlimited", "infinite", "-1", "0", "0:00", "00:00:00", "0-0"})
    BOOST_TEST(limit("0.5", no_limit) == "00:00:01", no_limit);
  for (const char* shorter : {"1", "0:59", "0:00:01", "0-00:01"})
    BOOST_TEST(limit("60.5", shorter) == shorter);
  // These stay as they are, so that sbatch refuses them.
  for (const char* wrong : {"1h", "1:2:3:4", "-5", ":", "1-"})
    BOOST_TEST(limit("60", wrong) == wrong);
}

BOOST_AUTO_TEST_CASE(each_component_has_the_limit_of_its_role) {
  Role brief = worker(1);
  brief.metadata_json = R"({"slipway.timeout_s":60})";
  Role other = worker(1);
  other.name = "other";
  AppDef app = app_of(brief);
  app.roles.push_back(other);
  SlurmOptions options;
  options.time = "1:00:00";
  const JobPlan job = plan(app, options);
  BOOST_TEST(option(job.parts[0], "time").value() == "00:01:00");
  BOOST_TEST(option(job.parts[1], "time").value() == "1:00:00");
}

BOOST_AUTO_TEST_CASE(an_elastic_role_asks_for_a_range_of_nodes) {
  Role role = worker(4);
  role.min_replicas = 2;
  const JobPlan job = plan(app_of(role));
  BOOST_TEST(option(job.parts[0], "nodes").value() == "2-4");
  BOOST_TEST(!option(job.parts[0], "ntasks-per-node").has_value());
  BOOST_TEST(batch_script(job).find(" --ntasks-per-node=1 ") != std::string::npos);
  BOOST_TEST(option(job.parts[0], "mem").value() == "1001");
  BOOST_TEST(!option(job.parts[0], "ntasks").has_value());
}

BOOST_AUTO_TEST_CASE(gpus_are_per_task_up_to_24_05_and_per_node_from_24_11_on) {
  Role role = worker(3);
  role.resource.gpu = 2;
  ClusterFacts facts;
  facts.version = {24, 5};
  BOOST_TEST(option(plan(app_of(role), {}, facts).parts[0], "gpus-per-task").value() == "2");
  facts.version = {24, 11};
  const JobPlan newer = plan(app_of(role), {}, facts);
  BOOST_TEST(option(newer.parts[0], "gpus-per-node").value() == "2");
  BOOST_TEST(option(newer.parts[0], "nodes").value() == "3");
}

BOOST_AUTO_TEST_CASE(no_memory_is_requested_if_it_is_not_tracked_or_nomem_is_set) {
  ClusterFacts facts;
  // `main`, the default partition, does not track memory: its nodes have the default of 1 MB.
  facts.partitions = Partitions("PARTITION,MEMORY\nmain*,1\nbig,64000\n");
  SlurmOptions options;
  BOOST_TEST(!option(plan(app_of(worker(1)), options, facts).parts[0], "mem-per-cpu"));
  options.partition = "big";
  BOOST_TEST(option(plan(app_of(worker(1)), options, facts).parts[0], "mem-per-cpu").has_value());
  options.nomem = true;
  BOOST_TEST(!option(plan(app_of(worker(1)), options, facts).parts[0], "mem-per-cpu"));
}

BOOST_AUTO_TEST_CASE(other_options_of_sbatch_reach_every_component_except_options_of_the_job) {
  AppDef app = app_of(worker(1));
  app.of(Role("v").runs("y"));
  SlurmOptions options;
  options.sbatch = {{"exclude", "n7"}, {"exclusive", ""}, {"begin", "now"}, {"mem-per-cpu", "9"}};
  const JobPlan job = plan(app, options);
  for (const JobPart& part : job.parts) {
    BOOST_TEST(option(part, "exclude").value() == "n7");
    BOOST_TEST((find(part.sbatch, "exclusive") != nullptr));
    BOOST_TEST(option(part, "mem-per-cpu").value() == "9");
  }
  BOOST_TEST(option(job.parts[0], "begin").value() == "now");
  BOOST_TEST((find(job.parts[1].sbatch, "begin") == nullptr));
}

BOOST_AUTO_TEST_CASE(an_array_has_one_role_and_fits_the_cluster) {
  SlurmOptions options;
  options.array = true;
  ClusterFacts facts;
  facts.max_array_size = config_number("Foo = 1\nMaxArraySize            = 1001\n", "MaxArraySize");
  BOOST_TEST(plan(app_of(worker(1001)), options, facts).parts.size() == 1u);
  BOOST_CHECK_EXCEPTION(plan(app_of(worker(1002)), options, facts), Error, is_invalid);
  AppDef two = app_of(worker(1));
  two.of(Role("v").runs("y"));
  BOOST_CHECK_EXCEPTION(plan(two, options, facts), Error, is_invalid);
}

BOOST_AUTO_TEST_CASE(options_that_slipway_sets_and_dashes_and_control_characters_are_refused) {
  BOOST_CHECK_EXCEPTION(options_with("sbatch", StrDict{{"array", "0-3"}}), Error, is_invalid);
  BOOST_CHECK_EXCEPTION(options_with("sbatch", StrDict{{"comment", "mine"}}), Error, is_invalid);
  BOOST_CHECK_EXCEPTION(options_with("sbatch", StrDict{{"--exclude", "n7"}}), Error, is_invalid);
  for (const std::string character : {"\n", "\t", "\x1b"}) {
    const std::string value = "n7" + character + "x";
    BOOST_CHECK_EXCEPTION(options_with("sbatch", StrDict{{"exclude", value}}), Error, is_invalid);
    BOOST_CHECK_EXCEPTION(options_with("srun", StrDict{{"input", value}}), Error, is_invalid);
    BOOST_CHECK_EXCEPTION(options_with("partition", value), Error, is_invalid);
    for (const char* variable : {"SBATCH_QOS", "SBATCH_GRES"}) {
      ::setenv(variable, value.c_str(), 1);
      BOOST_CHECK_EXCEPTION(read_options({}), Error, is_invalid);
      ::unsetenv(variable);
    }
  }
  BOOST_TEST(options_with("qos", std::string("high")).qos.value() == "high");
}

BOOST_AUTO_TEST_CASE(abbreviations_and_old_names_of_options_are_refused) {
  for (const char* name : {"distrib", "parti", "extra-node", "cluster", "tasks-per-node"})
    BOOST_CHECK_EXCEPTION(options_with("sbatch", StrDict{{name, "x"}}), Error, is_invalid);
  BOOST_CHECK_EXCEPTION(options_with("srun", StrDict{{"pack-group", "0"}}), Error, is_invalid);
  for (const char* name : {"distribution", "extra", "clusters", "option-of-a-later-version"})
    BOOST_TEST((find(options_with("sbatch", StrDict{{name, "x"}}).sbatch, name) != nullptr));
}

BOOST_AUTO_TEST_CASE(a_command_that_is_too_long_for_the_environment_is_refused) {
  const auto with = [&](const std::string& text) {
    Role role = worker(2);
    role.args = {text};
    return plan(app_of(role));
  };
  // Linux limits one variable or argument to 128 KiB.
  BOOST_CHECK_NO_THROW(with(std::string(120'000, 'x')));
  BOOST_CHECK_EXCEPTION(with(std::string(130'000, 'x')), Error, is_invalid);
  // A quote takes five bytes in bash.
  BOOST_CHECK_NO_THROW(with(std::string(25'000, '\'')));
  BOOST_CHECK_EXCEPTION(with(std::string(40'000, '\'')), Error, is_invalid);
  Role role = worker(2);
  role.env = {{"A", std::string(70'000, 'x')}, {"B", std::string(70'000, 'x')}};
  BOOST_CHECK_EXCEPTION(plan(app_of(role)), Error, is_invalid);
}

BOOST_AUTO_TEST_CASE(ignored_fields_are_reported) {
  Role role = worker(2).port("http", 80).retries(1, RetryPolicy::kReplica);
  std::vector<std::string> fields;
  build_plan(app_of(role), {}, {}, {"s", "s/a-1", path("state")},
             [&](const Finding& finding) { fields.push_back(finding.field); });
  BOOST_TEST(fields == (std::vector<std::string>{"port_map", "retry_policy"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(options_decide_which_fields_a_job_acts_on) {
  const auto condition = [](const SlurmOptions& options, const std::string& name) {
    for (const AppField& field : acted_on(options))
      if (field.name == name) return field.condition;
    return std::string("not listed");
  };
  SlurmOptions options;
  BOOST_TEST(condition(options, "min_replicas") == "");
  BOOST_TEST(condition(options, "retry_policy.APPLICATION") == "");
  BOOST_TEST(condition(options, "retry_policy.REPLICA") == "with -c array=true");
  options.array = true;
  BOOST_TEST(condition(options, "min_replicas") == "without -c array=true");
  BOOST_TEST(condition(options, "retry_policy.APPLICATION") == "without -c array=true");
  BOOST_TEST(condition(options, "retry_policy.REPLICA") == "");
  options.array = false;
  options.het_per_replica = true;
  BOOST_TEST(condition(options, "min_replicas") == "without -c het_per_replica=true");
}

BOOST_AUTO_TEST_CASE(devices_are_ignored_unless_gres_is_given) {
  Role role = worker(1);
  role.resource.devices = {{"example.org/fpga", 2}};
  SlurmOptions options;
  int reported = 0;
  const auto plan = [&] {
    build_plan(app_of(role), options, {}, {"s", "s/a-1", path("state")},
               [&](const Finding& finding) { reported += finding.field == "resource.devices"; });
  };
  plan();
  BOOST_TEST(reported == 1);
  options.sbatch = {{"gres", "fpga:2"}};
  plan();
  BOOST_TEST(reported == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::slurm::test
