// Converts named devices to device mounts.

#include "slipway/device_mounts.hpp"

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/vector_app.hpp"

namespace slipway::vectors {

json::value run_device_mounts(VectorCase& one, Bench&) {
  IntDict devices;
  for (const auto& entry : member(one.input, "devices").as_object())
    set(devices, entry.key(), entry.value().to_number<std::int64_t>());
  StrList unknown;
  json::array out;
  for (const Mount& mount : device_mounts(devices, unknown)) out.push_back(json_of(mount));
  return out;
}

}  // namespace slipway::vectors
