#include "plugins/docker/request/plan_builder.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "plugins/docker/images/credentials.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace json = boost::json;

namespace {

AppDef two_roles() {
  AppDef app("app");
  app.of(Role("ps").runs("ps.py").on("img:1").port("http", 80));
  app.of(Role("trainer").runs("train.py").on("img:2").replicas(2));
  return app;
}

AppPlan plan_of(const AppDef& app, const DockerOptions& options = {}) {
  PlanPlace place;
  place.environment = {"HF_TOKEN=secret", "OTHER=1"};
  place.app_id = "app-x";
  place.session = "s";
  place.device_mounts = [](const IntDict&, StrList&) { return std::vector<Mount>(); };
  return build_plan(app, options, rules_for(app, {}), place, {});
}

json::object body_of(const AppPlan& plan, std::size_t index, const std::string& app_text = {}) {
  return json::parse(create_body(plan, plan.containers.at(index), app_text)).as_object();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(PlanBuilder)

BOOST_AUTO_TEST_CASE(replicas_have_names_in_the_network_of_the_app) {
  const AppPlan plan = plan_of(two_roles());
  BOOST_TEST(plan.network == "app-x");
  const auto aliases = [&](std::size_t index) {
    const json::object body = body_of(plan, index);
    return json::serialize(
        body.at("NetworkingConfig").at("EndpointsConfig").at("app-x").at("Aliases"));
  };
  BOOST_TEST(aliases(1) == R"(["trainer-0","trainer"])");
  BOOST_TEST(aliases(2) == R"(["trainer-1"])");
}

BOOST_AUTO_TEST_CASE(only_the_first_container_has_the_app_in_a_label) {
  const AppPlan plan = plan_of(two_roles());
  BOOST_TEST(body_of(plan, 0, "text").at("Labels").at(kAppLabel) == "text");
  BOOST_TEST(!body_of(plan, 1).at("Labels").as_object().contains(kAppLabel));
}

BOOST_AUTO_TEST_CASE(plan_on_the_network_of_the_host_has_no_names) {
  const AppPlan plan = on_host_network(plan_of(two_roles()));
  const json::object body = body_of(plan, 0);
  BOOST_TEST(body.at("HostConfig").at("NetworkMode") == "host");
  BOOST_TEST(!body.contains("NetworkingConfig"));
  BOOST_TEST(!body.contains("ExposedPorts"));
  BOOST_TEST(*find(plan.containers[0].env, kRank0Variable) == "localhost");
}

BOOST_AUTO_TEST_CASE(ports_are_published_by_policy) {
  DockerOptions options;
  const auto host_port = [&] {
    const json::object body = body_of(plan_of(two_roles(), options), 0);
    return body.at("HostConfig").at("PortBindings").at("80/tcp").at(0).at("HostPort");
  };
  BOOST_TEST(host_port() == "");
  options.ports = PortPolicy::kFixed;
  BOOST_TEST(host_port() == "80");
  options.ports = PortPolicy::kNone;
  BOOST_TEST(!body_of(plan_of(two_roles(), options), 0).contains("ExposedPorts"));
}

BOOST_AUTO_TEST_CASE(fixed_port_of_two_replicas_is_refused) {
  AppDef app = two_roles();
  app.roles[0].num_replicas = 2;
  DockerOptions options;
  options.ports = PortPolicy::kFixed;
  BOOST_CHECK_THROW(plan_of(app, options), Error);
}

BOOST_AUTO_TEST_CASE(fixed_port_of_two_replicas_is_allowed_where_no_port_is_published) {
  AppDef app = two_roles();
  app.roles[0].num_replicas = 2;
  DockerOptions options;
  options.ports = PortPolicy::kFixed;
  for (const char* network : {kHostNetwork, kNoNetwork}) {
    options.network = network;
    BOOST_TEST(!body_of(plan_of(app, options), 0).contains("ExposedPorts"), network);
  }
}

BOOST_AUTO_TEST_CASE(copied_values_reach_the_engine_and_no_dry_run) {
  AppDef app = two_roles();
  app.roles[1].with_env("HF_TOKEN", "own");
  DockerOptions options;
  options.copy_env = {"HF_*"};
  const AppPlan plan = plan_of(app, options);
  BOOST_TEST(*find(plan.containers[0].env, "HF_TOKEN") == "secret");
  BOOST_TEST(find(plan.containers[0].env, "OTHER") == nullptr);
  const auto dry_run = [&](std::size_t index) {
    return plan_text(plan, without_copied_values(plan.containers.at(index)));
  };
  BOOST_TEST(dry_run(0).find("env: HF_TOKEN=<copied>\n") != std::string::npos);
  BOOST_TEST(dry_run(1).find("env: HF_TOKEN=own\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(working_directory_of_a_role_reaches_the_engine) {
  AppDef app = two_roles();
  app.roles[0].metadata_json = R"({"slipway.cwd":"/srv/data"})";
  const AppPlan plan = plan_of(app);
  BOOST_TEST(body_of(plan, 0).at("WorkingDir") == "/srv/data");
  BOOST_TEST(!body_of(plan, 1).contains("WorkingDir"));
  BOOST_TEST(plan_text(plan, plan.containers[0]).find("directory: /srv/data\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(part_of_a_cpu_reaches_the_engine) {
  AppDef app = two_roles();
  app.roles[0].resource.cpu = CpuCount::of_milli(500);
  const AppPlan plan = plan_of(app);
  BOOST_TEST(body_of(plan, 0).at("HostConfig").at("NanoCpus").as_int64() == 500'000'000);
  BOOST_TEST(plan_text(plan, plan.containers[0]).find("cpus: 0.5\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(memory_whose_bytes_need_more_than_64_bits_is_refused) {
  AppDef app = two_roles();
  app.roles[0].resource.mem_mb = kMostMebibytes;
  BOOST_TEST(plan_of(app).containers[0].memory.value() == kMostMebibytes * 1024 * 1024);
  app.roles[0].resource.mem_mb = std::int64_t{1} << 44;
  BOOST_CHECK_THROW(plan_of(app), Error);
  const auto shm_of = [](std::int64_t mebibytes) {
    return read_options(Cfg({{"pull", std::string("missing")},
                             {"ports", std::string("leased")},
                             {"shm_mb", mebibytes}}))
        .shm_mb.value();
  };
  BOOST_TEST(shm_of(kMostMebibytes) == kMostMebibytes);
  BOOST_CHECK_THROW(shm_of(kMostMebibytes + 1), Error);
  BOOST_CHECK_THROW(shm_of(std::int64_t{1} << 44), Error);
}

BOOST_AUTO_TEST_CASE(role_without_an_image_is_refused) {
  AppDef app = two_roles();
  app.roles[1].image.clear();
  BOOST_CHECK_THROW(plan_of(app), Error);
}

BOOST_AUTO_TEST_CASE(roles_whose_containers_would_share_a_name_are_refused) {
  AppDef app = two_roles();
  app.roles[0].name = std::string(30, 'r') + "a";
  app.roles[1].name = std::string(30, 'r') + "b";
  BOOST_CHECK_THROW(plan_of(app), Error);
  app.roles[0].name = "w\u00fc";
  app.roles[1].name = "w\u00e4";
  BOOST_CHECK_EXCEPTION(plan_of(app), Error, [](const Error& error) {
    return error.message().find(
               "roles w\u00fc and w\u00e4 would have containers of the same name") == 0 &&
           error.message().find("with '_' for those that the engine refuses") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(hostname_fits_the_kernel) {
  AppDef app = two_roles();
  app.roles[1].name = std::string(30, 'r');
  app.roles[1].num_replicas = 1001;
  PlanPlace place;
  place.app_id = std::string(40, 'a');
  place.device_mounts = [](const IntDict&, StrList&) { return std::vector<Mount>(); };
  const AppPlan plan = build_plan(app, {}, rules_for(app, {}), place, {});
  // At most 30 characters of the app's id and of the role's name, and the number: 30 + 30 + 4, with
  // two hyphens.
  BOOST_TEST(plan.containers.back().name.size() == 66U);
  BOOST_TEST(plan.containers.back().hostname.size() == 63U);
  std::set<std::string> hostnames;
  for (const ContainerPlan& container : plan.containers) hostnames.insert(container.hostname);
  BOOST_TEST(hostnames.size() == plan.containers.size());
}

BOOST_AUTO_TEST_CASE(names_of_images_are_taken_apart) {
  const auto parts = [](const char* image) {
    const ImageName name = parse_image(image);
    return name.repository + " " + name.tag + " " + name.registry;
  };
  const std::string hub = "https://index.docker.io/v1/";
  BOOST_TEST(parts("python") == "python latest " + hub);
  BOOST_TEST(parts("org/app:1.2") == "org/app 1.2 " + hub);
  BOOST_TEST(parts("docker.io/org/app") == "docker.io/org/app latest " + hub);
  BOOST_TEST(parts("localhost:5000/app") == "localhost:5000/app latest localhost:5000");
  BOOST_TEST(parts("ghcr.io/o/a:1@sha256:ab") == "ghcr.io/o/a sha256:ab ghcr.io");
}

BOOST_AUTO_TEST_CASE(macros_lead_to_the_ports_and_hosts_of_roles) {
  AppDef app = two_roles();
  app.roles[1].args = {"${role.ps.host}:${role.ps.port.http}", "$${port.http}"};
  const AppPlan plan = plan_of(app);
  BOOST_TEST(plan.containers.at(1).command.at(1) == "app-x-ps-0:80");
  BOOST_TEST(plan.containers.at(1).command.at(2) == "${port.http}");
  BOOST_TEST(on_host_network(plan).containers.at(1).command.at(1) == "localhost:80");
  app.roles[0].port_map = {{"http", 0}};  // nothing chooses a port inside a container
  BOOST_CHECK_THROW(plan_of(app), Error);
}

BOOST_AUTO_TEST_CASE(only_a_published_port_needs_a_number) {
  AppDef app = two_roles();
  app.roles[0].port_map = {{"http", 0}};
  BOOST_CHECK_THROW(plan_of(app), Error);
  DockerOptions options;
  options.network = "host";
  BOOST_TEST(plan_of(app, options).containers.size() == 3U);
}

BOOST_AUTO_TEST_CASE(only_macros_change_on_the_network_of_the_host) {
  AppDef app = two_roles();
  app.roles[1].args = {"${role.ps.host}", "--output=/data/${app_id}-ps-0"};
  app.roles[1].with_env("OUT", "/data/${app_id}-ps-0").with_env("PS", "${role.ps.host}");
  const ContainerPlan trainer = on_host_network(plan_of(app)).containers.at(1);
  BOOST_TEST(trainer.command.at(1) == "localhost");
  BOOST_TEST(trainer.command.at(2) == "--output=/data/app-x-ps-0");
  BOOST_TEST(*find(trainer.env, "OUT") == "/data/app-x-ps-0");
  BOOST_TEST(*find(trainer.env, "PS") == "localhost");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
