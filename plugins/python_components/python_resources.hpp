// The provider `python_distributions`: named resources that installed distributions advertise.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/python_components/python_requests.hpp"
#include "slipway/named_resources.hpp"

namespace slipway::python {

/// The resources are functions of distributions: their entry points `torchx.named_resources`. On a
/// machine without Python there are none. The host asks only for names that no manifest lists, so
/// most commands start no Python process.
class PythonResources : public NamedResources {
 public:
  PythonResources(Host host, CreateArgs args)
      : NamedResources(host, std::move(args)), requests_(this->host(), this->args().config_json) {}

  Dict<Resource> list(const Call& call) override;
  std::optional<Resource> get(std::string_view name, const Call& call) override;

 private:
  Dict<Resource> ask(const Call& call, boost::json::object request,
                     const std::string& subject) const;

  PythonRequests requests_;
};

}  // namespace slipway::python
