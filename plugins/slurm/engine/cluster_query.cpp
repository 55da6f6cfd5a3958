#include "plugins/slurm/engine/cluster_query.hpp"

#include "plugins/slurm/engine/slurm_command.hpp"

namespace slipway::slurm {

namespace {

/// The output, or nothing where the command is not there or fails.
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

}  // namespace

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
