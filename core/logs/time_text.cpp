#include "core/logs/time_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <optional>

#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"

namespace slipway::logs {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// About the range of 64 bits of nanoseconds, which ends in the year 2262.
constexpr std::int64_t kMostSeconds = 9'200'000'000;

std::optional<double> number(std::string_view text) {
  const auto value = plain_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> to_nanoseconds(std::optional<double> seconds) {
  if (!seconds || std::abs(*seconds) > static_cast<double>(kMostSeconds)) return {};
  return static_cast<std::int64_t>(*seconds * static_cast<double>(kSecond));
}

std::optional<double> unit_seconds(char unit) {
  switch (unit) {
    case 's': return 1;
    case 'm': return 60;
    case 'h': return 3600;
    case 'd': return 86400;
    default: return {};
  }
}

/// Returns whether `text` has the form of `form`, in which 0 stands for any digit.
bool has_form(std::string_view text, std::string_view form) {
  const auto fits = [](char c, char wanted) {
    return wanted == '0' ? c >= '0' && c <= '9' : c == wanted;
  };
  return text.size() == form.size() && std::equal(text.begin(), text.end(), form.begin(), fits);
}

/// Returns the number of two or four digits, which has_form() has checked.
int digits(std::string_view text, std::size_t at, std::size_t count) {
  return plain_number<int>(text.substr(at, count)).value_or(0);
}

std::optional<std::int64_t> zone_offset_seconds(std::string_view zone) {
  if (zone == "Z" || zone == "z") return 0;
  if (!has_form(zone, "+00:00") && !has_form(zone, "-00:00")) return {};
  const int hours = digits(zone, 1, 2);
  const int minutes = digits(zone, 4, 2);
  if (hours > 23 || minutes > 59) return {};
  return (zone.front() == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/// Removes the fraction of a second at the start of `text` and returns it; 0 if there is none.
double take_fraction(std::string_view& text) {
  const bool has_fraction = text.size() > 1 && text[0] == '.' && text[1] >= '0' && text[1] <= '9';
  if (!has_fraction) return 0;
  const std::size_t size = std::min(text.find_first_not_of("0123456789", 1), text.size());
  const double out = plain_number<double>(text.substr(0, size)).value_or(0);
  text.remove_prefix(size);
  return out;
}

std::optional<std::int64_t> rfc3339(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  std::string start(text.substr(0, kForm.size()));
  constexpr std::size_t kSeparator = kForm.find('T');
  if (start.size() > kSeparator && (start[kSeparator] == 't' || start[kSeparator] == ' '))
    start[kSeparator] = 'T';
  if (!has_form(start, kForm)) return {};
  const std::chrono::year_month_day date{
      std::chrono::year(digits(start, 0, 4)),
      std::chrono::month(static_cast<unsigned>(digits(start, 5, 2))),
      std::chrono::day(static_cast<unsigned>(digits(start, 8, 2)))};
  const int hour = digits(start, 11, 2);
  const int minute = digits(start, 14, 2);
  const int second = digits(start, 17, 2);
  text.remove_prefix(kForm.size());
  const double fraction = take_fraction(text);
  const auto offset = zone_offset_seconds(text);
  // A leap second has the number 60.
  if (!date.ok() || hour > 23 || minute > 59 || second > 60 || !offset) return {};
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  const std::int64_t whole = days * 86400 + hour * 3600 + minute * 60 + second - *offset;
  return std::clamp(whole, -kMostSeconds, kMostSeconds) * kSecond +
         static_cast<std::int64_t>(fraction * static_cast<double>(kSecond));
}

// Writes `value` with `width` digits to `at`. printf would take a large part of the time of
// `slipway list` with many apps. Years have four digits, because 64 bits of nanoseconds end in
// 2262.
template <typename Value>
void put_digits(char* at, int width, Value value) {
  for (; width > 0; value /= 10) at[--width] = static_cast<char>('0' + value % 10);
}

}  // namespace

std::string time_text(std::int64_t ns) {
  // gmtime would read the time zone's file, which UTC does not need.
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::nanoseconds> time{chrono::nanoseconds(ns)};
  const auto midnight = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(midnight);
  const chrono::hh_mm_ss<chrono::milliseconds> clock(
      chrono::floor<chrono::milliseconds>(time - midnight));
  char text[] = "0000-00-00T00:00:00.000Z";
  put_digits(text, 4, static_cast<int>(date.year()));
  put_digits(text + 5, 2, static_cast<unsigned>(date.month()));
  put_digits(text + 8, 2, static_cast<unsigned>(date.day()));
  put_digits(text + 11, 2, clock.hours().count());
  put_digits(text + 14, 2, clock.minutes().count());
  put_digits(text + 17, 2, clock.seconds().count());
  put_digits(text + 20, 3, clock.subseconds().count());
  return text;
}

std::int64_t parse_time(std::string_view text, std::int64_t now_ns) {
  std::optional<std::int64_t> out;
  if (!text.empty() && text.front() == '@') {
    out = to_nanoseconds(number(text.substr(1)));
  } else if (!text.empty() && unit_seconds(text.back())) {
    const auto count = number(text.substr(0, text.size() - 1));
    if (count && *count >= 0) out = to_nanoseconds(*count * *unit_seconds(text.back()));
    if (out) out = now_ns - *out;
  }
  if (!out) out = rfc3339(text);
  if (!out) {
    throw Error(Code::kUsage, "\"" + std::string(text) + "\" is not a time",
                "use 2026-03-01T12:00:00Z, a duration such as 10m or 2h, or @SECONDS since 1970");
  }
  return *out;
}

std::string local_time_text(std::int64_t ns) {
  const auto seconds = static_cast<std::time_t>(
      std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(ns)).count());
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr || local.tm_gmtoff == 0) return time_text(ns);
  std::string out = time_text(ns + local.tm_gmtoff * kSecond);
  const long minutes = std::labs(local.tm_gmtoff) / 60;
  char offset[] = "+00:00";
  offset[0] = local.tm_gmtoff < 0 ? '-' : '+';
  put_digits(offset + 1, 2, minutes / 60);
  put_digits(offset + 4, 2, minutes % 60);
  out.pop_back();
  return out + offset;
}

TimeNs parse_bound(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return parse_time(text, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace slipway::logs
