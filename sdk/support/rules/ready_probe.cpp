#include "sdk/support/rules/ready_probe.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "sdk/support/joined.hpp"
#include "sdk/support/json_value_text.hpp"
#include "sdk/support/line_pattern.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/rules/life_options.hpp"
#include "sdk/support/rules/role_metadata.hpp"
#include "slipway/error.hpp"

namespace slipway::rules {

namespace {

namespace json = boost::json;

constexpr const char* kKeys =
    "write one of tcp, command and log; interval_s, timeout_s and within_s are optional";
constexpr double kShortestSeconds = 0.01;  // of interval_s and timeout_s

/// One key of one role, for error messages.
class Key {
 public:
  Key(const Role& role, std::string_view name) : role_(role), name_(name) {}
  [[noreturn]] void refuse(const std::string& why, const std::string& hint) const {
    throw Error(Code::kInvalid, name_ + ": " + why, hint, role_.name);
  }
  const Role& role() const { return role_; }

 private:
  const Role& role_;
  std::string name_;
};

std::string ports_of(const Role& role) {
  if (role.port_map.empty()) return "the role has no port_map";
  return "the ports of its port_map are " +
         joined(role.port_map, ", ", [](const auto& port) { return port.first; });
}

void read_address(const Key& key, std::string_view host, ReadyProbe& probe) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  if (host == "localhost") return;  // the default of ReadyProbe
  probe.address = host;
  unsigned char bytes[16];
  if (::inet_pton(AF_INET, probe.address.c_str(), bytes) != 1 &&
      ::inet_pton(AF_INET6, probe.address.c_str(), bytes) != 1) {
    key.refuse("'" + probe.address + "' is not an address",
               "Slipway resolves no host names: write localhost:80, 10.0.0.1:80 or [::1]:80");
  }
}

void read_tcp(const Key& key, const json::value& value, ReadyProbe& probe) {
  probe.kind = ReadyProbe::Kind::kTcp;
  const char* const hint =
      "write a port (8080), the name of a port in port_map (\"http\"), or \"ADDRESS:PORT\"";
  std::string text;
  if (value.is_string()) {
    text = std::string(value.get_string());
  } else if (value.is_int64()) {
    text = std::to_string(value.get_int64());
  } else {
    key.refuse("it is " + json_value_text(value), hint);
  }
  const auto& ports = key.role().port_map;
  if (std::any_of(ports.begin(), ports.end(), [&](const auto& one) { return one.first == text; })) {
    probe.port_name = text;
    return;
  }
  const std::size_t colon = text.rfind(':');
  const std::string_view number = colon == std::string::npos
                                      ? std::string_view(text)
                                      : std::string_view(text).substr(colon + 1);
  probe.port = plain_number<std::uint16_t>(number).value_or(0);
  if (probe.port == 0) {
    key.refuse("there is no port '" + text + "'", std::string(hint) + "; " + ports_of(key.role()));
  }
  if (colon != std::string::npos) read_address(key, std::string_view(text).substr(0, colon), probe);
}

void read_command(const Key& key, const json::value& value, ReadyProbe& probe) {
  probe.kind = ReadyProbe::Kind::kCommand;
  const char* const hint =
      "write a program and its arguments ([\"pg_isready\", \"-q\"]), or a line for /bin/sh";
  if (value.is_string() && !value.get_string().empty()) {
    probe.command = {"/bin/sh", "-c", std::string(value.get_string())};
    return;
  }
  if (!value.is_array() || value.get_array().empty())
    key.refuse("it is " + json_value_text(value), hint);
  for (const json::value& word : value.get_array()) {
    if (!word.is_string()) key.refuse("it contains " + json_value_text(word), hint);
    probe.command.emplace_back(word.get_string());
  }
  if (probe.command.front().empty()) key.refuse("its program is empty", hint);
}

void read_log(const Key& key, const json::value& value, ReadyProbe& probe) {
  probe.kind = ReadyProbe::Kind::kLog;
  if (!value.is_string() || value.get_string().empty()) {
    key.refuse(
        "it is " + json_value_text(value),
        "write a regular expression for a line of the output (\"listening on port \\\\d+\")");
  }
  probe.pattern = std::string(value.get_string());
  try {
    const LinePattern valid(probe.pattern, LinePattern::Effort::kQuick);
  } catch (const Error& error) {
    key.refuse(error.message(), error.hint());
  }
}

/// Returns a number of seconds in milliseconds. Throws kInvalid with the hint `range` for a time
/// below `least` seconds or over a year.
std::int64_t read_seconds(const Key& key, const json::value& value, double least,
                          const std::string& range) {
  boost::system::error_code not_a_number;
  const double seconds = value.to_number<double>(not_a_number);
  // This form also refuses NaN.
  if (not_a_number || !(seconds >= least && seconds <= kYearSeconds))
    key.refuse("it is " + json_value_text(value), range);
  return milliseconds(seconds);
}

}  // namespace

ReadyProbe ready_probe(const Role& role) {
  ReadyProbe probe;
  int kinds = 0;      // how many of tcp, command and log are given
  std::string table;  // "ready" or "local.ready"; empty if the role has neither
  const std::string year = seconds_text(milliseconds(kYearSeconds)) + " (a year)";
  const std::string period_hint = "write a number of seconds from " +
                                  seconds_text(milliseconds(kShortestSeconds)) + " to " + year;
  const std::string limit_hint = "write a number of seconds up to " + year + "; 0 means no limit";
  for (const auto& [name, value] : local_keys(role)) {
    const std::string full(name);
    const Key key(role, full);
    if (full == "ready" || full == "local.ready")
      key.refuse("it is not a table", std::string("write { tcp = 8080 }: ") + kKeys);
    const auto below = below_ready(full);
    if (!below) continue;
    const std::string what(*below);
    table = full.substr(0, full.size() - what.size() - 1);
    kinds += what == "tcp" || what == "command" || what == "log" ? 1 : 0;
    if (what == "tcp") {
      read_tcp(key, value, probe);
    } else if (what == "command") {
      read_command(key, value, probe);
    } else if (what == "log") {
      read_log(key, value, probe);
    } else if (what == "interval_s") {
      probe.interval_ms = read_seconds(key, value, kShortestSeconds, period_hint);
    } else if (what == "timeout_s") {
      probe.timeout_ms = read_seconds(key, value, kShortestSeconds, period_hint);
    } else if (what == "within_s") {
      probe.within_ms = read_seconds(key, value, 0, limit_hint);
    } else {
      key.refuse("the key is unknown", kKeys);
    }
  }
  if (!table.empty() && kinds != 1) {
    Key(role, table)
        .refuse(kinds == 0 ? "it has no kind of probe" : "it has several kinds of probes", kKeys);
  }
  return probe;
}

}  // namespace slipway::rules
