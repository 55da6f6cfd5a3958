#include <boost/test/unit_test.hpp>

#include "plugins/components/arguments/host_processes.hpp"
#include "plugins/components/arguments/main_program.hpp"
#include "plugins/components/arguments/node_range.hpp"
#include "plugins/components/arguments/run_name.hpp"
#include "slipway/error.hpp"
#include "slipway/json_text.hpp"

namespace slipway::builtins {
namespace {

/// Returns the message of the error kInvalid that `call` throws.
template <class F>
std::string refused(F call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code() == Code::kInvalid ? error.message() : "another code: " + error.message();
  }
  return "nothing thrown";
}

/// Returns the message about a text that is not of the form of -j.
std::string no_count(const std::string& text) {
  return "-j " + json_quote(text) + " is not a number of nodes and processes";
}

BOOST_AUTO_TEST_SUITE(StructuredArguments)

BOOST_AUTO_TEST_CASE(counts_of_a_range_consist_of_digits_only) {
  BOOST_TEST(parse_node_range("0042").processes == 42);
  BOOST_TEST(parse_node_range("2147483647").processes == 2147483647);
  for (const char* text : {"", "-1", "-0", "+1", " 1", "1 ", "1y", "2147483648", "1_0"})
    BOOST_TEST(refused([&] { parse_node_range(text); }) == no_count(text));
}

BOOST_AUTO_TEST_CASE(counts_of_a_host_have_the_forms_of_pythons_int) {
  BOOST_TEST(parse_host_processes("h", 1, " -3\nx1").nodes == -3);
  BOOST_TEST(parse_host_processes("h", 1, "+7x1").nodes == 7);
  BOOST_TEST(parse_host_processes("h", 1, "1_0x1").nodes == 10);
  for (const char* text : {"", " ", "+-1", "+", "- 1", "1 2", "0y1", "1__0", "2147483648"})
    BOOST_TEST(refused([&] { parse_host_processes("h", 1, text); }) == no_count(text));
}

BOOST_AUTO_TEST_CASE(nodes_may_be_a_range) {
  const NodeRange range = parse_node_range("2:4x8");
  BOOST_TEST(range.min_nodes == 2);
  BOOST_TEST(range.max_nodes == 4);
  BOOST_TEST(range.processes == 8);
  BOOST_TEST(range.nodes_text == "2:4");
}

BOOST_AUTO_TEST_CASE(single_number_means_processes_on_one_node) {
  const NodeRange range = parse_node_range("4");
  BOOST_TEST(range.min_nodes == 1);
  BOOST_TEST(range.max_nodes == 1);
  BOOST_TEST(range.processes == 4);
  BOOST_TEST(range.nodes_text == "1");
}

BOOST_AUTO_TEST_CASE(error_for_a_wrong_node_range_is_printable) {
  BOOST_TEST(refused([] { parse_node_range("2147483648x1"); }) ==
             R"(-j "2147483648x1" is not a number of nodes and processes)");
  BOOST_TEST(refused([] { parse_node_range("1x2\n"); }) ==
             R"(-j "1x2\n" is not a number of nodes and processes)");
}

BOOST_AUTO_TEST_CASE(number_of_processes_defaults_to_the_gpus_of_the_host) {
  BOOST_TEST(to_string(parse_host_processes("gpu.xlarge", 8, "2")) == "2x8");
  BOOST_TEST(to_string(parse_host_processes("gpu.xlarge", 8, "2x3")) == "2x3");
  BOOST_TEST(to_string(parse_host_processes("cpu.small", 0, "2x3")) == "2x3");
  BOOST_TEST(refused([] { parse_host_processes("cpu.small", 0, "2"); }) ==
             "-j 2 means a process per GPU, and 'cpu.small' has no GPU");
  // NULL is TorchX's resource without values: -1 GPUs means that no number is given.
  BOOST_TEST(refused([] { parse_host_processes("NULL", -1, "2"); }) ==
             "-j 2 means a process per GPU, and 'NULL' has no GPU");
}

BOOST_AUTO_TEST_CASE(roles_are_named_after_scripts_without_extension) {
  const auto named = [](const char* script) { return role_name({script, std::nullopt}); };
  BOOST_TEST(named("a/b/train.v1.py") == "train.v1");
  BOOST_TEST(named("train.") == "train.");
  BOOST_TEST(named("dir/") == "dir");
  BOOST_TEST(named("dir/.") == "dir");
  BOOST_TEST(named(".bashrc") == ".bashrc");
  BOOST_TEST(named("..") == "..");
}

BOOST_AUTO_TEST_CASE(roles_are_named_after_the_last_part_of_a_module) {
  BOOST_TEST(role_name({std::nullopt, "a.b.train"}) == "train");
  BOOST_TEST(role_name({"", "train"}) == "train");
}

BOOST_AUTO_TEST_CASE(the_first_slash_ends_the_experiment) {
  const RunName name = parse_run_name("a/b/c", {"main.py", std::nullopt});
  BOOST_TEST(name.experiment == "a");
  BOOST_TEST(name.run == "b/c");
}

BOOST_AUTO_TEST_CASE(a_name_needs_exactly_one_program) {
  BOOST_TEST(refused([] {
               parse_run_name("a/b", {"x.py", "y"});
             }) == "both a script and a module are given");
  BOOST_TEST(refused([] {
               parse_run_name("a/b", {"", std::nullopt});
             }) == "there is no program to run");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::builtins
