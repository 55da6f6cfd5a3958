// The provider `python`: components that are Python functions.
#include "slipway/plugin.hpp"

#include <boost/json.hpp>
#include <cctype>
#include <filesystem>
#include <optional>

#include "plugins/python_components/component_cache.hpp"
#include "plugins/python_components/component_json.hpp"
#include "plugins/python_components/file_states.hpp"
#include "plugins/python_components/python_call.hpp"
#include "sdk/support/file_text.hpp"
#include "slipway/app_text.hpp"

namespace slipway::python {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr const char* kVersion = SLIPWAY_VERSION;

// Returns whether the name can be that of a function in a module: `my.module:fn`, `module.fn`.
bool is_in_module(std::string_view name) {
  bool starts = true;
  std::size_t parts = 1;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '.' || c == ':') {
      if (starts) return false;
      starts = true;
      ++parts;
    } else if (std::isalpha(byte) != 0 || c == '_' || byte >= 0x80 ||
               (!starts && std::isdigit(byte) != 0)) {
      starts = false;
    } else {
      return false;
    }
  }
  return !starts && parts > 1;
}

std::string content_of(const std::string& path) {
  std::error_code unknown;
  if (!fs::exists(path, unknown)) throw Error(Code::kNotFound, "there is no file " + path);
  if (!fs::is_regular_file(path, unknown))
    throw Error(Code::kInvalid, path + " is not a regular file");
  if (auto text = file_text(path)) return *text;
  throw Error(Code::kDenied, path + " cannot be read");
}

// Returns the path for messages: below the working directory, a relative one.
std::string shown_path(const std::string& path) {
  std::error_code unknown;
  const std::string relative = fs::relative(path, unknown).string();
  return unknown || relative.empty() || relative.compare(0, 2, "..") == 0 ? path : relative;
}

void refuse_problems(const PythonComponent& component, const std::string& file) {
  if (component.problems.empty()) return;
  std::string message;
  for (const ComponentProblem& problem : component.problems) {
    message += (message.empty() ? "" : "\n") + file + ":" + std::to_string(problem.line) + ":" +
               std::to_string(problem.column) + ": " + problem.message;
  }
  throw Error(Code::kInvalid, message, component.problems.front().hint);
}

class PythonComponents : public Components {
 public:
  PythonComponents(Host host, CreateArgs args)
      : Components(host, std::move(args)), cache_(cache_directory(), kVersion) {
    read_settings(this->args().config_json);
  }

  std::vector<ComponentInfo> list(const Call& call) override {
    if (!project_) project_ = read_project(call);
    return *project_;
  }

  std::vector<ComponentInfo> list_selected(const ComponentQuery& query, const Call& call) override {
    if (query.file.empty() && query.name.empty()) return list(call);
    if (query.file.empty()) {
      if (!is_in_module(query.name)) return {};
      const json::object answer =
          ask_once(call, {{"op", "named"}, {"name", query.name}}, query.name);
      const json::value* file = answer.if_contains("file");
      return usable(read_components(answer), query.name,
                    file != nullptr ? shown_path(std::string(file->as_string())) : std::string());
    }
    return usable(of_file(query.file, call), query.name, shown_path(query.file));
  }

  AppDef build(std::string_view name, const Cfg& args, const Call& call) override {
    const std::size_t colon = name.rfind(".py:");
    if (colon != std::string_view::npos)  // as list() names the components of the project
      return build_from_file(fs::absolute(name.substr(0, colon + 3)).string(),
                             name.substr(colon + 4), args, call);
    if (!is_in_module(name))
      throw Error(Code::kNotFound, "there is no component " + std::string(name));
    return built({{"op", "build"}, {"name", name}, {"args", arguments_json(args)}},
                 std::string(name), call);
  }

  AppDef build_from_file(std::string_view file, std::string_view name, const Cfg& args,
                         const Call& call) override {
    return built({{"op", "build"}, {"file", file}, {"name", name}, {"args", arguments_json(args)}},
                 shown_path(std::string(file)) + ":" + std::string(name), call);
  }

