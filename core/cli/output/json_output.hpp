// The JSON documents of the command line's contract.
#pragma once

#include <boost/json.hpp>

#include "core/runner/runner.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// `status`: every key of the contract, null where there is nothing.
boost::json::object status_json(const AppStatus& status);
/// A row of `list`.
boost::json::object list_item_json(const std::string& scheduler, const ListItem& item,
                                   const std::string& session);
/// `{"error":{"code","message","hint","where"}}`; of an app that is wrong, with all its `problems`.
boost::json::object error_json(const Error& error);
/// `{"file","line","column","severity","key","message","hint"}`.
boost::json::object problem_json(const spec::Problem& problem);
/// `{"file","line","column","severity","key","message","hint"}`.
boost::json::object problem_json(const spec::Problem& problem);
/// A run option's value.
boost::json::value value_json(const Value& value);
boost::json::value time_json(TimeNs time);
/// The text, or null when it is empty.
boost::json::value text_or_null(const std::string& text);

/// One document and a newline on standard output.
void write_json(const boost::json::value& document);

}  // namespace slipway::cli
