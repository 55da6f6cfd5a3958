// What is kept of what the replicas of an app write.
#pragma once

#include <cstdint>
#include <string_view>

namespace slipway::local {

/// Where a replica is asked to leave word of its failure, in its log directory.
inline constexpr std::string_view kErrorFileName = "error.json";

/// The pipes behind a replica's descriptors 1 and 2, in its log directory until the app ends.
inline constexpr std::string_view kStdoutPipe = "stdout.pipe";
inline constexpr std::string_view kStderrPipe = "stderr.pipe";

/// The log directory of an app without a `log_dir`, in its record.
inline constexpr char kOwnLogsName[] = "logs";

/// plan_options.hpp has the run options behind these rules.
struct LogRules {
  /// combined.log is kept. Without it there are no times either, and no limit: both are the work of
  /// who copies.
  bool combined = true;
  bool times = true;  ///< when lines were written is recorded in times.bin
  /// Replicas write into pipes, and the supervisor from there into their files. Goes with
  /// `combined` only.
  bool pipes = false;
  /// A log file is seen as pieces of that size; 0: no limit. Pieces before the last `keep_pieces`
  /// complete ones are given back to the disk. A multiple of 4096.
  std::int64_t piece_bytes = 0;
  std::int32_t keep_pieces = 1;  ///< >= 1
};

}  // namespace slipway::local
