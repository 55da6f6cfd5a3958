// The requests of one provider to Python, with its settings and the answers that it keeps.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "plugins/python_components/component_cache.hpp"
#include "plugins/python_components/component_json.hpp"
#include "plugins/python_components/python_call.hpp"

namespace slipway::python {

class PythonRequests {
 public:
  /// `host` must outlive the object. `config_json` has the settings of the plug-in, or is empty.
  /// Throws Error kConfig for an unknown setting or an invalid value.
  PythonRequests(const Host& host, const std::string& config_json);

  /// Runs one request; see ask_python(), also for `subject`.
  boost::json::object ask(const Call& call, boost::json::object request,
                          const std::string& subject) const;

  /// Runs one request, or returns the kept answer to an equal one. Keeps an answer with the key
  /// `depends` until one of the files or directories that this key names changes. For requests
  /// about modules and the project.
  boost::json::object ask_once(const Call& call, boost::json::object request,
                               const std::string& subject) const;

  /// Returns the components of the source file at `path`, whose content is `content`.
  std::vector<PythonComponent> components_of(const std::string& path, const std::string& content,
                                             const std::string& subject, const Call& call) const;

 private:
  const Host& host_;
  PythonSettings settings_;
  ComponentCache cache_;
};

}  // namespace slipway::python
