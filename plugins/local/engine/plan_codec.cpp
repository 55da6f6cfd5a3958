// encode_plan and decode_plan.
#include <cstring>
#include <type_traits>

#include "plugins/local/engine/checksum.hpp"
#include "plugins/local/engine/plan.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

constexpr std::string_view kMagic = "SLWPLAN3";

class Writer {
 public:
  template <typename T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint64_t>(value.size()));
    out_.append(value);
  }
  std::string finish() {
    number(crc32(out_));
    return std::move(out_);
  }

 private:
  std::string out_{kMagic};
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {
    std::uint32_t crc = 0;
    if (bytes.size() < kMagic.size() + sizeof crc || bytes.substr(0, kMagic.size()) != kMagic)
      fail();
    std::memcpy(&crc, bytes.data() + bytes.size() - sizeof crc, sizeof crc);
    rest_.remove_suffix(sizeof crc);
    if (crc32(rest_) != crc) fail();
    rest_.remove_prefix(kMagic.size());
  }

  template <typename T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value = 0;
    if (rest_.size() < sizeof value) fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    if (size > rest_.size()) fail();
    std::string value(rest_.substr(0, static_cast<std::size_t>(size)));
    rest_.remove_prefix(value.size());
    return value;
  }
  bool flag() { return number<std::uint8_t>() != 0; }
  /// A number of elements of at least `least` bytes each; what cannot be there is refused before it
  /// is reserved.
  std::size_t count(std::size_t least) {
    const auto value = number<std::uint64_t>();
    if (value > rest_.size() / least) fail();
    return static_cast<std::size_t>(value);
  }
  void end() const {
    if (!rest_.empty()) fail();
  }

 private:
  [[noreturn]] static void fail() {
    throw Error(Code::kInvalid, "plan.bin is not an intact launch plan of this version");
  }
  std::string_view rest_;
};

void write_group(Writer& out, const LaunchGroup& group) {
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
}

LaunchGroup read_group(Reader& in) {
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
  group.rules.scope = static_cast<RetryScope>(in.number<std::uint8_t>());
  group.rules.min_replicas = in.number<std::int32_t>();
  return group;
}

void write_rules(Writer& out, const LifeRules& rules) {
  for (const bool flag : {rules.retry_on.any, rules.retry_on.oom, rules.retry_on.lost,
                          rules.retry_on.timeout, rules.fail_fast}) {
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

LifeRules read_rules(Reader& in) {
  LifeRules rules;
  for (bool* flag : {&rules.retry_on.any, &rules.retry_on.oom, &rules.retry_on.lost,
                     &rules.retry_on.timeout, &rules.fail_fast}) {
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

void write_logs(Writer& out, const LogRules& logs) {
  out.number(static_cast<std::uint8_t>(logs.times));
  out.number(logs.piece_bytes);
  out.number(logs.keep_pieces);
}

LogRules read_logs(Reader& in) {
  LogRules logs;
  logs.times = in.flag();
  logs.piece_bytes = in.number<std::int64_t>();
  logs.keep_pieces = in.number<std::int32_t>();
  return logs;
}

}  // namespace

std::string encode_plan(const LaunchPlan& plan) {
  Writer out;
  for (const auto* text : {&plan.app_id, &plan.app_name, &plan.session, &plan.scheduler,
                           &plan.log_dir, &plan.rank0_env}) {
    out.text(*text);
  }
  out.number(plan.grace_ms);
  out.number(static_cast<std::uint8_t>(plan.owned));
  write_rules(out, plan.rules);
  write_logs(out, plan.logs);
  out.number(static_cast<std::uint64_t>(plan.environment.size()));
  for (const auto& entry : plan.environment) out.text(entry);
  out.number(static_cast<std::uint64_t>(plan.held_files.size()));
  for (const auto& path : plan.held_files) out.text(path);
  out.number(static_cast<std::uint64_t>(plan.groups.size()));
  for (const auto& group : plan.groups) write_group(out, group);
  return out.finish();
}

LaunchPlan decode_plan(std::string_view bytes) {
  constexpr std::size_t kLeastGroup = 58;
  Reader in(bytes);
  LaunchPlan plan;
  for (auto* text : {&plan.app_id, &plan.app_name, &plan.session, &plan.scheduler, &plan.log_dir,
                     &plan.rank0_env}) {
    *text = in.text();
  }
  plan.grace_ms = in.number<std::int64_t>();
  plan.owned = in.flag();
  plan.rules = read_rules(in);
  plan.logs = read_logs(in);
  plan.environment.resize(in.count(8));
  for (auto& entry : plan.environment) entry = in.text();
  plan.held_files.resize(in.count(8));
  for (auto& path : plan.held_files) path = in.text();
  plan.groups.resize(in.count(kLeastGroup));
  for (auto& group : plan.groups) group = read_group(in);
  in.end();
  validate_plan(plan);
  return plan;
}

}  // namespace slipway::local
