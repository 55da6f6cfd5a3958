// The calls of SchedulerUnderTest that describe an app, and the rules for a single description.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "sdk/check/host/caller.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "sdk/support/utf8.hpp"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/status_views.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

constexpr std::int32_t kHighestExitCode = 255;

// Returns the state that a host shows for one that is private to the scheduler; returns other
// states unchanged.
std::int32_t public_state(std::int32_t state) {
  const bool is_private = state > 0 && (state & SLIPWAY_STATE_PRIVATE) != 0;
  return is_private ? static_cast<std::int32_t>(abi::read_state(state)) : state;
}

// Copies a description, and records its first defect.
class DescriptionReader {
 public:
  DescriptionReader(SchedulerUnderTest::Described& out, bool may_merge)
      : out_(out), may_merge_(may_merge) {}

  static slipway_status take(void* self, const slipway_description* given) {
    auto& reader = *static_cast<DescriptionReader*>(self);
    reader.caller_.called_back();
    ++reader.out_.calls;
    reader.read(abi::widen(given));
    return reader.out_.stop;
  }
  void verify_thread() const { caller_.verify("describe"); }

 private:
  // Records a defect. `what` follows "describe gave " in the message.
  void complain(const std::string& what) {
    if (out_.malformed.empty()) out_.malformed = what;
  }
  // Returns a copy of a string, which must be UTF-8.
  std::string text(slipway_str from, const std::string& what) {
    std::string out = abi::str(from);
    if (find_invalid_utf8(out) != std::string_view::npos) complain(what + " that is not UTF-8");
    return out;
  }
  void verify_count(std::int32_t count, const std::string& what) {
    if (count < 0) complain(std::to_string(count) + " as " + what);
  }

  void read(const slipway_description& d) {
    out_.app = {abi::str(d.app_id),
                text(d.name, "a name"),
                public_state(d.state),
                d.submitted_at_ns,
                d.started_at_ns,
                d.finished_at_ns,
                text(d.msg, "a msg"),
                {},
                {}};
    if (d.num_restarts != -1) verify_count(d.num_restarts, "num_restarts");  // -1: unknown
    text(d.ui_url, "a ui_url");
    text(d.structured_error_json, "a structured_error_json");
    for (std::size_t i = 0; i < d.metadata.count; ++i) {
      const slipway_kv* fact = SLIPWAY_AT(d.metadata, slipway_kv, i);
      text(fact->key, "a key of metadata");
      text(fact->value, "a value of metadata");
    }
    if (d.app != nullptr) out_.app.app = abi::read(*d.app);
    if (d.roles.count != 0 && d.roles.stride < SLIPWAY_ROLE_STATUS_1_0_SIZE)
      return complain("roles with a stride of " + std::to_string(d.roles.stride));
    for (std::size_t i = 0; i < d.roles.count; ++i)
      read(abi::widen(SLIPWAY_AT(d.roles, slipway_role_status, i)));
  }

  void read(const slipway_role_status& role) {
    const std::string name = text(role.role, "a role");
    if (!roles_.insert(name).second) complain("the role \"" + name + "\" twice");
    if (role.replicas.count != 0 && role.replicas.stride < SLIPWAY_REPLICA_STATUS_1_0_SIZE)
      return complain("replicas with a stride of " + std::to_string(role.replicas.stride));
    for (std::size_t i = 0; i < role.replicas.count; ++i)
      read(name, abi::widen(SLIPWAY_AT(role.replicas, slipway_replica_status, i)));
  }

  void read(const std::string& role, const slipway_replica_status& replica) {
    const std::string name = role + "/" + std::to_string(replica.id);
    if (replica.id < 0) return complain("the replica " + name + ", whose number is negative");
    if (replica.count < 0)
      return complain(std::to_string(replica.count) + " as the count of an entry");
    if (replica.count > 1 && !may_merge_) {
      return complain("an entry for " + std::to_string(replica.count) +
                      " replicas without SLIPWAY_WANT_MERGED");
    }
    if (replica.count > 1 && replica.id > std::numeric_limits<std::int32_t>::max() - replica.count)
      return complain("an entry for " + std::to_string(replica.count) + " replicas from " + name +
                      " on, whose numbers are too large for a host");
    verify(name, replica);
    for (std::int32_t n = 0; n < std::max(replica.count, 1); ++n) {  // a count of 0 means 1
      out_.app.replicas.push_back({role, replica.id + n, public_state(replica.state),
                                   replica.has_exit_code != 0, replica.exit_code, replica.signal,
                                   replica.started_at_ns, replica.finished_at_ns});
    }
  }

