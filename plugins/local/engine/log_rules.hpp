// The files that hold the output of an app's replicas, and the rules for keeping them.
#pragma once

#include <cstdint>
#include <string_view>

namespace slipway::local {

/// The log directory of an app without a `log_dir`, in its record.
inline constexpr char kOwnLogsName[] = "logs";

/// TorchX's file about the end of an app, in the log directory of the app.
inline constexpr char kSuccessName[] = "SUCCESS";
/// The name of that file until it is complete.
inline constexpr char kSuccessDraft[] = ".SUCCESS";

// The following files are in the log directory of a replica, `<role>/<number>`.

inline constexpr std::string_view kStdoutName = "stdout.log";
inline constexpr std::string_view kStderrName = "stderr.log";
/// Both streams, line by line.
inline constexpr std::string_view kCombinedName = "combined.log";
/// The times at which lines were written (logs/time_marks.hpp).
inline constexpr char kTimesName[] = "times.bin";
/// For each stream, the number of bytes that were copied and then cut away (logs/stream_cuts.hpp).
inline constexpr char kCutsName[] = "cuts.bin";
/// With LogRules::pipes, the pipes behind descriptors 1 and 2 of the replica, until the app ends.
inline constexpr std::string_view kStdoutPipe = "stdout.pipe";
inline constexpr std::string_view kStderrPipe = "stderr.pipe";
/// The file in which the replica may describe its failure (TORCHELASTIC_ERROR_FILE).
inline constexpr std::string_view kErrorFileName = "error.json";

/// The rules for the logs of an app. plan_options.hpp has the run options behind these rules.
struct LogRules {
  /// The supervisor copies both streams into combined.log. Without it, lines have no times and the
  /// log files have no limit, because the supervisor records times and applies limits while it
  /// copies.
  bool combined = true;
  bool times = true;  ///< the supervisor records in times.bin when lines were written
  /// Replicas write into pipes, and the supervisor copies these into the log files. Needs
  /// `combined`.
  bool pipes = false;
  /// Log files are divided into pieces of this many bytes, a multiple of 4096; 0: no limit. The
  /// supervisor gives all but the last `keep_pieces` complete pieces back to the disk.
  std::int64_t piece_bytes = 0;
  std::int32_t keep_pieces = 1;  ///< >= 1
};

}  // namespace slipway::local
