#include "core/config/config_file.hpp"

#include <boost/test/unit_test.hpp>

#include "core/config/config_text.hpp"
#include "tests/unit/config/config_fixture.hpp"

namespace slipway::config::test {
namespace {

std::vector<std::string> keys(const std::string& text) {
  std::vector<spec::Problem> problems;
  std::vector<std::string> out;
  for (const Setting& setting : read_config(text, "f.toml", Layer::kProject, problems).settings)
    out.push_back((setting.profile.empty() ? "" : setting.profile + ":") + to_string(setting.key));
  BOOST_TEST(problems.empty());
  return out;
}

std::vector<std::string> problems_of(const std::string& text) {
  std::vector<spec::Problem> problems;
  read_config(text, "f.toml", Layer::kProject, problems);
  std::vector<std::string> out;
  for (const spec::Problem& problem : problems) {
    BOOST_TEST((problem.code == Code::kConfig));
    out.push_back(spec::to_string(problem));
  }
  return out;
}

BOOST_AUTO_TEST_SUITE(ConfigFile)

BOOST_AUTO_TEST_CASE(each_section_has_its_keys) {
  BOOST_TEST((keys("[scheduler.a]\nx = 1\n[cli]\nsession = 's'\n[cli.run]\nwait = true\n"
                   "[cli.plugin.list]\ny = 1\n") ==
              std::vector<std::string>{"scheduler.a.x", "cli.session", "cli.run.wait",
                                       "cli.plugin.list.y"}));
  BOOST_TEST((keys("[profile.gpu.scheduler.a]\nx = 1\n[profile.gpu.cli.run]\nwait = true\n") ==
              std::vector<std::string>{"gpu:scheduler.a.x", "gpu:cli.run.wait"}));
  BOOST_TEST((keys("profile = 'gpu'") == std::vector<std::string>{"cli.profile"}));
}

BOOST_AUTO_TEST_CASE(components_may_be_written_with_dots_or_quotes) {
  const std::vector<std::string> both = {"component.utils.echo.msg"};
  BOOST_TEST((keys("[component.utils.echo]\nmsg = 'x'\n") == both));
  BOOST_TEST((keys("[component.\"utils.echo\"]\nmsg = 'x'\n") == both));
  BOOST_TEST(
      (keys("[component.train]\nlr = 1\n") == std::vector<std::string>{"component.train.lr"}));
}

BOOST_AUTO_TEST_CASE(a_table_beside_values_or_below_a_quoted_name_is_a_value) {
  BOOST_TEST((keys("[component.dist.ddp]\nj = '1x2'\nenv = { A = 'b' }\n") ==
              std::vector<std::string>{"component.dist.ddp.j", "component.dist.ddp.env"}));
  BOOST_TEST((keys("[component.\"dist.ddp\"]\nenv = { A = 'b' }\n") ==
              std::vector<std::string>{"component.dist.ddp.env"}));
}

BOOST_AUTO_TEST_CASE(unknown_tables_are_reported_with_place_and_near_name) {
  BOOST_TEST(
      (problems_of("[sheduler.a]\nx = 1\n\n[cli]\n[profile.p.clii]\n") ==
       std::vector<std::string>{"f.toml:1:2: sheduler: unknown key, did you mean scheduler?",
                                "f.toml:5:12: profile.p.clii: unknown key, did you mean cli?"}));
}

BOOST_AUTO_TEST_CASE(values_in_place_of_tables_are_reported) {
  BOOST_TEST(
      (problems_of("cli = 1\n[scheduler]\na = 2\n[component]\nb = 3\n") ==
       std::vector<std::string>{"f.toml:1:7: cli: expected a table, found the integer 1",
                                "f.toml:3:5: scheduler.a: expected a table, found the integer 2",
                                "f.toml:5:5: component.b: expected a table, found the integer 3"}));
  BOOST_TEST(problems_of("profile = 3\n").size() == 1u);
  BOOST_TEST(problems_of("[profile]\nx = 3\n").size() == 1u);
}

BOOST_AUTO_TEST_CASE(hostile_text_is_one_problem_with_its_place) {
  for (const std::string& text : {std::string("a = ["), std::string("\xff\xfe"),
                                  std::string("a\0b", 3), "a = " + std::string(5000, '[')}) {
    BOOST_TEST(problems_of(text).size() == 1u);
    BOOST_TEST(problems_of(text).front().rfind("f.toml:1:", 0) == 0u);
  }
}

BOOST_AUTO_TEST_CASE(only_explicitly_named_files_must_exist) {
  ConfigFixture fixture;
  BOOST_TEST(fixture.loaded().problems.empty());
  fixture.variables["SLIPWAY_CONFIG"] = fixture.path("nope.toml");
  const Loaded loaded = fixture.loaded();
  BOOST_REQUIRE_EQUAL(loaded.problems.size(), 1u);
  BOOST_TEST((loaded.problems.front().code == Code::kNotFound));
  BOOST_CHECK_THROW(loaded.throw_if_errors(), spec::InvalidApp);
}

BOOST_AUTO_TEST_CASE(untrusted_file_is_skipped_with_a_warning_unless_it_was_named) {
  ConfigFixture fixture;
  fixture.file("project/slipway.toml", "[cli.run]\nwait = true\n");
  fixture.trusted = [](const Source&, const struct stat&, const SiteRules&) {
    throw Error(Code::kDenied, "belongs to another user");
  };
  const Loaded found = fixture.loaded();
  BOOST_TEST(found.settings.in_order().empty());
  BOOST_REQUIRE_EQUAL(found.problems.size(), 1u);
  BOOST_TEST((found.problems.front().severity == spec::Severity::kWarning));
  found.throw_if_errors();

  fixture.places.flag_file = fixture.path("project/slipway.toml");
  try {
    fixture.loaded().throw_if_errors();
    BOOST_FAIL("accepted");
  } catch (const Error& error) {
    BOOST_TEST((error.code() == Code::kDenied));
  }
}

BOOST_AUTO_TEST_CASE(directories_pipes_and_large_files_are_refused_without_waiting) {
  ConfigFixture fixture;
  std::filesystem::create_directories(fixture.path("directory"));
  BOOST_REQUIRE_EQUAL(::mkfifo(fixture.path("pipe").c_str(), 0600), 0);
  fixture.file("large", std::string(kMaxConfigBytes + 1, '\n'));
  for (const char* name : {"directory", "pipe", "large"}) {
    fixture.places.flag_file = fixture.path(name);
    const Loaded loaded = fixture.loaded();
    BOOST_REQUIRE_EQUAL(loaded.problems.size(), 1u);
    BOOST_TEST((loaded.problems.front().severity == spec::Severity::kError));
    BOOST_TEST((loaded.problems.front().code == Code::kConfig));
  }
}

BOOST_AUTO_TEST_CASE(ignored_project_file_does_not_hide_the_next_one_above) {
  ConfigFixture fixture;
  std::filesystem::create_directories(fixture.path("project/sub/slipway.toml"));
  fixture.file("project/slipway.toml", "[cli]\nsession = 'above'\n");
  fixture.file("slipway.toml", "[");
  const Loaded loaded = fixture.loaded();
  loaded.throw_if_errors();
  BOOST_REQUIRE_EQUAL(loaded.problems.size(), 1u);
  BOOST_TEST(loaded.problems.front().where.file == fixture.path("project/sub/slipway.toml"));
  BOOST_REQUIRE_EQUAL(loaded.settings.in_order().size(), 1u);
  BOOST_TEST(loaded.settings.in_order().front().value.text == "above");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::config::test
