// The run options of the scheduler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slipway/run_opts.hpp"

namespace slipway::docker {

/// When the engine pulls an image.
enum class PullPolicy { kMissing, kAlways, kNever };

/// The ports of the engine's machine on which the ports of `port_map` are published: free ones, the
/// same numbers, or none.
enum class PortPolicy { kLeased, kFixed, kNone };

/// A limit of setrlimit(2); -1 means no limit.
struct Ulimit {
  std::string name;
  std::int64_t soft = -1;
  std::int64_t hard = -1;
};

/// The values of the run option `network` that are not names of networks.
inline constexpr const char* kHostNetwork = "host";
inline constexpr const char* kNoNetwork = "none";

/// The largest size in MiB whose number of bytes fits into 64 bits.
inline constexpr std::int64_t kMostMebibytes = INT64_MAX >> 20;

struct DockerOptions {
  PullPolicy pull = PullPolicy::kMissing;
  PortPolicy ports = PortPolicy::kLeased;
  StrList copy_env;     ///< patterns of names of variables of the caller
  std::string network;  ///< empty: the app gets its own network
  bool privileged = false;
  bool init = true;                    ///< start the engine's init process before each program
  std::string user;                    ///< empty: the image's user
  std::optional<std::int64_t> shm_mb;  ///< MiB; not set: the role's memory
  std::int64_t grace_s = 0;            ///< seconds between SIGTERM and SIGKILL
  std::vector<Ulimit> ulimits;
};

/// Returns the run options of the scheduler, with those of declare_rules().
RunOpts declared_options();

/// Returns the value of `pull`. Throws Error kInvalid for another word.
PullPolicy read_pull(const Cfg& cfg);

/// Returns the options of a run. Throws Error kInvalid for a value that is not allowed.
DockerOptions read_options(const Cfg& cfg);

}  // namespace slipway::docker
