// Checks the rules that every app must keep on every scheduler.
#pragma once

#include "core/spec/app_file.hpp"
#include "core/spec/problem.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Adds a problem for every broken rule, with its place if the app was read from a file:
/// - the app has a name and at least one role; role names are unique;
/// - name_rule.hpp allows the names, of at most 255 bytes (the app's: 240);
/// - entrypoint is set; num_replicas is in 1..1000000; min_replicas is in 1..num_replicas;
///   max_retries >= 0;
/// - env keys are not empty and contain no `=`; no string that reaches a process contains a NUL;
///   these strings and the app's metadata are UTF-8;
/// - this version knows the retry policies and the kinds of the mounts;
/// - ports are 0..65535; cpu, gpu and memMB >= 0, or -1, which means not set; device counts are
///   0..65536;
/// - mounts have a source and a destination; device permissions consist of r, w and m;
/// - the keys beyond TorchX's fields are known and have values of their types (role_keys.hpp);
/// - metadata, capabilities and tags are JSON objects;
/// - at least one role is not a service;
/// - macros with ports and hosts (port_macros.hpp) in args and env name roles and ports of the app.
///
/// Accepts a role without a resource; schedulers that need one refuse it themselves.
void validate(const AppFile& file, ProblemList& problems);
void validate(const AppDef& app, ProblemList& problems);

/// Adds a problem for every rule that a resource breaks, with a key such as `cpu`.
void validate(const Resource& resource, ProblemList& problems);

/// Throws InvalidApp if the app breaks a rule.
void validate(const AppDef& app);

}  // namespace slipway::spec
