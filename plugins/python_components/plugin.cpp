// The provider `python`: components that are Python functions.
#include "slipway/plugin.hpp"

#include <boost/json.hpp>
#include <cctype>
#include <filesystem>
#include <optional>

#include "plugins/python_components/component_json.hpp"
#include "plugins/python_components/python_requests.hpp"
#include "plugins/python_components/python_resources.hpp"
#include "sdk/support/absolute_path.hpp"
#include "sdk/support/file_text.hpp"
#include "slipway/app_text.hpp"

namespace slipway::python {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t kMaxAppBytes = std::size_t{16} << 20;  // as the host's limit of app files

// Returns whether the name may be that of a function in a module: `my.module:fn`, `module.fn`, or
// `fn` for a function of a module that a distribution advertises.
bool is_in_module(std::string_view name) {
  bool is_at_start = true;  // of a part of the name
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '.' || c == ':') {
      if (is_at_start) return false;
      is_at_start = true;
    } else if (std::isalpha(byte) != 0 || c == '_' || byte >= 0x80 ||
               (!is_at_start && std::isdigit(byte) != 0)) {
      is_at_start = false;
    } else {
      return false;
    }
  }
  return !is_at_start;
}

std::string content_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    throw Error(Code::kNotFound, "there is no file " + path);
  if (status.type() != fs::file_type::none) {
    if (status.type() != fs::file_type::regular)
      throw Error(Code::kInvalid, path + " is not a regular file");
    if (auto text = file_text(path)) return *text;
    error.assign(errno, std::generic_category());
  }
  const bool denied = error == std::errc::permission_denied;
  throw Error(denied ? Code::kDenied : Code::kInternal,
              path + " cannot be read: " + error.message());
}

// Returns the path for messages: a relative one for a path below the working directory. Links keep
// the name that the user gave.
std::string shown_path(const std::string& path) {
  std::error_code unknown;
  const fs::path relative = fs::path(path).lexically_relative(fs::current_path(unknown));
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
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
      : Components(host, std::move(args)), requests_(this->host(), this->args().config_json) {}

  std::vector<ComponentInfo> list(const Call& call) override {
    if (!project_) project_ = read_project(call);
    return *project_;
  }

  std::vector<ComponentInfo> list_selected(const ComponentQuery& query, const Call& call) override {
    if (query.file.empty() && query.name.empty()) return list(call);
    if (query.file.empty()) {
      if (!is_in_module(query.name)) return {};
      const json::object answer =
          requests_.ask_once(call, {{"op", "named"}, {"name", query.name}}, query.name);
      const json::value* file = answer.if_contains("file");
      return usable(read_components(answer), query.name,
                    file != nullptr ? shown_path(std::string(file->as_string())) : std::string());
    }
    const std::string subject = shown_path(query.file);
    return usable(requests_.components_of(query.file, content_of(query.file), subject, call),
                  query.name, subject);
  }

  AppDef build(std::string_view name, const Cfg& args, const Call& call) override {
    const std::size_t colon = name.rfind(".py:");
    if (colon != std::string_view::npos)  // list() names the components of the project like this
      return build_from_file(absolute_path(name.substr(0, colon + 3)).string(),
                             name.substr(colon + 4), args, call);
    if (!is_in_module(name))
      throw Error(Code::kNotFound, "there is no component " + std::string(name));
    return built_app({{"op", "build"}, {"name", name}, {"args", arguments_json(args)}},
                     std::string(name), call);
  }

  AppDef build_from_file(std::string_view file, std::string_view name, const Cfg& args,
                         const Call& call) override {
    return built_app(
        {{"op", "build"}, {"file", file}, {"name", name}, {"args", arguments_json(args)}},
        shown_path(std::string(file)) + ":" + std::string(name), call);
  }

  std::vector<ComponentProblem> check(const ComponentQuery& query, const Call& call) override {
    content_of(query.file);  // throws the error for a file that is missing or cannot be read
    const json::object answer =
        requests_.ask(call, {{"op", "check"}, {"file", query.file}, {"name", query.name}},
                      shown_path(query.file));
    return read_problems(answer.at("problems"));
  }

 private:
  // Returns the components of the project and of installed distributions; none on a machine without
  // Python.
  std::vector<ComponentInfo> read_project(const Call& call) {
    json::object answer;
    try {
      answer = requests_.ask_once(call, {{"op", "project"}}, "the list of Python components");
    } catch (const Error& error) {
      if (error.code() != Code::kPrecondition) throw;
      host().log(LogLevel::kDebug, error.message());
      return {};
    }
    for (const json::value& note : answer.at("notes").as_array())
      host().log(LogLevel::kInfo, std::string_view(note.as_string()));
    return usable(read_components(answer), {}, {});
  }

  // Returns the public components without problems, and the one called `wanted`. Throws Error
  // kInvalid if that one has problems.
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

  AppDef built_app(json::object request, const std::string& subject, const Call& call) {
    const json::object answer = requests_.ask(call, std::move(request), subject);
    const std::string text = json::serialize(answer.at("app"));
    if (text.size() > kMaxAppBytes) {
      const std::size_t rounded_up = (text.size() + (1U << 20U) - 1) >> 20U;
      throw Error(Code::kInvalid, subject + " returned an app of " + std::to_string(rounded_up) +
                                      " MiB as JSON; Slipway reads at most 16 MiB");
    }
    return app_from_text(host(), text, call);
  }

  PythonRequests requests_;
  std::optional<std::vector<ComponentInfo>> project_;  // one object serves one command
};

}  // namespace
}  // namespace slipway::python

SLIPWAY_PLUGIN("org.slipway.python_components", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(slipway::python::PythonComponents, "python",
                                "Components that are Python functions"),
               SLIPWAY_PROVIDER(slipway::python::PythonResources, "python_distributions",
                                "Named resources that Python distributions advertise"))
