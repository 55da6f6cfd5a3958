#include "core/registry/manifests/device_table.hpp"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "core/spec/fields.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::registry {
namespace {

constexpr std::string_view kNumber = "{i}";

void check_path(const DeviceTable& device, const spec::Node& value, const spec::KeyPath& key,
                spec::FieldReader& reader) {
  const std::string& path = device.path;
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string::npos) {
    reader.error(value.at, key, fmt::format("{} is not an absolute path", spec::quoted(path)),
                 "write it as \"/dev/NAME{i}\"");
  } else if (path.find('{') != std::string::npos &&
             (path.find('{') != path.find(kNumber) || path.rfind('{') != path.find(kNumber))) {
    reader.error(value.at, key, fmt::format("{} contains unknown braces", spec::quoted(path)),
                 "only {i}, the number of the device, may occur, and only once");
  }
}

void read_device(spec::Node& table, const spec::KeyPath& path, spec::FieldReader& reader,
                 DeviceTable& device) {
  static const std::vector<std::string_view> known = {"path", "permissions"};
  bool has_path = false;
  for (spec::NodeEntry& entry : table.entries) {
    const spec::KeyPath key(path, entry.key);
    if (entry.key == "path") {
      has_path = true;
      if (reader.string(entry.value, key, device.path))
        check_path(device, entry.value, key, reader);
    } else if (entry.key == "permissions") {
      if (reader.string(entry.value, key, device.permissions) &&
          (device.permissions.empty() ||
           device.permissions.find_first_not_of("rwm") != std::string::npos)) {
        reader.error(entry.value.at, key,
                     fmt::format("expected some of the letters r, w and m, found {}",
                                 spec::quoted(device.permissions)));
      }
    } else if (entry.value.type == spec::NodeType::kTable) {
      reader.error(entry.key_at, key, "a device contains no tables",
                   "quote a name that has a dot: [devices.\"vpc.amazonaws.com/efa\"]");
    } else {
      reader.warning(entry.key_at, key, "unknown key (ignored)",
                     spec::did_you_mean(entry.key, known));
    }
  }
  if (!has_path)
    reader.error(table.at, path, "`path` is missing", "write it as path = \"/dev/NAME{i}\"");
}

}  // namespace

std::vector<DeviceTable> read_device_tables(spec::Node& tables, const std::string& file,
                                            spec::ProblemList& problems) {
  std::vector<DeviceTable> out;
  const spec::KeyPath root;
  const spec::KeyPath path(root, "devices");
  spec::FieldReader outer(file, problems);
  if (!outer.table(tables, path)) return out;
  for (spec::NodeEntry& named : tables.entries) {
    const spec::KeyPath key(path, named.key);
    DeviceTable device;
    device.name = named.key;
    device.source = {file, named.key_at.line, named.key_at.column};
    spec::ProblemList found;
    spec::FieldReader reader(file, found);
    if (reader.table(named.value, key)) read_device(named.value, key, reader, device);
    for (spec::Problem& problem : found.in_order()) {
      problem.code = Code::kConfig;  // FieldReader reports kInvalid, the code of app files
      if (!device.error && problem.severity == spec::Severity::kError) device.error = problem;
      problems.add(std::move(problem));
    }
    out.push_back(std::move(device));
  }
  return out;
}

}  // namespace slipway::registry
