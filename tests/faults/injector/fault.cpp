#include "tests/faults/injector/fault.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>

#include "tests/faults/injector/system_calls.hpp"

namespace slipway::faults {
namespace {

template <typename Number>
Number number_from(std::string_view option, std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(std::string(option) + ": not a number: " + std::string(text));
  }
  return value;
}

void select_part(Fault& fault, std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (colon != std::string_view::npos)
    fault.instance = number_from<int>("--part", text.substr(colon + 1));
  fault.every_part = name == "all";
  if (fault.every_part) return;
  const std::optional<Part> part = part_named(name);
  if (!part) throw std::invalid_argument("--part: unknown part: " + std::string(name));
  fault.part = *part;
}

void select_calls(Fault& fault, std::string_view names) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(name.size() + (name.size() < names.size() ? 1 : 0));
    const long number = call_number(name);
    if (number < 0) throw std::invalid_argument("--calls: unknown call: " + std::string(name));
    fault.calls.insert(static_cast<std::uint64_t>(number));
  }
}

Fault::Kind kill_kind(std::string_view when) {
  if (when == "before") return Fault::Kind::kKillBefore;
  if (when == "after") return Fault::Kind::kKillAfter;
  throw std::invalid_argument("--kill: before or after, not " + std::string(when));
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  Fault& fault = options.fault;
  int i = 1;
  const auto value = [&](std::string_view option) -> std::string_view {
    if (i + 1 >= argc) throw std::invalid_argument(std::string(option) + " needs a value");
    return argv[++i];
  };
  for (; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--") break;
    if (option == "--report") {
      options.report = value(option);
    } else if (option == "--part") {
      select_part(fault, value(option));
    } else if (option == "--calls") {
      select_calls(fault, value(option));
    } else if (option == "--at") {
      fault.at = number_from<std::uint64_t>(option, value(option));
    } else if (option == "--kill") {
      fault.kind = kill_kind(value(option));
    } else if (option == "--also-warden") {
      fault.also_warden = true;
    } else if (option == "--fail") {
      fault.kind = Fault::Kind::kFail;
      fault.error_number = number_from<int>(option, value(option));
    } else if (option == "--from-then-on") {
      fault.from_then_on = true;
    } else {
      throw std::invalid_argument("unknown option: " + std::string(option));
    }
  }
  for (++i; i < argc; ++i) options.command.emplace_back(argv[i]);
  if (options.command.empty()) throw std::invalid_argument("no command after --");
  if (options.report.empty()) throw std::invalid_argument("--report is missing");
  return options;
}

}  // namespace slipway::faults
