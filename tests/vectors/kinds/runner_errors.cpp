// The calls that the Runner refuses or accepts.

#include <filesystem>

#include "core/components/arguments.hpp"
#include "core/components/component_book.hpp"
#include "core/runner/runner.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/vector_app.hpp"

namespace slipway::vectors {
namespace {

RunnerOptions options(Bench& bench) {
  // Fails here without the plug-in, whose absence would look like the expected error.
  bench.scheduler("local_cwd", "torchx");
  RunnerOptions out;
  out.session = "torchx";
  out.search.plugin_path = {bench.plugins()};
  return out;
}

json::value dryrun(Runner& runner, const json::object& input) {
  AppDef app = app_of(member(input, "app"));
  runner.dryrun(std::move(app), text_member(input, "scheduler"));
  return "ok";
}

/// Does what `slipway run NAME ARGS` does: builds the component's app and passes it to the Runner.
json::value run_component(Runner& runner, const json::object& input) {
  components::ComponentBook book(runner.plugins());
  const components::Component component = book.find(text_member(input, "component"));
  components::ArgumentSources sources;
  const json::value& args = member(input, "args");
  if (args.is_array()) {
    sources.words = texts(args);
  } else {
    for (const auto& entry : args.as_object())
      set(sources.values, entry.key(), Value(text_member(args.as_object(), entry.key())));
  }
  const Cfg values = components::parse_arguments(component.info, sources).values;
  const auto resource = [&](std::string_view name) { return runner.resources().find(name); };
  const auto names = [&] { return runner.resources().names(); };
  runner.dryrun(component.build(values, resource, names).app, "local_cwd");
  return "ok";
}

// TorchX returns None for an app that does not exist.
json::value ask(Runner& runner, const std::string& op, const AppHandle& handle) {
  if (op == "status") return runner.status(handle) ? json::value("ok") : json::value();
  if (op == "describe") return runner.describe(handle) ? json::value("ok") : json::value();
  if (op == "wait")
    return runner.wait(handle) == WaitResult::kNoSuchApp ? json::value() : json::value("ok");
  if (op == "cancel") {
    runner.cancel(handle);
    return nullptr;
  }
  if (op != "log_lines") throw BenchError("unknown op " + op);
  runner.log_lines(handle, {});
  return "ok";
}

}  // namespace

json::value run_runner_errors(VectorCase& one, Bench& bench) {
  const ScratchDirectory here;
  Surroundings surroundings(here.path());
  surroundings.set("XDG_STATE_HOME", here.make("state"));
  if (const json::value* variables = one.input.if_contains("environ")) {
    for (const auto& entry : variables->as_object())
      surroundings.set(std::string(entry.key()), text_member(variables->as_object(), entry.key()));
  }
  Runner runner(options(bench));
  const std::string op = text_member(one.input, "op");
  if (op == "dryrun") return dryrun(runner, one.input);
  if (op == "list") return json::value(runner.list(text_member(one.input, "scheduler")).size());
  if (op == "run_component") return run_component(runner, one.input);
  return ask(runner, op, parse_app_handle(text_member(one.input, "handle")));
}

}  // namespace slipway::vectors
