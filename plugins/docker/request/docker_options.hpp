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

/// On which ports of the host the ports of `port_map` are published.
enum class PortPolicy { kLeased, kFixed, kNone };

/// A limit of setrlimit(2); -1 is none.
struct Ulimit {
  std::string name;
  std::int64_t soft = -1;
  std::int64_t hard = -1;
};

/// The network of an app, if it is not one of its own.
inline constexpr const char* kHostNetwork = "host";
inline constexpr const char* kNoNetwork = "none";

struct DockerOptions {
  PullPolicy pull = PullPolicy::kMissing;
  PortPolicy ports = PortPolicy::kLeased;
  StrList copy_env;
  std::string network;  ///< empty for a network of the app's own
  bool privileged = false;
  bool init = true;
  std::string user;                    ///< empty for the image's
  std::optional<std::int64_t> shm_mb;  ///< not set: the role's memory
  std::int64_t grace_s = 0;
  std::vector<Ulimit> ulimits;
};

RunOpts declared_options();

/// Returns the value of `pull`. Throws Error kInvalid for another word.
PullPolicy read_pull(const Cfg& cfg);

/// Throws Error kInvalid for a value that no run can have.
DockerOptions read_options(const Cfg& cfg);

}  // namespace slipway::docker
