// A number of CPUs, to a thousandth.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace slipway {
inline namespace sdk_1_0 {

/// The number of CPUs of a resource, such as 2 or 0.5; -1 means "not set". TorchX declares whole
/// numbers; container engines and cgroups also take parts of a CPU.
class CpuCount {
 public:
  constexpr CpuCount(std::int32_t cpus = -1)  // NOLINT(*-explicit-*): for `cpu = 2`
      : milli_(std::int64_t{cpus} * kMilli) {}
  /// Returns `milli` thousandths of a CPU.
  static constexpr CpuCount of_milli(std::int64_t milli) {
    CpuCount out;
    out.milli_ = milli;
    return out;
  }
  /// Returns `cpus` to the thousandth. Returns nullopt if it is negative, has more than three
  /// decimals, or is larger than the largest std::int32_t.
  static std::optional<CpuCount> of(double cpus) {
    const double milli = cpus * kMilli;
    const double nearest = std::round(milli);
    // Written so that it is also true for NaN.
    if (!(cpus >= 0 && cpus <= std::numeric_limits<std::int32_t>::max())) return std::nullopt;
    // The product of a number with three decimals and 1000 is an integer, except for rounding.
    constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
    if (std::abs(milli - nearest) > kRounding * milli) return std::nullopt;
    return of_milli(static_cast<std::int64_t>(nearest));
  }

  /// Returns whether the number is not -1.
  constexpr bool is_set() const { return milli_ != -kMilli; }
  /// Returns whether the number is not set or at least 0.
  constexpr bool is_valid() const { return !is_set() || milli_ >= 0; }
  /// Returns thousandths of a CPU; -1000 if the number is not set.
  constexpr std::int64_t milli() const { return milli_; }
  /// Returns whether the number has no fraction.
  constexpr bool is_whole() const { return milli_ % kMilli == 0; }
  /// Returns the number for engines that count whole CPUs: rounded up, or -1 if it is not set.
  constexpr std::int32_t whole() const {
    return static_cast<std::int32_t>(milli_ / kMilli + (milli_ % kMilli > 0 ? 1 : 0));
  }

  friend constexpr bool operator==(CpuCount a, CpuCount b) { return a.milli_ == b.milli_; }
  friend constexpr bool operator!=(CpuCount a, CpuCount b) { return a.milli_ != b.milli_; }

 private:
  static constexpr std::int64_t kMilli = 1000;
  std::int64_t milli_;
};

/// Returns the number in decimal, without zeros at the end of the fraction: "20", "0.25"; "-1" if
/// it is not set.
inline std::string to_string(CpuCount cpus) {
  const std::int64_t milli = cpus.milli();
  if (cpus.is_whole()) return std::to_string(milli / 1000);
  std::string fraction = std::to_string(milli % 1000 + 1000).substr(1);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return std::to_string(milli / 1000) + "." + fraction;
}

}  // namespace sdk_1_0
}  // namespace slipway
