#include "plugins/python_components/python_requests.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "sdk/support/json_value_text.hpp"

namespace slipway::python {

namespace {

namespace json = boost::json;

PythonSettings read_settings(const std::string& text) {
  PythonSettings out;
  if (text.empty()) return out;
  const json::value settings = json::parse(text);
  for (const auto& [key, value] : settings.as_object()) {
    const std::int64_t* seconds = value.if_int64();
    if (key == "time_limit_s" && seconds != nullptr && *seconds >= 1 && *seconds <= 86'400) {
      out.time_limit = std::chrono::seconds(*seconds);
    } else if (key == "isolated" && value.is_bool()) {
      out.isolated = value.get_bool();
    } else {
      throw Error(
          Code::kConfig,
          "the configuration of Python components: " + std::string(key) + " = " +
              json_value_text(value) + " is not possible",
          "known: time_limit_s (1 to 86400), isolated (true or false); the settings are in the "
          "plug-in's manifest, or under [plugins.\"org.slipway.python_components\"] in a "
          "configuration file");
    }
  }
  return out;
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

json::value state_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return nullptr;
  return json::array{nanoseconds(found.st_mtim), nanoseconds(found.st_ctim), found.st_size,
                     found.st_ino};
}

// Returns whether the paths in `states` still have the states that `dependencies.py` noted: [mtime
// in ns, ctime in ns, size in bytes, inode], or null for a missing path. Returns false for other
// shapes.
bool are_unchanged(const json::object& states) {
  for (const auto& [path, state] : states) {
    if (state != state_of(path)) return false;
  }
  return true;
}

}  // namespace

PythonRequests::PythonRequests(const Host& host, const std::string& config_json)
    : host_(host),
      settings_(read_settings(config_json)),
      cache_(cache_directory(), SLIPWAY_VERSION) {}

json::object PythonRequests::ask(const Call& call, json::object request,
                                 const std::string& subject) const {
  return ask_python(host_, call, settings_, std::move(request), subject);
}

json::object PythonRequests::ask_once(const Call& call, json::object request,
                                      const std::string& subject) const {
  const std::string key = json::serialize(
      json::object{{"request", request}, {"search", module_search_inputs(settings_)}});
  if (const auto known = cache_.find(key, {})) {
    try {
      json::value answer = json::parse(*known);
      if (are_unchanged(answer.at("depends").as_object())) return std::move(answer.as_object());
    } catch (const std::exception&) {
      // A damaged entry; Python answers.
    }
  }
  json::object answer = ask(call, std::move(request), subject);
  if (answer.contains("depends")) cache_.put(key, {}, json::serialize(answer));
  return answer;
}

std::vector<PythonComponent> PythonRequests::components_of(const std::string& path,
                                                           const std::string& content,
                                                           const std::string& subject,
                                                           const Call& call) const {
  if (const auto known = cache_.find(path, content)) {
    try {
      return read_components(json::parse(*known).as_object());
    } catch (const std::exception&) {
      // A damaged entry; Python answers.
    }
  }
  const json::object answer = ask(call, {{"op", "list"}, {"file", path}}, subject);
  std::vector<PythonComponent> out = read_components(answer);
  cache_.put(path, content, json::serialize(answer));
  return out;
}

}  // namespace slipway::python
