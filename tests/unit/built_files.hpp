// Paths of files that the build creates for the tests. Only one source file knows them, so that all
// others compile to the same objects in every clone.
#pragma once

#include <string>

namespace slipway::test {

/// Returns the built tree, which has the layout of an installed one.
std::string built_tree();

/// Returns the manifest of the test plug-in `name`.
std::string test_plugin(const std::string& name);

/// Returns the library of the broken plug-in `name`, see tests/bad_plugins.
std::string bad_plugin(const std::string& name);

}  // namespace slipway::test