  void verify(const std::string& name, const slipway_replica_status& replica) {
    const bool runs = replica.state == SLIPWAY_STATE_RUNNING;
    const bool has_code = replica.has_exit_code != 0;
    if (runs && replica.finished_at_ns != SLIPWAY_TIME_UNSET)
      complain("a time of the end of " + name + ", which runs");
    if (runs && has_code) complain("an exit code of " + name + ", which runs");
    verify_end(name, replica);
    verify_count(replica.restarts, "the restarts of " + name);
    text(replica.hostname, "a hostname");
    text(replica.structured_error_json, "a structured_error_json");
    const std::string details = text(replica.details_json, "a details_json");
    if (!details.empty() && !is_json_object(details))
      complain("a details_json that is not a JSON object: " + details);
    if (replica.attempts.count != 0 && replica.attempts.stride < SLIPWAY_ATTEMPT_STATUS_1_0_SIZE)
      return complain("attempts with a stride of " + std::to_string(replica.attempts.stride));
    abi::each_widened<slipway_attempt_status>(
        replica.attempts, [&](const slipway_attempt_status& attempt) {
          verify_end("an earlier attempt of " + name, attempt);
        });
  }

  // Verifies the fields about an end, which replicas and their earlier attempts have.
  template <typename Status>
  void verify_end(const std::string& name, const Status& status) {
    const bool has_code = status.has_exit_code != 0;
    if (has_code && status.signal != 0) complain("both an exit code and a signal of " + name);
    if (has_code && (status.exit_code < 0 || status.exit_code > kHighestExitCode))
      complain("the exit code " + std::to_string(status.exit_code) + " of " + name +
               ", which is not from 0 to 255");
    verify_count(status.signal, "the signal of " + name);
    text(status.reason, "a reason");
  }

  SchedulerUnderTest::Described& out_;
  bool may_merge_;
  std::set<std::string> roles_;
  Caller caller_;
};

// Throws Broken for a state that version 1.0 does not have. A host shows such a state as UNKNOWN
// (R8), but a plug-in has no reason to send it.
void require_known_states(const SeenApp& app) {
  const auto verify = [](std::int32_t state) {
    require(app_state_from(std::int64_t{state}).has_value(),
            "describe gave the " + state_name(state) + ", which version 1.0 does not have",
            "return one of the SLIPWAY_STATE_* of abi/app.h, UNKNOWN if it cannot be determined; a "
            "private state has the bit SLIPWAY_STATE_PRIVATE");
  };
  verify(app.state);
  for (const SeenReplica& replica : app.replicas) verify(replica.state);
}

}  // namespace

SchedulerUnderTest::Described SchedulerUnderTest::describe(std::string_view app_id,
                                                           std::uint32_t want,
                                                           slipway_status stop) const {
  require(has(&slipway_scheduler_vtbl::describe), "describe is missing");
  GuardedMemory memory;
  const slipway_str id = memory.text(app_id);
  auto opts = abi::sized<slipway_describe_opts>();
  opts.want = want;
  const slipway_describe_opts* placed = memory.object(opts);
  memory.seal();
  Described out;
  out.stop = stop;
  DescriptionReader reader(out, (want & SLIPWAY_WANT_MERGED) != 0);
  step("describe");
  out.status = table().describe(object(), plain_call(), id, placed,
                                kChecked<&DescriptionReader::take>, &reader, &out.error);
  memory.vanish();
  reader.verify_thread();
  return out;
}

SeenApp SchedulerUnderTest::seen(std::string_view app_id, std::uint32_t want) const {
  const Described out = describe(app_id, want);
  require_ok("describe", out.status, out.error);
  require(out.calls == 1,
          "describe of " + std::string(app_id) + ", which was scheduled, called back " +
              std::to_string(out.calls) + " times, not once",
          out.calls == 0
              ? "keep apps in the engine or in files, because other processes ask about them"
              : "");
  require(out.malformed.empty(), "describe gave " + out.malformed);
  require(out.app.app_id == app_id,
          "describe of " + std::string(app_id) + " gave the app id \"" + out.app.app_id + "\"");
  require_known_states(out.app);
  return out.app;
}

}  // namespace slipway::check
