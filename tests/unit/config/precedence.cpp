// Compares every layer with every other, using a key that all of them can set, except app files,
// which set only run options.
#include <boost/test/unit_test.hpp>
#include <functional>

#include "tests/unit/config/config_fixture.hpp"

namespace slipway::config::test {
namespace {

const SettingKey kKey{Section::kCli, "run", "scheduler"};

struct Place {
  const char* name;
  Layer layer;
  std::function<void(ConfigFixture&)> set;
};

std::string toml(const std::string& value) { return "[cli.run]\nscheduler = \"" + value + "\"\n"; }
std::string ini(const std::string& value) { return "[cli:run]\nscheduler = " + value + "\n"; }

/// Returns the places of a setting, from the lowest to the highest.
const std::vector<Place>& places() {
  static const std::vector<Place> all = {
      {"site", Layer::kSite, [](ConfigFixture& f) { f.file("site.toml", toml("site")); }},
      {"user", Layer::kUser,
       [](ConfigFixture& f) { f.file("xdg/slipway/config.toml", toml("user")); }},
      {"torchx-cwd", Layer::kTorchx,
       [](ConfigFixture& f) { f.file("project/sub/.torchxconfig", ini("torchx-cwd")); }},
      {"torchx-home", Layer::kTorchx,
       [](ConfigFixture& f) { f.file("home/.torchxconfig", ini("torchx-home")); }},
      {"project", Layer::kProject,
       [](ConfigFixture& f) { f.file("project/slipway.toml", toml("project")); }},
      {"env_file", Layer::kVariableFile,
       [](ConfigFixture& f) {
         f.variables["SLIPWAY_CONFIG"] = f.file("variable.toml", toml("env_file"));
       }},
      {"flag_file", Layer::kFlagFile,
       [](ConfigFixture& f) { f.places.flag_file = f.file("flag.toml", toml("flag_file")); }},
      {"env", Layer::kVariable, [](ConfigFixture& f) { f.variables["SLIPWAY_SCHEDULER"] = "env"; }},
      {"flag", Layer::kFlag, [](ConfigFixture& f) { f.flags.push_back(flag(kKey, "flag")); }},
  };
  return all;
}

std::string in_force(const ConfigFixture& fixture) {
  const Loaded loaded = fixture.loaded();
  loaded.throw_if_errors();
  const Setting* setting = loaded.settings.find(kKey);
  return setting != nullptr ? setting->value.text : "nothing";
}

BOOST_AUTO_TEST_SUITE(Precedence)

BOOST_AUTO_TEST_CASE(each_layer_alone_sets_the_value) {
  BOOST_TEST(in_force(ConfigFixture()) == "nothing");
  for (const Place& place : places()) {
    ConfigFixture fixture;
    place.set(fixture);
    const Loaded loaded = fixture.loaded();
    BOOST_REQUIRE(loaded.settings.find(kKey) != nullptr);
    BOOST_TEST(loaded.settings.find(kKey)->value.text == place.name);
    BOOST_TEST((loaded.settings.find(kKey)->layer == place.layer), place.name);
  }
}

BOOST_AUTO_TEST_CASE(higher_layer_of_every_pair_wins_and_both_are_listed) {
  for (std::size_t low = 0; low < places().size(); ++low) {
    for (std::size_t high = low + 1; high < places().size(); ++high) {
      for (const bool high_first : {false, true}) {  // the order of creation must not matter
        ConfigFixture fixture;
        places()[high_first ? high : low].set(fixture);
        places()[high_first ? low : high].set(fixture);
        const Loaded loaded = fixture.loaded();
        const auto layers = loaded.settings.layers_of(kKey);
        BOOST_REQUIRE_EQUAL(layers.size(), 2u);
        BOOST_TEST(layers[0]->value.text == places()[high].name);
        BOOST_TEST(layers[1]->value.text == places()[low].name);
        BOOST_TEST(in_force(fixture) == places()[high].name);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(all_layers_together_are_in_order) {
  ConfigFixture fixture;
  for (const Place& place : places()) place.set(fixture);
  const Loaded loaded = fixture.loaded();
  const auto layers = loaded.settings.layers_of(kKey);
  BOOST_REQUIRE_EQUAL(layers.size(), places().size());
  for (std::size_t i = 0; i < layers.size(); ++i)
    BOOST_TEST(layers[i]->value.text == places()[places().size() - 1 - i].name);
}

/// Returns the files that may define a profile and choose one, from the lowest to the highest.
const std::vector<std::string>& toml_files() {
  static const std::vector<std::string> all = {
      "site.toml", "xdg/slipway/config.toml", "project/slipway.toml", "variable.toml", "flag.toml"};
  return all;
}

/// Returns a file in which the profile `p` sets the scheduler.
std::string profile(const std::string& value) {
  return "[profile.p.cli.run]\nscheduler = \"" + value + "\"\n";
}

/// Names one file in SLIPWAY_CONFIG and another one as --config does. Creates them if they are
/// missing, because a named file must exist.
void name_files(ConfigFixture& fixture) {
  for (const char* name : {"variable.toml", "flag.toml"}) {
    if (!std::filesystem::exists(fixture.path(name))) fixture.file(name, "");
  }
  fixture.variables["SLIPWAY_CONFIG"] = fixture.path("variable.toml");
  fixture.places.flag_file = fixture.path("flag.toml");
}

BOOST_AUTO_TEST_CASE(requested_profile_is_above_files_and_below_variables) {
  for (const std::string& defined : toml_files()) {
    for (const std::string& plain : toml_files()) {
      for (const bool by_flag : {false, true}) {
        ConfigFixture fixture;
        fixture.file(plain, toml("plain"));
        fixture.file(defined, (plain == defined ? toml("plain") : std::string()) + profile("p"));
        name_files(fixture);
        BOOST_TEST(in_force(fixture) == "plain");  // not chosen
        if (by_flag) {
          fixture.flags.push_back(flag({Section::kCli, "", "profile"}, "p"));
        } else {
          fixture.variables["SLIPWAY_PROFILE"] = "p";
        }
        BOOST_TEST(in_force(fixture) == "p");
        fixture.variables["SLIPWAY_SCHEDULER"] = "variable";
        BOOST_TEST(in_force(fixture) == "variable");
        fixture.flags.push_back(flag(kKey, "flag"));
        BOOST_TEST(in_force(fixture) == "flag");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(
    profile_has_the_precedence_of_the_higher_of_its_own_file_and_the_choosing_one) {
  const auto& files = toml_files();
  for (std::size_t defined = 0; defined < files.size(); ++defined) {
    for (std::size_t chosen = 0; chosen < files.size(); ++chosen) {
      for (std::size_t plain = 0; plain < files.size(); ++plain) {
        ConfigFixture fixture;
        std::map<std::size_t, std::string> texts;
        texts[chosen] += "[cli]\nprofile = \"p\"\n";
        texts[plain] += toml("plain");
        texts[defined] += profile("p");
        for (const auto& [file, text] : texts) fixture.file(files[file], text);
        name_files(fixture);
        BOOST_TEST(in_force(fixture) == (plain <= std::max(defined, chosen) ? "p" : "plain"),
                   "defined in " << files[defined] << ", chosen in " << files[chosen]
                                 << ", plain in " << files[plain]);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(profile_of_the_higher_file_wins) {
  const auto& files = toml_files();
  for (std::size_t low = 0; low < files.size(); ++low) {
    for (std::size_t high = low + 1; high < files.size(); ++high) {
      ConfigFixture fixture;
      fixture.file(files[low], profile("low"));
      fixture.file(files[high], profile("high"));
      name_files(fixture);
      fixture.variables["SLIPWAY_PROFILE"] = "p";
      BOOST_TEST(in_force(fixture) == "high");
    }
  }
}

BOOST_AUTO_TEST_CASE(the_nearest_project_file_is_the_only_one) {
  ConfigFixture fixture;
  fixture.file("project/slipway.toml", toml("above") + "detach = true\n");
  fixture.file("project/sub/slipway.toml", toml("here"));
  const Loaded loaded = fixture.loaded();
  BOOST_TEST(in_force(fixture) == "here");
  BOOST_TEST((loaded.settings.find({Section::kCli, "run", "detach"}) == nullptr));
}

BOOST_AUTO_TEST_CASE(elevated_process_uses_only_the_site_and_the_command_line) {
  ConfigFixture fixture;
  for (const Place& place : places()) place.set(fixture);
  fixture.places.elevated = true;
  const auto settings = fixture.loaded().settings;
  const auto layers = settings.layers_of(kKey);
  BOOST_REQUIRE_EQUAL(layers.size(), 3u);
  BOOST_TEST(layers[0]->value.text == "flag");
  BOOST_TEST(layers[1]->value.text == "flag_file");
  BOOST_TEST(layers[2]->value.text == "site");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::config::test
