#include "plugins/slurm/state/replica_record.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "plugins/slurm/state/job_record.hpp"

namespace slipway::slurm {

namespace {

/// The value of NAME= in a text of such words; a record of several attempts has been written anew by each.
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

std::optional<std::int64_t> number(std::string_view text, std::string_view name) {
  const auto value = value_of(text, name);
  if (!value) return std::nullopt;
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), out);
  return error == std::errc() ? std::optional<std::int64_t>(out) : std::nullopt;
}

/// Seconds with up to nine decimals.
TimeNs time(std::string_view text, std::string_view name) {
  const auto value = value_of(text, name);
  const auto seconds = number(text, name);
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

}  // namespace

std::optional<ReplicaRecord> read_replica(const std::string& record_dir, const std::string& role,
                                          std::int32_t id) {
  const auto text = read_file(record_dir + "/replicas/" + role + "-" + std::to_string(id));
  if (!text || !value_of(*text, "attempt=")) return std::nullopt;
  ReplicaRecord out;
  out.node = value_of(*text, "node=").value_or("");
  out.pid = number(*text, "pid=").value_or(0);
  out.attempt = static_cast<std::int32_t>(number(*text, "attempt=").value_or(0));
  out.started_at = time(*text, "started=");
  if (const auto code = number(*text, "code=")) {
    out.code = static_cast<std::int32_t>(*code);
    out.ended_at = time(*text, "ended=");
  }
  return out;
}

std::optional<JobResult> read_result(const std::string& record_dir,
                                     std::optional<std::int32_t> task) {
  const auto text =
      read_file(record_dir + "/result" + (task ? "-" + std::to_string(*task) : std::string()));
  const auto code = text ? number(*text, "code=") : std::nullopt;
  if (!code) return std::nullopt;
  return JobResult{static_cast<std::int32_t>(*code), time(*text, "ended=")};
}

}  // namespace slipway::slurm
