#include "plugins/slurm/logs/log_sources.hpp"

#include <filesystem>

#include "plugins/slurm/state/replica_record.hpp"
#include "slipway/log_targets.hpp"

namespace slipway::slurm {

std::vector<LogFile> log_sources(const JobRecord& record, const LogQuery& query) {
  check_targets(query.app_id, role_sizes(record.app), query.targets);
  // The name of a job of another cluster holds its number alone.
  const std::string job = record.app_id.substr(0, record.app_id.find(';'));
  std::vector<LogFile> out;
  for (const Role& role : record.app.roles) {
    for (std::int32_t id = 0; id < role.num_replicas; ++id) {
      if (!query.wants(role.name, id)) continue;
      const std::string stem = record.log_dir + "/slurm-" + job + "-" + file_name_of(role.name) +
                               "-" + std::to_string(id);
      if (query.stream != Stream::kStderr)
        out.push_back({stem + ".out", role.name, id, Stream::kStdout});
      if (query.stream != Stream::kStdout)
        out.push_back({stem + ".err", role.name, id, Stream::kStderr});
    }
  }
  return out;
}

StrList missing_logs(const JobRecord& record, const std::vector<LogFile>& files) {
  StrList out;
  std::error_code ignored;
  for (const LogFile& file : files) {
    if (!std::filesystem::exists(file.path, ignored) &&
        read_replica(record.record_dir, file.role, file.replica))
      out.push_back(file.path);
  }
  return out;
}

}  // namespace slipway::slurm
