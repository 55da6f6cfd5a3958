#include "sdk/check/host/log_calls.hpp"

#include <vector>

#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

slipway_status take_chunk(void* self, const slipway_log_chunk* given) {
  const slipway_log_chunk chunk = abi::widen(given);
  (*static_cast<OpenLogs::Bytes*>(self))[{abi::str(chunk.role), chunk.replica}] +=
      abi::text(chunk.bytes);
  return SLIPWAY_OK;
}

}  // namespace

OpenLogs::OpenLogs(const SchedulerUnderTest& scheduler, const std::string& app_id,
                   const std::string& role, bool follow)
    : scheduler_(scheduler) {
  GuardedMemory memory;
  std::vector<slipway_log_target> targets;
  if (!role.empty()) {
    auto target = abi::sized<slipway_log_target>();
    target.role = memory.text(role);
    targets.push_back(target);
  }
  auto query = abi::sized<slipway_log_query>();
  query.follow = follow ? 1 : 0;
  query.stream = SLIPWAY_STREAM_COMBINED;
  query.app_id = memory.text(app_id);
  query.targets = memory.array<slipway_log_target_array>(targets, 16);
  query.since_ns = query.until_ns = SLIPWAY_TIME_UNSET;
  const slipway_log_query* placed = memory.object(query);
  memory.seal();
  Answer answer;
  scheduler.step("log_open");
  answer.status = scheduler.table().log_open(scheduler.object(), plain_call(), placed, &iterator_,
                                             &answer.error);
  memory.vanish();
  if (answer.status == SLIPWAY_E_UNIMPLEMENTED)
    throw Inconclusive("the scheduler keeps no such logs");
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
  scheduler_.step("log_next");
  out.status = scheduler_.table().log_next(iterator_, timeout_ms, &take_chunk, &bytes, &out.error);
  return out;
}

ReadLogs read_logs(const SchedulerUnderTest& scheduler, const std::string& app_id,
                   const std::string& role, bool follow) {
  OpenLogs logs(scheduler, app_id, role, follow);
  ReadLogs out;
  for (;;) {
    const Answer answer = logs.next(1000, out.bytes);
    require_ok("log_next", answer.status, answer.error);
    if (answer.status == SLIPWAY_END) return out;
  }
}

}  // namespace slipway::check
