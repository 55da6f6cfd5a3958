// Reads a resource that is written as a table, in a role of an app file or in a manifest.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/spec/fields.hpp"
#include "core/spec/table_marks.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Reads one entry of a resource table into `out`; wrong values become problems. Does nothing and
/// returns false for a key that resources do not have, because the caller may know more keys. `mem`
/// is a text with a binary unit: `512MiB`, `64GiB`, `1TiB`; `marks` has its place under `memMB`.
bool read_resource_entry(NodeEntry& entry, const KeyPath& path, FieldReader& reader, Resource& out,
                         TableMarks& marks);

/// Reads a whole table. Unknown keys and `mem` together with `memMB` become problems.
void read_resource(Node& table, const KeyPath& path, FieldReader& reader, Resource& out,
                   TableMarks& marks);

/// Returns the MiB in a text such as `64GiB`; the units are KiB, MiB, GiB and TiB. Throws
/// Error(kInvalid) for any other text, for fractions of a MiB and for more than int64 can hold.
std::int64_t parse_memory(std::string_view text);

}  // namespace slipway::spec
