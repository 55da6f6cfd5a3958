// A provider that reads components from files: each line of a `.lines` file is the name of a
// component, and check() reports a name that starts with `!` as a mistake. Without a file, it finds
// the name `plain` and each name that starts with `module.`; names that start with `away.` fail. It
// refuses to list all its components, so that a test notices when the host asks for them.
#include <fstream>

#include "slipway/plugin.hpp"

namespace {

using slipway::Code;
using slipway::Error;

class LineFiles : public slipway::Components {
 public:
  using Components::Components;

  std::vector<slipway::ComponentInfo> list(const slipway::Call&) override {
    throw Error(Code::kInternal, "asked for everything");
  }
  slipway::AppDef build(std::string_view name, const slipway::Cfg&, const slipway::Call&) override {
    return app(std::string(name), "no file");
  }

  std::vector<slipway::ComponentInfo> list_selected(const slipway::ComponentQuery& query,
                                                    const slipway::Call& call) override {
    if (query.file.empty() && query.name.empty()) return list(call);
    std::vector<slipway::ComponentInfo> out;
    if (query.file.empty()) {
      if (query.name.rfind("away.", 0) == 0) throw Error(Code::kPrecondition, "modules are away");
      if (query.name.rfind("module.", 0) == 0 || query.name == "plain")
        out.push_back({query.name, "Of a module.", {}});
      return out;
    }
    for (const std::string& line : lines(query.file)) {
      if (query.name.empty() || query.name == line) out.push_back({line, "Of a file.", {}});
    }
    return out;
  }
  slipway::AppDef build_from_file(std::string_view file, std::string_view name, const slipway::Cfg&,
                                  const slipway::Call&) override {
    lines(std::string(file));  // throws for a missing file
    return app(std::string(name), std::string(file));
  }
  std::vector<slipway::ComponentProblem> check(const slipway::ComponentQuery& query,
                                               const slipway::Call&) override {
    std::vector<slipway::ComponentProblem> out;
    std::uint32_t number = 0;
    for (const std::string& line : lines(query.file)) {
      ++number;
      if (line.rfind('!', 0) == 0) out.push_back({number, 1, "not a name", "remove the !"});
    }
    return out;
  }

 private:
  static std::vector<std::string> lines(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw Error(Code::kNotFound, "there is no file " + file);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }

  static slipway::AppDef app(const std::string& name, const std::string& file) {
    return slipway::AppDef(name).of(slipway::Role("main").runs("echo", {file}));
  }
};

}  // namespace

SLIPWAY_PLUGIN("org.slipway.test.line_files", "1.0.0",
               SLIPWAY_PROVIDER(LineFiles, "lines", "reads lines"))
