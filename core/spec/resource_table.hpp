// Reads a resource that is written as a table, in a role of an app file or in a manifest.
#pragma once

#include <vector>

#include "core/spec/fields.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// The places of a resource's fields; line 0 for those that the table does not set.
struct ResourceMarks {
  Mark cpu;
  Mark gpu;
  Mark mem_mb;
  std::vector<Mark> devices;  ///< parallel to Resource::devices
};

/// Returns the keys that a resource table may have, for "did you mean".
const std::vector<std::string_view>& resource_keys();

/// Reads one entry of a resource table (cpu, gpu, memMB, mem, capabilities, devices, tags) into
/// `out`; wrong values become problems. Does nothing and returns false for any other key, because
/// the caller may know more keys. `mem` is a text with a binary unit: `512MiB`, `64GiB`, `1TiB`.
bool read_resource_entry(NodeEntry& entry, const KeyPath& path, FieldReader& reader, Resource& out,
                         ResourceMarks& marks);

/// Reads a whole table. Unknown keys and `mem` together with `memMB` become problems.
void read_resource(Node& table, const KeyPath& path, FieldReader& reader, Resource& out,
                   ResourceMarks& marks);

/// Returns the MiB in a text such as `64GiB`; the units are KiB, MiB, GiB and TiB. Throws
/// Error(kInvalid) for any other text, for fractions of a MiB and for more than int64 can hold.
std::int64_t parse_memory(std::string_view text);

}  // namespace slipway::spec
