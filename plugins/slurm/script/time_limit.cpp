#include "plugins/slurm/script/time_limit.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "sdk/support/ascii_case.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/role_keys.hpp"

namespace slipway::slurm {
namespace {

constexpr std::int64_t kSecondsPerMinute = 60;
constexpr std::int64_t kSecondsPerHour = 60 * kSecondsPerMinute;
constexpr std::int64_t kSecondsPerDay = 24 * kSecondsPerHour;

/// Returns the numbers between the colons of `text`; empty if one is missing or too large.
std::vector<std::int64_t> fields_of(std::string_view text) {
  std::vector<std::int64_t> out;
  while (true) {
    const std::size_t colon = text.find(':');
    const auto field = plain_number<std::uint32_t>(text.substr(0, colon));
    if (!field) return {};
    out.push_back(*field);
    if (colon == std::string_view::npos) return out;
    text.remove_prefix(colon + 1);
  }
}

std::string time_text(std::int64_t seconds) {
  char out[64];
  std::snprintf(out, sizeof out, "%02d:%02d:%02d",
                static_cast<int>(seconds % kSecondsPerDay / kSecondsPerHour),
                static_cast<int>(seconds % kSecondsPerHour / kSecondsPerMinute),
                static_cast<int>(seconds % kSecondsPerMinute));
  const std::int64_t days = seconds / kSecondsPerDay;
  return days == 0 ? out : std::to_string(days) + "-" + out;
}

/// Returns the seconds in a text of the forms that `sbatch --time` accepts: minutes, MM:SS,
/// HH:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS. Returns nullopt for other texts.
std::optional<std::int64_t> seconds_of_time(std::string_view text) {
  std::int64_t total = 0;
  std::vector<std::int64_t> units = {kSecondsPerMinute};
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto days = plain_number<std::uint32_t>(text.substr(0, dash));
    if (!days) return std::nullopt;
    total = *days * kSecondsPerDay;
    text.remove_prefix(dash + 1);
    units = {kSecondsPerHour, kSecondsPerMinute, 1};
  }
  const std::vector<std::int64_t> fields = fields_of(text);
  if (dash == std::string_view::npos && fields.size() == 2) units = {kSecondsPerMinute, 1};
  if (dash == std::string_view::npos && fields.size() == 3)
    units = {kSecondsPerHour, kSecondsPerMinute, 1};
  if (fields.empty() || fields.size() > units.size()) return std::nullopt;
  for (std::size_t i = 0; i < fields.size(); ++i) total += fields[i] * units[i];
  return total;
}

/// Returns whether sbatch understands the text as no limit.
bool lifts_the_limit(const std::string& time) {
  const std::string word = lower_case(time);
  return word == "unlimited" || word == "infinite" || word == "-1" || seconds_of_time(time) == 0;
}

}  // namespace

std::optional<std::string> time_limit(const Role& role, const std::optional<std::string>& time) {
  const boost::json::object metadata = metadata_of(role);
  const boost::json::value* const own = metadata.if_contains("slipway.timeout_s");
  const double seconds = own != nullptr && own->is_number() ? own->to_number<double>() : 0;
  if (seconds <= 0) return time;
  const std::int64_t wanted = std::llround(std::ceil(seconds));
  if (!time || lifts_the_limit(*time)) return time_text(wanted);
  const std::optional<std::int64_t> given = seconds_of_time(*time);
  return given && wanted < *given ? time_text(wanted) : *time;
}

}  // namespace slipway::slurm
