#include "plugins/slurm/logs/log_sources.hpp"

#include <algorithm>
#include <filesystem>

#include "plugins/slurm/state/replica_record.hpp"
#include "slipway/error.hpp"

namespace slipway::slurm {

namespace {

void check_targets(const AppDef& app, const LogQuery& query) {
  for (const LogTarget& target : query.targets) {
    const auto role = std::find_if(app.roles.begin(), app.roles.end(),
                                   [&](const Role& one) { return one.name == target.role; });
    if (role == app.roles.end()) {
      std::string names;
      for (const Role& one : app.roles) names += (names.empty() ? "" : ", ") + one.name;
      throw Error(Code::kNotFound, "the app has no role " + target.role, "it has: " + names);
    }
    for (const std::int32_t id : target.replicas) {
      if (id >= 0 && id < role->num_replicas) continue;
      throw Error(Code::kNotFound, "role " + target.role + " has no replica " + std::to_string(id),
                  "its replicas are 0 to " + std::to_string(role->num_replicas - 1));
    }
  }
}

}  // namespace

std::vector<LogFile> log_sources(const JobRecord& record, const LogQuery& query) {
  check_targets(record.app, query);
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
