#include <utility>

#include "core/lint/role_rules.hpp"

namespace slipway::lint {
bool RoleContext::written(std::string_view field) const {
  return !failed(field) && marks.find(field) != nullptr;
}

bool RoleContext::failed(std::string_view field) const {
  return report.failed(spec::KeyPath(path, field));
}

void RoleContext::warn(std::string_view rule, std::string_view field, std::string message,
                       std::string hint) const {
  report.warning(marks.at(field), spec::KeyPath(path, field), std::move(message), std::move(hint),
                 rule);
}

void RoleContext::warn_item(std::string_view rule, std::string_view field, std::size_t index,
                            std::string message, std::string hint) const {
  const spec::KeyPath list(path, field);
  report.warning(marks.item(field, index), spec::KeyPath(list, index), std::move(message),
                 std::move(hint), rule);
}

void RoleContext::warn_entry(std::string_view rule, std::string_view field, std::string_view key,
                             std::size_t index, std::string message, std::string hint) const {
  const spec::KeyPath table(path, field);
  report.warning(marks.item(field, index), spec::KeyPath(table, key), std::move(message),
                 std::move(hint), rule);
}

}  // namespace slipway::lint
