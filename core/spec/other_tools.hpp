// Hints for keys and values that users of other tools write by habit: docker-compose,
// process-compose, Kubernetes, Slurm.
#pragma once

#include <string>
#include <string_view>

#include "core/spec/node.hpp"

namespace slipway::spec {

/// Returns the hint for an unknown key of a role that means the same as a known one: "write
/// num_replicas". If `value` holds a command line, seconds or an order of roles, the hint has it in
/// Slipway's form. Returns an empty text for other keys.
std::string hint_for_role_key(std::string_view key, const Node& value);

/// Returns the hint for an unknown key of an app: a key of a role, another tool's word for the
/// roles, or `sweep`, which belongs to a component. Returns an empty text for other keys.
std::string hint_for_app_key(std::string_view key, const Node& value);

/// Returns the hint for a text where seconds are expected: "write 300" for `5m` and `"300"`, and an
/// example for texts without a duration. Returns an empty text if the value is not a text.
std::string hint_for_seconds(const Node& value);

/// Returns the hint for a text where the setting `name` expects a number. If `name` ends in `_s`,
/// returns the hint for seconds. If it is `memMB` or ends in `_mb`, returns "write 4096" for `4G`.
/// If it ends in `_gb`, returns "write 4" for `4G`. Returns an empty text for other names, for
/// texts that are not a size with a unit, and for sizes that are not a whole number of MiB or GiB.
std::string hint_for_number(std::string_view name, std::string_view text);

/// Returns "write 300" for a duration such as `5m`, and an empty text for other texts.
std::string hint_for_duration(std::string_view text);

/// Returns the hint for a back-off that is not a table: the table for a constant pause if the value
/// is a duration such as `30s`, else an example.
std::string hint_for_backoff(const Node& value);

/// Returns the hint for a readiness probe that is not a table, such as a port or a command.
std::string hint_for_probe(const Node& value);

/// Returns the hint for a wrong value of `depends_on`: the table to write, with the roles of a
/// list, or with the words for docker-compose's conditions.
std::string hint_for_order(const Node& value);

/// Returns the hint for `roles` that is a table instead of a list: `[roles]`, or `[roles.NAME]`
/// after the habit of docker-compose.
std::string hint_for_roles_table(const Node& table);

}  // namespace slipway::spec
