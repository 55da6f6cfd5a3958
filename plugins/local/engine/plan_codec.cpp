// encode_plan(), decode_plan() and load_plan(). One list of fields for each type serves both
// directions.
#include <sys/stat.h>

#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/plan_options.hpp"
#include "sdk/support/checksum.hpp"
#include "sdk/support/ownership.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

/// The last character is the version. The plans of all versions begin with the other seven and end
/// with the checksum, so that a reader can distinguish another version from damage.
constexpr std::string_view kPlanMagic = "SLWPLANA";

template <typename T>
concept Number = std::is_arithmetic_v<T>;

/// Writes the magic, then numbers in the machine's byte order, and texts and lists after their
/// lengths, and finally a CRC-32 of all bytes before it.
class PlanWriter {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  /// Writes the byte of an enumerator. Has the parameters of PlanReader::choice().
  template <typename Enum>
  void choice(Enum value, Enum) {
    put(static_cast<std::uint8_t>(value));
  }
  std::size_t size() const { return out_.size(); }
  std::string finish() {
    put(crc32(out_));
    return std::move(out_);
  }

 private:
  void put(bool value) { put(static_cast<std::uint8_t>(value)); }
  void put(Number auto value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof value);
  }
  void put(const std::string& value) {
    put(static_cast<std::uint64_t>(value.size()));
    out_.append(value);
  }
  template <typename T>
  void put(const std::vector<T>& list) {
    put(static_cast<std::uint64_t>(list.size()));
    for (const T& one : list) put(one);
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename A, typename B>
  void put(const std::pair<A, B>& both) {
    (*this)(both.first, both.second);
  }
  template <typename T>
  requires std::is_class_v<T>
  void put(const T& value) { fields(*this, value); }

  std::string out_{kPlanMagic};
};

/// Reads what a PlanWriter wrote. `bytes` are untrusted; damaged ones throw kInvalid.
class PlanReader {
 public:
  explicit PlanReader(std::string_view bytes) : rest_(bytes) {
    constexpr std::size_t kVersionAt = kPlanMagic.size() - 1;
    std::uint32_t crc = 0;
    if (bytes.size() < kPlanMagic.size() + sizeof crc ||
        !bytes.starts_with(kPlanMagic.substr(0, kVersionAt)))
      fail();
    std::memcpy(&crc, bytes.data() + bytes.size() - sizeof crc, sizeof crc);
    rest_.remove_suffix(sizeof crc);
    if (crc32(rest_) != crc) fail();
    if (bytes[kVersionAt] != kPlanMagic[kVersionAt]) {
      throw OtherVersion(kPlanName, std::string(bytes.substr(kVersionAt, 1)),
                         std::string(kPlanMagic.substr(kVersionAt)));
    }
    rest_.remove_prefix(kPlanMagic.size());
  }
  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  /// Reads an enumerator. `last` is the largest one that is valid.
  template <typename Enum>
  void choice(Enum& value, Enum last) {
    value = static_cast<Enum>(below(static_cast<std::uint8_t>(last) + 1));
  }
  void end() const {
    if (!rest_.empty()) fail();
  }

