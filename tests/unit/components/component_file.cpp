#include "core/components/component_file.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "core/components/component_from_file.hpp"
#include "core/spec/document.hpp"

namespace slipway::components {
namespace {

std::string problems_of(const std::string& text) {
  spec::ProblemList problems;
  read_component_file(spec::parse_toml(text, "c.toml"), "c.toml", problems);
  std::string out;
  for (const spec::Problem& problem : problems.in_order()) out += spec::to_string(problem) + "\n";
  return out;
}

spec::AppFile built(const std::string& text, Dict<Value> args) {
  const Component component = component_from_file(spec::parse_toml(text, "c.toml"), "c.toml", {});
  return component.build(
      Cfg(std::move(args)), [](std::string_view) { return std::optional<Resource>(); },
      [] { return std::vector<std::string>(); });
}

// Returns a component with these parameter lines and role lines.
std::string with(const std::string& params, const std::string& role) {
  return "[component.c.params]\n" + params +
         "[component.c.app]\nname = \"c\"\n[[component.c.app.roles]]\nname = \"r\"\n"
         "entrypoint = \"e\"\n" +
         role;
}

// A file with the component `a` and no mistake.
constexpr const char* kGood = "[component.a.app]\nname = \"a\"\nroles = []\n";

BOOST_AUTO_TEST_SUITE(component_file)

BOOST_AUTO_TEST_CASE(
    parameter_is_required_without_a_default_unless_it_is_variadic_or_says_otherwise) {
  spec::ProblemList problems;
  const ComponentFile file = read_component_file(
      spec::parse_toml(with("a = {}\nb = { default = \"\" }\nc = { required = false }\n"
                            "d = { variadic = true }\ne = { variadic = true, required = true }\n",
                            ""),
                       "c.toml"),
      "c.toml", problems);
  const auto& params = file.components.front().info.params;
  BOOST_TEST(params[0].required);
  BOOST_TEST(!params[1].required);
  BOOST_TEST(!params[2].required);
  BOOST_TEST(!params[3].required);
  BOOST_TEST((params[3].type == ValueType::kList));
  BOOST_TEST(params[4].required);
}

BOOST_AUTO_TEST_CASE(sweep_has_values_of_its_parameters_as_text) {
  spec::ProblemList problems;
  const ComponentFile file = read_component_file(
      spec::parse_toml(with("lr = { type = \"float\" }\nseed = { type = \"int\" }\nfast = { type = "
                            "\"bool\" }\ntext = {}\nlist = { type = \"list\" }\n"
                            "[component.c.sweep]\nlr = [0.1, 1e-3, 1]\nseed = \"3..1,7\"\n"
                            "fast = [true, false]\ntext = [\"a,b\", \"\", \"1..2\", "
                            "\"a'b\\\"c\", \"'\"]\n"
                            "list = [\"a,b\", \"c\"]\n",
                            ""),
                       "c.toml"),
      "c.toml", problems);
  std::string words;
  for (const SweptParam& param : file.components.front().sweep) words += sweep_word(param) + " ";
  BOOST_TEST(words ==
             "lr=0.1,0.001,1 seed=3,2,1,7 fast=true,false text='a,b','','1..2',a'b\"c,\"'\" "
             "list='a,b',c ");
  BOOST_TEST(problems.in_order().empty());
}

BOOST_AUTO_TEST_CASE(every_problem_of_a_sweep_has_its_place) {
  BOOST_TEST(problems_of(with("lr = { type = \"float\" }\nseed = { type = \"int\" }\n"
                              "[component.c.sweep]\nlrr = [1]\nlr = [0.1, 0.1, \"x\", [1]]\n"
                              "seed = \"1..99999\"\nmomentum = []\n",
                              "")) ==
             "c.toml:5:1: component.c.sweep.lrr: there is no parameter 'lrr', did you mean lr?\n"
             "c.toml:6:12: component.c.sweep.lr[1]: the value '0.1' is given twice\n"
             "c.toml:6:17: component.c.sweep.lr[2]: expected a float, found 'x'\n"
             "c.toml:6:22: component.c.sweep.lr[3]: expected a float, found a list\n"
             "c.toml:7:8: component.c.sweep.seed: 1..99999 is more than 10000 values\n"
             "c.toml:8:1: component.c.sweep.momentum: there is no parameter 'momentum', the "
             "parameters are lr, seed\n");
  BOOST_TEST(problems_of(with("seed = { type = \"int\" }\n[component.c.sweep]\nseed = 3\n", "")) ==
             "c.toml:4:8: component.c.sweep.seed: expected a list of values, found the integer 3, "
             "write [0.1, 0.01], or \"1..5\"\n");
  BOOST_TEST(
      problems_of(with("hosts = { type = \"list\" }\n[component.c.sweep]\nhosts = [[]]\n", "")) ==
      "c.toml:4:10: component.c.sweep.hosts[0]: expected a list as one text, found an empty "
      "list\n");
  BOOST_TEST(problems_of(with("seed = { type = \"int\" }\n[component.c.sweep]\nseed = []\n", "")) ==
             "c.toml:4:8: component.c.sweep.seed: there is no value\n");
}

BOOST_AUTO_TEST_CASE(every_problem_has_its_place) {
  BOOST_TEST(
      problems_of("[component.c]\n"
                  "hlep = \"x\"\n"
                  "[component.c.params.n]\n"
                  "type = \"integer\"\n"
                  "[component.c.params.m]\n"
                  "type = \"int\"\n"
                  "default = \"3\"\n"
                  "required = true\n"
                  "short = \"mm\"\n"
                  "[component.c.params.help]\n"
                  "[component.c.app]\n"
                  "name = \"{{nn}}\"\n"
                  "metadata = { a = \"{{m | lwer}}\", b = \"{{m\" }\n") ==
      "c.toml:2:1: component.c.hlep: unknown key, did you mean help?\n"
      "c.toml:4:8: component.c.params.n.type: there is no type 'integer', the types are str, "
      "int, float, bool, list and dict\n"
      "c.toml:5:21: component.c.params.m.required: a parameter with a default is never "
      "required, remove one of them\n"
      "c.toml:7:11: component.c.params.m.default: expected an integer, found the string '3'\n"
      "c.toml:9:9: component.c.params.m.short: expected one letter or digit, found 'mm'\n"
      "c.toml:10:21: component.c.params.help: no parameter can be called help, --help shows "
      "the component's help\n"
      "c.toml:12:8: component.c.app.name: there is no parameter 'nn', the parameters are n, m, "
      "help\n"
      "c.toml:13:18: component.c.app.metadata.a: there is no filter 'lwer', did you mean "
      "lower?\n"
      "c.toml:13:38: component.c.app.metadata.b: expected '|' or '}}' at the end of '{{m', "
      "write {{ '{{' }} for two literal braces\n");
}

BOOST_AUTO_TEST_CASE(wrong_uses_of_filters_are_refused) {
  BOOST_TEST(
      problems_of("[component.c.params.d]\n"
                  "type = \"dict\"\n"
                  "[component.c.app]\n"
                  "name = \"{{d | quote}}\"\n"
                  "metadata = { a = \"{{d | join}}\", b = \"{{d | join | lower(',')}}\" }\n") ==
      "c.toml:4:8: component.c.app.name: the filter quote takes anything but a dict, found a "
      "dict\n"
      "c.toml:5:18: component.c.app.metadata.a: the filter join takes 1 argument, found 0\n"
      "c.toml:5:38: component.c.app.metadata.b: the filter join takes 1 argument, found 0\n");
}

BOOST_AUTO_TEST_CASE(an_app_beside_components_is_refused) {
  BOOST_TEST(problems_of(std::string("name = \"x\"\n") + kGood) ==
             "c.toml:1:1: name: unknown key, a file cannot hold both an app and components; a "
             "component's app is [component.NAME.app]\n");
}

BOOST_AUTO_TEST_CASE(a_dotted_name_needs_quotes) {
  BOOST_TEST(problems_of("[component.utils.echo.app]\nname = \"x\"\n") ==
             "c.toml:1:12: component.utils.app: missing, a component needs an app: "
             "[component.utils.app]\n"
             "c.toml:1:18: component.utils.echo: unknown key, quote a name that has a dot: "
             "[component.\"utils.echo\"]\n");
}

BOOST_AUTO_TEST_CASE(contradictory_keys_of_parameters_are_refused) {
  const std::string all = problems_of(
      with("a = { variadic = true, type = \"str\" }\nb = { variadic = true, short = \"b\" }\n"
           "n = { }\nnum = { short = \"n\" }\n",
           ""));
  BOOST_TEST(all.find("component.c.params.a.type: a variadic parameter is a list") !=
             std::string::npos);
  BOOST_TEST(all.find("component.c.params.b.variadic: a is already variadic") != std::string::npos);
  BOOST_TEST(all.find("component.c.params.b.short: a variadic parameter takes the ") !=
             std::string::npos);
  BOOST_TEST(all.find("component.c.params.num.short: -n already means n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_list_or_dict_inside_a_text_is_refused) {
  const std::string all =
      problems_of(with("l = { type = \"list\" }\nd = { type = \"dict\" }\n",
                       "args = [\"-c {{l}}\", \"{{l}}\", \"{{l | join(' ')}}!\"]\n"
                       "env = { A = \"x{{d}}\", \"...\" = \"{{l}}\", \"{{l}}\" = \"\" }\n"));
  BOOST_TEST(
      all.find("roles[0].args[0]: 'l' is a list and cannot be part of a text, join it, {{l | "
               "join(' ')}}, or use it alone") != std::string::npos);
  BOOST_TEST(all.find("env.A: 'd' is a dict and cannot be part of a text") != std::string::npos);
  BOOST_TEST(all.find("'...': ... needs one parameter of type dict") != std::string::npos);
  BOOST_TEST(all.find("a key cannot contain {{parameters}}") != std::string::npos);
  BOOST_TEST(all.find("args[1]") == std::string::npos);
  BOOST_TEST(all.find("args[2]") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(values_get_the_type_of_their_place) {
  const spec::AppFile file =
      built(with("n = { type = \"int\" }\nl = { type = \"list\" }\nf = { type = \"float\" }\n"
                 "d = { type = \"dict\" }\nnone = { required = false }\n",
                 "num_replicas = \"{{n}}\"\nargs = [\"a\", \"{{l}}\", \"{{n}}\", \"{{none}}\", "
                 "\"<{{none}}>\", \"${replica_id} {{f}}\"]\n"
                 "env = { N = \"{{n}}\", A = \"0\", \"...\" = \"{{d}}\", B = \"late\" }\n"
                 "metadata = { k8s = { n = \"{{n}}\", l = \"{{l}}\" } }\n"
                 "resource = { cpu = \"{{n}}\", mem = \"{{n}}GiB\" }\nimage = \"{{none}}\"\n"),
            {{"n", std::int64_t{2}},
             {"l", StrList{"x y", "{{n}}"}},
             {"f", 0.5},
             {"d", StrDict{{"A", "1"}, {"B", "2"}}},
             {"none", Value()}});
  const Role& role = file.app.roles.front();
  BOOST_TEST(role.num_replicas == 2);
  BOOST_TEST(role.args == (StrList{"a", "x y", "{{n}}", "2", "<>", "${replica_id} 0.5"}),
             boost::test_tools::per_element());
  BOOST_TEST((role.env == StrDict{{"N", "2"}, {"A", "1"}, {"B", "late"}}));
  BOOST_TEST(role.metadata_json == R"({"k8s":{"n":2,"l":["x y","{{n}}"]}})");
  BOOST_TEST(role.resource.cpu.whole() == 2);
  BOOST_TEST(role.resource.mem_mb == 2048);
  BOOST_TEST(role.image.empty());
}

BOOST_AUTO_TEST_CASE(filters_return_text) {
  const spec::AppFile file =
      built(with("s = {}\nl = { type = \"list\" }\nd = { type = \"dict\" }\n",
                 "args = [\"{{s | basename}}\", \"{{s|stem|upper}}\", \"{{s | replace('/', '.') | "
                 "lower}}\", \"{{l | join(':')}}\", \"{{l | quote}}\", \"{{d | join('&')}}\", "
                 "\"{{d | json}}\", \"{{l | json}}\", \"{{ '{{' }}}}\", '{{ \"a|b\" }}']\n"),
            {{"s", std::string("/Data/Train.tar.gz")},
             {"l", StrList{"a'b", ""}},
             {"d", StrDict{{"k", "\"v\""}}}});
  BOOST_TEST(
      file.app.roles.front().args ==
          (StrList{"Train.tar.gz", "TRAIN.TAR", ".data.train.tar.gz", "a'b:", "'a'\"'\"'b' ''",
                   "k=\"v\"", R"({"k":"\"v\""})", R"(["a'b",""])", "{{}}", "a|b"}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(problems_of_the_expanded_app_point_into_the_file) {
  try {
    built(with("n = { type = \"int\" }\n", "num_replicas = \"{{n}}\"\nresourc = \"{{n}}\"\n"),
          {{"n", std::int64_t{0}}});
    BOOST_ERROR("accepted");
  } catch (const spec::InvalidApp& invalid) {
    BOOST_TEST(invalid.problems().size() == 2u);
    BOOST_TEST(spec::to_string(invalid.problems()[0]).find("c.toml:8:16: roles[0].num_replicas") ==
               0u);
    BOOST_TEST(spec::to_string(invalid.problems()[1]) ==
               "c.toml:9:1: roles[0].resourc: unknown key, did you mean resource?");
  }
}

BOOST_AUTO_TEST_CASE(uses_of_parameters_are_recorded_for_lint) {
  spec::ProblemList problems;
  const ComponentFile file = read_component_file(
      spec::parse_toml(with("a = {}\nb = {}\n", "args = [\"{{a}}-{{a | lower}}\"]\n"), "c.toml"),
      "c.toml", problems);
  const auto& uses = file.components.front().uses;
  BOOST_TEST(uses.size() == 2u);
  BOOST_TEST(uses[1].param == "a");
  BOOST_TEST(uses[1].key == "component.c.app.roles[0].args[0]");
  BOOST_TEST(uses[1].at.line == 9u);
  BOOST_TEST(file.components.front().param_marks[1].table.line == 3u);
}

BOOST_AUTO_TEST_CASE(a_file_with_several_components_needs_a_name) {
  const std::string two = std::string(kGood) + "[component.better.app]\nname = \"b\"\n";
  const auto refusal = [&](std::string_view name) {
    try {
      component_from_file(spec::parse_toml(two, "c.toml"), "c.toml", name);
    } catch (const Error& error) {
      return error.message() + "; " + error.hint();
    }
    return std::string("accepted");
  };
  BOOST_TEST(refusal("") == "c.toml has several components: a, better; name one: c.toml:a");
  BOOST_TEST(refusal("beter") == "c.toml has no component 'beter'; did you mean better?");
  BOOST_TEST(refusal("better") == "accepted");
}

BOOST_AUTO_TEST_CASE(errors_of_a_component_stop_it_after_any_number_of_errors_of_others) {
  std::string text = "[component.a]\n";
  for (std::size_t i = 0; i <= spec::ProblemList::kMaxProblems; ++i)
    text += "no_such_" + std::to_string(i) + " = 1\n";
  text += "[component.b.app]\nname = \"{{'x' | foo}}\"\nroles = []\n";
  try {
    component_from_file(spec::parse_toml(text, "c.toml"), "c.toml", "b");
    BOOST_ERROR("accepted");
  } catch (const spec::InvalidApp& invalid) {
    BOOST_REQUIRE(!invalid.problems().empty());
    for (const spec::Problem& problem : invalid.problems())
      BOOST_TEST(problem.key.find("component.b") == 0u, problem.key);
  }
}

BOOST_AUTO_TEST_CASE(hostile_templates_are_refused_without_reading_past_the_end) {
  for (const char* text :
       {"{{", "{{ ", "{{a", "{{a|", "{{a|b(", "{{a|join('", "{{a|join('x'", "{{}}", "{{|}}",
        "{{a b}}", "{{a | replace('x')}}", "{{a | replace('', 'x')}}", "{{'a}}", "{{{a}}}"}) {
    const std::string all =
        problems_of(with("a = {}\n", "args = [\"" + std::string(text) + "\"]\n"));
    BOOST_TEST_CONTEXT(text) { BOOST_TEST(all.find("c.toml:8:9: ") == 0u); }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::components
