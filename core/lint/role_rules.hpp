// The rules that look at one role. Each adds warnings at the place that they concern; none fails.
#pragma once

#include "core/spec/app_file.hpp"
#include "core/spec/fields.hpp"

namespace slipway::lint {

/// A role and where it stands. Values that could not be read have their defaults, and no mark.
struct RoleContext {
  const Role& role;
  const spec::RoleMarks& marks;
  const spec::KeyPath& path;
  spec::FieldReader& report;

  /// Whether the field is written, and was read without an error.
  bool written(std::string_view field) const;
  /// Whether there is an error about the field.
  bool failed(std::string_view field) const;
  /// A warning about a field of the role, at its value.
  void warn(std::string_view rule, std::string_view field, std::string message,
            std::string hint) const;
  /// A warning about the entry `index` of a list.
  void warn_item(std::string_view rule, std::string_view field, std::size_t index,
                 const std::vector<spec::Mark>& places, std::string message,
                 std::string hint) const;
  /// A warning about the entry `index` of a table, whose key is `key`.
  void warn_entry(std::string_view rule, std::string_view field, std::string_view key,
                  std::size_t index, const std::vector<spec::Mark>& places, std::string message,
                  std::string hint) const;
};

/// Macros and shell variables, in every string of the role.
void check_macros(const RoleContext& context);
/// Whether the entrypoint is a program.
void check_entrypoint(const RoleContext& context);
/// Secrets, and variables that will be overwritten.
void check_environment(const RoleContext& context);
/// Whether an image that is a path exists, seen from the current directory.
void check_image(const RoleContext& context);
/// Destinations of mounts, and ports.
void check_mounts(const RoleContext& context);
void check_ports(const RoleContext& context);
/// num_replicas, min_replicas, max_retries and retry_policy, taken together.
void check_replicas(const RoleContext& context);

}  // namespace slipway::lint
