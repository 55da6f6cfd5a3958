// The rules for the app as a whole. Each adds warnings with their places; none throws.
#pragma once

#include "core/spec/app_file.hpp"
#include "core/spec/fields.hpp"

namespace slipway::lint {

/// Warns about macros in the app's name and metadata, where no scheduler substitutes them.
void check_app_macros(const spec::AppFile& file, spec::FieldReader& report);

/// Warns about names of the app and its roles that a cluster scheduler refuses or changes.
///
/// The limits are those of DNS-1123 labels (Kubernetes): letters, digits and `-`, with a letter or
/// digit at both ends, at most 63 bytes including `-` and the app id's suffix or the replica's
/// number. Accepts capitals, `_` and `.`, because TorchX's Kubernetes schedulers convert or drop
/// them (normalize_str() of slipway/names.hpp). Warns separately about two roles that get the same
/// name in this way.
void check_names(const spec::AppFile& file, spec::FieldReader& report);

}  // namespace slipway::lint
