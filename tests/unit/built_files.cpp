#include "tests/unit/built_files.hpp"

namespace slipway::test {

std::string built_tree() { return SLIPWAY_TEST_TREE; }

std::string test_plugin(const std::string& name) {
  return std::string(SLIPWAY_TEST_PLUGINS "/") + name + ".toml";
}

std::string bad_plugin(const std::string& name) {
  return std::string(SLIPWAY_BAD_PLUGINS "/") + name + ".so";
}

}  // namespace slipway::test
