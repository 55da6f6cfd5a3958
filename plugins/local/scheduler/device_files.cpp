#include "plugins/local/scheduler/device_files.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <string>

#include "slipway/hosted_devices.hpp"

namespace slipway::local {

namespace {

/// As many as a person reads.
std::string joined(const StrList& names) {
  constexpr std::size_t kShown = 4;
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i)
    out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kShown) out += " and " + std::to_string(names.size() - kShown) + " more";
  return out;
}

bool is_there(const std::string& path) {
  struct stat st {};
  return ::stat(path.c_str(), &st) == 0;
}

}  // namespace

void tell_devices(const Role& role, const Host& host, const Call& call,
                  const Scheduler::OnFinding& on_finding) {
  if (!on_finding || role.resource.devices.empty()) return;
  StrList unknown;
  StrList there;
  StrList gone;
  for (const Mount& device : device_mounts(host, role.resource.devices, call, unknown))
    (is_there(device.src) ? there : gone).push_back(device.src);
  const auto tell = [&](std::string why) {
    on_finding({Finding::Kind::kIgnored, role.name, "resource.devices", std::move(why)});
  };
  if (!gone.empty()) tell("not on this machine: " + joined(gone));
  if (!unknown.empty()) {
    tell("nothing says which files these are: " + joined(unknown) +
         "; [devices.\"NAME\"] of a manifest does");
  }
  if (!there.empty())
    tell("shared, not reserved, on this machine, where every replica sees " + joined(there));
}

}  // namespace slipway::local