 private:
  /// Reads a byte whose value must be below `limit`.
  std::uint8_t below(int limit) {
    std::uint8_t value = 0;
    get(value);
    if (value >= limit) fail();
    return value;
  }
  void get(bool& value) { value = below(2) != 0; }
  void get(Number auto& value) {
    if (rest_.size() < sizeof value) fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  void get(std::string& value) {
    value = rest_.substr(0, length(1));
    rest_.remove_prefix(value.size());
  }
  template <typename T>
  void get(std::vector<T>& list) {
    // The shortest element has empty texts and lists.
    static const std::size_t least = [] {
      PlanWriter one;
      one(T{});
      return one.size() - kPlanMagic.size();
    }();
    list.resize(length(least));
    for (T& one : list) get(one);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool has_value = false;
    get(has_value);
    if (has_value) get(value.emplace());
  }
  template <typename A, typename B>
  void get(std::pair<A, B>& both) {
    (*this)(both.first, both.second);
  }
  template <typename T>
  requires std::is_class_v<T>
  void get(T& value) { fields(*this, value); }
  /// Reads the length of a list whose elements take at least `least` bytes each. Refuses more than
  /// the bytes can hold before the caller allocates memory for them.
  std::size_t length(std::size_t least) {
    std::uint64_t count = 0;
    get(count);
    if (count > rest_.size() / least) fail();
    return static_cast<std::size_t>(count);
  }
  [[noreturn]] static void fail() {
    throw Error(Code::kInvalid, "plan.bin is not an intact launch plan of this version");
  }

  std::string_view rest_;
};

/// Type or const Type, so that one function serves both directions.
template <typename T, typename Type>
concept Is = std::same_as<std::remove_const_t<T>, Type>;

/// Visits the options of a table as fields of the plan.
template <typename Io>
struct OptionFields {
  Io& io;
  template <typename T, typename Kind>
  void operator()(const Option&, T& field, const Kind&) {
    io(field);
  }
};

template <typename Io, Is<RetryFilter> T>
void fields(Io& io, T& x) {
  io(x.any, x.oom, x.lost, x.timeout, x.not_ready, x.exit_codes, x.signals);
}

template <typename Io, Is<Backoff> T>
void fields(Io& io, T& x) {
  OptionFields<Io> visit{io};
  visit_parts(visit, x);
}

template <typename Io, Is<LifeRules> T>
void fields(Io& io, T& x) {
  OptionFields<Io> visit{io};
  visit_life_options(visit, x);
}

template <typename Io, Is<LogRules> T>
void fields(Io& io, T& x) {
  OptionFields<Io> visit{io};
  visit_log_options(visit, x);
}

template <typename Io, Is<BindMount> T>
void fields(Io& io, T& x) {
  io(x.src, x.dst, x.read_only);
}

template <typename Io, Is<Dependency> T>
void fields(Io& io, T& x) {
  io(x.role);
  io.choice(x.until, Dependency::Until::kHealthy);
}

template <typename Io, Is<ReadyProbe> T>
void fields(Io& io, T& x) {
  io.choice(x.kind, ReadyProbe::Kind::kLog);
  io(x.address, x.port_name, x.port, x.command, x.pattern);
  io(x.interval_ms, x.timeout_ms, x.within_ms);
}

template <typename Io, Is<ReplicaNeeds> T>
void fields(Io& io, T& x) {
  io(x.gpus);
  io.choice(x.limits.enforce, Enforce::kCgroup);
  io(x.limits.memory_bytes, x.limits.cpu_milli, x.mounts, x.after, x.ready);
}

template <typename Io, Is<RoleRules> T>
void fields(Io& io, T& x) {
  io(x.max_retries);
  io.choice(x.scope, RetryScope::kRole);
  io(x.min_replicas, x.service, x.timeout_ms, x.grace_ms, x.retry_on, x.backoff);
}

template <typename Io, Is<LaunchGroup> T>
void fields(Io& io, T& x) {
  io(x.role, x.first_replica, x.count, x.expand_macros, x.argv, x.env, x.cwd, x.img_root);
  io(x.rules, x.ports, x.needs);
}

template <typename Io, Is<MachineIdentity> T>
void fields(Io& io, T& x) {
  io(x.boot_id, x.machine, x.host);
}

template <typename Io, Is<CgroupPlace> T>
void fields(Io& io, T& x) {
  io(x.unified, x.memory, x.cpu);
}

template <typename Io, Is<LaunchPlan> T>
void fields(Io& io, T& x) {
  io(x.app_id, x.app_name, x.session, x.scheduler, x.log_dir, x.rank0_env, x.lease_pool);
  io(x.machine, x.order, x.owned, x.spec_crc, x.rules, x.logs, x.environment, x.held_files);
  io(x.machine_gpus, x.cgroups, x.gpu_variables, x.groups);
}

}  // namespace

std::string encode_plan(const LaunchPlan& plan) {
  PlanWriter out;
  out(plan);
  return out.finish();
}

LaunchPlan decode_plan(std::string_view bytes) {
  PlanReader in(bytes);
  LaunchPlan plan;
  in(plan);
  in.end();
  validate_plan(plan);
  return plan;
}

LaunchPlan load_plan(int dir_fd) {
  std::string bytes;
  struct stat info {};
  if (!read_file(dir_fd, kPlanName, kMostPlanBytes, bytes, &info))
    throw system_error(Code::kUnavailable, "cannot read", kPlanName, errno);
  const std::string why = distrust(info);
  if (!why.empty()) throw Error(Code::kDenied, std::string(kPlanName) + ' ' + why);
  return decode_plan(bytes);
}

}  // namespace slipway::local