  std::vector<ComponentProblem> check(const ComponentQuery& query, const Call& call) override {
    content_of(query.file);
    const json::object answer =
        ask(call, {{"op", "check"}, {"file", query.file}, {"name", query.name}},
            shown_path(query.file));
    return read_problems(answer.at("problems"));
  }

 private:
  void read_settings(const std::string& text) {
    if (text.empty()) return;
    const json::value settings = json::parse(text);
    for (const auto& [key, value] : settings.as_object()) {
      const std::int64_t* seconds = value.if_int64();
      if (key == "time_limit_s" && seconds != nullptr && *seconds >= 1 && *seconds <= 86'400) {
        settings_.time = std::chrono::seconds(*seconds);
      } else if (key == "isolated" && value.is_bool()) {
        settings_.isolated = value.get_bool();
      } else {
        throw Error(Code::kConfig,
                    "[plugin.config] of Python components: " + std::string(key) + " = " +
                        json::serialize(value) + " is not possible",
                    "known: time_limit_s (1 to 86400), isolated (true or false)");
      }
    }
  }

  // Machines without Python have no Python components.
  std::vector<ComponentInfo> read_project(const Call& call) {
    json::object answer;
    try {
      answer = ask_once(call, {{"op", "project"}}, "the list of Python components");
    } catch (const Error& error) {
      if (error.code() != Code::kPrecondition) throw;
      host().log(LogLevel::kDebug, error.message());
      return {};
    }
    for (const json::value& note : answer.at("notes").as_array())
      host().log(LogLevel::kInfo, std::string_view(note.as_string()));
    return usable(read_components(answer), {}, {});
  }

  json::object ask(const Call& call, json::object request, const std::string& shown) {
    return ask_python(host(), call, settings_, std::move(request), shown);
  }

  // Asks about modules and the project, and keeps an answer until a file changes that it is from.
  json::object ask_once(const Call& call, json::object request, const std::string& shown) {
    const std::string key =
        json::serialize(json::object{{"request", request}, {"search", search_path(settings_)}});
    if (const auto known = cache_.find(key, {})) {
      boost::system::error_code damaged;
      const json::value answer = json::parse(*known, damaged);
      if (!damaged && answer.is_object() &&
          are_unchanged(answer.get_object().at("depends").as_object()))
        return answer.get_object();
    }
    json::object answer = ask(call, std::move(request), shown);
    if (answer.contains("depends")) cache_.put(key, {}, json::serialize(answer));
    return answer;
  }

  std::vector<PythonComponent> of_file(const std::string& path, const Call& call) {
    const std::string content = content_of(path);
    if (const auto known = cache_.find(path, content)) {
      try {
        return read_components(json::parse(*known).as_object());
      } catch (const std::exception&) {
        // A damaged entry; Python answers.
      }
    }
    const json::object answer = ask(call, {{"op", "list"}, {"file", path}}, shown_path(path));
    std::vector<PythonComponent> out = read_components(answer);
    cache_.put(path, content, json::serialize(answer));
    return out;
  }

  // Returns the components for users, and the one called `wanted`, which must have no problems.
  static std::vector<ComponentInfo> usable(std::vector<PythonComponent> all,
                                           const std::string& wanted, const std::string& file) {
    std::vector<ComponentInfo> out;
    for (PythonComponent& component : all) {
      const bool is_wanted = !wanted.empty() && component.info.name == wanted;
      if (is_wanted) refuse_problems(component, file);
      if (is_wanted || (component.is_public && component.problems.empty()))
        out.push_back(std::move(component.info));
    }
    return out;
  }

  AppDef built(json::object request, const std::string& shown, const Call& call) {
    const json::object answer = ask(call, std::move(request), shown);
    return app_from_text(host(), json::serialize(answer.at("app")), call);
  }

  PythonSettings settings_;
  ComponentCache cache_;
  std::optional<std::vector<ComponentInfo>> project_;  // one object serves one command
};

}  // namespace
}  // namespace slipway::python

SLIPWAY_PLUGIN("org.slipway.python_components", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(slipway::python::PythonComponents, "python",
                                "Components that are Python functions"))
