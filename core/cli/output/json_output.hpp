// The JSON documents that commands print, as core/docs/cli.md promises them to scripts.
#pragma once

#include <boost/json.hpp>

#include "core/runner/runner.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// Returns the document of `status`. It has every key that cli.md lists; an unknown value is null.
boost::json::object status_json(const AppStatus& status);
/// Adds `cpu_seconds` and `max_rss_bytes`, null where they are not known.
void add_use(const ResourceUse& use, boost::json::object& out);
/// Returns a row of `list`. An item that names no session gets `session`.
boost::json::object list_item_json(const std::string& scheduler, const ListItem& item,
                                   const std::string& session);
/// Returns `{"error":{"code","message","hint","where","details"}}`. The error of an invalid file
/// also has all its `problems`.
boost::json::object error_json(const Error& error);
/// Returns `{"file","line","column","severity","key","message","hint"}`.
boost::json::object problem_json(const spec::Problem& problem);
/// Returns the document of `help`.
boost::json::object help_json(const std::string& name, const std::string& text);
/// Returns the text, or null if it is empty.
boost::json::value text_or_null(const std::string& text);
/// Returns the time in UTC, or null if it is unknown.
boost::json::value time_json(TimeNs time);

/// Writes the document of the command and a newline to standard output. Does nothing if the command
/// has written its document, because an error after that must not add another one.
void write_json(const boost::json::value& document);

}  // namespace slipway::cli
