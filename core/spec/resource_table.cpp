#include "core/spec/resource_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/spec/known_keys.hpp"
#include "core/spec/other_tools.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/app_fields.hpp"

namespace slipway::spec {

namespace {

/// Returns the fewest MiB that contain `kib` KiB.
std::int64_t mib_for(std::int64_t kib) { return kib / 1024 + (kib % 1024 == 0 ? 0 : 1); }

/// Returns `count`, which is written in the text before the unit, with a unit that is known. KiB
/// become MiB unless they are a whole number of those.
std::string amount_in(const char* unit, std::string_view count) {
  const auto number = plain_number<std::int64_t>(count);
  if (unit != std::string_view("KiB") || !number || *number % 1024 == 0)
    return std::string(count) + unit;
  return std::to_string(mib_for(*number)) + "MiB";
}

/// Returns the hint for an unknown unit; for `4G`, `4g` and `4GB` it begins with "write 4GiB".
std::string hint_for_unit(std::string_view count, std::string_view unit) {
  const std::string written = lower_case(std::string(unit));
  std::string out = "units are KiB, MiB, GiB and TiB";
  for (const char* const known : {"KiB", "MiB", "GiB", "TiB"}) {
    const std::string lower = lower_case(std::string(known));
    const std::string letter = lower.substr(0, 1);
    if (written == letter || written == lower || written == letter + "b")
      out = "write " + amount_in(known, count) + "; " + out;
  }
  return out;
}

/// Throws the error about an amount with a decimal point, such as 1.5TiB. The hint has the same
/// amount in the largest unit, from its own down to MiB, in which it is a whole number. If there is
/// none, or the unit is not MiB, GiB or TiB, the hint names only the units.
[[noreturn]] void throw_fraction(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view unit = text.substr(end);
  std::string hint = "write a whole number of MiB, GiB or TiB";
  auto amount = plain_number<double>(text.substr(0, end));
  bool is_reached = false;  // the loop has reached `unit`
  for (const char* const each : {"TiB", "GiB", "MiB"}) {
    if (is_reached && amount) *amount *= 1024;
    is_reached = is_reached || unit == each;
    // Up to 2^53, each whole number is a double.
    if (is_reached && amount && *amount < 0x1p53 && *amount == std::floor(*amount)) {
      hint = "write " + std::to_string(static_cast<std::int64_t>(*amount)) + each;
      break;
    }
  }
  throw Error(Code::kInvalid, quoted(text) + " has a decimal point", std::move(hint));
}

/// Throws the error about an amount whose `unit` is empty or unknown.
[[noreturn]] void throw_unknown_unit(std::string_view text, std::string_view unit) {
  const std::string_view count = text.substr(0, text.size() - unit.size());
  const std::size_t spaces = std::min(unit.find_first_not_of(' '), unit.size());
  for (const char* const each : {"KiB", "MiB", "GiB", "TiB"}) {
    if (!unit.substr(spaces).starts_with(each)) continue;
    throw Error(Code::kInvalid, quoted(text) + " has more text than a number and a unit",
                "write " + amount_in(each, count));
  }
  throw Error(Code::kInvalid, quoted(text) + " has no known unit", hint_for_unit(count, unit));
}

}  // namespace

std::int64_t parse_memory(std::string_view text) {
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [unit_at, error] = std::from_chars(text.data(), end, count);
  const std::string_view unit(unit_at, static_cast<std::size_t>(end - unit_at));
  if (error == std::errc::invalid_argument || count < 0) {
    throw Error(Code::kInvalid, quoted(text) + " is not an amount of memory",
                "write it as \"64GiB\"");
  }
  if (unit.starts_with('.')) throw_fraction(text);
  std::int64_t factor = 0;
  if (unit == "MiB") factor = 1;
  if (unit == "GiB") factor = 1024;
  if (unit == "TiB") factor = 1024 * 1024;
  const bool is_kib = unit == "KiB";
  const bool fits = error == std::errc();
  if (is_kib && fits) {
    if (count % 1024 != 0) {
      throw Error(Code::kInvalid, quoted(text) + " is not a whole number of MiB",
                  "write " + std::to_string(mib_for(count)) + "MiB");
    }
    return count / 1024;
  }
  if (factor == 0 && !is_kib) {
    throw_unknown_unit(text, unit);
  }
  if (!fits || count > std::numeric_limits<std::int64_t>::max() / factor) {
    throw Error(Code::kInvalid, quoted(text) + " is out of range");
  }
  return count * factor;
}

namespace {

void read_memory(Node& value, const KeyPath& here, FieldReader& reader, std::int64_t& mem_mb) {
  if (value.type != NodeType::kString) {
    reader.wrong_type(value, here, "an amount such as \"64GiB\"",
                      value.type == NodeType::kInt ? "memMB is the key for a number of MiB" : "");
    return;
  }
  try {
    mem_mb = parse_memory(value.text);
  } catch (const Error& error) {
    reader.error(value.at, here, error.message(), error.hint());
  }
}

}  // namespace

bool read_resource_entry(NodeEntry& entry, const KeyPath& path, FieldReader& reader, Resource& out,
                         TableMarks& marks) {
  return with_field<Resource>(entry.key, [&](const auto& field) {
    const KeyPath here(path, entry.key);
    TableMarks::Value& places = marks.add(entry);
    places.key = field.key;
    if (entry.key == "mem") {
      read_memory(entry.value, here, reader, out.mem_mb);
    } else if (entry.key == "memMB" && entry.value.type == NodeType::kString) {
      std::string hint = hint_for_number(entry.key, entry.value.text);
      if (hint.empty()) hint = "write a number of MiB, or mem = \"64GiB\"";
      reader.wrong_type(entry.value, here, "an integer", std::move(hint));
    } else {
      reader.field(field.kind, entry.value, here, out.*field.member, places.items);
    }
  });
}

void read_resource(Node& table, const KeyPath& path, FieldReader& reader, Resource& out,
                   TableMarks& marks) {
  if (!reader.table(table, path)) return;
  for (NodeEntry& entry : table.entries) {
    const bool is_memory = entry.key == "mem" || entry.key == "memMB";
    if (is_memory && marks.find("memMB") != nullptr) {
      reader.error(entry.key_at, KeyPath(path, entry.key), "mem and memMB both set the memory",
                   "remove one of them", rule::kDuplicateField);
    } else if (!read_resource_entry(entry, path, reader, out, marks)) {
      reader.unknown_key(entry, KeyPath(path, entry.key), known_keys<Resource>());
    }
  }
}

}  // namespace slipway::spec
