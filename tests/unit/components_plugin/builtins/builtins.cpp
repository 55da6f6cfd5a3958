#include "plugins/components/builtins/builtins.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "slipway/error.hpp"

namespace slipway::builtins {
namespace {

const std::vector<std::string> kPrefixes = {"dist", "metrics", "serve", "utils"};

// Returns the provider of the components that start with `prefix` and a dot.
Builtins provider(const std::string& prefix) { return {Host(), {prefix, prefix, "", "{}"}}; }

// Builds the component `name` as the host does: from its defaults, overridden by `values`.
AppDef built(const std::string& name, const Dict<Value>& values) {
  Builtins all = provider(name.substr(0, name.find('.')));
  Cfg args;
  for (const ComponentInfo& info : all.list(Call())) {
    if (info.name != name) continue;
    for (const ComponentParam& param : info.params) args.set(param.name, param.default_value);
  }
  for (const auto& [key, value] : values) args.set(key, value);
  return all.build(name, args, Call());
}

template <class F>
std::string refused(Code code, F call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code() == code ? error.message() : "another code: " + error.message();
  }
  return "nothing thrown";
}

BOOST_AUTO_TEST_SUITE(BuiltInComponents)

BOOST_AUTO_TEST_CASE(each_provider_serves_its_own_prefix) {
  std::set<std::string> names;
  for (const std::string& prefix : kPrefixes) {
    for (const ComponentInfo& info : provider(prefix).list(Call())) {
      BOOST_TEST(info.name.compare(0, prefix.size() + 1, prefix + ".") == 0, info.name);
      names.insert(info.name);
    }
  }
  BOOST_TEST((names == std::set<std::string>{"dist.ddp", "dist.spmd", "metrics.tensorboard",
                                             "serve.torchserve", "utils.binary", "utils.booth",
                                             "utils.copy", "utils.echo", "utils.python", "utils.sh",
                                             "utils.touch"}));
  BOOST_TEST(refused(Code::kNotFound, [] { provider("nope"); }) ==
             "there is no provider of built-in components 'nope'");
}

BOOST_AUTO_TEST_CASE(every_component_and_parameter_is_documented) {
  for (const std::string& prefix : kPrefixes) {
    for (const ComponentInfo& info : provider(prefix).list(Call())) {
      BOOST_TEST(!info.help.empty(), info.name);
      std::set<std::string> names;
      for (std::size_t i = 0; i < info.params.size(); ++i) {
        const ComponentParam& param = info.params[i];
        const std::string where = info.name + " " + param.name;
        BOOST_TEST(!param.help.empty(), where);
        BOOST_TEST(names.insert(param.name).second, where);
        BOOST_TEST((param.short_name == (param.name.size() == 1 ? param.name : "")), where);
        BOOST_TEST((!param.variadic || i + 1 == info.params.size()), where);
        const ValueType type = type_of(param.default_value);
        BOOST_TEST((type == ValueType::kNone || (type == param.type && !param.required)), where);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_component_is_not_found) {
  BOOST_TEST(refused(Code::kNotFound, [] { provider("utils").build("utils.ecko", {}, Call()); }) ==
             "there is no component 'utils.ecko'");
  BOOST_TEST(refused(Code::kNotFound, [] { provider("utils").build("dist.ddp", {}, Call()); }) ==
             "there is no component 'dist.ddp'");
}

BOOST_AUTO_TEST_CASE(numbers_beyond_32_bits_are_refused) {
  BOOST_TEST(refused(Code::kInvalid, [] {
               built("utils.echo", {{"num_replicas", std::int64_t{1} << 32}});
             }) == "--num_replicas 4294967296 is not a number that a role can have");
}

BOOST_AUTO_TEST_CASE(named_resource_needs_a_host_with_resources) {
  BOOST_TEST(refused(Code::kUnimplemented, [] {
               built("utils.sh", {{"h", std::string("gpu.small")}});
             }) == "the host has no named resources");
}

BOOST_AUTO_TEST_CASE(zero_stands_for_the_default_amount) {
  const AppDef app = built("utils.sh", {{"cpu", std::int64_t{0}}, {"memMB", std::int64_t{0}}});
  BOOST_TEST(app.roles.at(0).resource.cpu.whole() == 2);
  BOOST_TEST(app.roles.at(0).resource.gpu == 0);
  BOOST_TEST(app.roles.at(0).resource.mem_mb == 1024);
}

BOOST_AUTO_TEST_CASE(tracker_variables_of_the_caller_are_kept) {
  const AppDef app = built(
      "dist.ddp", {{"script", std::string("main.py")},
                   {"env", StrDict{{"TORCHX_TRACKING_RUN_NAME", "mine"}, {"LOGLEVEL", "INFO"}}}});
  const StrDict& env = app.roles.at(0).env;
  BOOST_TEST(*find(env, "TORCHX_TRACKING_RUN_NAME") == "mine");
  BOOST_TEST(*find(env, "TORCHX_TRACKING_EXPERIMENT_NAME") == "default-experiment");
  BOOST_TEST(*find(env, "LOGLEVEL") == "INFO");
}

BOOST_AUTO_TEST_CASE(a_program_text_gets_arguments) {
  const AppDef app =
      built("utils.python", {{"c", std::string("print(1)")}, {"args", StrList{"a", "b c"}}});
  BOOST_TEST((app.roles.at(0).args == StrList{"-c", "print(1)", "a", "b c"}));
}

BOOST_AUTO_TEST_CASE(an_entrypoint_in_place_of_sh_gets_each_word_quoted) {
  const AppDef app =
      built("utils.sh", {{"entrypoint", std::string("run.sh")}, {"args", StrList{"a", "b c"}}});
  BOOST_TEST((app.roles.at(0).args == StrList{"a", "'b c'"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::builtins
