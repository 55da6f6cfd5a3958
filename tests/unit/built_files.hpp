// Where the files are that the build has made for the tests. One source file knows the paths, so that all others
// compile to the same in every clone.
#pragma once

#include <string>

namespace slipway::test {

/// The built tree, which has the layout of an installed one.
std::string built_tree();

/// The manifest of the test plug-in `name`.
std::string test_plugin(const std::string& name);

/// The library of the broken plug-in `name`, see tests/bad_plugins.
std::string bad_plugin(const std::string& name);

}  // namespace slipway::test
