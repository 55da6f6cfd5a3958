#include "tests/vectors/kinds/slurm_case.hpp"

#include <filesystem>
#include <fstream>

#include "core/runner/run_options.hpp"
#include "tests/vectors/kinds/option_case.hpp"
#include "tests/vectors/kinds/vector_app.hpp"
#include "tests/vectors/placeholders.hpp"

namespace slipway::vectors {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSlurmSession = "sess";

}  // namespace

SlurmCase::SlurmCase(const VectorCase& one) : input_(one.input), surroundings_(root_.make("cwd")) {
  surroundings_.set("PATH", root_.make("bin"));
  surroundings_.set("TZ", "UTC");
  surroundings_.set("HOME", root_.make("home"));
  surroundings_.set("XDG_STATE_HOME", root_.make("state"));
}

void SlurmCase::install(const std::string& command, const std::string& script) const {
  const std::string file = path("bin/" + command);
  std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
  fs::permissions(file, fs::perms::owner_all);
}

void SlurmCase::install_output(const std::string& command, const std::string& text,
                               int status) const {
  const std::string data = path("bin/" + command + ".output");
  std::ofstream(data) << text;
  install(command, "/bin/cat '" + data + "'; exit " + std::to_string(status));
}

void SlurmCase::install_answer(const std::string& command) const {
  const json::value* answer = input_.if_contains(command);
  if (answer == nullptr || answer->is_null()) return;
  const json::object& object = answer->as_object();
  const json::value* document = object.if_contains("json");
  const json::value* status = object.if_contains("rc");
  install_output(command,
                 document != nullptr ? json::serialize(*document) : text_member(object, "text"),
                 status != nullptr ? status->to_number<int>() : 0);
}

registry::PluginScheduler SlurmCase::scheduler(Bench& bench) const {
  return bench.scheduler("slurm", kSlurmSession);
}

AppRequest SlurmCase::request(const registry::PluginScheduler& scheduler) const {
  Dict<Value> given =
      option_values(replaced(member(input_, "cfg"), {{"<JOB_BASE>", root_.make("jobs")}}));
  set<Value>(given, "het_per_replica", true);
  std::vector<Finding> findings;
  return scheduler.submit_dryrun(read_app(input_), resolve_options(scheduler.run_opts(), given),
                                 findings);
}

std::string without_mark(std::string text) {
  const std::size_t mark = text.find("[slipway ");
  if (mark == std::string::npos) return text;
  text.resize(mark);
  if (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace slipway::vectors
