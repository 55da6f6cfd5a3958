#include "plugins/local/engine/state_head.hpp"

#include <cstring>
#include <optional>
#include <vector>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/record_check.hpp"
#include "sdk/support/checksum.hpp"
#include "slipway/error.hpp"
#include "slipway/json_text.hpp"

namespace slipway::local {
namespace {

constexpr std::uint32_t kPage = 4096;  // the entries begin at a multiple of it

std::uint32_t checksum(StateFixed fixed, std::string_view strings) {
  fixed.table_crc = 0;
  char bytes[sizeof fixed];
  std::memcpy(bytes, &fixed, sizeof fixed);
  return crc32(strings, crc32(std::string_view(bytes, sizeof bytes)));
}

/// Returns the string table and the role table, which lie within `head`.
std::string_view tables_in(std::string_view head, const StateFixed& fixed) {
  const std::size_t end = fixed.roles_offset + std::size_t{fixed.role_count} * sizeof(RoleEntry);
  return head.substr(sizeof(StateHeader), end - sizeof(StateHeader));
}

/// The offsets of a part of the file, `to` excluded.
struct Range {
  std::uint64_t from;
  std::uint64_t to;
  bool holds(std::uint64_t offset, std::uint64_t length) const {
    return offset >= from && offset <= to && length <= to - offset;
  }
};

/// Returns a description of the first mistake in the role table; empty: none.
std::string check_roles(std::string_view bytes, const StateFixed& fixed, Range strings) {
  std::uint64_t next = 0;
  for (std::uint32_t i = 0; i < fixed.role_count; ++i) {
    const auto role = value_at<RoleEntry>(bytes.data(), fixed.roles_offset + i * sizeof(RoleEntry));
    if (!strings.holds(role.name.offset, role.name.length))
      return "a role name lies outside the string table";
    if (role.first_entry != next) return "the role table is not in order";
    next += role.count;
  }
  return next == fixed.replica_count ? "" : "the role table does not add up";
}

/// Returns the text for StateFixed::ports.
std::string ports_text(const LaunchPlan& plan) {
  std::string out;
  std::uint32_t index = 0;
  for (const LaunchGroup& group : plan.groups) {
    std::string object;
    for (const auto& [name, number] : group.ports)
      object += (object.empty() ? "{" : ",") + json_quote(name) + ':' + std::to_string(number);
    for (std::int32_t k = 0; k < group.count; ++k, ++index) {
      if (!object.empty()) out += std::to_string(index) + ' ' + object + "}\n";
    }
  }
  return out;
}

/// StateFixed::version and StateFixed::minimum_reader.
struct Version {
  std::uint32_t number;
  std::uint32_t minimum_reader;
};

/// Returns the format of a state file that begins with `bytes`; nullopt for other bytes.
std::optional<Version> version_in(std::string_view bytes) {
  if (bytes.size() < sizeof(StateFixed)) return std::nullopt;
  const auto fixed = value_at<StateFixed>(bytes.data());
  if (std::memcmp(fixed.magic, kStateMagic, sizeof fixed.magic) != 0) return std::nullopt;
  return Version{fixed.version, fixed.minimum_reader};
}

/// Returns whether this program reads the format.
bool can_read(const Version& version) {
  return version.number >= kOldestRead &&
         (version.number <= kStateVersion || version.minimum_reader <= kStateVersion);
}

[[noreturn]] void throw_other_version(std::uint32_t number) {
  throw OtherVersion(kStateName, std::to_string(number), std::to_string(kStateVersion));
}

/// Returns a description of the first mistake in a head of this program's format; empty: none.
std::string find_damage(std::string_view bytes, std::uint64_t file_bytes) {
  if (bytes.size() < sizeof(StateHeader)) return "it is too short";
  const auto fixed = value_at<StateFixed>(bytes.data());
  if (std::memcmp(fixed.magic, kStateMagic, sizeof fixed.magic) != 0)
    return "it is not a state file";
  const std::uint64_t entries_bytes = std::uint64_t{fixed.replica_count} * kEntryBytes;
  if (fixed.file_bytes != file_bytes || fixed.replica_count > kMaxReplicas ||
      fixed.entries_offset > kMaxStringTable || fixed.entries_offset % kPage != 0 ||
      fixed.entries_offset + entries_bytes != file_bytes) {
    return "its sizes do not fit together";
  }
  const Range strings{sizeof(StateHeader), fixed.entries_offset};
  if (!strings.holds(fixed.roles_offset, std::uint64_t{fixed.role_count} * sizeof(RoleEntry))) {
    return "the role table lies outside the part before the entries";
  }
  for (const StringRef ref :
       {fixed.app_name, fixed.scheduler, fixed.log_dir, fixed.host, fixed.ports}) {
    if (!strings.holds(ref.offset, ref.length)) return "a string lies outside the string table";
  }
  if (bytes.size() < fixed.entries_offset) return "";
  if (checksum(fixed, tables_in(bytes, fixed)) != fixed.table_crc) return "its checksum is wrong";
  return check_roles(bytes, fixed, strings);
}

}  // namespace

std::string build_state_head(const LaunchPlan& plan, std::int64_t submitted_ns) {
  std::string head(sizeof(StateHeader), '\0');
  const auto add = [&head](std::string_view text) {
    const StringRef ref{static_cast<std::uint32_t>(head.size()),
                        static_cast<std::uint32_t>(text.size())};
    head.append(text);
    return ref;
  };
  StateFixed fixed{};
  std::memcpy(fixed.magic, kStateMagic, sizeof fixed.magic);
  fixed.version = kStateVersion;
  fixed.minimum_reader = kMinimumReader;
  fixed.machine = plan.machine.machine;
  fixed.app_name = add(plan.app_name);
  fixed.scheduler = add(plan.scheduler);
  fixed.log_dir = add(plan.log_dir);
  fixed.host = add(plan.machine.host);
  std::vector<RoleEntry> roles;
  const std::string* role_name = nullptr;
  for (const auto& group : plan.groups) {
    if (role_name == nullptr || *role_name != group.role) {
      roles.push_back({add(group.role), fixed.replica_count, 0});
      role_name = &group.role;
    }
    roles.back().count += static_cast<std::uint32_t>(group.count);
    fixed.replica_count += static_cast<std::uint32_t>(group.count);
  }
  fixed.ports = add(ports_text(plan));
  fixed.roles_offset = static_cast<std::uint32_t>(head.size());
  fixed.role_count = static_cast<std::uint32_t>(roles.size());
  for (const auto& role : roles) head.append(reinterpret_cast<const char*>(&role), sizeof role);
  if (head.size() > kMaxStringTable)
    throw Error(Code::kInvalid, "the names in the app are too long");
  head.resize((head.size() + kPage - 1) / kPage * kPage);
  fixed.entries_offset = static_cast<std::uint32_t>(head.size());
  fixed.file_bytes = head.size() + std::uint64_t{fixed.replica_count} * kEntryBytes;
  fixed.submitted_ns = submitted_ns;
  fixed.order = plan.order;
  fixed.spec_crc = plan.spec_crc;
  fixed.traits = (plan.owned ? kOwned : 0U) | (plan.logs.combined ? 0U : kNotCombined) |
                 (gpus_needed(plan) == 0 ? 0U : kHasGpus);
  plan.machine.boot_id.copy(fixed.boot_id, sizeof fixed.boot_id);
  fixed.table_crc = checksum(fixed, tables_in(head, fixed));

  StateHeader header{};
  header.fixed = fixed;
  header.app_state.store(static_cast<std::uint32_t>(AppState::kSubmitted));
  header.sequence.store(1);
  seal(header);
  std::memcpy(head.data(), &header, sizeof header);
  return head;
}

std::string check_state_head(std::string_view bytes, std::uint64_t file_bytes) {
  const auto version = version_in(bytes);
  if (version && !can_read(*version)) throw_other_version(version->number);
  std::string problem = find_damage(bytes, file_bytes);
  // Bytes that are wrong in this format may be right in another one.
  if (!problem.empty() && version && version->number != kStateVersion)
    throw_other_version(version->number);
  return problem;
}

}  // namespace slipway::local
