// Reads the command line of the kit; see read_command_line() in sdk/check/trial/options.hpp.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/registry/plugin_host.hpp"
#include "core/resources/resource_book.hpp"
#include "core/spec/document.hpp"
#include "core/spec/load_app.hpp"
#include "sdk/check/trial/check.hpp"
#include "sdk/check/trial/options.hpp"

namespace slipway::check {

namespace {

constexpr const char* kHelp =
    "usage: slipway-plugin-check [options] LIBRARY|MANIFEST\n"
    "\n"
    "Checks a plug-in for Slipway: plays the most awkward host that the rules allow, and runs\n"
    "each check in its own process.\n"
    "LIBRARY is the shared library. MANIFEST is its *.toml: the kit then also compares the two,\n"
    "and checks each plug-in of the manifest.\n"
    "\n"
    "  --only CHECK      run this check, or the checks of a group (\"load\"); repeatable\n"
    "  --provider NAME   check only this provider\n"
    "  --app FILE        submit the app of this file, which must succeed, and check its end, its\n"
    "                    logs, cancel and delete; without it nothing is submitted\n"
    "  --cfg KEY=VALUE   a run option for the scheduler; repeatable\n"
    "  --image IMAGE     the image of the kit's own app and of the checks of image providers, if\n"
    "                    the scheduler or provider accepts no directory as an image; not with\n"
    "                    --app, whose file names its images\n"
    "  --limit SECONDS   time limit of one check (60)\n"
    "  --no-fork         run the checks in this process, for debuggers; a crash ends the kit, a\n"
    "                    hang stops it, and nothing cleans up after either\n"
    "  --json            print one JSON object\n"
    "  --list            print the checks\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 no check failed, 1 a check failed, 64 wrong use, 73 standard output cannot be\n"
    "written, 75 this machine lacks processes, descriptors or space for the kit, 128 + n ended by\n"
    "signal n.\n";

class Arguments {
 public:
  Arguments(int argc, char** argv) : end_(argv + argc), at_(argv + 1) {}

  bool none_left() const { return at_ >= end_; }
  std::string next() { return *at_++; }

  // Returns the value of an option: the text after "=", or the next argument.
  std::string value(const std::string& option, const std::optional<std::string>& attached) {
    if (attached) return *attached;
    if (none_left()) throw UsageError(option + " needs a value; see --help");
    return next();
  }

 private:
  char** end_;
  char** at_;
};

void add_run_option(Options& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError("--cfg " + text + ": write KEY=VALUE");
  set(options.run_options, text.substr(0, equals), text.substr(equals + 1));
}

int seconds(const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < 1 || value > 86'400)
    throw UsageError("--limit " + text + ": give a number of seconds from 1 to 86400");
  return static_cast<int>(value);
}

void verify_names(const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted) {
    bool is_known = false;
    for (const Check& check : catalogue()) {
      const std::string_view full = check.name;
      is_known = is_known || full == name || full.substr(0, full.find('.')) == name;
    }
    if (!is_known) throw UsageError("there is no check \"" + name + "\"; --list prints all checks");
  }
}

// Reads the app file as `slipway run` does.
AppDef read_app(const std::string& path) {
  registry::PluginHost host;
  resources::ResourceBook resources(host);
  try {
    return spec::load_app_document(
               spec::read_document(path), path,
               [&](std::string_view name) { return resources.find_named(name); },
               [&] { return resources.names(); })
        .app;
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

std::optional<Options> read_command_line(int argc, char** argv) {
  Options out;
  Arguments arguments(argc, argv);
  while (!arguments.none_left()) {
    const std::string argument = arguments.next();
    if (argument.size() < 2 || argument[0] != '-') {
      if (!out.target.empty())
        throw UsageError("one plug-in at a time: " + out.target + " or " + argument);
      out.target = argument;
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string option = argument.substr(0, equals);
    std::optional<std::string> attached;
    if (equals != std::string::npos) attached = argument.substr(equals + 1);
    const auto value = [&] { return arguments.value(option, attached); };
    const auto is = [&](std::string_view flag) {
      if (option != flag) return false;
      if (attached) throw UsageError(option + " takes no value; see --help");
      return true;
    };
    if (is("--help") || is("-h")) {
      std::fputs(kHelp, stdout);
      return std::nullopt;
    }
    if (is("--version")) {
      std::puts("slipway-plugin-check " SLIPWAY_VERSION);
      return std::nullopt;
    }
    if (is("--json")) {
      out.json = true;
    } else if (is("--list")) {
      out.list = true;
    } else if (is("--no-fork")) {
      out.fork = false;
    } else if (option == "--only") {
      out.only.push_back(value());
    } else if (option == "--provider") {
      out.provider = value();
    } else if (option == "--app") {
      out.app_file = value();
    } else if (option == "--image") {
      out.image = value();
    } else if (option == "--cfg") {
      add_run_option(out, value());
    } else if (option == "--limit") {
      out.limit_s = seconds(value());
    } else {
      throw UsageError("unknown option " + option + "; see --help");
    }
  }
  if (out.target.empty() && !out.list)
    throw UsageError("no plug-in given; give its library or its manifest; see --help");
  if (!out.image.empty() && !out.app_file.empty())
    throw UsageError("--image is for the kit's own app; write the image into " + out.app_file);
  verify_names(out.only);
  if (!out.app_file.empty()) out.app = read_app(out.app_file);
  return out;
}

}  // namespace slipway::check
