#include "plugins/local/scheduler/log_options.hpp"

#include <string>

#include "slipway/error.hpp"

namespace slipway::local {

namespace {

constexpr std::int64_t kMib = 1024 * 1024;
constexpr std::int64_t kLargestMib = 1024 * 1024;  // a TiB
constexpr std::int64_t kMostPieces = 1000;

}  // namespace

RunOpts log_options() {
  return {
      {"log_combined", ValueType::kBool,
       "copy both streams of a replica into its combined.log; without it the supervisor does not "
       "touch "
       "what replicas write, lines have no times, and log prints one stream after the other",
       false, true},
      {"log_pipes",
       ValueType::kBool,
       "replicas write into pipes that the supervisor copies into their log files, so that "
       "`echo text > /dev/stderr` truncates nothing; not given: for apps of at most 256 replicas "
       "whose arguments or scripts name such a file",
       false,
       {}},
      {"log_times", ValueType::kBool,
       "record when lines were written, for log --since, --until and --timestamps", false, true},
      {"log_max_mb", ValueType::kInt,
       "limit the log files of a replica: of each, pieces of so many MiB are kept, the one that is "
       "being written and log_keep full ones before it; 0 is no limit",
       false, std::int64_t{0}},
      {"log_keep", ValueType::kInt, "how many full pieces of log_max_mb are kept", false,
       std::int64_t{1}},
  };
}

LogRules read_log_rules(const Cfg& cfg) {
  LogRules rules;
  rules.combined = cfg.boolean("log_combined", true);
  rules.times = rules.combined && cfg.boolean("log_times", true);
  rules.pipes = cfg.boolean("log_pipes", false);
  if (rules.pipes && !rules.combined) {
    throw Error(Code::kInvalid, "run option log_pipes does not go with log_combined=false",
                "leave out one of them: pipes are emptied where combined.log is written");
  }
  const std::int64_t size = cfg.integer("log_max_mb");
  if (size < 0 || size > kLargestMib) {
    throw Error(Code::kInvalid, "run option log_max_mb: out of range",
                "between 0 (no limit) and 1048576 (a TiB)");
  }
  if (size > 0 && !rules.combined) {
    throw Error(Code::kInvalid, "run option log_max_mb does not go with log_combined=false",
                "the limit is kept by who copies into combined.log");
  }
  rules.piece_bytes = size * kMib;
  const std::int64_t keep = cfg.integer("log_keep", 1);
  if (keep < 1 || keep > kMostPieces)
    throw Error(Code::kInvalid, "run option log_keep: out of range", "between 1 and 1000");
  rules.keep_pieces = static_cast<std::int32_t>(keep);
  return rules;
}

bool chooses_pipes(const Cfg& cfg) {
  const Value* given = cfg.find("log_pipes");
  return given == nullptr || type_of(*given) == ValueType::kNone;
}

}  // namespace slipway::local
