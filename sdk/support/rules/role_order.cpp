#include "sdk/support/rules/role_order.hpp"

#include <boost/json.hpp>
#include <string>

#include "sdk/support/joined.hpp"
#include "sdk/support/json_value_text.hpp"
#include "sdk/support/rules/ready_probe.hpp"
#include "sdk/support/rules/role_metadata.hpp"
#include "sdk/support/service_role.hpp"
#include "slipway/error.hpp"

namespace slipway::rules {

namespace {

namespace json = boost::json;

[[noreturn]] void refuse_order(const Role& role, const std::string& why, const std::string& hint) {
  const json::object keys = local_keys(role);
  throw Error(Code::kInvalid, std::string(depends_on_in(keys)->key()) + ": " + why, hint,
              role.name);
}

/// Returns the index of the role, or the number of roles if the app has no such role.
std::size_t position(const AppDef& app, std::string_view name) {
  std::size_t at = 0;
  while (at < app.roles.size() && app.roles[at].name != name) ++at;
  return at;
}

Dependency read_one(const AppDef& app, const Role& role, const std::string& on,
                    const json::value& when) {
  if (position(app, on) == app.roles.size()) {
    const std::string known = joined(app.roles, ", ", [](const Role& one) { return one.name; });
    refuse_order(role, "there is no role '" + on + "'", "the app's roles are " + known);
  }
  if (on == role.name) refuse_order(role, "the role waits for itself", "remove it");
  const std::string word = when.is_string() ? std::string(when.get_string()) : std::string();
  if (word == "started") return {on, Dependency::Until::kStarted};
  if (word == "succeeded" && is_service(app.roles[position(app, on)])) {
    refuse_order(
        role,
        "'" + on + "' is a service, which runs until all roles that are not services have ended",
        "write \"started\" or \"healthy\"");
  }
  if (word == "succeeded") return {on, Dependency::Until::kSucceeded};
  if (word != "healthy") {
    refuse_order(
        role, "the condition for '" + on + "' is " + json_value_text(when),
        "a role can wait until another has \"started\", has \"succeeded\" or is \"healthy\"");
  }
  if (ready_probe(app.roles[position(app, on)]).kind == ReadyProbe::Kind::kNone) {
    refuse_order(role, "'" + on + "' has no readiness probe, so it never becomes healthy",
                 "add one to " + on + ", for example ready = { tcp = 8080 }");
  }
  return {on, Dependency::Until::kHealthy};
}

/// Searches depth first. A role that is already on the path closes a cycle.
class CycleSearch {
 public:
  CycleSearch(const AppDef& app, const std::vector<std::vector<Dependency>>& order)
      : app_(app), order_(order), seen_(order.size(), false) {}

  void visit(std::size_t role) {
    for (std::size_t i = 0; i < path_.size(); ++i) {
      if (path_[i] != role) continue;
      std::string cycle;
      for (; i < path_.size(); ++i) cycle += app_.roles[path_[i]].name + " -> ";
      refuse_order(app_.roles[role], "roles wait for each other: " + cycle + app_.roles[role].name,
                   "remove one of the dependencies");
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

std::vector<std::vector<Dependency>> role_order(const AppDef& app) {
  std::vector<std::vector<Dependency>> out(app.roles.size());
  for (std::size_t i = 0; i < app.roles.size(); ++i) {
    const Role& role = app.roles[i];
    check_keys(role);
    const json::object keys = local_keys(role);
    const json::key_value_pair* const order = depends_on_in(keys);
    if (order == nullptr) continue;
    if (!order->value().is_object()) {
      const std::string name(order->key());
      refuse_order(role, "it is not a table of roles",
                   "write " + name + " = { OTHER_ROLE = \"started\" }");
    }
    for (const auto& [on, when] : order->value().get_object())
      out[i].push_back(read_one(app, role, std::string(on), when));
  }
  CycleSearch search(app, out);
  for (std::size_t i = 0; i < out.size(); ++i) search.visit(i);
  return out;
}

}  // namespace slipway::rules
