// What replicas were given of this machine, in small text files of the app's record: `ports.txt`,
// written when the app is launched, and `gpus.txt`, written when its lease begins.
//
// One line per replica that has any: `<record index> <text>`, and last `crc32 <8 hex digits>` over
// all the others. Readers of the app's state read them; the supervisor reads gpus.txt to give a
// replica the same again.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "plugins/local/engine/plan.hpp"

namespace slipway::local {

inline constexpr char kPortsName[] = "ports.txt";
inline constexpr char kGpusName[] = "gpus.txt";

/// By index of the replica's record.
using Granted = std::map<std::uint32_t, std::string>;

/// The ports of all replicas of a plan as JSON objects (`{"http":8080}`); empty when none has any.
Granted granted_ports(const LaunchPlan& plan);

/// Writes `name` in one step (an older one is replaced). False with errno set.
bool write_granted(int dir_fd, const char* name, const Granted& granted);

/// Reads `name` into `out`. False with errno set when there is no such file, or it is damaged
/// (EBADMSG).
bool read_granted(int dir_fd, const char* name, Granted& out);

}  // namespace slipway::local
