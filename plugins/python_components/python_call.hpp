// Runs one request in a Python process: the bridge between the plug-in and its Python package.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <string>

#include "slipway/dict.hpp"
#include "slipway/host.hpp"

namespace slipway::python {

struct PythonSettings {
  std::chrono::seconds time_limit{60};  ///< for one request
  bool isolated = false;  ///< Python ignores the packages in the user's home directory
};

/// Returns the Python program to start: SLIPWAY_PYTHON, that of the active virtual environment, or
/// `python3` on PATH.
std::string interpreter();

/// Returns the values that decide where Python finds modules: the working directory, and the
/// variables and settings that select the interpreter and its path. An answer about modules is kept
/// for equal values of these only.
boost::json::object module_search_inputs(const PythonSettings& settings);

/// Returns the directory of the cache, or an empty text if neither XDG_CACHE_HOME nor HOME says
/// where it is.
std::string cache_directory();

/// Runs one request in a Python process and returns its answer. Reports what the process prints as
/// messages of the host, and answers its questions about named resources. `request` has the key
/// `op`; `subject` names the component, or what else the request is about, in messages.
///
/// Throws the Error that the process reports, and what PythonChannel throws. Throws kPrecondition
/// without Python, kTimeout after the time limit (that of the settings, or of the call if it ends
/// sooner), kCancelled if the host cancels the call, and kInvalid if the process ends without an
/// answer or prints more than 64 MiB on standard output or standard error.
boost::json::object ask_python(const Host& host, const Call& call, const PythonSettings& settings,
                               boost::json::object request, const std::string& subject);

}  // namespace slipway::python
