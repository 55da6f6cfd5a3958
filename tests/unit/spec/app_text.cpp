// Apps read back unchanged from JSON and TOML, with any strings in them. Also the validation of
// apps in memory, and copies of resources.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <string>

#include "core/spec/app_json.hpp"
#include "core/spec/app_toml.hpp"
#include "core/spec/resource_copy.hpp"
#include "core/spec/validate.hpp"
#include "tests/unit/spec/read_app.hpp"
#include "tests/unit/spec/temporary_directory.hpp"

namespace slipway::spec::test {
namespace {

std::string text_of(const AppDef& app) { return boost::json::serialize(to_json(app)); }

const std::vector<std::string>& odd_strings() {
  static const std::vector<std::string> strings = {"",
                                                   " ",
                                                   "plain",
                                                   "it's",
                                                   "say \"hi\"",
                                                   "back\\slash",
                                                   "line\nbreak",
                                                   "tab\t",
                                                   "cr\r\n",
                                                   "\x01\x1f\x7f",
                                                   "nul" + std::string(1, '\0') + "in it",
                                                   "\"\"\"",
                                                   "'''",
                                                   "# no comment",
                                                   "a = 1",
                                                   "[x]",
                                                   "{}",
                                                   "é",
                                                   "🚀",
                                                   "ключ",
                                                   "\u2028",
                                                   "${app_id}",
                                                   "$$",
                                                   "a.b",
                                                   "-1",
                                                   "true",
                                                   "2024-01-01",
                                                   "1e5",
                                                   "\\u0041",
                                                   "C:\\temp\\n",
                                                   "=",
                                                   ",",
                                                   std::string(300, 'x')};
  return strings;
}

/// Makes an app with odd strings in random fields. Equal seeds make equal apps.
class RandomApp {
 public:
  explicit RandomApp(unsigned seed) : random_(seed) {}

  AppDef make() {
    AppDef app(text());
    app.metadata = dict();
    for (int i = number(4); i > 0; --i) app.roles.push_back(role());
    return app;
  }

 private:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::string text() {
    return odd_strings()[static_cast<std::size_t>(number(static_cast<int>(odd_strings().size())))];
  }
  StrDict dict() {
    StrDict out;
    for (int i = number(6); i > 0; --i) set(out, text(), text());
    return out;
  }
  IntDict ints() {
    IntDict out;
    for (int i = number(4); i > 0; --i)
      set(out, text(), static_cast<std::int64_t>(random_()) - 2147483648);
    return out;
  }
  boost::json::value json(int depth) {
    switch (number(depth > 3 ? 7 : 9)) {
      case 0: return nullptr;
      case 1: return true;
      case 2: return static_cast<std::int64_t>(random_()) * -7;
      case 3: return std::ldexp(static_cast<double>(random_()), number(200) - 100);
      case 4: return static_cast<double>(number(5));
      case 5: return 18446744073709551615U;
      case 6: return boost::json::value(text());
      case 7: return object(depth + 1);
      default: break;
    }
    boost::json::array list;
    for (int i = number(4); i > 0; --i) list.push_back(json(depth + 1));
    return list;
  }
  boost::json::object object(int depth) {
    boost::json::object out;
    for (int i = number(4); i > 0; --i) out[text()] = json(depth);
    return out;
  }
  std::string object_text() {
    return number(3) == 0 ? std::string() : boost::json::serialize(object(0));
  }
  Role role() {
    Role role(text());
    role.image = text();
    role.base_image = text();
    role.entrypoint = number(3) == 0 ? kMissing : text();
    for (int i = number(30); i > 0; --i) role.args.push_back(text());
    role.env = dict();
    role.num_replicas = number(100) - 3;
    if (number(2) == 0) role.min_replicas = number(5);
    role.max_retries = number(3);
    role.retry_policy = static_cast<RetryPolicy>(number(3));
    role.resource.cpu = number(2) == 0 ? CpuCount(number(4) - 1) : CpuCount::of_milli(number(9999));
    role.resource.gpu = number(4) - 1;
    role.resource.mem_mb = static_cast<std::int64_t>(random_()) << 20;
    role.resource.capabilities_json = object_text();
    role.resource.devices = ints();
    role.resource.tags_json = object_text();
    role.port_map = ints();
    role.metadata_json = object_text();
    for (int i = number(4); i > 0; --i) {
      Mount mount{static_cast<MountKind>(number(3)), text(), text(), false, "rwm"};
      if (mount.kind == MountKind::kDevice) {
        mount.permissions = text();
      } else {
        mount.read_only = number(2) == 0;
      }
      role.mounts.push_back(mount);
    }
    return role;
  }

