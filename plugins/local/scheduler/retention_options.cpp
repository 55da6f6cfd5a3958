#include "plugins/local/scheduler/retention_options.hpp"

#include <cmath>
#include <variant>

#include "slipway/error.hpp"

namespace slipway::local {

namespace {

constexpr std::int64_t kDefaultApps = 100;
constexpr double kMostDays = 36'500;
constexpr double kDayMs = 24.0 * 3600 * 1000;

}  // namespace

RunOpts retention_options() {
  return {
      {"cache_size", ValueType::kInt,
       "how many finished apps are remembered; older ones are deleted", false, kDefaultApps},
      {"keep_apps", ValueType::kInt,
       "the same as cache_size, which is TorchX's name; this one counts where both are given",
       false, std::monostate{}},
      {"keep_days", ValueType::kFloat,
       "how many days a finished app is remembered; older ones are deleted when the next app "
       "starts, however few they are",
       false, std::monostate{}},
  };
}

Retention read_retention(const Cfg& cfg) {
  const std::int64_t cached = cfg.integer("cache_size", kDefaultApps);
  if (cached < 0) throw Error(Code::kInvalid, "run option cache_size must not be negative");
  const std::int64_t apps = cfg.integer("keep_apps", cached);
  if (apps < 0) throw Error(Code::kInvalid, "run option keep_apps must not be negative");
  Retention out;
  out.apps = static_cast<std::size_t>(apps);
  const Value* given = cfg.find("keep_days");
  if (given == nullptr || !std::holds_alternative<double>(*given)) return out;
  const double days = std::get<double>(*given);
  if (!(days >= 0 && days <= kMostDays))
    throw Error(Code::kInvalid, "run option keep_days must be between 0 and 36500");
  out.age_ms = static_cast<std::int64_t>(std::llround(days * kDayMs));
  return out;
}

}  // namespace slipway::local
