// The rules that every app must keep, whatever scheduler runs it.
#pragma once

#include "core/spec/app_file.hpp"
#include "core/spec/problem.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Adds every broken rule to `problems`, with its place for an app that was read from a file:
/// - the app has a name and at least one role; role names are unique; names are UTF-8 of 1 to 255 (the app's: 240)
///   bytes that name_rule.hpp allows (they become directory names);
/// - entrypoint is given; num_replicas in 1..1000000; min_replicas in 1..num_replicas; max_retries >= 0;
/// - env keys are not empty and have no `=`; no string that reaches a process holds a NUL
///   character;
/// - ports are 0..65535; cpu, gpu and memMB >= -1; device counts >= 0; device permissions are of r,
///   w, m;
/// - mounts have a source and a destination; metadata, capabilities and tags are JSON objects.
///
/// A role without a resource is fine here: schedulers that need one refuse it themselves.
void validate(const AppFile& file, ProblemList& problems);
void validate(const AppDef& app, ProblemList& problems);

/// Throws InvalidApp when a rule is broken.
void validate(const AppDef& app);

}  // namespace slipway::spec
