#include "slipway/app_logs.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/registry/objects/plugin_scheduler.hpp"

namespace slipway {

namespace {

/// Assembles lines from chunks, for each stream of each replica.
class LineBuilder {
 public:
  using Take = std::function<bool(const LogLine&)>;

  /// Passes the lines that the chunk completes to `take`. Returns false if `take` wants no more.
  bool add(const LogChunk& chunk, const Take& take) {
    Begun& begun = begun_[{std::string(chunk.role), chunk.replica, chunk.stream}];
    std::string_view rest = chunk.bytes;
    while (!rest.empty()) {
      if (begun.text.empty()) begun.time = chunk.time;
      const std::size_t end = rest.find('\n');
      begun.text.append(rest.substr(0, end));
      if (end == std::string_view::npos) return true;
      rest.remove_prefix(end + 1);
      const bool more = take({chunk.role, chunk.replica, chunk.stream, begun.time, begun.text});
      begun = {};
      if (!more) return false;
    }
    return true;
  }

  /// Passes the lines without a line break at the end of the logs.
  void finish(const Take& take) const {
    for (const auto& [where, begun] : begun_) {
      const auto& [role, replica, stream] = where;
      if (!begun.text.empty() && !take({role, replica, stream, begun.time, begun.text})) return;
    }
  }

 private:
  /// A line whose line break has not come yet. Empty if no part of it has come.
  struct Begun {
    std::string text;
    TimeNs time;  // of its first chunk
  };
  std::map<std::tuple<std::string, std::int32_t, Stream>, Begun> begun_;
};

}  // namespace

struct AppLogs::State {
  /// Returns the bytes of the chunk without those that belong to the first `first_lines` lines of
  /// its stream.
  std::string_view rest_of(const LogChunk& chunk) {
    if (first_lines == 0) return chunk.bytes;
    std::uint64_t& skipped = skipped_lines[{std::string(chunk.role), chunk.replica, chunk.stream}];
    std::string_view rest = chunk.bytes;
    while (skipped < first_lines) {
      const std::size_t end = rest.find('\n');
      if (end == std::string_view::npos) return {};
      rest.remove_prefix(end + 1);
      ++skipped;
    }
    return rest;
  }

  registry::PluginLogs logs;
  std::uint64_t first_lines;  ///< number of lines to skip in each stream of each replica
  std::map<std::tuple<std::string, std::int32_t, Stream>, std::uint64_t> skipped_lines = {};
};

AppLogs::AppLogs(registry::PluginLogs logs, std::uint64_t from_line)
    : state_(new State{std::move(logs), from_line}) {}
AppLogs::AppLogs(AppLogs&& other) noexcept = default;
AppLogs& AppLogs::operator=(AppLogs&& other) noexcept = default;
AppLogs::~AppLogs() = default;

AppLogs::Next AppLogs::next(std::int64_t timeout_ms, const Sink& sink) {
  return state_->logs.next(timeout_ms, [&](const LogChunk& chunk) {
    LogChunk rest = chunk;
    rest.bytes = state_->rest_of(chunk);
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
