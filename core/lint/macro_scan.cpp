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
    const std::size_t end = from + name.size();
    const bool closed = !braced || text.substr(end, 1) == "}";
    if (!name.empty()) {
      const std::size_t brace = braced ? text.find('}', end) : std::string_view::npos;
      const std::size_t last = brace == std::string_view::npos ? end : brace + 1;
      found.push_back({name, text.substr(at, last - at), braced, closed});
    }
    at = end;
  }
  return found;
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
