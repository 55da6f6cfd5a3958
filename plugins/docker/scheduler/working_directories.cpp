#include "plugins/docker/scheduler/working_directories.hpp"

#include <boost/json.hpp>
#include <map>
#include <string>

#include "plugins/docker/engine/json_text.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

/// Returns the working directory of the image; "/" if the image does not set one.
std::string directory_of(const Engine& engine, const std::string& image, const Call& call) {
  HttpRequest request;
  request.target = "/images/" + url_text(image) + "/json";
  const Answer answer = engine.ask(request, call);
  if (!answer.ok()) throw engine_error("cannot look for the image " + image, answer);
  boost::system::error_code error;
  const json::value parsed = json::parse(answer.body, error);
  const std::string found = error ? std::string() : text_at(parsed, "/Config/WorkingDir");
  return found.starts_with('/') ? found : "/";
}

}  // namespace

AppPlan with_working_directories(const Engine& engine, const AppPlan& plan, const Call& call) {
  AppPlan out = plan;
  std::map<std::string, std::string> directories;  // by image
  for (ContainerPlan& container : out.containers) {
    if (container.cwd.empty() || container.cwd.front() == '/') continue;
    const auto [found, is_new] = directories.try_emplace(container.image);
    if (is_new) found->second = directory_of(engine, container.image, call);
    const std::string& base = found->second;
    container.cwd = base + (base.back() == '/' ? "" : "/") + container.cwd;
  }
  return out;
}

}  // namespace slipway::docker
