#include "plugins/archive_image/settings.hpp"

#include <boost/json.hpp>
#include <string>

#include "sdk/support/json_value_text.hpp"
#include "slipway/error.hpp"

namespace slipway::archive_image {

namespace {

namespace json = boost::json;

constexpr const char* kKnownKeysHint =
    "known: keep_days, max_entries, max_path_bytes, max_ratio, max_unpacked_mib, outside_links; "
    "the settings are in the plug-in's manifest, or under [plugins.\"org.slipway.archive_image\"] "
    "in a configuration file";

[[noreturn]] void refuse_setting(const std::string& key, const std::string& what) {
  throw Error(Code::kConfig, "the configuration of the image provider archive: " + key + " " + what,
              kKnownKeysHint);
}

std::uint64_t number(const std::string& key, const json::value& value, std::int64_t least,
                     std::int64_t most) {
  const auto* given = value.if_int64();
  if (given == nullptr || *given < least || *given > most) {
    refuse_setting(key, "must be a whole number from " + std::to_string(least) + " to " +
                            std::to_string(most) + ", not " + json_value_text(value));
  }
  return static_cast<std::uint64_t>(*given);
}

}  // namespace

Settings read_settings(std::string_view config_json) {
  Settings out;
  if (config_json.empty()) return out;
  boost::system::error_code error;
  const json::value document = json::parse(config_json, error);
  if (error || !document.is_object()) refuse_setting("it", "is not a JSON object");
  constexpr std::int64_t kMost = 1'000'000'000;  // even in MiB, far from the limit of 64 bits
  for (const auto& [name, value] : document.get_object()) {
    const std::string key(name);
    if (key == "keep_days") {
      out.keep_days = number(key, value, 0, 36'500);  // 100 years
    } else if (key == "max_unpacked_mib") {
      out.limits.max_unpacked_bytes = number(key, value, 1, kMost) << 20;
    } else if (key == "max_entries") {
      out.limits.max_entries = number(key, value, 1, kMost);
    } else if (key == "max_ratio") {
      out.limits.max_ratio = number(key, value, 1, kMost);
    } else if (key == "max_path_bytes") {
      out.limits.max_path_bytes = number(key, value, 1, 4000);  // PATH_MAX is 4096
    } else if (key == "outside_links") {
      if (!value.is_bool())
        refuse_setting(key, "must be true or false, not " + json_value_text(value));
      out.limits.outside_links = value.get_bool();
    } else {
      refuse_setting(key, "is unknown");
    }
  }
  return out;
}

}  // namespace slipway::archive_image
