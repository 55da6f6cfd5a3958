// The rules for one role. Each adds warnings with their places; none throws.
#pragma once

#include "core/spec/app_file.hpp"
#include "core/spec/fields.hpp"

namespace slipway::lint {

/// A role and its places in the file. A value that could not be read has its default; see failed().
struct RoleContext {
  const Role& role;
  const spec::RoleMarks& marks;
  const spec::KeyPath& path;
  spec::FieldReader& report;

  /// Returns whether the file sets the field and it was read without an error.
  bool written(std::string_view field) const;
  /// Returns whether the field has an error.
  bool failed(std::string_view field) const;
  /// Adds a warning about a field of the role, at its value.
  void warn(std::string_view rule, std::string_view field, std::string message,
            std::string hint) const;
  /// Adds a warning about the entry `index` of a list.
  void warn_item(std::string_view rule, std::string_view field, std::size_t index,
                 std::string message, std::string hint) const;
  /// Adds a warning about the entry `index` of a table, whose key is `key`.
  void warn_entry(std::string_view rule, std::string_view field, std::string_view key,
                  std::size_t index, std::string message, std::string hint) const;
};

/// Checks macros and shell variables in every string of the role.
void check_macros(const RoleContext& context);
/// Checks that the entrypoint is a program and not a command line. If it is the path of an existing
/// file, checks that it is executable.
void check_entrypoint(const RoleContext& context);
/// Checks for secrets, for the placeholder of a secret, and for variables that Slipway overwrites.
void check_environment(const RoleContext& context);
/// Checks that an image that is a path exists, relative to the current directory.
void check_image(const RoleContext& context);
/// Checks that the destinations of mounts are absolute paths and different.
void check_mounts(const RoleContext& context);
/// Checks that the ports with a number other than 0 have different numbers.
void check_ports(const RoleContext& context);
/// Checks that num_replicas, min_replicas, max_retries and retry_policy fit together.
void check_replicas(const RoleContext& context);

}  // namespace slipway::lint
