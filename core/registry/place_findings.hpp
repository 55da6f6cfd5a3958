// Warnings of `plugin doctor` about usable files of plug-ins and configuration: directories above
// them that untrusted users may write to, and files that other users cannot read.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "core/registry/registry.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// Collects warnings about files and the directories above them, each only once.
class PlaceFindings {
 public:
  /// Borrows `trust`. If the process runs as root, check() also warns of files that other users
  /// cannot read: those of the site, and, if other users can run the executable, installed ones.
  explicit PlaceFindings(const TrustPolicy& trust);

  /// Checks a file or directory of a place of `origin`, and all directories above it and above the
  /// symbolic links that lead to it. Ignores missing files. Reports nothing about the owner of the
  /// file and of its own directory, and about who may write to them: check_trusted() refuses such
  /// a file, which is another report.
  void check(const std::string& path, Origin origin);

  /// Checks a program that users run, as check() checks a file that they read.
  void check_program(const std::string& path, Origin origin);

  std::vector<spec::Problem> take() { return std::move(found_); }

 private:
  void check_above(const std::string& real, bool is_place, Origin origin);
  void check_links(const std::string& path, Origin origin);
  void check_ancestor(const std::string& directory, Origin origin);
  void check_for_other_users(const std::string& path, mode_t needed, Origin origin);
  void warn(const std::string& path, std::string message, std::string hint);

  const TrustPolicy& trust_;
  const bool is_root_;
  const bool is_shared_installation_;
  std::vector<std::string> seen_;  // the kinds of warnings given, each with its path
  std::vector<spec::Problem> found_;
};

/// Checks every searched place, every manifest with plug-ins or named resources, and every library.
void check_places(Registry& registry, PlaceFindings& findings);

}  // namespace slipway::registry
