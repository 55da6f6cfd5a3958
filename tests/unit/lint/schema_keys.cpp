// Compares the keys of the app file's JSON Schema with those of its readers.
#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <set>

#include "core/lint/rules.hpp"
#include "core/spec/known_keys.hpp"
#include "tests/unit/built_files.hpp"
#include "tests/unit/lint/lint_fixture.hpp"

namespace slipway::lint::test {
namespace {

namespace json = boost::json;
using Keys = std::set<std::string, std::less<>>;

json::value schema() {
  std::ifstream file(slipway::test::built_tree() + "/share/slipway/schema/app.schema.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return json::parse(text);
}

Keys properties(const json::value& object) {
  Keys out;
  for (const auto& property : object.at("properties").as_object()) out.emplace(property.key());
  return out;
}

Keys keys(const std::vector<std::string_view>& known) { return {known.begin(), known.end()}; }

bool is_unknown(const std::string& app) {
  const auto problems = report_of(app).problems;
  return std::any_of(problems.begin(), problems.end(), [](const spec::Problem& problem) {
    return problem.rule == spec::rule::kUnknownKey;
  });
}

BOOST_AUTO_TEST_SUITE(SchemaKeys)

BOOST_AUTO_TEST_CASE(are_the_known_keys) {
  const json::value all = schema();
  const json::value& parts = all.at("$defs");
  Keys role_keys = keys(spec::known_keys<Role>());
  role_keys.insert("overrides");  // of TorchX; Slipway reads and ignores it
  BOOST_TEST(properties(all) == keys(spec::known_keys<AppDef>()), boost::test_tools::per_element());
  BOOST_TEST(properties(parts.at("role")) == role_keys, boost::test_tools::per_element());
  BOOST_TEST(properties(parts.at("mount")) == keys(spec::known_keys<Mount>()),
             boost::test_tools::per_element());
  BOOST_TEST(properties(parts.at("resource")) == keys(spec::known_keys<Resource>()),
             boost::test_tools::per_element());
}

// known_keys() may differ from what the readers accept, so this test calls the readers.
BOOST_AUTO_TEST_CASE(are_accepted_by_the_readers) {
  const json::value all = schema();
  const json::value& parts = all.at("$defs");
  for (const std::string& key : properties(all))
    BOOST_TEST(!is_unknown("{\"" + key + "\":null}"), key);
  for (const std::string& key : properties(parts.at("role")))
    BOOST_TEST(!is_unknown(role(",\"" + key + "\":null")), key);
  for (const std::string& key : properties(parts.at("mount"))) {
    BOOST_TEST(!is_unknown(role(",\"mounts\":[{\"" + key + "\":null}]")), key);
  }
  for (const std::string& key : properties(parts.at("resource"))) {
    BOOST_TEST(!is_unknown(role(",\"resource\":{\"" + key + "\":null}")), key);
  }
  BOOST_TEST(is_unknown(role(",\"x\":null")));
  BOOST_TEST(is_unknown(role(",\"mounts\":[{\"x\":null}]")));
  BOOST_TEST(is_unknown(role(",\"resource\":{\"x\":null}")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::lint::test
