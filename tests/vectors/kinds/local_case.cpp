#include "tests/vectors/kinds/local_case.hpp"

#include <filesystem>

#include "core/runner/run_options.hpp"
#include "tests/vectors/kinds/vector_app.hpp"

namespace slipway::vectors {
namespace {

Value value_of(const json::value& given) {
  if (given.is_string()) return std::string(std::string_view(given.get_string()));
  if (given.is_bool()) return given.get_bool();
  if (given.is_double()) return given.get_double();
  if (given.is_number()) return given.to_number<std::int64_t>();
  if (given.is_array()) return texts(given);
  if (!given.is_object()) return std::monostate{};
  StrDict dict;
  for (const auto& entry : given.get_object())
    set(dict, entry.key(), text_member(given.get_object(), entry.key()));
  return dict;
}

}  // namespace

LocalCase::LocalCase(VectorCase& one)
    : state_(root_.make("state")), logs_(root_.make("logs")), surroundings_(root_.make("cwd")) {
  const Replacements places = {{"<CWD>", std::filesystem::current_path().string()},
                               {"<TMPDIR>", root_.make("tmp")},
                               {"<TMP>", root_.make("tmp")},
                               {"<LOG_DIR>", logs_},
                               {"<IMG_DIR>", root_.make("image")},
                               {"<DIR>", root_.make("dir")},
                               {"<HOME>", root_.make("home")}};
  input_ = replaced(one.input, places).as_object();
  if (one.expected) one.expected = replaced(*one.expected, places);

  // Replicas inherit the environment, so variables that a launcher sets must not come from the
  // caller's.
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "PET_LOG_DIR", "PYTHONUNBUFFERED",
                           "SLIPWAY_LOCAL_GPUS", "TORCHELASTIC_ERROR_FILE", "TORCHX_RANK0_HOST"}) {
    surroundings_.unset(name);
  }
  surroundings_.set("TZ", "UTC");
  surroundings_.set("XDG_STATE_HOME", state_);
  surroundings_.set("HOME", root_.make("home"));
  if (const json::value* variables = input_.if_contains("environ")) {
    for (const auto& entry : variables->as_object())
      surroundings_.set(std::string(entry.key()), text_member(variables->as_object(), entry.key()));
  }
  if (const json::value* gpus = input_.if_contains("host_gpus")) {
    // "fail": the tool that counts GPUs exits with an error, so the host has none.
    surroundings_.set("SLIPWAY_LOCAL_GPUS", gpus->is_number() ? json::serialize(*gpus) : "0");
  }
  app_ = read_app(input_);
}

registry::PluginScheduler LocalCase::scheduler(Bench& bench) const {
  const std::string provider =
      input_.contains("image_provider") ? text_member(input_, "image_provider") : "cwd";
  return bench.scheduler("local_" + provider, kSession);
}

AppRequest LocalCase::request(const registry::PluginScheduler& scheduler,
                              const Dict<Value>& with) const {
  Dict<Value> given;
  if (const json::value* cfg = input_.if_contains("cfg")) {
    for (const auto& entry : cfg->as_object()) set(given, entry.key(), value_of(entry.value()));
  }
  if (const json::value* paths = input_.if_contains("extra_paths"))
    set<Value>(given, "extra_paths", texts(*paths));
  for (const auto& [key, value] : with) set(given, key, value);
  std::vector<Finding> findings;
  return scheduler.submit_dryrun(app_, resolve_options(scheduler.run_opts(), given), findings);
}

}  // namespace slipway::vectors
