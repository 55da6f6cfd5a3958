#include "core/status/error_report.hpp"

#include <time.h>

#include <array>
#include <boost/json.hpp>
#include <cmath>

#include "sdk/support/deep_json.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway {

namespace {

namespace json = boost::json;

const json::value* member(const json::value& value, std::string_view key) {
  const json::object* object = value.if_object();
  return object != nullptr ? object->if_contains(json::string_view(key.data(), key.size()))
                           : nullptr;
}

std::string exit_code_of(const json::value* code) {
  if (code == nullptr || code->is_null()) return {};
  if (const json::string* text = code->if_string()) return std::string(*text);
  const std::string text = json::serialize(*code);
  // In Python false equals 0, which means "no code".
  return text == "0" || text == "false" ? std::string() : text;
}

std::optional<std::int64_t> seconds_of(const json::value* time) {
  // TorchX prints times with Python's calendar, which ends with the year 9999, at 2.5e11 seconds.
  // The limit is a round number below that.
  constexpr double kMaxSeconds = 2e11;
  if (time == nullptr) return std::nullopt;
  if (const json::string* text = time->if_string()) {
    const auto out = plain_number<std::int64_t>(std::string_view(*text));
    return out && std::abs(static_cast<double>(*out)) < kMaxSeconds ? out : std::nullopt;
  }
  boost::system::error_code not_a_number;
  const double seconds = time->to_number<double>(not_a_number);
  if (not_a_number || !(std::abs(seconds) < kMaxSeconds)) return std::nullopt;
  return static_cast<std::int64_t>(seconds);
}

}  // namespace

std::optional<ErrorReport> read_error_report(std::string_view json_text) {
  boost::system::error_code error;
  const json::value document = parse_deep_json(json_text, error);
  if (error) return std::nullopt;
  const json::value* outer = member(document, "message");
  if (outer == nullptr) return std::nullopt;
  const json::value* message = member(*outer, "message");
  if (message == nullptr || !message->is_string()) return std::nullopt;
  ErrorReport out;
  out.message = std::string(message->get_string());
  out.exit_code = exit_code_of(member(*outer, "errorCode"));
  if (const json::value* extra = member(*outer, "extraInfo"))
    out.timestamp = seconds_of(member(*extra, "timestamp"));
  return out;
}

std::string local_time_text(std::int64_t seconds) {
  ::tzset();
  const time_t time = seconds;
  tm parts{};
  std::array<char, 64> text{};
  if (::localtime_r(&time, &parts) == nullptr) return std::to_string(seconds);
  const std::size_t length = ::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  return {text.data(), length};
}

}  // namespace slipway
