// The error messages for broken app files: one expected message for each mistake.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "core/spec/document.hpp"
#include "core/spec/load_app.hpp"
#include "tests/unit/spec/temporary_directory.hpp"

namespace slipway::spec::test {
namespace {

std::optional<Resource> find_resource(std::string_view name) {
  if (name != "gpu.small") return std::nullopt;
  Resource resource;
  resource.cpu = 8;
  return resource;
}
std::vector<std::string> known_resources() { return {"gpu.small", "gpu.large"}; }

// Returns the error message for `text`; the places in it have only the file's name.
std::string message_of(const std::string& text, const std::string& name = "app.toml") {
  const TemporaryDirectory directory;
  const std::string path = directory.file(name, text);
  try {
    load_app_document(read_document(path), path, find_resource, known_resources);
  } catch (const Error& error) {
    std::string message = error.what();
    for (auto at = message.find(path); at != std::string::npos; at = message.find(path, at)) {
      message.replace(at, path.size(), name);
    }
    return message;
  }
  return "no error";
}

struct Broken {
  const char* what;  // the mistake
  std::string text;
  std::string message;
};

const std::string kRole = "name = \"a\"\n[[roles]]\nname = \"r\"\nentrypoint = \"e\"\n";

void check_all(const std::vector<Broken>& table, const std::string& name) {
  for (const Broken& broken : table) {
    BOOST_TEST_INFO_SCOPE(broken.what);
    BOOST_TEST(message_of(broken.text, name) == broken.message);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(BrokenApp)

BOOST_AUTO_TEST_CASE(invalid_toml_is_explained) {
  check_all(
      {
          {"empty", "",
           "app.toml:1:1: the file has no keys, an app needs a name and at least one role"},
          {"white space", " \n\n",
           "app.toml:1:1: the file has no keys, an app needs a name and at least one role"},
          {"comment", "# todo\n",
           "app.toml:1:1: the file has no keys, an app needs a name and at least one role"},
          {"ELF",
           std::string("\x7f"
                       "ELF\0\0",
                       6),
           "app.toml:1:5: NUL byte: this is not a text file, is it the right file?"},
          {"UTF-16", std::string("\xff\xfen\0a\0", 6),
           "app.toml:1:4: NUL byte: this is not a text file, it looks like UTF-16, save it as "
           "UTF-8"},
          {"Latin-1", "name = \"a\"\n# caf\xe9\n",
           "app.toml:2:6: not UTF-8, save the file as UTF-8"},
          {"no roles", "name = \"a\"\n", "app.toml:1:1: roles: the app needs at least one role"},
          {"empty roles", "name = \"a\"\nroles = []\n",
           "app.toml:2:1: roles: the app needs at least one role"},
          {"roles is no list", "name = \"a\"\nroles = 5\n",
           "app.toml:2:9: roles: expected a list of roles, found the integer 5"},
          {"role is no table", "name = \"a\"\nroles = [5]\n",
           "app.toml:2:10: roles[0]: expected a table, found the integer 5"},
          {"no name", "[[roles]]\nname = \"r\"\nentrypoint = \"e\"\n",
           "app.toml:1:1: name: the app needs a name"},
          {"key twice", "name = \"a\"\nname = \"b\"\n",
           "app.toml:2:8: not valid TOML: Error while parsing key-value pair: cannot redefine "
           "existing string 'name'"},
          {"unterminated", "# é\nname = \"a\n",
           "app.toml:2:10: not valid TOML: the string is not closed on its line"},
          {"no quotes", "name = hello\n",
           "app.toml:1:8: not valid TOML: Error while parsing value: could not determine value "
           "type; a text needs quotes"},
          {"no quotes, like a boolean", "name = train\n",
           "app.toml:1:10: not valid TOML: Error while parsing boolean: expected 'true', saw "
           "'tra'; a text needs quotes"},
      },
      "app.toml");
}

BOOST_AUTO_TEST_CASE(invalid_json_is_explained) {
  check_all(
      {
          {"empty", "", "app.json:1:1: not valid JSON: the text is empty"},
          {"object", "{}",
           "app.json:1:1: the file has no keys, an app needs a name and at least one role"},
          {"list", "[1]", "app.json:1:1: expected a table, found a list"},
          {"cut", "{\"name\": \"a\",\n", "app.json:2:1: not valid JSON: the text ends too early"},
          {"trailing", "{\"name\": \"a\"}\n x",
           "app.json:2:2: not valid JSON: unexpected 'x' after the end of the document"},
          {"comma", "{\"name\": \"a\",}", "app.json:1:14: not valid JSON: unexpected '}'"},
          {"duplicate", "{\"name\": \"a\",\n \"name\": \"b\"}",
           "app.json:2:2: the key 'name' appears twice in one table"},
      },
      "app.json");
}

BOOST_AUTO_TEST_CASE(long_integer_is_shortened_in_its_message) {
  check_all({{"integer of 50 digits",
              R"({"name":"a","roles":[{"name":"r","entrypoint":"e","num_replicas":)" +
                  std::string(50, '1') + "}]}",
              "app.json:1:66: roles[0].num_replicas: the integer " + std::string(40, '1') +
                  "… is out of range"}},
            "app.json");
}

BOOST_AUTO_TEST_CASE(integer_beyond_floats_is_refused_in_metadata) {
  check_all({{"integer of 400 digits",
              R"({"name":"a","roles":[{"name":"r","entrypoint":"e","metadata":{"k":)" +
                  std::string(400, '1') + "}}]}",
              "app.json:1:67: roles[0].metadata.k: the integer " + std::string(40, '1') +
                  "… is out of range"}},
            "app.json");
}

BOOST_AUTO_TEST_CASE(wrong_keys_and_types_are_explained) {
  check_all(
      {
          {"unknown key of the app", "nam = \"a\"\n",
           "app.toml:1:1: nam: unknown key, did you mean name?\n"
           "app.toml:1:1: name: the app needs a name\n"
           "app.toml:1:1: roles: the app needs at least one role"},
          {"unknown key of a role", kRole + "num_replica = 4\n",
           "app.toml:5:1: roles[0].num_replica: unknown key, did you mean num_replicas?"},
          {"unknown key, nothing near", kRole + "zzz = 4\n",
           "app.toml:5:1: roles[0].zzz: unknown key"},
          {"key with a dot", kRole + "\"a.b\" = 4\n", "app.toml:5:1: roles[0].'a.b': unknown key"},
          {"integer in env", kRole + "env = { A = \"1\", PORT = 8080 }\n",
           "app.toml:5:25: roles[0].env.PORT: expected a string, found the integer 8080, write it "
           "as \"8080\""},
          {"boolean in env", kRole + "env = { A = true }\n",
           "app.toml:5:13: roles[0].env.A: expected a string, found the boolean true, write it as "
           "\"true\""},
          {"float in env", kRole + "env.A = 1.5\n",
           "app.toml:5:9: roles[0].env.A: expected a string, found the float 1.5, write it as "
           "\"1.5\""},
          {"integer in args", kRole + "args = [\"--n\", 4]\n",
           "app.toml:5:16: roles[0].args[1]: expected a string, found the integer 4, write it as "
           "\"4\""},
          {"args as one string", kRole + "args = \"--n 4\"\n",
           "app.toml:5:8: roles[0].args: expected a list of strings, found the string '--n 4'"},
          // min_replicas is compared only with a num_replicas that could be read.
          {"count as a string", kRole + "num_replicas = \"4\"\nmin_replicas = 2\n",
           "app.toml:5:16: roles[0].num_replicas: expected an integer, found the string '4'"},
          {"count as a float", kRole + "num_replicas = 4.0\n",
           "app.toml:5:16: roles[0].num_replicas: expected an integer, found the float 4.0"},
          {"count beyond 32 bits", kRole + "num_replicas = 4294967297\n",
           "app.toml:5:16: roles[0].num_replicas: the integer 4294967297 is out of range, at most "
           "2147483647"},
          {"count below 32 bits", kRole + "num_replicas = -4294967297\n",
           "app.toml:5:16: roles[0].num_replicas: the integer -4294967297 is out of range, at "
           "least -2147483648"},
          {"retry policy", kRole + "retry_policy = \"replica\"\n",
           "app.toml:5:16: roles[0].retry_policy: expected one of APPLICATION, REPLICA, ROLE, "
           "found 'replica', "
           "did you mean REPLICA?"},
          {"date", kRole + "image = 2024-05-06\n",
           "app.toml:5:9: roles[0].image: expected a string, found the date-time 2024-05-06, write "
           "it as "
           "\"2024-05-06\""},
          {"metadata nan", kRole + "metadata = { a = { b = [nan] } }\n",
           "app.toml:5:25: roles[0].metadata.a.b[0]: JSON cannot hold nan"},
          {"number in metadata text", kRole + "metadata = '{\"a\": [1e999]}'\n",
           "app.toml:5:12: roles[0].metadata.a[0]: JSON cannot hold inf"},
          {"metadata text", kRole + "metadata = \"{\"\n",
           "app.toml:5:12: roles[0].metadata: the string is not a JSON object: not valid JSON: the "
           "text ends too early, "
           "write a table"},
          {"terminal escapes in a key", kRole + "\"\\u001b[31m\" = 1\n",
           "app.toml:5:1: roles[0].'\\x1b[31m': unknown key"},
      },
      "app.toml");
}

BOOST_AUTO_TEST_CASE(wrong_resources_and_mounts_are_explained) {
  check_all(
      {
          {"unknown resource", kRole + "resource = \"gpu.smal\"\n",
           "app.toml:5:12: roles[0].resource: unknown resource 'gpu.smal', did you mean "
           "gpu.small?"},
          {"empty resource", kRole + "resource = \"\"\n",
           "app.toml:5:12: roles[0].resource: the resource has an empty name"},
          {"resource is a number", kRole + "resource = 5\n",
           "app.toml:5:12: roles[0].resource: expected the name of a resource or a table, found "
           "the integer 5"},
          {"key of a resource", kRole + "resource = { cpus = 1 }\n",
           "app.toml:5:14: roles[0].resource.cpus: unknown key, did you mean cpu?"},
          {"memory twice", kRole + "resource = { memMB = 1, mem = \"1GiB\" }\n",
           "app.toml:5:25: roles[0].resource.mem: mem and memMB both set the memory, remove one of "
           "them"},
          {"memory unit", kRole + "resource = { mem = \"1GB\" }\n",
           "app.toml:5:20: roles[0].resource.mem: '1GB' has no known unit, write 1GiB; units are "
           "KiB, "
           "MiB, GiB and TiB"},
          {"memory unit of less than a MiB", kRole + "resource = { mem = \"1500K\" }\n",
           "app.toml:5:20: roles[0].resource.mem: '1500K' has no known unit, write 2MiB; units are "
           "KiB, MiB, GiB and TiB"},
          {"memory in KiB with a space", kRole + "resource = { mem = \"3 KiB\" }\n",
           "app.toml:5:20: roles[0].resource.mem: '3 KiB' has more text than a number and a unit, "
           "write 1MiB"},
          {"memory number", kRole + "resource.mem = 1024\n",
           "app.toml:5:16: roles[0].resource.mem: expected an amount such as \"64GiB\", found the "
           "integer 1024, memMB is "
           "the key for a number of MiB"},
          {"memory range", kRole + "resource.mem = \"99999999999999TiB\"\n",
           "app.toml:5:16: roles[0].resource.mem: '99999999999999TiB' is out of range"},
          {"memory range in KiB", kRole + "resource.mem = \"99999999999999999999KiB\"\n",
           "app.toml:5:16: roles[0].resource.mem: '99999999999999999999KiB' is out of range"},
          {"mount option", kRole + "mounts = [\"type=bind,scr=/a,dst=/b\"]\n",
           "app.toml:5:11: roles[0].mounts[0]: unknown mount option 'scr', did you mean src?"},
          {"mount without dst", kRole + "mounts = [\"type=bind,src=/a\"]\n",
           "app.toml:5:11: roles[0].mounts[0]: the mount has no dst"},
          {"mount table", kRole + "mounts = [{ type = \"bnd\", src = \"/a\" }]\n",
           "app.toml:5:11: roles[0].mounts[0].dst_path: missing, write dst = \"…\": an absolute "
           "path "
           "in the replica\n"
           "app.toml:5:20: roles[0].mounts[0].type: expected one of bind, volume, device, found "
           "'bnd', did you mean "
           "bind?"},
          {"empty mount table", kRole + "mounts = [{}]\n",
           "app.toml:5:11: roles[0].mounts[0].type: missing, write type = \"bind\", \"volume\" or "
           "\"device\"\n"
           "app.toml:5:11: roles[0].mounts[0].src_path: missing, write src = \"…\": the path or "
           "volume "
           "to mount\n"
           "app.toml:5:11: roles[0].mounts[0].dst_path: missing, write dst = \"…\": an absolute "
           "path "
           "in the replica"},
      },
      "app.toml");
}

BOOST_AUTO_TEST_CASE(broken_rules_are_explained) {
  const std::string program = "entrypoint = \"e\"\n";
  check_all(
      {
          {"duplicate roles", kRole + "[[roles]]\nname = \"r\"\n" + program,
           "app.toml:6:8: roles[1].name: the role 'r' is already defined as roles[0] on line 3, "
           "each role needs a unique name"},
          {"slash", "name = \"a\"\n[[roles]]\nname = \"x/y\"\n" + program,
           "app.toml:3:8: roles[0].name: the name 'x/y' contains a slash, it becomes the name of a "
           "directory"},
          {"dot dot", "name = \"..\"\n[[roles]]\nname = \"..\"\n" + program,
           "app.toml:1:8: name: the name '..' starts with a dot, it becomes the name of a "
           "directory\n"
           "app.toml:3:8: roles[0].name: the name '..' starts with a dot, it becomes the name of a "
           "directory"},
          {"control character", "name = \"a\\nb\"\n[[roles]]\nname = \"r\"\n" + program,
           "app.toml:1:8: name: the name 'a\\nb' contains a control character, it becomes the name "
           "of a directory"},
          {"empty role name", "name = \"a\"\n[[roles]]\nname = \"\"\n" + program,
           "app.toml:3:8: roles[0].name: a role needs a name"},
          {"no entrypoint", "name = \"a\"\n[[roles]]\nname = \"r\"\n",
           "app.toml:2:1: roles[0].entrypoint: a role needs an entrypoint, the program to run"},
          {"zero replicas", kRole + "num_replicas = 0\n",
           "app.toml:5:16: roles[0].num_replicas: expected at least 1, found 0"},
          // min_replicas is not compared with a wrong num_replicas.
          {"negative replicas", kRole + "num_replicas = -3\nmin_replicas = 1\n",
           "app.toml:5:16: roles[0].num_replicas: expected at least 1, found -3"},
          {"too many at least", kRole + "num_replicas = 2\nmin_replicas = 3\n",
           "app.toml:6:16: roles[0].min_replicas: expected at most num_replicas, which is 2, found "
           "3"},
          {"negative retries", kRole + "max_retries = -1\n",
           "app.toml:5:15: roles[0].max_retries: expected at least 0, found -1"},
          {"port", kRole + "port_map = { http = 70000 }\n",
           "app.toml:5:14: roles[0].port_map.http: expected a port from 0 to 65535, found 70000"},
          {"negative CPUs", kRole + "resource = { cpu = -0.5 }\n",
           "app.toml:5:20: roles[0].resource.cpu: expected a number of CPUs with at most three "
           "decimals, found -0.5"},
          {"parts of CPUs", kRole + "resource = { cpu = 0.0005 }\n",
           "app.toml:5:20: roles[0].resource.cpu: expected a number of CPUs with at most three "
           "decimals, found 0.0005"},
          {"resource", kRole + "resource = { cpu = -2, devices = { efa = -1 } }\n",
           "app.toml:5:20: roles[0].resource.cpu: expected at least 0, or -1 for no value, "
           "found -2\n"
           "app.toml:5:36: roles[0].resource.devices.efa: expected 0 to 65536, found -1"},
          {"env key", kRole + "env = { \"A=B\" = \"1\", \"\" = \"2\" }\n",
           "app.toml:5:9: roles[0].env.'A=B': the name of a variable cannot contain '='\n"
           "app.toml:5:22: roles[0].env.'': a variable needs a name"},
          {"NUL", kRole + "args = [\"a\\u0000b\"]\n",
           "app.toml:5:9: roles[0].args[0]: contains a NUL character"},
          {"NUL in a probe", kRole + "ready = { command = [\"sh\", \"-c\", \"a\\u0000b\"] }\n",
           "app.toml:5:11: roles[0].ready.command[2]: contains a NUL character"},
          {"NUL in the line of a probe", kRole + "ready = { command = \"a\\u0000b\" }\n",
           "app.toml:5:11: roles[0].ready.command: contains a NUL character"},
      },
      "app.toml");
}

BOOST_AUTO_TEST_CASE(all_problems_come_at_once_and_in_the_order_of_the_file) {
  const std::string text =
      "nmae = \"a\"\n"
      "[[roles]]\n"
      "name = \"a/b\"\n"
      "resource = \"tpu\"\n"
      "num_replicas = -1\n"
      "[[roles]]\n"
      "entrypoint = 5\n"
      "name = \"b\"\n";
  BOOST_TEST(message_of(text) ==
             "app.toml:1:1: nmae: unknown key, did you mean name?\n"
             "app.toml:1:1: name: the app needs a name\n"
             "app.toml:2:1: roles[0].entrypoint: a role needs an entrypoint, the program to run\n"
             "app.toml:3:8: roles[0].name: the name 'a/b' contains a slash, it becomes the name of "
             "a directory\n"
             "app.toml:4:12: roles[0].resource: unknown resource 'tpu', the known resources are "
             "gpu.small, gpu.large\n"
             "app.toml:5:16: roles[0].num_replicas: expected at least 1, found -1\n"
             "app.toml:7:14: roles[1].entrypoint: expected a string, found the integer 5, write it "
             "as \"5\"");
}

BOOST_AUTO_TEST_CASE(three_thousand_problems_are_cut_at_200_lines) {
  std::string text = kRole;
  for (int i = 0; i < 3000; ++i) text += "zzz" + std::to_string(i) + " = 1\n";
  const std::string message = message_of(text);
  BOOST_TEST(std::count(message.begin(), message.end(), '\n') == 200);
  BOOST_TEST(message.ends_with("\n… and 2800 more"));
}

BOOST_AUTO_TEST_CASE(error_code_is_not_found_if_all_problems_are_unknown_resources) {
  const auto code = [](const std::string& text) {
    const TemporaryDirectory directory;
    try {
      const std::string path = directory.file("app.toml", text);
      load_app_document(read_document(path), path, find_resource, known_resources);
    } catch (const Error& error) {
      return error.code();
    }
    return Code::kInternal;
  };
  BOOST_TEST((code(kRole + "resource = \"tpu\"\n") == Code::kNotFound));
  BOOST_TEST((code(kRole + "resource = \"tpu\"\nmax_retries = -1\n") == Code::kInvalid));
  BOOST_TEST((code("") == Code::kInvalid));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::spec::test
