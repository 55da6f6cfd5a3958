#include "core/runner/ignored_fields.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using slipway::add_ignored_fields;
using slipway::AppDef;
using slipway::AppField;
using slipway::Finding;
using slipway::Mount;
using slipway::MountKind;
using slipway::Role;

namespace {

Role full_role() {
  Role out("w");
  out.runs("main", {"${app_id}"}).on("/img").retries(2).port("http", 80);
  out.min_replicas = 1;
  out.base_image = "base";
  out.deployment_preference = "near";
  out.metadata_json = R"({"team":"vision"})";
  out.resource.cpu = out.resource.gpu = 1;
  out.resource.mem_mb = 64;
  out.resource.capabilities_json = out.resource.tags_json = "{}";
  out.resource.devices = {{"efa", 1}};
  for (const MountKind kind : {MountKind::kBind, MountKind::kVolume, MountKind::kDevice}) {
    Mount mount;
    mount.kind = kind;
    out.mount(mount);
  }
  return out;
}

AppDef full_app() {
  AppDef out("app");
  out.of(full_role());
  out.metadata = {{"team", "vision"}};
  return out;
}

std::string fields_of(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) out += finding.field + " ";
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(IgnoredFields)

BOOST_AUTO_TEST_CASE(every_field_that_is_set_and_not_listed_is_a_finding) {
  std::vector<Finding> findings;
  add_ignored_fields(full_app(), std::vector<AppField>(), findings);
  BOOST_TEST(fields_of(findings) ==
             "image base_image min_replicas max_retries retry_policy.APPLICATION port_map metadata "
             "deployment_preference resource.cpu resource.gpu resource.memMB "
             "resource.capabilities resource.devices resource.tags mounts.bind mounts.volume "
             "mounts.device macros app.metadata ");
}

BOOST_AUTO_TEST_CASE(plain_app_has_no_finding) {
  std::vector<Finding> findings;
  AppDef app("app");
  app.of(Role("w").runs("main", {"x"}).with_env("A", "b").replicas(3));
  // Slipway itself keeps run options and the workspace in the metadata.
  app.metadata = {{"slipway.options.local_cwd", "{}"}, {"slipway.workspace", "/w"}};
  add_ignored_fields(app, std::vector<AppField>(), findings);
  BOOST_TEST(fields_of(findings) == "");
}

BOOST_AUTO_TEST_CASE(condition_is_part_of_the_reason) {
  std::vector<Finding> findings;
  AppDef app("app");
  app.of(Role("w").on("/img"));
  app.roles[0].resource.gpu = 1;
  const std::vector<AppField> fields = {{"image", ""}, {"resource.gpu", "with -c gpus=lease"}};
  add_ignored_fields(app, fields, findings);
  BOOST_REQUIRE(findings.size() == 1U);
  BOOST_TEST(findings[0].role == "w");
  BOOST_TEST(findings[0].field == "resource.gpu");
  BOOST_TEST(findings[0].why == "it acts on this only with -c gpus=lease");
}

BOOST_AUTO_TEST_CASE(fraction_of_a_cpu_that_the_scheduler_does_not_list_is_a_finding) {
  AppDef app("app");
  app.of(Role("w"));
  app.roles[0].resource.cpu = slipway::CpuCount::of_milli(1500);
  std::vector<Finding> findings;
  add_ignored_fields(app, std::vector<AppField>{{"resource.cpu", ""}}, findings);
  BOOST_REQUIRE(findings.size() == 1U);
  BOOST_TEST(findings[0].field == "resource.cpu.fraction");
  BOOST_TEST(findings[0].why == "it takes whole CPUs: 1.5 counts as 2");
  findings.clear();
  // A finding about resource.cpu covers the fraction.
  add_ignored_fields(app, std::vector<AppField>(), findings);
  BOOST_TEST(fields_of(findings) == "resource.cpu ");
}

BOOST_AUTO_TEST_CASE(
    finding_of_the_scheduler_about_a_table_covers_the_fields_of_that_table_in_that_role) {
  std::vector<Finding> findings = {{Finding::Kind::kIgnored, "w", "mounts", "no mounts"},
                                   {Finding::Kind::kIgnored, "v", "resource", "another role"}};
  add_ignored_fields(full_app(), std::vector<AppField>(), findings);
  BOOST_TEST(fields_of(findings).find("mounts.") == std::string::npos);
  BOOST_TEST(fields_of(findings).find("resource.cpu") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_a_list_only_the_field_that_no_scheduler_supports_is_a_finding) {
  std::vector<Finding> findings;
  add_ignored_fields(full_app(), std::nullopt, findings);
  BOOST_TEST(fields_of(findings) == "deployment_preference ");
}

BOOST_AUTO_TEST_SUITE_END()
