// The entry point that all unit test programs share.
#define BOOST_TEST_MODULE slipway
#include <stdlib.h>

#include <boost/test/unit_test.hpp>

namespace slipway::test {
namespace {

/// Hides the plug-ins, resources and configuration of the user from all tests.
struct NoUserConfiguration {
  NoUserConfiguration() {
    ::setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    for (const char* name : {"SLIPWAY_PLUGIN_PATH", "SLIPWAY_NO_PLUGINS"}) ::unsetenv(name);
  }
};

BOOST_TEST_GLOBAL_FIXTURE(NoUserConfiguration);

}  // namespace
}  // namespace slipway::test
