// A log directory whose streams a CombinedMerger copies, for tests of combined.log.
#pragma once

#include <chrono>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/logs/combined_merger.hpp"
#include "tests/unit/local/logs/fixture.hpp"

namespace slipway::local::testing {

struct MergerFixture : LogDirectory {
  /// Runs the merger until `done` returns true. Returns false if it never does.
  bool serve(CombinedMerger& merger, const std::function<bool()>& done) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
    while (!done()) {
      if (std::chrono::steady_clock::now() > end) return false;
      if (readable(merger.event_fd(), 100)) merger.on_event();
    }
    return true;
  }

  /// Runs the merger until it has nothing to do for a while.
  void run_until_idle(CombinedMerger& merger, int quiet_ms = 20) const {
    for (int turn = 0; turn < 1000 && readable(merger.event_fd(), quiet_ms); ++turn)
      merger.on_event();
  }

  /// Runs the merger until it has nothing to do, also for unfinished lines: it copies them after
  /// kTextPatience.
  void run_past_text_patience(CombinedMerger& merger) const {
    run_until_idle(merger, 2 * static_cast<int>(kTextPatience.count()));
  }

  std::string combined(std::string_view replica = "role/0") const {
    return read(std::string(replica) + "/combined.log");
  }
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace slipway::local::testing
