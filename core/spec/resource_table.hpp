// A resource written as a table: in a role of an app file, or as a named resource in a manifest.
#pragma once

#include <vector>

#include "core/spec/fields.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Where the fields of a resource stand; a line of 0 for those that are not written.
struct ResourceMarks {
  Mark cpu;
  Mark gpu;
  Mark mem_mb;
  std::vector<Mark> devices;  ///< parallel to Resource::devices
};

/// The keys that a resource table may have, for near names.
const std::vector<std::string_view>& resource_keys();

/// Reads one entry of a resource table (cpu, gpu, memMB, mem, capabilities, devices, tags) into
/// `out`. Returns false, and does nothing else, when the key is none of these: the caller may know
/// more keys.
///
/// `mem` is a text with a binary unit: `512MiB`, `64GiB`, `1TiB`. Wrong values become problems.
bool read_resource_entry(NodeEntry& entry, const KeyPath& path, FieldReader& reader, Resource& out,
                         ResourceMarks& marks);

/// Reads a whole table; unknown keys, and `mem` beside `memMB`, are problems.
void read_resource(Node& table, const KeyPath& path, FieldReader& reader, Resource& out,
                   ResourceMarks& marks);

/// MiB of `64GiB`; units are KiB, MiB, GiB and TiB. Throws Error(kInvalid) for anything else, parts
/// of a MiB and more than int64 holds.
std::int64_t parse_memory(std::string_view text);

}  // namespace slipway::spec
