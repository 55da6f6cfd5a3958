#include "plugins/slurm/state/squeue_json.hpp"

#include <boost/json.hpp>

#include "slipway/error.hpp"

namespace slipway::slurm {

namespace {

namespace json = boost::json;

const json::value* member(const json::object& fields, const char* key) {
  const json::value* value = fields.if_contains(key);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

const json::object* object_member(const json::object& fields, const char* key) {
  const json::value* value = member(fields, key);
  return value != nullptr ? value->if_object() : nullptr;
}

std::string text(const json::object& fields, const char* key) {
  const json::value* value = member(fields, key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

/// Reads a plain number, or {"set": true, "infinite": false, "number": N}.
std::optional<std::int64_t> number_of(const json::value& value) {
  if (const json::object* wrapped = value.if_object()) {
    const json::value* set = member(*wrapped, "set");
    if (set != nullptr && set->is_bool() && !set->get_bool()) return std::nullopt;
    const json::value* inner = member(*wrapped, "number");
    return inner != nullptr && inner->is_number() ? number_of(*inner) : std::nullopt;
  }
  if (!value.is_number()) return std::nullopt;
  boost::system::error_code error;
  const auto number = value.to_number<std::int64_t>(error);
  return error ? std::nullopt : std::optional<std::int64_t>(number);
}

std::optional<std::int64_t> number(const json::object& fields, const char* key) {
  const json::value* value = member(fields, key);
  return value != nullptr ? number_of(*value) : std::nullopt;
}

TimeNs time(const json::object& fields, const char* key) {
  const auto seconds = number(fields, key);
  return seconds && *seconds > 0 ? TimeNs(*seconds * kSecondNs) : std::nullopt;
}

/// Reads "RUNNING" or ["RUNNING", "CONFIGURING"].
std::vector<std::string> words(const json::value* value) {
  std::vector<std::string> out;
  if (value == nullptr) return out;
  if (const json::array* list = value->if_array()) {
    for (const json::value& one : *list) {
      if (one.is_string()) out.emplace_back(one.get_string());
    }
  } else if (value->is_string()) {
    out.emplace_back(value->get_string());
  }
  return out;
}

/// Reads the exit code and the signal: from a wait status, or from an object with both.
void read_exit(const json::object& fields, QueueJob& job) {
  const json::value* value = member(fields, "exit_code");
  if (value == nullptr) return;
  const json::object* object = value->if_object();
  if (object != nullptr && object->if_contains("return_code") != nullptr) {
    if (const auto code = number(*object, "return_code"))
      job.exit_code = static_cast<std::int32_t>(*code);
    const json::object* signal = object_member(*object, "signal");
    for (const char* key : {"id", "signal_id"}) {  // the key differs between versions
      if (const auto id = signal != nullptr ? number(*signal, key) : std::nullopt)
        job.signal = static_cast<std::int32_t>(*id);
    }
  } else if (const auto status = number_of(*value)) {
    job.exit_code = static_cast<std::int32_t>((*status >> 8) & 0xff);
    job.signal = static_cast<std::int32_t>(*status & 0x7f);
  }
  if (job.signal != 0) job.exit_code.reset();
}

/// The CPUs and the MiB that a job has on a host; nullopt if the answer lacks them.
struct HostShare {
  std::optional<std::int64_t> cpus;
  std::optional<std::int64_t> memory_mb;
};

/// Reads a host in the form of 24.05 and later. `count` is the number of CPUs that the job has on
/// the host; `used` may be 0.
HostShare host_share(const json::object& node) {
  HostShare out;
  const json::object* cpus = object_member(node, "cpus");
  if (cpus != nullptr) out.cpus = number(*cpus, "count");
  if (cpus != nullptr && !out.cpus) out.cpus = number(*cpus, "used");
  const json::object* memory = object_member(node, "memory");
  if (memory != nullptr) out.memory_mb = number(*memory, "allocated");
  return out;
}

/// The form of a host in the answer: that of 24.05 and later, or an older one.
enum class HostForm { kCurrent, kLegacy };

/// Reads the job's hosts. The job's resource is its share of the last host, as in TorchX.
void read_allocation(const json::array& nodes, HostForm form, QueueJob& job) {
  const bool is_legacy = form == HostForm::kLegacy;
  for (const json::value& value : nodes) {
    const json::object* node = value.if_object();
    if (node == nullptr) continue;
    const std::string name = text(*node, is_legacy ? "nodename" : "name");
    if (!name.empty()) {
      job.nodes.append(job.nodes.empty() ? "" : ",").append(name);
      job.hosts.push_back(name);
    }
    const HostShare share =
        is_legacy ? HostShare{number(*node, "cpus_used"), number(*node, "memory_allocated")}
                  : host_share(*node);
    if (share.cpus) job.resource.cpu = static_cast<std::int32_t>(*share.cpus);
    if (share.memory_mb) job.resource.mem_mb = *share.memory_mb;
  }
}

/// If the hosts report 0 CPUs, as in 23.02 and 23.11, sets the CPUs of the job's resource to the
/// job's CPUs divided by the number of hosts.
void spread_cpus(const json::object& fields, QueueJob& job) {
  const auto cpus = number(fields, "cpus");
  if (!cpus || job.hosts.empty() || job.resource.cpu != 0) return;
  job.resource.cpu = static_cast<std::int32_t>(*cpus / static_cast<std::int64_t>(job.hosts.size()));
}

/// Reads the job's hosts one by one or, if the answer does not have them so, in their short form.
void read_nodes(const json::object& fields, QueueJob& job) {
  if (const json::object* resources = object_member(fields, "job_resources")) {
    const json::value* nodes = member(*resources, "nodes");
    const json::object* object = nodes != nullptr ? nodes->if_object() : nullptr;
    const json::value* list = nullptr;
    if (object != nullptr && (list = member(*object, "allocation")) != nullptr && list->is_array())
      read_allocation(list->get_array(), HostForm::kCurrent, job);
    list = member(*resources, "allocated_nodes");
    if (job.nodes.empty() && list != nullptr && list->is_array())
      read_allocation(list->get_array(), HostForm::kLegacy, job);
    if (job.nodes.empty() && object != nullptr) job.nodes = text(*object, "list");
    if (job.nodes.empty()) job.nodes = text(*resources, "nodes");
    if (job.nodes.empty()) job.nodes = text(*resources, "scheduled_nodes");
  }
  if (job.nodes.empty()) job.nodes = text(fields, "nodes");
  spread_cpus(fields, job);
}

std::string plain(std::string text) { return text == "None" ? std::string() : text; }

QueueJob queue_job(const json::object& fields) {
  QueueJob job;
  job.id = number(fields, "job_id").value_or(0);
  job.het_id = number(fields, "het_job_id").value_or(0);
  job.het_offset = static_cast<std::int32_t>(number(fields, "het_job_offset").value_or(0));
  job.array_id = number(fields, "array_job_id").value_or(0);
  // Some versions report task 0 for a job outside an array.
  if (const auto task = number(fields, "array_task_id"); task && job.array_id != 0)
    job.array_task = static_cast<std::int32_t>(*task);
  job.array_tasks = text(fields, "array_task_string");
  if (!job.array_tasks.empty()) job.array_task.reset();
  job.name = text(fields, "name");
  job.states = words(member(fields, "job_state"));
  job.reason = plain(text(fields, "state_reason"));
  job.command = text(fields, "command");
  job.work_dir = text(fields, "current_working_directory");
  job.comment = text(fields, "comment");
  if (const auto restarts = number(fields, "restart_cnt"))
    job.restarts = static_cast<std::int32_t>(*restarts);
  job.tasks = static_cast<std::int32_t>(number(fields, "tasks").value_or(1));
  job.submitted_at = time(fields, "submit_time");
  job.started_at = time(fields, "start_time");
  job.finished_at = time(fields, "end_time");
  read_exit(fields, job);
  read_nodes(fields, job);
  return job;
}

/// Returns the errors in the answer; empty if there are none, and for an unknown job, which is an
/// expected answer.
std::string reported_errors(const json::object& document) {
  const json::value* errors = member(document, "errors");
  std::string out;
  if (errors == nullptr || !errors->is_array()) return out;
  for (const json::value& one : errors->get_array()) {
    if (!one.is_object()) continue;
    for (const char* key : {"description", "error"}) {
      const std::string words = text(one.get_object(), key);
      if (words.find("Invalid job id") != std::string::npos) return {};
      if (!words.empty()) out.append(out.empty() ? "" : "; ").append(words);
    }
  }
  return out;
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error(Code::kInvalid, "the answer of `squeue --json` cannot be read: " + why,
              "the answer may have been cut off; ask again");
}

}  // namespace

bool has_only_errors(std::string_view text) {
  boost::system::error_code error;
  const json::value document = json::parse(json::string_view(text.data(), text.size()), error);
  const json::object* object = error ? nullptr : document.if_object();
  const json::value* jobs = object != nullptr ? object->if_contains("jobs") : nullptr;
  return jobs != nullptr && jobs->is_array() && jobs->get_array().empty() &&
         !reported_errors(*object).empty();
}

std::vector<QueueJob> parse_squeue_json(std::string_view text) {
  json::monotonic_resource memory;
  boost::system::error_code error;
  const json::value document =
      json::parse(json::string_view(text.data(), text.size()), error, &memory);
  if (error) refuse(error.message());
  const json::object* object = document.if_object();
  const json::value* jobs = object != nullptr ? object->if_contains("jobs") : nullptr;
  if (jobs == nullptr || !jobs->is_array()) refuse("it has no list of jobs");
  if (const std::string errors = reported_errors(*object);
      !errors.empty() && jobs->get_array().empty()) {
    throw Error(Code::kTemporary, "`squeue --json` failed: " + errors,
                "try again later; `scontrol ping` shows whether the controller is up");
  }
  std::vector<QueueJob> out;
  out.reserve(jobs->get_array().size());
  for (const json::value& job : jobs->get_array()) {
    if (const json::object* one = job.if_object()) out.push_back(queue_job(*one));
  }
  return out;
}

}  // namespace slipway::slurm
