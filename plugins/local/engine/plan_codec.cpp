// encode_plan and decode_plan.
#include <sys/stat.h>

#include <cerrno>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/ownership.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/plan_bytes.hpp"
#include "plugins/local/engine/plan_needs_codec.hpp"

namespace slipway::local {
namespace {

void write_group(PlanWriter& out, const LaunchGroup& group) {
  out.text(group.role);
  out.number(group.first_replica);
  out.number(group.count);
  out.number(static_cast<std::uint8_t>(group.expand_macros));
  out.number(static_cast<std::uint64_t>(group.argv.size()));
  for (const auto& arg : group.argv) out.text(arg);
  out.number(static_cast<std::uint64_t>(group.env.size()));
  for (const auto& [key, value] : group.env) {
    out.text(key);
    out.text(value);
  }
  out.text(group.cwd);
  out.text(group.img_root);
  out.number(group.rules.max_retries);
  out.number(static_cast<std::uint8_t>(group.rules.scope));
  out.number(group.rules.min_replicas);
  out.number(static_cast<std::uint64_t>(group.ports.size()));
  for (const auto& [name, port] : group.ports) {
    out.text(name);
    out.number(port);
  }
  write_needs(out, group.needs);
}

LaunchGroup read_group(PlanReader& in) {
  LaunchGroup group;
  group.role = in.text();
  group.first_replica = in.number<std::int32_t>();
  group.count = in.number<std::int32_t>();
  group.expand_macros = in.flag();
  group.argv.resize(in.count(8));
  for (auto& arg : group.argv) arg = in.text();
  group.env.resize(in.count(16));
  for (auto& [key, value] : group.env) {
    key = in.text();
    value = in.text();
  }
  group.cwd = in.text();
  group.img_root = in.text();
  group.rules.max_retries = in.number<std::int32_t>();
  group.rules.scope = in.one_of(RetryScope::kRole);
  group.rules.min_replicas = in.number<std::int32_t>();
  group.ports.resize(in.count(10));
  for (auto& [name, port] : group.ports) {
    name = in.text();
    port = in.number<std::uint16_t>();
  }
  group.needs = read_needs(in);
  return group;
}

void write_rules(PlanWriter& out, const LifeRules& rules) {
  for (const bool flag : {rules.retry_on.any, rules.retry_on.oom, rules.retry_on.lost,
                          rules.retry_on.timeout, rules.retry_on.not_ready, rules.fail_fast}) {
    out.number(static_cast<std::uint8_t>(flag));
  }
  for (const auto* list : {&rules.retry_on.exit_codes, &rules.retry_on.signals}) {
    out.number(static_cast<std::uint64_t>(list->size()));
    for (const std::int32_t one : *list) out.number(one);
  }
  out.number(rules.backoff.initial_ms);
  out.number(rules.backoff.factor);
  out.number(rules.backoff.max_ms);
  out.number(rules.backoff.jitter);
  out.number(rules.timeout_ms);
  out.number(rules.app_timeout_ms);
  out.number(rules.max_parallel);
}

LifeRules read_rules(PlanReader& in) {
  LifeRules rules;
  for (bool* flag : {&rules.retry_on.any, &rules.retry_on.oom, &rules.retry_on.lost,
                     &rules.retry_on.timeout, &rules.retry_on.not_ready, &rules.fail_fast}) {
    *flag = in.flag();
  }
  for (auto* list : {&rules.retry_on.exit_codes, &rules.retry_on.signals}) {
    list->resize(in.count(sizeof(std::int32_t)));
    for (auto& one : *list) one = in.number<std::int32_t>();
  }
  rules.backoff.initial_ms = in.number<std::int64_t>();
  rules.backoff.factor = in.number<double>();
  rules.backoff.max_ms = in.number<std::int64_t>();
  rules.backoff.jitter = in.number<double>();
  rules.timeout_ms = in.number<std::int64_t>();
  rules.app_timeout_ms = in.number<std::int64_t>();
  rules.max_parallel = in.number<std::int32_t>();
  return rules;
}

void write_logs(PlanWriter& out, const LogRules& logs) {
  out.number(static_cast<std::uint8_t>(logs.combined));
  out.number(static_cast<std::uint8_t>(logs.times));
  out.number(static_cast<std::uint8_t>(logs.pipes));
  out.number(logs.piece_bytes);
  out.number(logs.keep_pieces);
}

LogRules read_logs(PlanReader& in) {
  LogRules logs;
  logs.combined = in.flag();
  logs.times = in.flag();
  logs.pipes = in.flag();
  logs.piece_bytes = in.number<std::int64_t>();
  logs.keep_pieces = in.number<std::int32_t>();
  return logs;
}

}  // namespace

std::string encode_plan(const LaunchPlan& plan) {
  PlanWriter out;
  for (const auto* text : {&plan.app_id, &plan.app_name, &plan.session, &plan.scheduler,
                           &plan.log_dir, &plan.rank0_env, &plan.lease_pool}) {
    out.text(*text);
  }
  out.text(plan.machine.boot_id);
  out.number(plan.machine.machine);
  out.text(plan.machine.host);
  out.number(plan.order);
  out.number(plan.grace_ms);
  out.number(static_cast<std::uint8_t>(plan.owned));
  out.number(plan.spec_crc);
  write_rules(out, plan.rules);
  write_logs(out, plan.logs);
  out.number(static_cast<std::uint64_t>(plan.environment.size()));
  for (const auto& entry : plan.environment) out.text(entry);
  out.number(static_cast<std::uint64_t>(plan.held_files.size()));
  for (const auto& path : plan.held_files) out.text(path);
  out.number(plan.machine_gpus);
  out.number(static_cast<std::uint8_t>(plan.cgroups.unified));
  out.text(plan.cgroups.memory);
  out.text(plan.cgroups.cpu);
  out.number(static_cast<std::uint64_t>(plan.gpu_variables.size()));
  for (const auto& name : plan.gpu_variables) out.text(name);
  out.number(static_cast<std::uint64_t>(plan.groups.size()));
  for (const auto& group : plan.groups) write_group(out, group);
  return out.finish();
}

LaunchPlan decode_plan(std::string_view bytes) {
  constexpr std::size_t kLeastGroup = 66 + kLeastNeeds;
  PlanReader in(bytes);
  LaunchPlan plan;
  for (auto* text : {&plan.app_id, &plan.app_name, &plan.session, &plan.scheduler, &plan.log_dir,
                     &plan.rank0_env, &plan.lease_pool}) {
    *text = in.text();
  }
  plan.machine.boot_id = in.text();
  plan.machine.machine = in.number<std::uint64_t>();
  plan.machine.host = in.text();
  plan.order = in.number<std::int64_t>();
  plan.grace_ms = in.number<std::int64_t>();
  plan.owned = in.flag();
  plan.spec_crc = in.number<std::uint32_t>();
  plan.rules = read_rules(in);
  plan.logs = read_logs(in);
  plan.environment.resize(in.count(8));
  for (auto& entry : plan.environment) entry = in.text();
  plan.held_files.resize(in.count(8));
  for (auto& path : plan.held_files) path = in.text();
  plan.machine_gpus = in.number<std::int32_t>();
  plan.cgroups.unified = in.flag();
  plan.cgroups.memory = in.text();
  plan.cgroups.cpu = in.text();
  plan.gpu_variables.resize(in.count(8));
  for (auto& name : plan.gpu_variables) name = in.text();
  plan.groups.resize(in.count(kLeastGroup));
  for (auto& group : plan.groups) group = read_group(in);
  in.end();
  validate_plan(plan);
  return plan;
}

LaunchPlan load_plan(int dir_fd) {
  constexpr std::size_t kMaxPlan = 1U << 30U;
  std::string bytes;
  struct stat info {};
  if (!read_file(dir_fd, "plan.bin", kMaxPlan, bytes, &info)) {
    throw system_error(Code::kUnavailable, "cannot read", "plan.bin", errno);
  }
  const std::string why = distrust(info);
  if (!why.empty()) throw Error(Code::kDenied, "plan.bin " + why);
  return decode_plan(bytes);
}

}  // namespace slipway::local
