#include "core/cli/app_source.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/cli/diagnostics.hpp"
#include "core/spec/load_app.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

namespace {

constexpr std::size_t kLargestInput = 64u << 20;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::string read_standard_input() {
  std::string out;
  char buffer[64 * 1024];
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got == 0) return out;
    if (got < 0) {
      if (errno == EINTR) continue;
      throw Error(Code::kUnavailable,
                  std::string("cannot read standard input: ") + std::strerror(errno));
    }
    out.append(buffer, static_cast<std::size_t>(got));
    if (out.size() > kLargestInput)
      throw Error(Code::kInvalid, "standard input is larger than 64 MiB");
  }
}

void tell_unusable_manifests(Invocation& invocation) {
  for (const spec::Problem& problem : invocation.runner().plugins().registry().problems()) {
    if (problem.severity == spec::Severity::kError)
      say(LogLevel::kWarning, spec::to_string(problem));
  }
  for (const std::string& failure : invocation.resources().unavailable())
    say(LogLevel::kWarning, failure);
}

namespace {

spec::AppFile read_app(Invocation& invocation, const std::string& source) {
  const spec::ResourceResolver resolver = [&](std::string_view name) {
    return invocation.resources().find(name);
  };
  const spec::ResourceNames names = [&] { return invocation.resources().names(); };
  try {
    return source == "-" ? spec::load_app_json(read_standard_input(), "stdin", resolver, names)
                         : spec::load_app_file(source, resolver, names);
  } catch (const spec::InvalidApp& invalid) {
    // a resource may be unknown only because its manifest or plug-in could not be used
    if (invalid.code() == Code::kNotFound) tell_unusable_manifests(invocation);
    throw;
  }
}

}  // namespace

AppDef load_app(Invocation& invocation, const std::string& source) {
  if (source != "-" && !ends_with(source, ".toml") && !ends_with(source, ".json") &&
      ::access(source.c_str(), F_OK) != 0) {
    throw Error(Code::kNotFound, "there is no app " + spec::quoted(source),
                "give a .toml or .json file, or - for JSON on standard input");
  }
  spec::AppFile file = read_app(invocation, source);
  for (const spec::Problem& warning : file.warnings)
    say(LogLevel::kWarning, spec::to_string(warning));
  return std::move(file.app);
}

}  // namespace slipway::cli
