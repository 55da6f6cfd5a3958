#include "plugins/slurm/engine/cluster_query.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "plugins/slurm/engine/slurm_command.hpp"
#include "slipway/search_paths.hpp"

namespace slipway::slurm {

namespace {

/// Returns the output of the command; nullopt if it is missing or fails. Does not wait long,
/// because the callers have usual values in place of an answer.
std::optional<std::string> output_of(const StrList& argv, const Call& call) {
  Patience patience;
  patience.limit = std::chrono::milliseconds(5000);
  patience.attempts = 1;
  try {
    ProgramResult result = ask(argv, call, patience);
    if (result.ok()) return std::move(result.out);
  } catch (const Error& error) {
    if (error.code() == Code::kCancelled) throw;
  }
  return std::nullopt;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

/// Returns the directory in PATH that has squeue; empty if none has.
std::string squeue_directory() {
  const char* path = std::getenv("PATH");
  for (const std::string_view piece : path_directories(path != nullptr ? path : "/usr/bin:/bin")) {
    const std::string directory(piece);
    if (::access((directory + "/squeue").c_str(), X_OK) == 0) return directory;
  }
  return {};
}

}  // namespace

bool may_have_cluster() {
  constexpr std::array<const char*, 5> kPlaces = {
      "/etc/slurm/slurm.conf", "/etc/slurm-llnl/slurm.conf", "/etc/slurm.conf",
      "/usr/local/etc/slurm.conf", "/run/slurm/conf/slurm.conf"};
  if (is_set("SLURM_CONF") || is_set("SLURM_CONF_SERVER")) return true;
  if (std::any_of(kPlaces.begin(), kPlaces.end(), exists)) return true;
  std::string directory = squeue_directory();
  while (directory.ends_with('/')) directory.pop_back();
  return !directory.empty() && directory != "/usr/bin" && directory != "/bin";
}

ClusterFacts query_cluster(bool for_array, const Call& call) {
  ClusterFacts out;
  if (const auto text = output_of({"sinfo", "--version"}, call)) out.version = parse_version(*text);
  if (const auto text = output_of({"sinfo", "--format", "%P,%m,%D", "--noconvert"}, call))
    out.partitions = Partitions(*text);
  if (for_array) {
    if (const auto text = output_of({"scontrol", "show", "config"}, call))
      out.max_array_size = config_number(*text, "MaxArraySize");
  }
  return out;
}

std::chrono::seconds query_message_timeout(const Call& call) {
  constexpr std::int64_t kDefault = 10;
  const auto text = output_of({"scontrol", "show", "config"}, call);
  const auto seconds = text ? config_number(*text, "MessageTimeout") : std::nullopt;
  return std::chrono::seconds(seconds.value_or(kDefault));
}

}  // namespace slipway::slurm
