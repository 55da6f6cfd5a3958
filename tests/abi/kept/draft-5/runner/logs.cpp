#include "logs.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <utility>

#include "scheduler_object.hpp"

namespace runner {

namespace {

// One file of the logs.
struct Source {
  std::string role;
  std::int32_t replica = 0;
  std::int32_t stream = 0;
  std::filesystem::path file;
  std::streamoff offset = 0;
};

struct Logs {
  explicit Logs(const Scheduler& scheduler) : store(scheduler.store) {}

  AppStore store;
  std::string id;
  bool follow = false;
  std::vector<Source> sources;
  std::atomic<bool> stopped{false};
};

Logs& logs(slipway_log_iter* given) { return *reinterpret_cast<Logs*>(given); }

bool selects(const slipway_log_query& query, const StoredReplica& replica) {
  if (query.targets.count == 0) return true;
  for (std::size_t i = 0; i < query.targets.count; ++i) {
    const slipway_log_target& target = *SLIPWAY_AT(query.targets, slipway_log_target, i);
    if (abi::text(target.role) != replica.role) continue;
    for (std::size_t k = 0; k < target.replica_count; ++k)
      if (target.replicas[k] == replica.id) return true;
    if (target.replica_count == 0) return true;
  }
  return false;
}

// Delivers the complete lines that were added to the file; after the app's end, all bytes. Sets
// `delivered` if there are any.
slipway_status deliver(Source& from, bool ended, slipway_on_log_chunk on_chunk, void* ctx,
                       bool& delivered) {
  std::ifstream in(from.file, std::ios::binary);
  in.seekg(from.offset);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!ended) bytes.resize(bytes.rfind('\n') + 1);
  if (bytes.empty()) return SLIPWAY_OK;
  from.offset += static_cast<std::streamoff>(bytes.size());
  delivered = true;
  auto chunk = abi::sized<slipway_log_chunk>();
  chunk.role = abi::view(from.role);
  chunk.replica = from.replica;
  chunk.stream = from.stream;
  chunk.bytes = abi::view(bytes);
  return on_chunk(ctx, &chunk);
}

}  // namespace

slipway_status log_open(slipway_scheduler* self, const slipway_call*,
                        const slipway_log_query* query, slipway_log_iter** out,
                        slipway_error* err) {
  const auto app = load(self, query->app_id);
  if (!app) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  if (query->since_ns != SLIPWAY_TIME_UNSET || query->until_ns != SLIPWAY_TIME_UNSET)
    return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "the logs have no times");
  const bool is_known =
      query->stream >= SLIPWAY_STREAM_COMBINED && query->stream <= SLIPWAY_STREAM_STDERR;
  if (!is_known) return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "no such stream");
  auto made = std::make_unique<Logs>(me(self));
  made->id = abi::str(query->app_id);
  made->follow = query->follow != 0;
  for (const StoredReplica& replica : app->status.replicas) {
    if (!selects(*query, replica)) continue;
    const auto add = [&](std::int32_t stream, const char* name) {
      if (query->stream != SLIPWAY_STREAM_COMBINED && query->stream != stream) return;
      made->sources.push_back({replica.role, replica.id, stream,
                               me(self).store.log(made->id, replica.role, replica.id, name)});
    };
    add(SLIPWAY_STREAM_STDOUT, "out");
    add(SLIPWAY_STREAM_STDERR, "err");
  }
  if (made->sources.empty()) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such role or replica");
  *out = reinterpret_cast<slipway_log_iter*>(made.release());
  return SLIPWAY_OK;
}

slipway_status log_next(slipway_log_iter* given, int64_t timeout_ms, slipway_on_log_chunk on_chunk,
                        void* ctx, slipway_error*) {
  using Clock = std::chrono::steady_clock;
  Logs& from = logs(given);
  const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    if (from.stopped) return SLIPWAY_E_CANCELLED;
    const auto status = from.store.status(from.id);
    const bool ended = !status || is_terminal(status->state);
    bool delivered = false;
    for (Source& source : from.sources) {
      const slipway_status answer =
          deliver(source, ended || !from.follow, on_chunk, ctx, delivered);
      if (answer < 0) return answer;
    }
    if (delivered) return SLIPWAY_OK;
    if (ended || !from.follow) return SLIPWAY_END;
    if (timeout_ms >= 0 && Clock::now() >= deadline) return SLIPWAY_AGAIN;
    ::usleep(5000);
  }
}

void log_cancel(slipway_log_iter* given) { logs(given).stopped = true; }
void log_close(slipway_log_iter* given) { delete &logs(given); }

}  // namespace runner
