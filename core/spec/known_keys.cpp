#include "core/spec/known_keys.hpp"

namespace slipway::spec {

const std::vector<std::string_view>& app_keys() {
  static const std::vector<std::string_view> keys = {"name", "roles", "metadata"};
  return keys;
}

const std::vector<std::string_view>& role_keys() {
  static const std::vector<std::string_view> keys = {
      "name",     "image",        "base_image",   "entrypoint",  "args",
      "env",      "num_replicas", "min_replicas", "max_retries", "retry_policy",
      "resource", "port_map",     "metadata",     "mounts",      "deployment_preference"};
  return keys;
}

const std::vector<std::string_view>& mount_keys() {
  static const std::vector<std::string_view> keys = {"type", "src_path",  "src",        "dst_path",
                                                     "dst",  "read_only", "permissions"};
  return keys;
}

}  // namespace slipway::spec
