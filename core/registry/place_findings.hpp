// What `plugin doctor` says about the places that plug-ins and configuration come from, beyond what
// keeps them from being used: directories further up that others may write to, and files that other
// users cannot read.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "core/registry/registry.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// Collects warnings about files and the directories above them, each once. Looks at the file
/// system as it is now.
class PlaceFindings {
 public:
  /// As root it also looks for other users, who must be able to read what the site provides, and
  /// what was installed with an executable that they can run.
  explicit PlaceFindings(const TrustPolicy& trust);

  /// Looks at an existing file or directory of a place of `origin` and at all directories above it.
  /// Missing ones, and what check_trusted() refuses about the file and its own directory, are no
  /// findings.
  void look_at(const std::string& path, Origin origin);

  std::vector<spec::Problem> take() { return std::move(found_); }

 private:
  void look_at_ancestor(const std::string& directory, Origin origin);
  void look_for_others(const std::string& path, mode_t needed, Origin origin);
  void warn(const std::string& path, std::string message, std::string hint);

  const TrustPolicy& trust_;
  const bool is_root_;
  const bool is_shared_installation_;
  std::vector<std::string> seen_;
  std::vector<spec::Problem> found_;
};

/// Looks at every place that was searched, every manifest and every library in them.
void look_at_places(Registry& registry, PlaceFindings& findings);

}  // namespace slipway::registry
