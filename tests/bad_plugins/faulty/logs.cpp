#include "tests/bad_plugins/faulty/logs.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <utility>

#include "tests/bad_plugins/faulty/limits.hpp"
#include "tests/bad_plugins/faulty/scheduler_object.hpp"
#include "tests/bad_plugins/faulty/threads.hpp"

namespace faulty {

namespace {

// One file of the logs.
struct Source {
  std::string role;
  std::int32_t replica = 0;
  std::int32_t stream = 0;  // SLIPWAY_STREAM_*
  std::filesystem::path file;
  std::streamoff offset = 0;  // number of bytes already delivered
};

struct Logs {
  explicit Logs(const Scheduler& scheduler) : host(scheduler.host), store(scheduler.store) {}

  const slipway_host* host;
  AppStore store;
  std::string id;
  bool follow = false;
  std::vector<Source> sources;
  bool failed = false;            // the fault log_is_temporary_once has occurred
  bool launcher_pending = false;  // a line that no replica wrote is still to be delivered
  std::atomic<bool> stopped{false};
};

Logs& logs(slipway_log_iter* given) { return *reinterpret_cast<Logs*>(given); }

bool selects(const slipway_log_query& query, const StoredReplica& replica) {
  if (query.targets.count == 0 || broken("ignores_targets")) return true;
  for (std::size_t i = 0; i < query.targets.count; ++i) {
    const slipway_log_target& target = *SLIPWAY_AT(query.targets, slipway_log_target, i);
    if (abi::text(target.role) != replica.role) continue;
    const std::size_t count =
        broken("delivers_first_replica") && target.replica_count > 1 ? 1 : target.replica_count;
    for (std::size_t k = 0; k < count; ++k)
      if (target.replicas[k] == replica.id) return true;
    if (count == 0) return true;
  }
  return false;
}

// Delivers the complete lines that were added to the file, or with `whole` all added bytes. Sets
// `delivered` if there are any.
slipway_status deliver(Source& from, bool whole, slipway_on_log_chunk on_chunk, void* ctx,
                       bool& delivered) {
  std::ifstream in(from.file, std::ios::binary);
  in.seekg(from.offset);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!whole) bytes.resize(bytes.rfind('\n') + 1);  // npos + 1 is 0
  if (bytes.empty()) return SLIPWAY_OK;
  if (broken("delivers_empty_chunks")) bytes.clear();
  if (broken("cuts_lines")) bytes.resize(std::min<std::size_t>(bytes.size(), 3));
  from.offset += static_cast<std::streamoff>(bytes.size());
  delivered = true;
  auto chunk = abi::sized<slipway_log_chunk>();
  chunk.role = abi::view(from.role);
  chunk.replica = from.replica;
  chunk.stream = from.stream;
  chunk.bytes = abi::view(bytes);
  return call_back("reads_logs_in_a_thread", [&] { return on_chunk(ctx, &chunk); });
}

// Delivers output that no replica wrote.
slipway_status deliver_launcher(slipway_on_log_chunk on_chunk, void* ctx) {
  auto chunk = abi::sized<slipway_log_chunk>();
  chunk.replica = -1;
  chunk.bytes = abi::view("launching\n");
  return on_chunk(ctx, &chunk);
}

slipway_status failure(const Logs& from, slipway_error* err, slipway_status code,
                       const char* message) {
  from.host->error_set(err, code, abi::view(message), {nullptr, 0}, {nullptr, 0});
  return code;
}

}  // namespace

slipway_status log_open(slipway_scheduler* self, const slipway_call* call,
                        const slipway_log_query* query, slipway_log_iter** out,
                        slipway_error* err) {
  ignore_limits("log_open", limits_of(self, call));
  const auto app = load(self, query->app_id);
  if (!app && !broken("opens_anything")) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  const bool has_time =
      query->since_ns != SLIPWAY_TIME_UNSET || query->until_ns != SLIPWAY_TIME_UNSET;
  if ((has_time || query->stream != SLIPWAY_STREAM_COMBINED) && broken("cannot_select_lines_now"))
    return fail(self, err, SLIPWAY_E_UNAVAILABLE, "the log server is down");
  if (has_time && !broken("ignores_log_times"))
    return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "the logs have no times");
  const bool is_known =
      query->stream >= SLIPWAY_STREAM_COMBINED && query->stream <= SLIPWAY_STREAM_STDERR;
  if (!is_known && !broken("opens_any_stream"))
    return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "no such stream");
  auto made = std::make_unique<Logs>(me(self));
  made->id = abi::str(query->app_id);
  made->follow = query->follow != 0;
  made->launcher_pending = broken("has_a_launcher") && query->targets.count == 0;
  for (const StoredReplica& replica : app.value_or(StoredApp{}).status.replicas) {
    if (!selects(*query, replica)) continue;
    const auto add = [&](std::int32_t stream, const char* name) {
      if (is_known && query->stream != SLIPWAY_STREAM_COMBINED && query->stream != stream) return;
      made->sources.push_back({replica.role, replica.id, stream,
                               me(self).store.log(made->id, replica.role, replica.id, name)});
    };
    add(SLIPWAY_STREAM_STDOUT, "out");
    if (!broken("loses_stderr")) add(SLIPWAY_STREAM_STDERR, "err");
  }
  // With loses_stderr, a query for stderr has no sources, but its role exists.
  if (made->sources.empty() && app && !broken("loses_stderr"))
    return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such role or replica");
  *out = reinterpret_cast<slipway_log_iter*>(made.release());
  return SLIPWAY_OK;
}

slipway_status log_next(slipway_log_iter* given, int64_t timeout_ms, slipway_on_log_chunk on_chunk,
                        void* ctx, slipway_error* err) {
  using Clock = std::chrono::steady_clock;
  Logs& from = logs(given);
  crash_in("log_next");
  if (broken("log_fails_for_ever"))
    return failure(from, err, SLIPWAY_E_UNAVAILABLE, "the log server is away");
  if (broken("log_is_temporary_for_ever"))
    return failure(from, err, SLIPWAY_E_TEMPORARY, "the log server is busy");
  if (broken("log_is_temporary_once") && !std::exchange(from.failed, true))
    return failure(from, err, SLIPWAY_E_TEMPORARY, "the log server restarts");
  if (from.follow) hang_with("log_hangs");
  if (std::exchange(from.launcher_pending, false)) return deliver_launcher(on_chunk, ctx);
  const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    if (from.stopped && !broken("ignores_log_cancel")) return SLIPWAY_E_CANCELLED;
    const auto status = from.store.status(from.id);
    const bool ended = !status || is_terminal(status->state);
    bool delivered = false;
    const bool whole = !from.follow || (ended && !broken("follow_loses_last_line"));
    for (Source& source : from.sources) {
      const slipway_status answer = deliver(source, whole, on_chunk, ctx, delivered);
      if (answer < 0) return answer;
    }
    if (delivered) return SLIPWAY_OK;
    if (ended || !from.follow) return SLIPWAY_END;
    if (timeout_ms >= 0 && Clock::now() >= deadline && !broken("ignores_timeout"))
      return SLIPWAY_AGAIN;
    ++waiting_iterators();
    ::usleep(5000);
    --waiting_iterators();
  }
}

void log_cancel(slipway_log_iter* given) { logs(given).stopped = true; }
void log_close(slipway_log_iter* given) { delete &logs(given); }

}  // namespace faulty
