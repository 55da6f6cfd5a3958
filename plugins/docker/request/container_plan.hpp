// The containers of an app before they exist, and their description for people and for the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/docker/request/docker_options.hpp"
#include "slipway/app.hpp"

namespace slipway::docker {

/// The labels of a container. Those of TorchX have its names and meanings, so that its tools find
/// the containers. Only the containers of the first replica have kAppLabel, the app as an app file.
inline constexpr const char* kVersionLabel = "torchx.pytorch.org/version";
inline constexpr const char* kAppIdLabel = "torchx.pytorch.org/app-id";
inline constexpr const char* kRoleLabel = "torchx.pytorch.org/role-name";
inline constexpr const char* kReplicaLabel = "torchx.pytorch.org/replica-id";
inline constexpr const char* kSessionLabel = "org.slipway.session";
inline constexpr const char* kSchedulerLabel = "org.slipway.scheduler";
inline constexpr const char* kNameLabel = "org.slipway.name";    ///< of the app
inline constexpr const char* kIndexLabel = "org.slipway.index";  ///< of the replica in the app
inline constexpr const char* kSubmittedLabel = "org.slipway.submitted-ns";  ///< since the epoch
inline constexpr const char* kPortsLabel = "org.slipway.ports";             ///< `port_map` as JSON
inline constexpr const char* kAppLabel = "org.slipway.app";

/// Labels of apps with a supervisor. Each attempt of a replica is its own container. Its labels
/// have the number of the attempt, from 1, and the numbers of restarts of the app and of the role
/// before it. Only the containers of the first replica have kRulesLabel, the text of the rules
/// (app_rules.hpp).
inline constexpr const char* kAttemptLabel = "org.slipway.attempt";
inline constexpr const char* kAppRestartsLabel = "org.slipway.app-restarts";
inline constexpr const char* kRoleRestartsLabel = "org.slipway.role-restarts";
inline constexpr const char* kRulesLabel = "org.slipway.rules";

/// The variable with the host of the first replica.
inline constexpr const char* kRank0Variable = "TORCHX_RANK0_HOST";

/// One container: the first attempt of one replica.
struct ContainerPlan {
  std::string name;
  std::string hostname;
  std::string role;
  std::int32_t replica = 0;
  std::string image;
  std::string cwd;  ///< absolute, or relative to the image's working directory; empty: that one
  StrList command;
  StrDict env;     ///< by name, sorted
  StrList copied;  ///< the variables in `env` that `copy_env` copied
  /// `command` and `env` on the host's network; only if the app gets its own network.
  StrList command_on_host;
  StrDict env_on_host;
  StrDict labels;                         ///< without kAppLabel; schedule() adds kSubmittedLabel
  std::vector<Mount> mounts;              ///< bind and volume mounts
  std::vector<Mount> devices;             ///< device files
  IntDict ports;                          ///< `port_map`
  std::optional<std::int64_t> nano_cpus;  ///< billionths of a CPU
  std::optional<std::int64_t> memory;     ///< bytes
  std::optional<std::int64_t> shm_size;   ///< bytes
  std::int32_t gpus = 0;
  std::int32_t max_retries = 0;  ///< restarts by the engine
  std::int64_t grace_s = 0;      ///< seconds between SIGTERM and SIGKILL
  bool waits = false;            ///< the supervisor starts it later
};

/// The request: everything that the engine will be asked to do.
struct AppPlan {
  std::string app_id;
  std::string network;         ///< "host", "none" or a name
  bool makes_network = false;  ///< the app gets its own network
  bool is_supervised = false;  ///< a helper follows the app's rules
  std::string on_end;          ///< command for sh at the end of the app; empty: none
  DockerOptions options;
  std::vector<ContainerPlan> containers;
};

/// Returns a copy of `plan` that uses the network `host`, for engines that cannot make networks.
/// There the containers have no names, and macros for hosts stand for localhost. `plan` must have
/// `makes_network`.
AppPlan on_host_network(AppPlan plan);

/// Returns whether the engine publishes ports of the containers on its machine.
bool publishes_ports(const AppPlan& plan);

/// Returns the body of the engine's request that creates the container. `app_text` becomes the
/// label kAppLabel unless it is empty.
std::string create_body(const AppPlan& plan, const ContainerPlan& container,
                        const std::string& app_text);

/// Returns the container with a placeholder for the value of each copied variable, which may be a
/// secret.
ContainerPlan without_copied_values(ContainerPlan container);

/// Returns the container for a dry run, as one JSON object.
std::string plan_json(const AppPlan& plan, const ContainerPlan& container);
/// Returns the container for a dry run, as lines of text.
std::string plan_text(const AppPlan& plan, const ContainerPlan& container);

}  // namespace slipway::docker
