// A lookup before all manifests are parsed returns the same result as one afterwards.
#include <array>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>

#include "core/registry/registry.hpp"
#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

using test::bad_plugin;
using test::Isolated;

constexpr std::array<const char*, 3> kNames = {"alpha", "beta", "gamma"};

// Three places with manifests that conflict.
class RandomSite : public Isolated {
 public:
  explicit RandomSite(unsigned seed) : random_(seed) {
    for (const char* place : {"user/slipway", "site", "vendor/share/slipway"}) {
      for (int i = number(4); i > 0; --i)
        tree.write(std::string(place) + "/plugins.d/" + std::to_string(i) + ".toml", manifest());
    }
  }

 private:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  // Returns the name as a TOML string, sometimes with an escape, which a search of the text misses.
  std::string written(const std::string& word) {
    if (number(6) != 0) return '"' + word + '"';
    return "\"\\u00" + std::string(word[0] < 'p' ? "6" : "7") + "0123456789abcdef"[word[0] & 15] +
           word.substr(1) + '"';
  }

  std::string manifest() {
    if (number(12) == 0) return "[[plugin]\nid = 'alpha'\n";
    std::string text;
    for (int i = 1 + number(2); i > 0; --i) text += plugin();
    return text;
  }

  std::string plugin() {
    std::string text = "[[plugin]]\nid = " + written(std::string("org") + "xyz"[number(3)]) + '\n';
    if (number(8) == 0) text += "library = 3\n";
    if (number(6) == 0) return text + "enabled = false\n";
    if (number(4) == 0) text += "override = true\n";
    text += "library = '" + bad_plugin("good") + "'\n[plugin.provides]\nschedulers = [";
    for (int i = number(3); i > 0; --i)
      text += written(kNames[static_cast<std::size_t>(number(3))]) + ", ";
    return text + "]\n";
  }

  std::mt19937 random_;
};

// Returns the provider of `name`, or the complete error message.
std::string answer(Registry& registry, const char* name) {
  try {
    const Provider provider = registry.find_provider(Group::kSchedulers, name);
    return provider.plugin->id + ' ' + spec::to_string(provider.plugin->source);
  } catch (const Error& error) {
    return error.message() + error.hint() + error.where();
  }
}

BOOST_AUTO_TEST_SUITE(LookupBeforeParsing)

BOOST_AUTO_TEST_CASE(name_resolves_equally_before_and_after_all_manifests_are_parsed) {
  int found = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const RandomSite world(seed);
    Registry whole(world.options());
    whole.plugins();
    Registry several(world.options());
    for (const char* name : kNames) {
      const std::string expected = answer(whole, name);
      Registry fresh(world.options());
      BOOST_TEST(answer(fresh, name) == expected, "seed " << seed << ", " << name);
      BOOST_TEST(answer(several, name) == expected, "seed " << seed << ", " << name);
      if (expected.find("org") == 0) ++found;
    }
  }
  BOOST_TEST(found > 100);  // the sites must not be so broken that only errors are compared
}

BOOST_AUTO_TEST_CASE(first_result_stays_valid_after_everything_is_read) {
  Isolated world;
  world.tree.write("site/plugins.d/a.toml", "[[plugin]]\nid = 'a'\nlibrary = '" +
                                                bad_plugin("good") +
                                                "'\n[plugin.provides]\nschedulers = ['alpha']\n");
  Registry registry(world.options());
  const Provider first = registry.find_provider(Group::kSchedulers, "alpha");
  BOOST_TEST(registry.problems().empty());
  BOOST_TEST(first.plugin->id == "a");
  BOOST_TEST(registry.find_provider(Group::kSchedulers, "alpha").plugin->source.file ==
             first.plugin->source.file);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
