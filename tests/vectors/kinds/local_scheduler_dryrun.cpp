// Compares what the local scheduler would launch with TorchX's request in JSON.

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/local_case.hpp"

namespace slipway::vectors {
namespace {

// Without `log_dir`, TorchX creates a temporary directory, while Slipway stores logs with the app's
// state. Replaces the expected directory by Slipway's, wherever it occurs.
void expect_logs_in_state(VectorCase& one, const json::object& got, const std::string& state_dir) {
  const std::string place = text_member(got, "log_dir");
  if (!one.expected || place.compare(0, state_dir.size() + 1, state_dir + "/") != 0) return;
  const std::string expected = text_member(one.expected->as_object(), "log_dir");
  one.expected = replaced(*one.expected, {{expected, place}});
}

bool has_log_dir(const json::object& input) {
  const json::value* cfg = input.if_contains("cfg");
  const json::value* log_dir =
      cfg != nullptr && cfg->is_object() ? cfg->get_object().if_contains("log_dir") : nullptr;
  return log_dir != nullptr && log_dir->is_string() && !log_dir->get_string().empty();
}

}  // namespace

json::value run_local_scheduler_dryrun(VectorCase& one, Bench& bench) {
  const LocalCase local(one);
  const registry::PluginScheduler scheduler = local.scheduler(bench);
  const json::value printed = json::parse(local.request(scheduler, {}).json());
  if (!printed.is_object())
    throw BenchError("the request is not an object: " + json::serialize(printed));
  const Replacements ids = {{text_member(printed.get_object(), "app_id"), local.vector_id()}};
  json::object got;
  for (const char* key : {"app_id", "log_dir", "role_params", "role_log_dirs"})
    got[key] = replaced(member(printed.get_object(), key), ids);
  if (!has_log_dir(one.input)) expect_logs_in_state(one, got, local.state_dir());
  return got;
}

}  // namespace slipway::vectors
