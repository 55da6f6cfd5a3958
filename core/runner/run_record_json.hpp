// Writes and reads run records as JSON.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "slipway/options.hpp"
#include "slipway/run_record.hpp"

namespace slipway {

/// Returns the value as JSON; kNone becomes null.
boost::json::value value_json(const Value& value);

/// Returns `{"slipway_version","plugins":[{"id","version","sha256"}],"host","directory",
/// "command_line":[],"options":[{"name","value","origin"}],"environment":[],"labels":{},
/// "git":{"revision","dirty"},"workspace":{"provider","source","image","option",
/// "other_images":[]}}`. `sha256`, `git`, `dirty`, `workspace` and `option` are null if the record
/// does not have them.
boost::json::object run_record_json(const RunRecord& record);

/// Returns the text for a file: the object of run_record_json() with a further last key, the
/// checksum of all bytes before that key. A string that is not UTF-8, such as a path, becomes an
/// object with its bytes, and a dictionary with such a key an object with an array of its entries.
std::string stored_run_record(const RunRecord& record);

/// Reads a text of stored_run_record(). Accepts a text without a checksum, as earlier versions
/// wrote it. Ignores unknown keys. Throws Error kInvalid for other texts.
RunRecord parse_run_record(const std::string& text);

}  // namespace slipway
