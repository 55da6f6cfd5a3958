#include <algorithm>
#include <utility>

#include "core/lint/role_rules.hpp"

namespace slipway::lint {
namespace {

spec::Mark at(const std::vector<spec::Mark>& marks, std::size_t index) {
  return index < marks.size() ? marks[index] : spec::Mark{};
}

}  // namespace

bool RoleContext::written(std::string_view field) const {
  return !failed(field) && std::any_of(marks.fields.begin(), marks.fields.end(),
                                       [&](const auto& entry) { return entry.first == field; });
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
                            const std::vector<spec::Mark>& places, std::string message,
                            std::string hint) const {
  const spec::KeyPath list(path, field);
  report.warning(at(places, index), spec::KeyPath(list, index), std::move(message), std::move(hint),
                 rule);
}

void RoleContext::warn_entry(std::string_view rule, std::string_view field, std::string_view key,
                             std::size_t index, const std::vector<spec::Mark>& places,
                             std::string message, std::string hint) const {
  const spec::KeyPath table(path, field);
  report.warning(at(places, index), spec::KeyPath(table, key), std::move(message), std::move(hint),
                 rule);
}

}  // namespace slipway::lint
