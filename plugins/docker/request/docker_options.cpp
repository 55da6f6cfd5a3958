#include "plugins/docker/request/docker_options.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "plugins/docker/request/app_rules.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

constexpr std::int64_t kGraceSeconds = 10;  // the default

template <class Choice>
Choice choice(const Cfg& cfg, const char* name,
              std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  const std::string given = cfg.text(name);
  std::string known;
  for (const auto& [word, value] : choices) {
    if (given == word) return value;
    known.append(known.empty() ? "" : ", ").append(word);
  }
  throw Error(Code::kInvalid, "run option " + std::string(name) + ": '" + given + "' is unknown",
              "known: " + known);
}

std::int64_t number_of(const std::string& name, std::string_view text) {
  const auto number = plain_number<std::int64_t>(text);
  if (number && *number >= -1) return *number;
  throw Error(Code::kInvalid,
              "run option ulimits: '" + std::string(text) + "' is not a limit for " + name,
              "write SOFT or SOFT/HARD, as in -c ulimits.nofile=1024/4096; -1 is no limit");
}

std::vector<Ulimit> ulimits_of(const StrDict& given) {
  std::vector<Ulimit> out;
  for (const auto& [name, text] : given) {
    const std::size_t slash = text.find('/');
    Ulimit limit;
    limit.name = name;
    limit.soft = number_of(name, std::string_view(text).substr(0, slash));
    limit.hard = slash == std::string::npos
                     ? limit.soft
                     : number_of(name, std::string_view(text).substr(slash + 1));
    out.push_back(std::move(limit));
  }
  return out;
}

}  // namespace

RunOpts declared_options() {
  const Value none = std::monostate{};
  RunOpts out = {
      {"copy_env", ValueType::kList,
       "patterns of variables to copy from this environment, as in copy_env=AWS_*;HF_TOKEN", false,
       none},
      {"privileged", ValueType::kBool, "give the containers all rights on the engine's machine",
       false, false},
      {"pull", ValueType::kStr,
       "when to pull an image: missing (if the engine does not have it), always, never", false,
       std::string("missing")},
      {"network", ValueType::kStr,
       "host, none, or the name of an existing network; without it each app has its own network",
       false, none},
      {"ports", ValueType::kStr,
       "ports of 127.0.0.1 that publish port_map: leased (free ones), fixed (the same numbers), "
       "none",
       false, std::string("leased")},
      {"user", ValueType::kStr, "user of the programs, as NAME, UID or UID:GID", false, none},
      {"shm_mb", ValueType::kInt, "size of /dev/shm in MiB; without it the role's memory", false,
       none},
      {"ulimits", ValueType::kDict, "limits as in ulimits.nofile=1024/4096 (SOFT/HARD)", false,
       none},
      {"init", ValueType::kBool,
       "put the engine's init process before each program: it passes signals on and reaps zombies",
       false, true},
      {"grace_s", ValueType::kInt,
       "seconds between SIGTERM and SIGKILL when Slipway stops a container", false, kGraceSeconds},
  };
  declare_rules(out);
  return out;
}

PullPolicy read_pull(const Cfg& cfg) {
  return choice<PullPolicy>(cfg, "pull",
                            {{"missing", PullPolicy::kMissing},
                             {"always", PullPolicy::kAlways},
                             {"never", PullPolicy::kNever}});
}

DockerOptions read_options(const Cfg& cfg) {
  DockerOptions out;
  out.pull = read_pull(cfg);
  out.ports = choice<PortPolicy>(cfg, "ports",
                                 {{"leased", PortPolicy::kLeased},
                                  {"fixed", PortPolicy::kFixed},
                                  {"none", PortPolicy::kNone}});
  out.copy_env = cfg.list("copy_env");
  out.network = cfg.text("network");
  out.privileged = cfg.boolean("privileged");
  out.init = cfg.boolean("init", true);
  out.user = cfg.text("user");
  // An option that is not given may be missing or have the value None.
  if (cfg.find("shm_mb") != nullptr && type_of(*cfg.find("shm_mb")) == ValueType::kInt)
    out.shm_mb = cfg.integer("shm_mb");
  out.grace_s = cfg.integer("grace_s", kGraceSeconds);
  out.ulimits = ulimits_of(cfg.dict("ulimits"));
  if (out.grace_s < 0)
    throw Error(Code::kInvalid, "run option grace_s: the grace time cannot be negative");
  if (out.shm_mb && *out.shm_mb <= 0)
    throw Error(Code::kInvalid, "run option shm_mb: the size must be positive");
  if (out.shm_mb && *out.shm_mb > kMostMebibytes)
    throw Error(Code::kInvalid, "run option shm_mb: the size is out of range");
  return out;
}

}  // namespace slipway::docker
