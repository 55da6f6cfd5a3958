#include "core/spec/app_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <string>

#include "core/spec/app_json.hpp"
#include "core/spec/load_app.hpp"
#include "tests/unit/spec/read_app.hpp"
#include "tests/unit/spec/temporary_directory.hpp"

namespace slipway::spec::test {
namespace {

constexpr const char* kEverything = R"(
name = "train"
metadata = { team = "vision" }

[[roles]]
name = "trainer"
image = "/srv/images/trainer.tar.zst"
base_image = "base"
entrypoint = "python3"
args = ["main.py", "--rank", "${replica_id}"]
num_replicas = 4
min_replicas = 2
max_retries = 2
retry_policy = "REPLICA"
resource = { cpu = 8, gpu = 1, mem = "32GiB", capabilities = { zone = "b" }, devices = { efa = 4 }, tags = { a = 1 } }
port_map = { http = 8080 }
mounts = ["type=bind,src=/data,dst=/data,readonly", { type = "volume", src = "cache", dst_path = "/cache" }]
metadata = { zeta = 1, alpha = { list = ["${app_id}", 1.5, true] } }
env = { ZULU = "1", ALPHA = "2" }
deployment_preference = "spread"

[[roles]]
name = "reader"
entrypoint = "reader"
resource = "gpu.small"
)";

Code code_of(const std::string& path) {
  try {
    read_app_file(path);
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kInternal;
}

std::string message_about(const std::string& path) {
  try {
    read_app_file(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ReadAppFile)

BOOST_AUTO_TEST_CASE(reads_every_field_and_keeps_the_order_of_the_file) {
  const TemporaryDirectory directory;
  const AppFile file = read_app_file(directory.file("app.toml", kEverything));
  BOOST_TEST(
      boost::json::serialize(to_json(file.app)) ==
      R"({"name":"train","roles":[{"name":"trainer","image":"/srv/images/trainer.tar.zst","min_replicas":2,)"
      R"("base_image":"base","deployment_preference":"spread","entrypoint":"python3",)"
      R"("args":["main.py","--rank","${replica_id}"],)"
      R"("env":{"ZULU":"1","ALPHA":"2"},"num_replicas":4,"max_retries":2,"retry_policy":"REPLICA",)"
      R"("resource":{"cpu":8,"gpu":1,"memMB":32768,"capabilities":{"zone":"b"},"devices":{"efa":4},"tags":{"a":1}},)"
      R"("port_map":{"http":8080},"metadata":{"zeta":1,"alpha":{"list":["${app_id}",1.5E0,true]}},)"
      R"("mounts":[{"type":"bind","src_path":"/data","dst_path":"/data","read_only":true},)"
      R"({"type":"volume","src":"cache","dst_path":"/cache","read_only":false}]},)"
      R"({"name":"reader","image":"","min_replicas":null,"entrypoint":"reader","args":[],"env":{},)"
      R"("num_replicas":1,"max_retries":0,"retry_policy":"APPLICATION",)"
      R"("resource":{"cpu":-1,"gpu":-1,"memMB":-1,"capabilities":{},"devices":{},"tags":{}},)"
      R"("port_map":{},"metadata":{},"mounts":[]}],"metadata":{"team":"vision"}})");
  BOOST_TEST(file.resource_names.at(0) == "");
  BOOST_TEST(file.resource_names.at(1) == "gpu.small");
  BOOST_TEST(file.app.roles[0].metadata_json ==
             R"({"zeta":1,"alpha":{"list":["${app_id}",1.5,true]}})");
}

BOOST_AUTO_TEST_CASE(knows_the_places_of_values) {
  const TemporaryDirectory directory;
  const AppFile file = read_app_file(directory.file("app.toml", kEverything));
  const RoleMarks& marks = file.marks.at(0);
  BOOST_TEST((marks.table == Mark{5, 1}));
  BOOST_TEST((marks.at("num_replicas") == Mark{11, 16}));
  BOOST_TEST((marks.item("args", 2) == Mark{10, 30}));
  BOOST_TEST((marks.item("env", 1) == Mark{19, 21}));
  BOOST_TEST((marks.item("mounts", 0) == Mark{17, 11}));
  // The second role does not set max_retries.
  BOOST_TEST((file.marks.at(1).at("max_retries") == file.marks.at(1).table));
}

BOOST_AUTO_TEST_CASE(reads_the_same_app_from_toml_and_from_json) {
  const TemporaryDirectory directory;
  const AppDef app = read_app_file(directory.file("app.toml", kEverything)).app;
  const std::string json = boost::json::serialize(to_json(app));
  const AppFile again = read_app_file(directory.file("app.json", json));
  BOOST_TEST(boost::json::serialize(to_json(again.app)) == json);
  BOOST_TEST(again.app.roles[0].metadata_json == app.roles[0].metadata_json);
}

BOOST_AUTO_TEST_CASE(reads_torchx_dataclasses_from_json) {
  const AppFile file = read_app_json(
      R"({"name":"a","roles":[{"name":"r","image":"i","min_replicas":null,"base_image":null,"entrypoint":"e",)"
      R"("overrides":{},"resource":{"cpu":1,"gpu":0,"memMB":100,"capabilities":{},"devices":{},"tags":{}}}],"metadata":{}})");
  BOOST_TEST(file.warnings.empty());
  BOOST_TEST(!file.app.roles[0].min_replicas.has_value());
  BOOST_TEST(file.app.roles[0].resource.mem_mb == 100);
}

BOOST_AUTO_TEST_CASE(metadata_may_be_a_string_of_json) {
  const TemporaryDirectory directory;
  const AppFile file = read_app_file(directory.file(
      "app.toml", "name = \"a\"\n[[roles]]\nname = \"r\"\nmetadata = '{\"k\": null}'\n"));
  BOOST_TEST(file.app.roles[0].metadata_json == R"({"k":null})");
}

BOOST_AUTO_TEST_CASE(warns_about_each_spelling_that_seems_to_make_a_mount_writable) {
  const TemporaryDirectory directory;
  const auto warnings_of = [&](const std::string& option) {
    return read_app_file(directory.file("app.toml",
                                        "name = \"a\"\n[[roles]]\nmounts = "
                                        "[\"type=bind,src=/a,dst=/b," +
                                            option + "\"]\n"))
        .warnings.size();
  };
  for (const char* off : {"readonly=False", "read_only=no", "readonly=0", "readonly=OFF"})
    BOOST_TEST(warnings_of(off) == 1u, off);
  for (const char* on : {"readonly", "readonly=", "readonly=True", "read_only=1", "readonly=yes"})
    BOOST_TEST(warnings_of(on) == 0u, on);
}

BOOST_AUTO_TEST_CASE(warns_about_misleading_and_ignored_values) {
  const TemporaryDirectory directory;
  const AppFile file = read_app_file(
      directory.file("app.toml",
                     "name = \"a\"\n[[roles]]\nmounts = "
                     "[\"type=bind,src=/a,dst=/b,readonly=false\"]\noverrides = { a = 1 }\n"));
  BOOST_REQUIRE(file.warnings.size() == 2);
  BOOST_TEST(file.app.roles[0].mounts[0].read_only);
  BOOST_TEST(to_string(file.warnings[0])
                 .ends_with("app.toml:3:11: warning: roles[0].mounts[0]: 'readonly=false' also "
                            "means read only, leave it out"));
  BOOST_TEST(to_string(file.warnings[1])
                 .ends_with("app.toml:4:1: warning: roles[0].overrides: ignored, Slipway has no "
                            "overrides"));
}

BOOST_AUTO_TEST_CASE(skips_a_byte_order_mark_and_accepts_crlf) {
  const TemporaryDirectory directory;
  const AppFile file = read_app_file(
      directory.file("app.toml", "\xef\xbb\xbfname = \"a\"\r\n[[roles]]\r\nname = \"r\"\r\n"));
  BOOST_TEST(file.app.name == "a");
  BOOST_TEST((file.marks.at(0).table == Mark{2, 1}));
}

BOOST_AUTO_TEST_CASE(explains_why_a_file_cannot_be_read) {
  const TemporaryDirectory directory;
  BOOST_TEST((code_of(directory.path("none.toml")) == Code::kNotFound));
  BOOST_TEST(message_about("none.toml") == "no such file: 'none.toml'");
  BOOST_TEST((code_of(directory.file("a.toml", "") + "/b.toml") == Code::kNotFound));

  std::filesystem::create_directory(directory.path("dir.toml"));
  BOOST_TEST((code_of(directory.path("dir.toml")) == Code::kInvalid));
  BOOST_TEST(message_about(directory.path("dir.toml")) ==
             "'" + directory.path("dir.toml") + "' is a directory, not a file");

  BOOST_TEST((code_of(directory.file("app.yaml", "name: a")) == Code::kInvalid));
  BOOST_TEST((code_of(std::string("a\0b.toml", 8)) == Code::kInvalid));

  const std::string secret = directory.file("secret.toml", "name = \"a\"");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  // Root may read any file.
  if (::access(secret.c_str(), R_OK) != 0) BOOST_TEST((code_of(secret) == Code::kDenied));
}

BOOST_AUTO_TEST_CASE(does_not_wait_for_a_pipe) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("pipe.toml");
  BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  BOOST_TEST((code_of(path) == Code::kInvalid));
  BOOST_TEST(message_about(path) == "'" + path + "' is a pipe, not a file");
}

BOOST_AUTO_TEST_CASE(refuses_a_file_of_50_megabytes_without_reading_it) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("sparse.toml", "");
  BOOST_REQUIRE(::truncate(path.c_str(), 50'000'000) == 0);
  BOOST_TEST((code_of(path) == Code::kInvalid));
  BOOST_TEST(message_about(path) ==
             "'" + path + "' is too large: 50000000 bytes, at most 16777216 are read");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(LoadApp)

BOOST_AUTO_TEST_CASE(resolves_each_name_once) {
  const TemporaryDirectory directory;
  const std::string path =
      directory.file("app.toml",
                     "name = \"a\"\n"
                     "[[roles]]\nname = \"r\"\nentrypoint = \"e\"\nresource = \"gpu.small\"\n"
                     "[[roles]]\nname = \"s\"\nentrypoint = \"e\"\nresource = \"gpu.small\"\n");
  int asked = 0;
  const AppFile file = load_app_document(read_document(path), path,
                                         [&](std::string_view) {
                                           ++asked;
                                           Resource resource;
                                           resource.cpu = 8;
                                           return std::optional(resource);
                                         },
                                         {});
  BOOST_TEST(asked == 1);
  BOOST_TEST(file.app.roles[0].resource.cpu.whole() == 8);
  BOOST_TEST(file.app.roles[1].resource.cpu.whole() == 8);
  BOOST_TEST(file.resource_names[1] == "");
}

BOOST_AUTO_TEST_CASE(a_broken_provider_is_a_problem_of_the_role_that_needs_it) {
  const auto broken = [](std::string_view) -> std::optional<Resource> {
    throw Error(Code::kAbi, "the library is too old", "rebuild it");
  };
  try {
    const char* text = R"({"name":"a","roles":[{"name":"r","entrypoint":"e","resource":"x"}]})";
    load_app_document(parse_json(text, "stdin"), "stdin", broken, {});
    BOOST_FAIL("no error");
  } catch (const InvalidApp& error) {
    BOOST_TEST(error.what() == std::string("stdin:1:62: roles[0].resource: cannot look up the "
                                           "resource 'x': the library is too old, "
                                           "rebuild it"));
  }
}

BOOST_AUTO_TEST_CASE(role_needs_no_resource) {
  const char* text = R"({"name":"a","roles":[{"name":"r","entrypoint":"e"}]})";
  BOOST_CHECK_NO_THROW(load_app_document(parse_json(text, "stdin"), "stdin", {}, {}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::spec::test
