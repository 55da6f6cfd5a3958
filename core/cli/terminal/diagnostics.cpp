#include "core/cli/terminal/diagnostics.hpp"

#include <atomic>
#include <boost/log/core.hpp>
#include <boost/log/expressions.hpp>
#include <boost/log/sinks/sync_frontend.hpp>
#include <boost/log/sinks/text_ostream_backend.hpp>
#include <boost/log/sources/record_ostream.hpp>
#include <boost/log/sources/severity_logger.hpp>
#include <boost/make_shared.hpp>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "core/cli/terminal/standard_streams.hpp"
#include "sdk/support/ascii_case.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

namespace bl = boost::log;

std::atomic<LogLevel> threshold{LogLevel::kWarning};

const char* prefix(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace: return "slipway: trace: ";
    case LogLevel::kDebug: return "slipway: debug: ";
    case LogLevel::kInfo: return "slipway: ";
    case LogLevel::kWarning: return "slipway: warning: ";
    case LogLevel::kError: break;
  }
  return "slipway: error: ";
}

/// Writes each message with one write(), so that a replica's output never lands inside it.
class StandardError
    : public bl::sinks::basic_formatted_sink_backend<char, bl::sinks::synchronized_feeding> {
 public:
  void consume(const bl::record_view&, const std::string& message) {
    write_message(message + "\n");
  }
};

using Logger = bl::sources::severity_logger_mt<LogLevel>;

/// Returns the logger. Sets Boost.Log up at the first message, because most commands print none and
/// start faster without it.
Logger& logger() {
  static Logger instance = [] {
    auto sink = boost::make_shared<bl::sinks::synchronous_sink<StandardError>>();
    sink->set_formatter([](const bl::record_view& record, bl::formatting_ostream& out) {
      const auto level = bl::extract<LogLevel>("Severity", record);
      out << prefix(level ? *level : LogLevel::kError) << record[bl::expressions::smessage];
    });
    bl::core::get()->add_sink(sink);
    return Logger();
  }();
  return instance;
}

/// The messages that were printed, while a SameMessagesOnce exists.
std::optional<std::set<std::string, std::less<>>> printed;
std::mutex printed_mutex;

/// Returns whether a message with this text was printed during a SameMessagesOnce. Remembers the
/// text for the next call.
bool was_printed(std::string_view text) {
  const std::lock_guard lock(printed_mutex);
  return printed && !printed->emplace(text).second;
}

/// Returns whether the message begins with `place`, or with "plug-in library PLACE".
bool names(std::string_view message, std::string_view place) {
  constexpr std::string_view kLibrary = "plug-in library ";
  if (message.starts_with(kLibrary)) message.remove_prefix(kLibrary.size());
  return message.starts_with(place) && message.substr(place.size()).starts_with(' ');
}

}  // namespace

SameMessagesOnce::SameMessagesOnce() {
  const std::lock_guard lock(printed_mutex);
  printed.emplace();
}

SameMessagesOnce::~SameMessagesOnce() {
  const std::lock_guard lock(printed_mutex);
  printed.reset();
}

void set_log_level(LogLevel level) { threshold.store(level); }

void say(LogLevel level, std::string_view text) {
  if (level < threshold.load()) return;
  if (was_printed(text)) return;
  BOOST_LOG_SEV(logger(), level) << visible_text(text);
}

void say(const Error& error) {
  const bool is_repeated = error.where().empty() || names(error.message(), error.where());
  std::string text = is_repeated ? error.message() : error.where() + ": " + error.message();
  if (!error.hint().empty()) text += "\n  " + with_indented_lines(error.hint());
  say(LogLevel::kError, text);
}

std::string with_indented_lines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return out;
}

LogLevel parse_log_level(const std::string& name) {
  const std::string lower = lower_case(name);
  if (lower == "trace") return LogLevel::kTrace;
  if (lower == "debug") return LogLevel::kDebug;
  if (lower == "info") return LogLevel::kInfo;
  if (lower == "warning" || lower == "warn") return LogLevel::kWarning;
  if (lower == "error") return LogLevel::kError;
  throw Error(Code::kUsage, "--log-level " + name + ": there is no such level",
              "use trace, debug, info, warning or error");
}

}  // namespace slipway::cli
