#include "core/runner/workspace_url.hpp"

#include <cstddef>

#include "sdk/support/percent_text.hpp"
#include "slipway/error.hpp"

namespace slipway {

std::string workspace_url(const std::string& form, const std::string& path,
                          const std::string& image, const RunOpts& declared, const Cfg& cfg) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t start = 0; (start = form.find("${", at)) != std::string::npos;) {
    const std::size_t end = form.find('}', start);
    if (end == std::string::npos) break;
    out.append(form, at, start - at);
    const std::string name = form.substr(start + 2, end - start - 2);
    if (name == "dir") {
      out += path;
    } else if (name == "image") {
      out += percent_encoded(image);
    } else if (declared.get(name) != nullptr) {
      out += percent_encoded(cfg.text(name));
    } else {
      throw Error(Code::kConfig,
                  "the scheduler's manifest has the workspace " + form +
                      ", and the scheduler has no run option " + name,
                  "correct the manifest of its plug-in");
    }
    at = end + 1;
  }
  return out + form.substr(at);
}

}  // namespace slipway
