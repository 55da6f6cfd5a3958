// The rules that look at the app as a whole. Each adds warnings at the place that they concern; none fails.
#pragma once

#include "core/spec/app_file.hpp"
#include "core/spec/fields.hpp"

namespace slipway::lint {

/// Macros in the app's name and metadata, where nobody substitutes them.
void check_app_macros(const spec::AppFile& file, spec::FieldReader& report);

/// Names of the app and its roles that a cluster scheduler refuses or changes.
///
/// The limits are those of DNS-1123 labels (Kubernetes), less what is appended to a name: letters, digits and `-`, with
/// a letter or digit at both ends, at most 63 bytes together with `-` and the app id's suffix or the replica's number.
/// Capitals, `_` and `.` pass, since TorchX's schedulers for Kubernetes fold or drop them (normalize_name()); two roles
/// that become one by that are a problem of their own.
void check_names(const spec::AppFile& file, spec::FieldReader& report);

}  // namespace slipway::lint
