// .torchxconfig files: op=apply, load_sections, get_config, get_configs, find_configs, dump.

#include "core/config/torchx_config.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/config/config_template.hpp"
#include "core/config/config_text.hpp"
#include "core/config/load.hpp"
#include "core/config/run_option_settings.hpp"
#include "core/runner/run_record_json.hpp"
#include "core/spec/document.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/placeholders.hpp"

namespace slipway::vectors {
namespace {

namespace fs = std::filesystem;

class Directory {
 public:
  Directory() {
    std::string pattern = (fs::temp_directory_path() / "slipway-torchxconfig-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw BenchError("no temporary directory");
    path = pattern;
    fs::create_directories(path / "home");
    fs::create_directories(path / "cwd");
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

ValueType type_named(const std::string& name) {
  if (name == "str") return ValueType::kStr;
  if (name == "int") return ValueType::kInt;
  if (name == "float") return ValueType::kFloat;
  if (name == "bool") return ValueType::kBool;
  if (name.rfind("List", 0) == 0) return ValueType::kList;
  if (name.rfind("Dict", 0) == 0) return ValueType::kDict;
  throw BenchError("unknown type " + name);
}

Value default_of(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_bool()) return value.get_bool();
  if (value.is_int64()) return value.get_int64();
  if (value.is_null()) return {};
  throw BenchError("no run option has a value of this type: " + json::serialize(value));
}

/// Returns the run options of a scheduler of TorchX, as runopts_repr.json lists them. Throws Error
/// kNotFound for an unknown scheduler.
RunOpts declared_by(const std::string& scheduler) {
  // The vectors are beside skips.toml.
  const fs::path file = fs::path(SLIPWAY_VECTOR_SKIPS).parent_path() / "runopts_repr.json";
  for (const VectorCase& one : read_vector_file(file.string())) {
    const json::value* name = one.input.if_contains("scheduler");
    if (name == nullptr || name->as_string() != scheduler) continue;
    RunOpts out;
    for (const json::value& opt : member(one.input, "opts").as_array()) {
      const json::object& fields = opt.as_object();
      const json::value* required = fields.if_contains("required");
      out.add({text_member(fields, "name"), type_named(text_member(fields, "type")),
               text_member(fields, "help"), required != nullptr && required->as_bool(),
               default_of(member(fields, "default"))});
    }
    return out;
  }
  throw Error(Code::kNotFound, "there is no scheduler " + scheduler);
}

/// The files of a case, which load() reads like the command does.
struct Case {
  explicit Case(const json::object& input) {
    const Replacements names{{"<DIR>", directory.path.string()}};
    if (const json::value* files = input.if_contains("files")) {
      for (const auto& [place, text] : files->as_object()) {
        const fs::path path = place == "env"
                                  ? directory.path / "env.ini"
                                  : directory.path / std::string(place) / ".torchxconfig";
        write(path, std::string(text.as_string()));
        if (place == "env") torchxconfig = path.string();
      }
    }
    if (input.contains("TORCHXCONFIG"))
      torchxconfig = replaced(text_member(input, "TORCHXCONFIG"), names);
    home = directory.path / "home";
    working_directory = directory.path / "cwd";
    if (const json::value* dirs = input.if_contains("dirs")) {
      // A parameter of the Python function replaces home and working directory.
      if (dirs->as_array().size() != 1) throw BenchError("expected one directory in `dirs`");
      home.clear();
      working_directory = replaced(texts(*dirs).front(), names);
    }
  }

  config::Loaded load() const {
    config::Places places;
    places.site_file.clear();
    places.working_directory = working_directory;
    places.variable = [this](const char* name) -> const char* {
      if (name == std::string_view("HOME") && !home.empty()) return home.c_str();
      if (name == std::string_view("TORCHXCONFIG") && !torchxconfig.empty())
        return torchxconfig.c_str();
      return nullptr;
    };
    config::Loaded out = config::load(places);
    out.throw_if_errors();
    return out;
  }

  Directory directory;
  std::string home;
  std::string working_directory;
  std::string torchxconfig;
};

json::value apply(const Case& files, const json::object& input) {
  const std::string scheduler = text_member(input, "scheduler");
  const RunOpts declared = declared_by(scheduler);
  const config::Loaded loaded = files.load();
  std::vector<spec::Problem> problems;
  json::object out;
  for (const config::RunOptionSetting& option :
       config::run_option_settings(loaded.settings, scheduler, declared, problems)) {
    out[option.from->key.option] = value_json(option.value);
  }
  for (const spec::Problem& problem : problems) {
    if (problem.severity == spec::Severity::kError) throw spec::InvalidApp(problems);
  }
  // The command line overrides all files.
  if (const json::value* cfg = input.if_contains("cfg")) {
    for (const auto& [key, value] : cfg->as_object()) out[key] = value;
  }
  return out;
}

/// Returns the [PREFIX:NAME] sections: those with a meaning in Slipway as settings, the others
/// unchanged.
json::object sections(const Case& files, const std::string& prefix) {
  const config::Loaded loaded = files.load();
  const bool component = prefix == "component";
  json::object out;
  const auto put = [&](const config::Setting& setting, const std::string& name) {
    if (!out.contains(name)) out[name] = json::object();
    out[name].as_object().emplace(setting.key.option, setting.value.text);
  };
  if (component || prefix == "cli") {
    const config::Section section = component ? config::Section::kComponent : config::Section::kCli;
    for (const config::Setting* setting : loaded.settings.in_force()) {
      if (setting->key.section == section) put(*setting, setting->key.name);
    }
    return out;
  }
  for (const config::Source& source : loaded.sources) {
    if (source.layer != config::Layer::kTorchx || source.state != config::SourceState::kRead)
      continue;
    const config::IniFile ini =
        config::parse_ini(*config::read_config_text(source.path, {}), source.path);
    for (const auto& section : config::prefixed_sections(ini, prefix, source.path)) {
      for (const config::Setting& setting : section.options) put(setting, section.name);
    }
  }
  return out;
}

json::value find_configs(const Case& files) {
  json::array out;
  for (const config::Source& source : files.load().sources) {
    if (source.layer == config::Layer::kTorchx && source.state == config::SourceState::kRead)
      out.push_back(json::value(source.path));
  }
  return out;
}

/// Returns the facts of TorchX's template: names and defaults; a required option has no default.
json::object facts_of(const config::IniFile& ini) {
  json::object out;
  for (const config::IniSection& section : ini.sections) {
    json::object options;
    for (const config::IniOption& option : section.options) {
      const bool required = option.value.rfind("#FIXME", 0) == 0;
      options[option.name] = required || option.value == "None" ? "" : json::value(option.value);
    }
    out[section.name] = std::move(options);
  }
  return out;
}

std::string fact(const spec::Node& node) {
  if (node.type == spec::NodeType::kBool) return node.boolean ? "True" : "False";
  if (node.type == spec::NodeType::kInt) return std::to_string(node.integer);
  return node.text;
}

/// Returns the facts of Slipway's template, read with every `# NAME = VALUE` uncommented; an option
/// without a default has an empty text.
json::object facts_of(const std::string& text, bool required_only) {
  std::string toml;
  bool wanted = true;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = text.find('\n', from);
    std::string line = text.substr(from, end - from);
    from = end + 1;
    if (line.rfind("# (", 0) == 0)
      wanted = !required_only || line.find(", required)") != std::string::npos;
    if (line.rfind("# ", 0) == 0 && line.ends_with(" =")) line += " \"\"";
    const std::size_t equals = line.find(" = ");
    const bool setting =
        line.rfind("# ", 0) == 0 && equals != std::string::npos && line.find(' ', 2) == equals;
    if (setting && wanted) line.erase(0, 2);
    toml += line + "\n";
  }
  json::object out;
  const spec::Node root = spec::parse_toml(toml, "template");
  for (const spec::NodeEntry& table : root.find("scheduler")->entries) {
    json::object options;
    for (const spec::NodeEntry& option : table.value.entries)
      options[option.key] = fact(option.value);
    out[table.key] = std::move(options);
  }
  return out;
}

json::value dump(VectorCase& one) {
  if (one.expected) {
    const std::string text(one.expected->as_string());
    one.expected = facts_of(config::parse_ini(text, "expected"));
  }
  const json::value* required = one.input.if_contains("required_only");
  Dict<RunOpts> schedulers;
  for (const std::string& name : texts(member(one.input, "schedulers")))
    set(schedulers, name, declared_by(name));
  return facts_of(config::config_template({}, schedulers),
                  required != nullptr && required->as_bool());
}

}  // namespace

json::value run_torchx_config(VectorCase& one, Bench&) {
  const std::string op = text_member(one.input, "op");
  if (op == "dump") return dump(one);
  const Case files(one.input);
  if (one.expected)
    one.expected = replaced(*one.expected, {{"<DIR>", files.directory.path.string()}});
  if (op == "apply") return apply(files, one.input);
  if (op == "find_configs") return find_configs(files);
  const json::object found = sections(files, text_member(one.input, "prefix"));
  if (op == "load_sections") return found;
  const json::value* section = found.if_contains(text_member(one.input, "name"));
  if (op == "get_configs") return section != nullptr ? *section : json::object();
  if (op != "get_config") throw BenchError("unknown op " + op);
  const json::value* value = section != nullptr
                                 ? section->as_object().if_contains(text_member(one.input, "key"))
                                 : nullptr;
  return value != nullptr ? *value : nullptr;
}

}  // namespace slipway::vectors
