#include "plugins/slurm/state/replica_record.hpp"

#include <boost/json.hpp>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "sdk/support/deep_json.hpp"
#include "sdk/support/file_text.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/lines.hpp"

namespace slipway::slurm {

namespace {

constexpr std::string_view kStarted = "started=";
constexpr std::string_view kStopped = "stopped=";
constexpr std::size_t kLongestError = 1 << 20;  // bytes
constexpr std::int64_t kTickNs = 10'000'000;    // /proc counts in this unit on every machine

std::string replica_file(const std::string& record_dir, const std::string& role, std::int32_t id) {
  return record_dir + "/replicas/" + role + "-" + std::to_string(id);
}

/// Returns the value of NAME=VALUE in a text of such words. `name` ends with '='.
std::optional<std::string> value_of(std::string_view text, std::string_view name) {
  std::size_t start = text.find(name);
  while (start != std::string_view::npos && start != 0 && text[start - 1] != ' ' &&
         text[start - 1] != '\n') {
    start = text.find(name, start + 1);
  }
  if (start == std::string_view::npos) return std::nullopt;
  start += name.size();
  return std::string(text.substr(start, text.find_first_of(" \n", start) - start));
}

std::optional<std::int64_t> number_value(std::string_view text, std::string_view name) {
  const auto value = value_of(text, name);
  if (!value) return std::nullopt;
  std::string_view digits = *value;
  return take_plain_number<std::int64_t>(digits);
}

/// Reads a time in seconds with up to nine decimals.
TimeNs time_value(std::string_view text, std::string_view name) {
  const auto value = value_of(text, name);
  const auto seconds = number_value(text, name);
  if (!value || !seconds) return std::nullopt;
  std::int64_t nanoseconds = 0;
  const std::size_t point = value->find('.');
  if (point != std::string::npos) {
    std::string decimals = value->substr(point + 1, 9);
    decimals.resize(9, '0');
    nanoseconds = std::atoll(decimals.c_str());
  }
  return *seconds * 1000000000 + nanoseconds;
}

/// Returns the number of requeues before the attempt that wrote the line. The line has it as
/// `attempt`.
std::int32_t requeues_in(std::string_view line) {
  return static_cast<std::int32_t>(number_value(line, "attempt=").value_or(0));
}

}  // namespace

std::optional<ReplicaRecord> read_replica(const std::string& record_dir, const std::string& role,
                                          std::int32_t id) {
  const auto text = file_text(replica_file(record_dir, role, id));
  if (!text) return std::nullopt;
  std::optional<ReplicaRecord> out;
  for (const std::string_view line : split_lines(*text)) {
    const std::int32_t requeues = requeues_in(line);
    const bool is_start = line.substr(0, kStarted.size()) == kStarted;
    // An attempt on a lost node may write its line while the next attempt runs on another node.
    if (out && requeues < out->requeues) continue;
    const bool is_same_attempt = out && requeues == out->requeues;
    if (is_start) {
      ReplicaRecord next;
      next.node = value_of(line, "node=").value_or("");
      next.pid = number_value(line, "pid=").value_or(0);
      next.requeues = requeues;
      next.started_at = time_value(line, kStarted);
      // The script may stop a service that is just starting.
      next.was_stopped = is_same_attempt && out->was_stopped;
      out = std::move(next);
    } else if (line.substr(0, kStopped.size()) == kStopped) {
      if (!is_same_attempt) out = ReplicaRecord{};
      out->requeues = requeues;
      out->was_stopped = true;
    } else if (is_same_attempt) {
      if (const auto code = number_value(line, "code="))
        out->code = static_cast<std::int32_t>(*code);
      out->ended_at = time_value(line, "ended=");
      out->cpu_time_ns = number_value(line, "ticks=").value_or(0) * kTickNs;
    }
  }
  return out;
}

std::string read_error_json(const std::string& record_dir, const std::string& role, std::int32_t id,
                            std::int32_t requeues, std::optional<uid_t> owner) {
  const std::string attempt = requeues > 0 ? "." + std::to_string(requeues) : std::string();
  const auto text = file_text(replica_file(record_dir, role, id) + ".error.json" + attempt, owner);
  if (!text || text->size() > kLongestError) return {};
  boost::system::error_code error;
  const boost::json::value value = parse_deep_json(*text, error);
  return error ? std::string() : boost::json::serialize(value);
}

std::string read_job_id(const std::string& record_dir) {
  return std::string(trimmed(file_text(record_dir + "/job-id").value_or("")));
}

TimeNs read_cancellation(const std::string& record_dir) {
  const auto text = file_text(record_dir + "/cancelled");
  return text ? time_value(*text, "cancelled=") : std::nullopt;
}

std::optional<JobResult> read_result(const std::string& record_dir,
                                     std::optional<std::int32_t> task) {
  const auto text =
      file_text(record_dir + "/result" + (task ? "-" + std::to_string(*task) : std::string()));
  const auto code = text ? number_value(*text, "code=") : std::nullopt;
  if (!code) return std::nullopt;
  return JobResult{static_cast<std::int32_t>(*code), time_value(*text, "ended=")};
}

}  // namespace slipway::slurm