  std::mt19937 random_;
};

Problem first_problem(const AppDef& app) {
  ProblemList problems;
  validate(app, problems);
  return problems.empty() ? Problem{} : problems.in_order().front();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(AppText)

BOOST_AUTO_TEST_CASE(any_app_survives_toml_and_json) {
  const TemporaryDirectory directory;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const AppDef app = RandomApp(seed).make();
    BOOST_TEST_INFO_SCOPE("seed " << seed << "\n" << to_toml(app));
    const std::string json = text_of(app);
    BOOST_TEST(text_of(read_app_file(directory.file("app.toml", to_toml(app))).app) == json);
    BOOST_TEST(text_of(read_app_json(json).app) == json);
  }
}

BOOST_AUTO_TEST_CASE(json_that_is_too_deep_for_an_app_file_in_toml_survives) {
  const TemporaryDirectory directory;
  for (int levels = 55; levels <= 64; ++levels) {
    std::string deep = "1";
    for (int i = 0; i < levels; ++i) deep = R"({"a":)" + deep + "}";
    AppDef app("a");
    app.of(Role("r").runs("e"));
    app.roles[0].metadata_json = deep;
    app.roles[0].resource.capabilities_json = deep;
    app.roles[0].resource.tags_json = deep;
    app.metadata = {{"slipway.options.local", deep}};
    BOOST_TEST_INFO_SCOPE(levels << " levels\n" << to_toml(app));
    BOOST_TEST(text_of(read_app_file(directory.file("app.toml", to_toml(app))).app) ==
               text_of(app));
  }
}

BOOST_AUTO_TEST_CASE(long_metadata_of_an_app_is_written_on_several_lines) {
  AppDef app("a");
  app.metadata = {{"note", std::string(60, 'x')}, {"other note", std::string(60, 'y')}};
  BOOST_TEST(to_toml(app) == "name = \"a\"\nroles = []\n[metadata]\nnote = \"" +
                                 std::string(60, 'x') + "\"\n\"other note\" = \"" +
                                 std::string(60, 'y') + "\"\n");
}

BOOST_AUTO_TEST_CASE(toml_is_written_for_people) {
  AppDef app("train");
  app.of(Role("trainer")
             .runs("python3", {"main.py", "--rank", "${replica_id}"})
             .on("/srv/images/trainer.tar.zst")
             .replicas(4)
             .retries(2, RetryPolicy::kReplica)
             .with_env("LOGLEVEL", "INFO")
             .mount({MountKind::kBind, "/data", "/data", true, "rwm"}));
  app.roles[0].resource = Resource{8, 1, 32768, {}, {}, {}};
  app.roles[0].metadata_json = R"({"a":{"b":[1,"x"]},"c.d":1.0})";
  app.of(Role("reader").runs("reader", StrList(10, "--long-argument")));
  BOOST_TEST(to_toml(app) == R"(name = "train"

[[roles]]
name = "trainer"
image = "/srv/images/trainer.tar.zst"
entrypoint = "python3"
args = ["main.py", "--rank", "${replica_id}"]
num_replicas = 4
max_retries = 2
retry_policy = "REPLICA"
resource = { cpu = 8, gpu = 1, memMB = 32768 }
metadata = { a = { b = [1, "x"] }, "c.d" = 1.0 }
mounts = [{ type = "bind", src_path = "/data", dst_path = "/data", read_only = true }]
env = { LOGLEVEL = "INFO" }

[[roles]]
name = "reader"
entrypoint = "reader"
args = [
  "--long-argument",
  "--long-argument",
  "--long-argument",
  "--long-argument",
  "--long-argument",
  "--long-argument",
  "--long-argument",
  "--long-argument",
  "--long-argument",
  "--long-argument",
]
)");
}

BOOST_AUTO_TEST_CASE(text_that_is_not_json_or_utf8_is_refused) {
  AppDef app("a");
  app.of(Role("r").runs("e"));
  app.roles[0].metadata_json = "[1]";
  BOOST_CHECK_THROW(to_json(app), Error);
  BOOST_CHECK_THROW(to_toml(app), Error);
  BOOST_TEST(first_problem(app).message == "metadata: expected a JSON object, found a list");
  BOOST_TEST(to_string(first_problem(app)) ==
             "roles[0].metadata: metadata: expected a JSON object, found a list");
  app.roles[0].metadata_json.clear();
  app.roles[0].args = {"\xff"};
  BOOST_CHECK_THROW(to_toml(app), Error);
}

BOOST_AUTO_TEST_CASE(an_app_in_memory_is_validated_without_places) {
  AppDef app("a");
  app.of(Role("r").runs("e").replicas(0)).of(Role("r").runs("e"));
  try {
    validate(app);
    BOOST_FAIL("no error");
  } catch (const InvalidApp& error) {
    BOOST_TEST(
        error.what() ==
        std::string("roles[0].num_replicas: expected at least 1, found 0\n"
                    "roles[1].name: the role 'r' is already defined as roles[0], each role needs "
                    "a unique name"));
  }
}

BOOST_AUTO_TEST_CASE(resource_of_a_plug_in_is_validated_by_itself) {
  const auto problems_of = [](const Resource& resource) {
    ProblemList problems;
    validate(resource, problems);
    std::string out;
    for (const Problem& problem : problems.in_order()) out += to_string(problem) + "\n";
    return out;
  };
  Resource resource;
  resource.capabilities_json = R"({"zone":"b"})";
  BOOST_TEST(problems_of(resource).empty());
  resource.cpu = -3;
  resource.gpu = -2;
  resource.devices = {{"efa", -1}};
  BOOST_TEST(problems_of(resource) ==
             "cpu: expected at least 0, or -1 for no value, found -3\n"
             "gpu: expected at least 0, or -1 for no value, found -2\n"
             "devices.efa: expected 0 to 65536, found -1\n");
}

BOOST_AUTO_TEST_CASE(app_name_is_utf8_and_leaves_room_for_the_suffix_of_an_id) {
  AppDef app(std::string(240, 'a'));
  app.of(Role("r").runs("e"));
  BOOST_CHECK_NO_THROW(validate(app));
  app.name.push_back('a');
  BOOST_TEST(first_problem(app).message.ends_with("is too long, 241 bytes of at most 240"));
  app.name = "\xff";
  BOOST_TEST(first_problem(app).message == "the name '\\xff' is not UTF-8");
}

BOOST_AUTO_TEST_CASE(names_of_ports_and_devices_are_utf8) {
  AppDef app("a");
  app.of(Role("r").runs("e"));
  app.roles[0].port_map = {{"\xff", 80}};
  BOOST_TEST(first_problem(app).message == "'\\xff' is not UTF-8");
  app.roles[0].port_map.clear();
  app.roles[0].resource.devices = {{"\xff", 1}};
  BOOST_TEST(first_problem(app).message == "'\\xff' is not UTF-8");
}

BOOST_AUTO_TEST_CASE(a_copied_resource_keeps_devices_and_order_and_drops_tags) {
  const Resource original{96, 8, 1179648, R"({"b":1,"a":2})", {{"efa", 4}}, R"({"t":1})"};
  const Resource copy = copy_resource(original, {{"c", 3}, {"b", nullptr}});
  BOOST_TEST((copy == Resource{96, 8, 1179648, R"({"b":null,"a":2,"c":3})", {{"efa", 4}}, {}}));
  BOOST_TEST((copy_resource(Resource{}, {}) == Resource{}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::spec::test
