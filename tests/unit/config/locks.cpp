// The rules in the site's file: locked values, of plug-ins as well, and the form of limits.
#include "core/config/locks.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/config/config_fixture.hpp"

namespace slipway::config::test {
namespace {

const SettingKey kScheduler{Section::kCli, "run", "scheduler"};

std::vector<std::string> problem_texts(const Loaded& loaded) {
  std::vector<std::string> out;
  for (const spec::Problem& problem : loaded.problems) out.push_back(spec::to_string(problem));
  return out;
}

BOOST_FIXTURE_TEST_SUITE(Locks, ConfigFixture)

BOOST_AUTO_TEST_CASE(locked_value_applies_to_every_user) {
  file("site.toml", "[site.locked.cli.run]\nscheduler = 'slurm'\n");
  const Loaded result = loaded();
  BOOST_TEST(result.problems.empty());
  BOOST_REQUIRE(result.settings.find(kScheduler) != nullptr);
  BOOST_TEST(result.settings.find(kScheduler)->value.text == "slurm");
  BOOST_TEST(result.settings.find(kScheduler)->locked);
}

BOOST_AUTO_TEST_CASE(every_conflicting_layer_is_reported_with_both_places) {
  const std::string site = file("site.toml", "[site.locked.cli.run]\nscheduler = 'slurm'\n");
  const std::string user = file("xdg/slipway/config.toml", "[cli.run]\nscheduler = 'local_cwd'\n");
  file("project/slipway.toml", "[cli.run]\nscheduler = 'slurm'\n");
  flags.push_back(flag(kScheduler, "local_dir"));
  const auto problems = problem_texts(loaded());
  BOOST_REQUIRE(problems.size() == 2u);
  BOOST_TEST(problems[0] == user + ":2:1: cli.run.scheduler: the site allows only \"slurm\", as " +
                                site +
                                ":2:1 says, remove this setting, or ask the site's administrator");
  BOOST_TEST(problems[1].rfind("--scheduler: cli.run.scheduler: the site allows", 0) == 0u);
}

BOOST_AUTO_TEST_CASE(locked_profile_is_used_whatever_other_layers_choose) {
  file("site.toml",
       "[site.locked.cli]\nprofile = 'prod'\n[profile.prod.cli.run]\nscheduler = 'a'\n"
       "[profile.debug.cli.run]\nscheduler = 'b'\n");
  file("project/slipway.toml", "[cli]\nprofile = 'debug'\n");
  const Loaded result = loaded();
  BOOST_TEST(result.problems.size() == 1u);
  BOOST_TEST(result.settings.profile() == "prod");
  BOOST_REQUIRE(result.settings.find(kScheduler) != nullptr);
  BOOST_TEST(result.settings.find(kScheduler)->value.text == "a");
}

BOOST_AUTO_TEST_CASE(default_of_the_site_must_also_agree) {
  file("site.toml", "[scheduler.s]\na = 1\n[site.locked.scheduler.s]\na = 2\n");
  BOOST_TEST(problem_texts(loaded()).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_value_is_equal_in_every_spelling) {
  file("site.toml", "[site.locked.scheduler.s]\na = 7\nb = true\nc = 30.0\n");
  file("home/.torchxconfig", "[s]\na = 7\nb = yes\nc = 30\n");  // yes is true there
  file("xdg/slipway/config.toml", "[scheduler.s]\na = 7.0\nb = true\nc = 30\n");
  BOOST_TEST(problem_texts(loaded()).empty());
  file("home/.torchxconfig", "[s]\na = 8\nb = no\nc = 30.5\n");
  BOOST_TEST(problem_texts(loaded()).size() == 3u);
}

BOOST_AUTO_TEST_CASE(only_the_sites_file_can_lock) {
  const std::string user =
      file("xdg/slipway/config.toml", "[site.locked.cli.run]\nscheduler = 'slurm'\n");
  const auto problems = problem_texts(loaded());
  BOOST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems[0].rfind(user + ":1:7: site.locked: only the site's configuration", 0) == 0u,
             problems[0]);
  file("xdg/slipway/config.toml", "[site.lokked]\n");
  BOOST_TEST(problem_texts(loaded()).at(0).find("did you mean locked?") != std::string::npos);
  // The site cannot lock the defaults of components.
  file("xdg/slipway/config.toml", "");
  file("site.toml", "[site.locked.component.c]\nmsg = 'x'\n");
  BOOST_TEST(problem_texts(loaded()).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_wrong_limit_is_reported_with_its_whole_key) {
  file("site.toml",
       "[site.maximum.scheduler.local_cwd]\ngrace_s = []\nbackoff.base = true\n"
       "app_timeout_s = nan\n"
       "[site.allowed.cli.config.init]\nforce = 1\n[site.allowed.cil]\n[site.maximum.cli]\n");
  std::vector<std::string> keys;
  for (const spec::Problem& problem : loaded().problems) keys.push_back(problem.key);
  const std::vector<std::string> expected = {"site.maximum.scheduler.local_cwd.grace_s",
                                             "site.maximum.scheduler.local_cwd.backoff.base",
                                             "site.maximum.scheduler.local_cwd.app_timeout_s",
                                             "site.allowed.cli.config.init.force",
                                             "site.allowed.cil",
                                             "site.maximum.cli"};
  BOOST_TEST(keys == expected, boost::test_tools::per_element());
  BOOST_TEST(loaded().problems.at(4).hint == "did you mean cli?");
}

BOOST_AUTO_TEST_CASE(empty_list_of_allowed_values_is_reported_as_empty) {
  file("site.toml", "[site.allowed.scheduler.local_cwd]\nlog_dir = []\n");
  const auto problems = problem_texts(loaded());
  BOOST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems[0].ends_with("expected a list of the values that are allowed, found an empty "
                                   "list"),
             problems[0]);
}

BOOST_AUTO_TEST_CASE(command_that_continues_despite_a_lock_uses_the_locked_value) {
  file("site.toml", "[site.locked.cli.run]\nscheduler = 'slurm'\n");
  file("xdg/slipway/config.toml", "[cli.run]\nscheduler = 'local_cwd'\n");
  const Loaded result = loaded();
  BOOST_TEST(result.problems.size() == 1u);
  BOOST_TEST(result.settings.find(kScheduler)->value.text == "slurm");
}

BOOST_AUTO_TEST_CASE(a_lock_for_every_scheduler_concerns_each) {
  file("site.toml", "[site.locked.scheduler.'*']\na = 7\n[site.locked.scheduler.t]\na = 8\n");
  file("xdg/slipway/config.toml", "[scheduler.s]\na = 6\nb = 1\n");
  const Loaded result = loaded();
  BOOST_REQUIRE(result.problems.size() == 1u);
  BOOST_TEST(result.problems[0].key == "scheduler.*.a");
  BOOST_TEST(result.settings.find({Section::kScheduler, "t", "a"})->value.integer == 8);
  // The user's value is dropped, and the locked one stays under '*'.
  BOOST_TEST(result.settings.find({Section::kScheduler, "s", "a"}) == nullptr);
  BOOST_TEST(result.settings.find({Section::kScheduler, "s", "b"}) != nullptr);
}

BOOST_AUTO_TEST_CASE(untrusted_file_of_the_site_is_an_error) {
  const std::string site = file("site.toml", "[site.locked.cli.run]\nscheduler = 'slurm'\n");
  const std::string user = file("xdg/slipway/config.toml", "");
  trusted = [&](const Source&, const struct stat&, const SiteRules&) {
    throw Error(Code::kDenied, "is not trusted");
  };
  const Loaded result = loaded();
  BOOST_REQUIRE(result.problems.size() == 2u);
  for (const spec::Problem& problem : result.problems) {
    const bool is_site = problem.where.file == site;
    BOOST_TEST((problem.severity == spec::Severity::kError) == is_site, problem.where.file);
  }
}

BOOST_AUTO_TEST_CASE(only_locked_keys_of_a_plugins_configuration_must_agree) {
  file("site.toml", "[site.locked.plugins.'a.b'.config]\nurl = 'u'\ntls = { kind = 'k' }\n");
  file("xdg/slipway/config.toml",
       "[plugins.'a.b']\nconfig = { timeout = 3, tls = { user = 'x' } }\n");
  BOOST_TEST(problem_texts(loaded()).empty());
  file("xdg/slipway/config.toml", "[plugins.a.b]\nconfig.tls.kind = 'other'\n");
  const auto problems = problem_texts(loaded());
  BOOST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems[0].find("plugins.a.b.config.tls.kind") != std::string::npos, problems[0]);
  BOOST_TEST(problems[0].find("allows only \"k\"") != std::string::npos, problems[0]);
}

BOOST_AUTO_TEST_CASE(plugin_value_cannot_replace_a_table_with_a_locked_key) {
  file("site.toml", "[site.locked.plugins.'a.b'.config]\nauth.kind = 'k'\nurl = 'u'\n");
  file("xdg/slipway/config.toml", "[plugins.'a.b'.config]\nauth = 'other'\nurl.host = 'h'\n");
  const Loaded result = loaded();
  BOOST_TEST(result.problems.size() == 2u);
  std::string in_force;
  for (const Setting* setting : result.settings.in_force())
    in_force += to_string(setting->key) + (setting->locked ? " locked\n" : "\n");
  BOOST_TEST(in_force == "plugins.a.b.config.auth.kind locked\nplugins.a.b.config.url locked\n");
}

BOOST_AUTO_TEST_CASE(locked_secret_is_not_in_the_message) {
  file("site.toml", "[site.locked.plugins.'a.b'.config]\npassword = 'sitesekret'\n");
  file("xdg/slipway/config.toml", "[plugins.'a.b'.config]\npassword = 'mine'\n");
  const auto problems = problem_texts(loaded());
  BOOST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems[0].find("sitesekret") == std::string::npos, problems[0]);
  BOOST_TEST(problems[0].find("the site allows only its own value") != std::string::npos,
             problems[0]);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::config::test
