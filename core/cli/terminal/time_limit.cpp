#include "core/cli/terminal/time_limit.hpp"

#include <algorithm>

#include "core/cli/terminal/plugin_crash.hpp"
#include "core/registry/calls/call_context.hpp"

namespace slipway::cli {

void start_time_limit(std::chrono::duration<double> limit) {
  using Clock = registry::CallTime::clock;
  const auto length = std::chrono::duration_cast<Clock::duration>(limit);
  // For an answer at the plug-in's deadline to arrive: a second is ample, and a short limit loses
  // only a tenth.
  const auto margin = std::min<Clock::duration>(length / 10, std::chrono::seconds(1));
  const registry::CallTime end = Clock::now() + length;
  registry::limit_calls(end - margin, end);              // deadline; cancellation
  end_call_that_runs_at(end + std::chrono::seconds(1));  // ends the process
}

void lift_time_limit() {
  registry::lift_call_limit();
  end_call_that_runs_at(std::nullopt);
}

bool is_end_of_time_limit(Code code) { return registry::is_end_of_call_limit(code); }

}  // namespace slipway::cli
