#include "sdk/support/rules/role_rules.hpp"

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "sdk/support/json_value_text.hpp"
#include "sdk/support/role_keys.hpp"
#include "sdk/support/rules/life_options.hpp"
#include "sdk/support/rules/option_reader.hpp"
#include "sdk/support/service_role.hpp"
#include "slipway/error.hpp"

namespace slipway::rules {
namespace {

std::string text_of(const boost::json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : json_value_text(value);
}

StrList words_of(const boost::json::array& items) {
  StrList out;
  for (const boost::json::value& item : items) out.push_back(text_of(item));
  return out;
}

StrDict parts_of(const boost::json::object& parts) {
  StrDict out;
  for (const auto& [name, value] : parts) set(out, std::string(name), text_of(value));
  return out;
}

}  // namespace

RoleRules rules_of(const Role& role) {
  RoleRules out;
  out.max_retries = role.max_retries;
  out.scope = role.retry_policy == RetryPolicy::kReplica ? RetryScope::kReplica
              : role.retry_policy == RetryPolicy::kRole  ? RetryScope::kRole
                                                         : RetryScope::kApplication;
  out.min_replicas = role.min_replicas.value_or(0);
  out.service = is_service(role);
  Cfg given;
  for (const auto& [key, value] : metadata_of(role)) {
    const std::string name(role_key_in(std::string_view(key)));
    if (name == "timeout_s" || name == "grace_s") {
      given.set(name, value.to_number<double>());
    } else if (name == "retry_on") {
      given.set(name, words_of(value.as_array()));
    } else if (name == "backoff") {
      given.set(name, parts_of(value.as_object()));
    }
  }
  LifeRules rules;
  OptionReader parse(given);
  try {
    visit_life_options(parse, rules);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), error.hint(), role.name);
  }
  const auto has = [&](const char* name) { return given.find(name) != nullptr; };
  if (has("timeout_s")) out.timeout_ms = rules.timeout_ms;
  if (has("grace_s")) out.grace_ms = rules.grace_ms;
  if (has("retry_on")) out.retry_on = rules.retry_on;
  if (has("backoff")) out.backoff = rules.backoff;
  return out;
}

}  // namespace slipway::rules
