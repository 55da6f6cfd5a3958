// The rules about names that clusters refuse or change: check_names() of app_rules.hpp.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/lint/app_rules.hpp"
#include "core/lint/rules.hpp"
#include "core/spec/name_rule.hpp"
#include "slipway/names.hpp"

namespace slipway::lint {
namespace {

constexpr std::size_t kMostLabelBytes = 63;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool is_portable(char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; }

// Returns why a cluster scheduler would refuse the name, or an empty text. The scheduler appends
// `added` bytes to the name.
std::string portability_fault(std::string_view name, std::size_t added) {
  if (!std::all_of(name.begin(), name.end(), is_portable))
    return "has characters other than letters, digits, '-', '_' and '.'";
  if (!is_alphanumeric(name.front())) return "does not start with a letter or digit";
  if (!is_alphanumeric(name.back())) return "does not end with a letter or digit";
  if (name.size() + added > kMostLabelBytes) {
    return "is too long, " + std::to_string(name.size()) + " bytes of at most " +
           std::to_string(kMostLabelBytes - added);
  }
  return {};
}

// Returns the number of bytes of a dash and the number of the role's last replica.
std::size_t number_bytes(const Role& role) {
  return 1 + std::to_string(std::max(role.num_replicas - 1, 0)).size();
}

void check_name(const std::string& name, std::size_t added, spec::Mark at,
                const spec::KeyPath& path, spec::FieldReader& report) {
  if (name.empty() || report.failed(path)) return;
  const std::string why = portability_fault(name, added);
  if (why.empty()) return;
  report.warning(at, path, "the name " + spec::quoted(name) + ' ' + why,
                 "cluster schedulers refuse it", rule::kUnportableName);
}

}  // namespace

void check_names(const spec::AppFile& file, spec::FieldReader& report) {
  const spec::KeyPath root;
  check_name(file.app.name, spec::kIdSuffixBytes, file.places.at("name"),
             spec::KeyPath(root, std::string_view("name")), report);
  const spec::KeyPath roles(root, std::string_view("roles"));
  std::unordered_map<std::string, std::size_t> role_by_normalized_name;
  for (std::size_t i = 0; i < file.app.roles.size(); ++i) {
    const Role& role = file.app.roles[i];
    const spec::KeyPath path(roles, i);
    const spec::KeyPath name(path, std::string_view("name"));
    const spec::Mark at = file.marks[i].at("name");
    check_name(role.name, number_bytes(role), at, name, report);
    const auto [first, is_new] = role_by_normalized_name.emplace(normalize_str(role.name), i);
    const std::string& other = file.app.roles[first->second].name;
    // validate() reports roles without a name, and roles with the same name.
    if (is_new || role.name.empty() || other == role.name) continue;
    report.warning(at, name,
                   "the roles " + spec::quoted(other) + " and " + spec::quoted(role.name) +
                       " get the same name on clusters that keep only lower case, digits and '-'",
                   "rename one of them", rule::kNameCollision);
  }
}

}  // namespace slipway::lint
