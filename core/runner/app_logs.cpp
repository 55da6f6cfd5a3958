#include "slipway/app_logs.hpp"

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/registry/objects/plugin_scheduler.hpp"
#include "core/runner/first_lines.hpp"

namespace slipway {

namespace {

/// Lines put together from chunks, for each stream of each replica.
class LineBuilder {
 public:
  using Take = std::function<bool(const LogLine&)>;

  /// False when `take` wants no more.
  bool add(const LogChunk& chunk, const Take& take) {
    Begun& begun = begun_[{std::string(chunk.role), chunk.replica, chunk.stream}];
    std::string_view rest = chunk.bytes;
    while (!rest.empty()) {
      if (begun.text.empty()) begun.time = chunk.time;
      const std::size_t end = rest.find('\n');
      begun.text.append(rest.substr(0, end));
      if (end == std::string_view::npos) {
        begun.open = true;
        return true;
      }
      rest.remove_prefix(end + 1);
      const bool more = take({chunk.role, chunk.replica, chunk.stream, begun.time, begun.text});
      begun = {};
      if (!more) return false;
    }
    return true;
  }

  /// The lines that never got their line break.
  void finish(const Take& take) const {
    for (const auto& [where, begun] : begun_) {
      const auto& [role, replica, stream] = where;
      if (begun.open && !take({role, replica, stream, begun.time, begun.text})) return;
    }
  }

 private:
  struct Begun {
    std::string text;
    TimeNs time;
    bool open = false;
  };
  std::map<std::tuple<std::string, std::int32_t, Stream>, Begun> begun_;
};

}  // namespace

struct AppLogs::State {
  registry::PluginLogs logs;
  FirstLines skipped;
};

AppLogs::AppLogs(registry::PluginLogs logs, std::uint64_t from_line)
    : state_(new State{std::move(logs), FirstLines(from_line)}) {}
AppLogs::AppLogs(AppLogs&& other) noexcept = default;
AppLogs& AppLogs::operator=(AppLogs&& other) noexcept = default;
AppLogs::~AppLogs() = default;

AppLogs::Next AppLogs::next(std::int64_t timeout_ms, const Sink& sink) {
  return state_->logs.next(timeout_ms, [&](const LogChunk& chunk) {
    LogChunk rest = chunk;
    rest.bytes = state_->skipped.behind(chunk);
    if (!rest.bytes.empty()) sink(rest);
  });
}

void AppLogs::each_line(const std::function<bool(const LogLine&)>& take) {
  LineBuilder lines;
  bool more = true;
  const auto sink = [&](const LogChunk& chunk) { more = more && lines.add(chunk, take); };
  while (more && next(-1, sink) != Next::kEnd) {
  }
  if (more) lines.finish(take);
}

void AppLogs::cancel() noexcept { state_->logs.cancel(); }

}  // namespace slipway
