#include "sdk/check/host/log_calls.hpp"

#include <chrono>
#include <vector>

#include "sdk/check/host/caller.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

// A line shorter than this fits into the buffer of every scheduler, so it comes in one chunk. That
// is also true with `follow`, because the checks follow only apps that have ended, print nothing,
// or print whole lines at once.
constexpr std::size_t kSmallLine = 1024;

}  // namespace

struct OpenLogs::Sink {
  OpenLogs& logs;
  Bytes& bytes;
  std::string malformed = {};  // a defect of a chunk; follows "log_next delivered "
  std::string remedy = {};
  Caller caller = {};

  static slipway_status take(void* self, const slipway_log_chunk* given) {
    auto& [logs, bytes, malformed, remedy, caller] = *static_cast<Sink*>(self);
    caller.called_back();
    const slipway_log_chunk chunk = abi::widen(given);
    const std::string role = abi::str(chunk.role);
    const std::string_view text = abi::text(chunk.bytes);
    const std::string source = role + "/" + std::to_string(chunk.replica);
    if (text.empty()) {
      malformed = "an empty chunk of " + source;
      remedy = "call back only if there are bytes";
    }
    std::size_t& unfinished = logs.unfinished_[{role, chunk.replica, chunk.stream}];
    if (unfinished > 0 && unfinished < kSmallLine) {
      malformed = "a short line of " + source + " in pieces";
      remedy = "end a chunk at the end of a line, unless the line is longer than your buffer";
    }
    const std::size_t end = text.rfind('\n');
    unfinished = end == std::string_view::npos ? unfinished + text.size() : text.size() - end - 1;
    bytes[{role, chunk.replica}] += text;
    return SLIPWAY_OK;
  }
};

OpenLogs::OpenLogs(const SchedulerUnderTest& scheduler, const std::string& app_id,
                   const LogSelection& selection)
    : scheduler_(scheduler) {
  GuardedMemory memory;
  std::vector<slipway_log_target> targets;
  if (!selection.role.empty()) {
    auto target = abi::sized<slipway_log_target>();
    target.role = memory.text(selection.role);
    target.replica_count = selection.replicas.size();
    target.replicas = static_cast<const std::int32_t*>(
        memory.put(selection.replicas.data(), selection.replicas.size() * sizeof(std::int32_t)));
    targets.push_back(target);
  }
  auto query = abi::sized<slipway_log_query>();
  query.follow = selection.follow ? 1 : 0;
  query.stream = selection.stream;
  query.app_id = memory.text(app_id);
  query.targets = memory.array<slipway_log_target_array>(targets, /*extra=*/16);
  query.since_ns = selection.since_ns;
  query.until_ns = selection.until_ns;
  const slipway_log_query* placed = memory.object(query);
  memory.seal();
  Answer answer;
  scheduler.step("log_open");
  answer.status = scheduler.table().log_open(scheduler.object(), plain_call(), placed, &iterator_,
                                             &answer.error);
  memory.vanish();
  if (answer.status == SLIPWAY_E_UNIMPLEMENTED) throw NoSuchLogs();
  require_ok("log_open", answer.status, answer.error);
  require(iterator_ != nullptr, "log_open succeeded and left *out NULL");
}

OpenLogs::~OpenLogs() {
  if (iterator_ == nullptr) return;
  scheduler_.step("log_close");
  scheduler_.table().log_close(iterator_);
}

Answer OpenLogs::next(std::int64_t timeout_ms, Bytes& bytes) {
  Answer out;
  Sink sink{*this, bytes};
  scheduler_.step("log_next");
  out.status =
      scheduler_.table().log_next(iterator_, timeout_ms, kChecked<&Sink::take>, &sink, &out.error);
  sink.caller.verify("log_next");
  require(sink.malformed.empty(), "log_next delivered " + sink.malformed, sink.remedy);
  return out;
}

OpenLogs::Bytes read_logs(const SchedulerUnderTest& scheduler, const std::string& app_id,
                          const LogSelection& selection) {
  const auto deadline = std::chrono::steady_clock::now() + scheduler.trial().options.longest_wait();
  OpenLogs logs(scheduler, app_id, selection);
  OpenLogs::Bytes out;
  for (long calls = 1;; ++calls) {
    const Answer answer = logs.next(/*timeout_ms=*/1000, out);
    require_reason("log_next", answer.status, answer.error);
    if (answer.status == SLIPWAY_END) return out;
    require(answer.status >= 0 || answer.status == SLIPWAY_E_TEMPORARY,
            "log_next failed: " + answer.error.message,
            "let log_open fail if the logs cannot be read; return SLIPWAY_E_TEMPORARY, after a "
            "pause, if they can be read later");
    require(std::chrono::steady_clock::now() < deadline,
            "log_next never returned SLIPWAY_END in " + std::to_string(calls) + " calls" +
                (answer.status < 0 ? "; the last one failed: " + answer.error.message : ""),
            "return SLIPWAY_END, or another error than SLIPWAY_E_TEMPORARY if the failure is "
            "permanent");
  }
}

}  // namespace slipway::check
