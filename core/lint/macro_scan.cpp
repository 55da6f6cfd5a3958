#include "core/lint/macro_scan.hpp"

#include <algorithm>

#include "slipway/macros.hpp"

namespace slipway::lint {

std::vector<DollarName> scan_dollar_names(std::string_view text) {
  std::vector<DollarName> found;
  for (std::size_t at = text.find('$'); at < text.size(); at = text.find('$', at)) {
    if (text.substr(at + 1, 1) == "$") {
      at += 2;
      continue;
    }
    const bool braced = text.substr(at + 1, 1) == "{";
    const std::size_t from = at + (braced ? 2 : 1);
    const std::string_view name = slipway::detail::name_at(text, from);
    at = from + name.size();
    if (!name.empty()) found.push_back({name, braced, !braced || text.substr(at, 1) == "}"});
  }
  return found;
}

std::string to_string(const DollarName& use) {
  const std::string name(use.name);
  return use.braced ? "${" + name + (use.closed ? "}" : "") : "$" + name;
}

const std::vector<std::string_view>& macro_names() {
  static const std::vector<std::string_view> names = {"img_root", "app_id", "replica_id",
                                                      "rank0_env", "base_img_root"};
  return names;
}

bool is_macro(std::string_view name) {
  return std::find(macro_names().begin(), macro_names().end(), name) != macro_names().end();
}

}  // namespace slipway::lint
