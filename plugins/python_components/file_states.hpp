// Tells whether files and directories have changed since Python looked at them.
#pragma once

#include <boost/json.hpp>

namespace slipway::python {

/// Returns whether the paths in `states` still have the states that `dependencies.py` noted:
/// [mtime in ns, ctime in ns, size, inode], or null for a missing path. False for other shapes.
bool are_unchanged(const boost::json::object& states);

}  // namespace slipway::python
