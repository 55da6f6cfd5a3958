#include "core/cli/terminal/running_call.hpp"

#include <mutex>

namespace slipway::cli {
namespace {

thread_local bool is_observed = false;
std::mutex recording;
const registry::PluginCall* recorded = nullptr;

}  // namespace

void observe_calls_of_this_thread() { is_observed = true; }

void record_call(const registry::PluginCall* call) noexcept {
  if (!is_observed) return;
  const std::lock_guard lock(recording);
  recorded = call;
}

std::optional<RunningCall> running_call() {
  const std::lock_guard lock(recording);
  if (recorded == nullptr) return std::nullopt;
  return RunningCall{registry::plugin_text(recorded->plugin_id(), recorded->version()),
                     recorded->call()};
}

}  // namespace slipway::cli
