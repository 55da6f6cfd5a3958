#include "plugins/local/scheduler/role_order.hpp"

#include <boost/json.hpp>
#include <string>

#include "slipway/error.hpp"

namespace slipway::local {

namespace {

namespace json = boost::json;

constexpr std::string_view kPrefix = "local.";
constexpr std::string_view kDependsOn = "local.depends_on";

[[noreturn]] void refuse(const Role& role, const std::string& why, const std::string& hint) {
  throw Error(Code::kInvalid, std::string(kDependsOn) + ": " + why, hint, role.name);
}

/// The role's `local.` keys, those of a nested table as if they were written flat.
json::object local_keys(const Role& role) {
  json::object out;
  if (role.metadata_json.empty()) return out;
  boost::system::error_code error;
  const json::value all = json::parse(role.metadata_json, error);
  if (error || !all.is_object()) return out;
  for (const auto& [key, value] : all.get_object()) {
    const std::string_view name(key.data(), key.size());
    if (name.substr(0, kPrefix.size()) == kPrefix) out[key] = value;
    if (name != "local" || !value.is_object()) continue;
    for (const auto& [inner, what] : value.get_object())
      out[std::string(kPrefix) + std::string(inner)] = what;
  }
  return out;
}

std::size_t position(const AppDef& app, std::string_view name) {
  std::size_t at = 0;
  while (at < app.roles.size() && app.roles[at].name != name) ++at;
  return at;
}

Dependency read_one(const AppDef& app, const Role& role, const std::string& on,
                    const json::value& when) {
  if (position(app, on) == app.roles.size()) {
    std::string known;
    for (const Role& one : app.roles) known += (known.empty() ? "" : ", ") + one.name;
    refuse(role, "there is no role '" + on + "'", "the app's roles are " + known);
  }
  if (on == role.name) refuse(role, "the role waits for itself", "take it out");
  const bool started = when.is_string() && when.get_string() == "started";
  const bool succeeded = when.is_string() && when.get_string() == "succeeded";
  if (!started && !succeeded) {
    refuse(role, "'" + on + "' is to be " + json::serialize(when),
           "a role can wait until another has \"started\" or has \"succeeded\"");
  }
  return {on, succeeded ? Dependency::Until::kSucceeded : Dependency::Until::kStarted};
}

/// Depth first; a role that is met again on the way to it closes a circle.
class CircleSearch {
 public:
  CircleSearch(const AppDef& app, const std::vector<std::vector<Dependency>>& order)
      : app_(app), order_(order), seen_(order.size(), false) {}

  void visit(std::size_t role) {
    for (std::size_t i = 0; i < path_.size(); ++i) {
      if (path_[i] != role) continue;
      std::string circle;
      for (; i < path_.size(); ++i) circle += app_.roles[path_[i]].name + " -> ";
      refuse(app_.roles[role], "roles wait for each other: " + circle + app_.roles[role].name,
             "take one of them out");
    }
    if (seen_[role]) return;
    seen_[role] = true;
    path_.push_back(role);
    for (const Dependency& one : order_[role]) visit(position(app_, one.role));
    path_.pop_back();
  }

 private:
  const AppDef& app_;
  const std::vector<std::vector<Dependency>>& order_;
  std::vector<bool> seen_;
  std::vector<std::size_t> path_;
};

}  // namespace

std::vector<std::vector<Dependency>> role_order(const AppDef& app,
                                                const Scheduler::OnFinding& on_finding) {
  std::vector<std::vector<Dependency>> out(app.roles.size());
  for (std::size_t i = 0; i < app.roles.size(); ++i) {
    const Role& role = app.roles[i];
    for (const auto& [key, value] : local_keys(role)) {
      const std::string name(key);
      if (name != kDependsOn) {
        on_finding({Finding::Kind::kIgnored, role.name, "metadata",
                    name + " is not known; " + std::string(kDependsOn) + " is"});
        continue;
      }
      if (!value.is_object()) {
        refuse(role, "it is no table of roles",
               "write { \"" + name + "\" = { OTHER_ROLE = \"started\" } }");
      }
      for (const auto& [on, when] : value.get_object())
        out[i].push_back(read_one(app, role, std::string(on), when));
    }
  }
  CircleSearch search(app, out);
  for (std::size_t i = 0; i < out.size(); ++i) search.visit(i);
  return out;
}

}  // namespace slipway::local
