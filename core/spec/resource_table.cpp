#include "core/spec/resource_table.hpp"

#include <charconv>
#include <limits>

namespace slipway::spec {

const std::vector<std::string_view>& resource_keys() {
  static const std::vector<std::string_view> keys = {"cpu",          "gpu",     "memMB", "mem",
                                                     "capabilities", "devices", "tags"};
  return keys;
}

std::int64_t parse_memory(std::string_view text) {
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [unit_at, error] = std::from_chars(text.data(), end, count);
  const std::string_view unit(unit_at, static_cast<std::size_t>(end - unit_at));
  if (error == std::errc::invalid_argument || count < 0) {
    throw Error(Code::kInvalid, quoted(text) + " is not an amount of memory",
                "write it as \"64GiB\"");
  }
  std::int64_t factor = 0;
  if (unit == "MiB") factor = 1;
  if (unit == "GiB") factor = 1024;
  if (unit == "TiB") factor = 1024 * 1024;
  if (unit == "KiB" && error == std::errc()) {
    if (count % 1024 != 0) {
      throw Error(Code::kInvalid, quoted(text) + " is not a whole number of MiB");
    }
    return count / 1024;
  }
  if (factor == 0) {
    throw Error(Code::kInvalid, quoted(text) + " has no known unit",
                "units are KiB, MiB, GiB and TiB");
  }
  if (error != std::errc() || count > std::numeric_limits<std::int64_t>::max() / factor) {
    throw Error(Code::kInvalid, quoted(text) + " is out of range");
  }
  return count * factor;
}

bool read_resource_entry(NodeEntry& entry, const KeyPath& path, FieldReader& reader, Resource& out,
                         ResourceMarks& marks) {
  const KeyPath here(path, entry.key);
  Node& value = entry.value;
  if (entry.key == "cpu") {
    marks.cpu = value.at;
    reader.int32(value, here, out.cpu);
  } else if (entry.key == "gpu") {
    marks.gpu = value.at;
    reader.int32(value, here, out.gpu);
  } else if (entry.key == "memMB") {
    marks.mem_mb = value.at;
    reader.int64(value, here, out.mem_mb);
  } else if (entry.key == "mem") {
    marks.mem_mb = value.at;
    if (value.type != NodeType::kString) {
      reader.wrong_type(value, here, "an amount such as \"64GiB\"",
                        value.type == NodeType::kInt ? "memMB is the key for a number of MiB" : "");
      return true;
    }
    try {
      out.mem_mb = parse_memory(value.text);
    } catch (const Error& error) {
      reader.error(value.at, here, error.message(), error.hint());
    }
  } else if (entry.key == "capabilities") {
    reader.json_object(value, here, out.capabilities_json);
  } else if (entry.key == "tags") {
    reader.json_object(value, here, out.tags_json);
  } else if (entry.key == "devices") {
    reader.int_dict(value, here, out.devices, marks.devices);
  } else {
    return false;
  }
  return true;
}

void read_resource(Node& table, const KeyPath& path, FieldReader& reader, Resource& out,
                   ResourceMarks& marks) {
  if (!reader.table(table, path)) return;
  bool has_memory = false;
  for (NodeEntry& entry : table.entries) {
    const bool memory = entry.key == "mem" || entry.key == "memMB";
    if (memory && has_memory) {
      reader.error(entry.key_at, KeyPath(path, entry.key), "mem and memMB say the same thing",
                   "remove one of them", rule::kDuplicateField);
      continue;
    }
    has_memory = has_memory || memory;
    if (!read_resource_entry(entry, path, reader, out, marks)) {
      reader.unknown_key(entry, KeyPath(path, entry.key), resource_keys());
    }
  }
}

}  // namespace slipway::spec
