#include "plugins/slurm/scheduler/slurm_request.hpp"

#include "plugins/slurm/script/batch_script.hpp"
#include "plugins/slurm/script/text_places.hpp"
#include "plugins/slurm/state/job_record.hpp"
#include "slipway/json_text.hpp"

namespace slipway::slurm {

namespace {

/// Returns a text that may have places (text_places.hpp) as a JSON string.
std::string json_text(std::string_view text) { return json_quote(readable_text(text)); }

std::string list_json(const StrList& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? "," : "") + json_text(text);
  return out + "]";
}

std::string dict_json(const StrDict& texts) {
  std::string out = "{";
  for (const auto& [name, text] : texts)
    out += (out.size() > 1 ? "," : "") + json_quote(name) + ":" + json_text(text);
  return out + "}";
}

std::string options_json(const JobOptions& options) {
  std::string out = "{";
  for (const auto& [name, value] : options) {
    out += (out.size() > 1 ? "," : "") + json_quote(name) + ":" +
           (value ? json_text(*value) : std::string("null"));
  }
  return out + "}";
}

std::string part_json(const JobPart& part, Shape shape) {
  std::string out = "{\"name\":" + json_quote(part.name);
  if (shape != Shape::kReplicas) out += ",\"num_replicas\":" + std::to_string(part.count);
  out += ",\"entrypoint\":" + json_quote(part.entrypoint) + ",\"args\":" + list_json(part.args);
  out +=
      ",\"srun_opts\":" + options_json(part.srun) + ",\"sbatch_opts\":" + options_json(part.sbatch);
  return out + ",\"env\":" + dict_json(part.env) + "}";
}

const char* shape_name(Shape shape) {
  switch (shape) {
    case Shape::kReplicas: return "het_per_replica";
    case Shape::kArray: return "array";
    case Shape::kRoles: break;
  }
  return "roles";
}

}  // namespace

void SlurmRequest::print_text(const Sink& sink) const {
  std::string line;
  for (const std::string& word : plan_.command) line += bash_word(word) + " ";
  if (plan_.job_dir) line += bash_word(option_text("chdir", plan_.job_dir)) + " ";
  sink(line + bash_word(script_path(plan_.record_dir)) + "\n");
  sink("logs in: " + plan_.log_dir + "\n\n");
  sink(batch_script(plan_));
}

void SlurmRequest::print_json(const Sink& sink) const {
  sink("{\"cmd\":" + list_json(plan_.command) +
       ",\"max_retries\":" + std::to_string(plan_.max_retries) +
       ",\"job_dir\":" + (plan_.job_dir ? json_quote(*plan_.job_dir) : std::string("null")) +
       ",\"log_dir\":" + json_quote(plan_.log_dir) + ",\"mark\":" + json_quote(plan_.mark) +
       ",\"shape\":" + json_quote(shape_name(plan_.shape)));
  sink(plan_.shape == Shape::kReplicas ? ",\"replicas\":{" : ",\"roles\":{");
  bool first = true;
  for (const JobPart& part : plan_.parts) {
    sink((first ? "" : ",") + json_quote(part.name) + ":" + part_json(part, plan_.shape));
    first = false;
  }
  sink("},\"script\":" + json_quote(batch_script(plan_)) + "}");
}

}  // namespace slipway::slurm
