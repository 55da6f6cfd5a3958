#include "sdk/check/checks/sleeper.hpp"

namespace slipway::check {

std::string submit_sleeper(const SchedulerUnderTest& scheduler, int owner_fd) {
  const std::string id = scheduler.submit(scheduler.sleeper(), owner_fd);
  const SeenApp app = scheduler.seen(id);
  if (is_terminal_state(app.state))
    throw Inconclusive("its apps end at once: one that sleeps was " + state_name(app.state));
  return id;
}

void Sleeper::end() { scheduler_.end(id_); }

long milliseconds_since(std::chrono::steady_clock::time_point from) {
  const auto took = std::chrono::steady_clock::now() - from;
  return static_cast<long>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count());
}

long patience_ms(const Trial& trial) { return trial.options.limit_s * 1000L / 4; }

}  // namespace slipway::check
