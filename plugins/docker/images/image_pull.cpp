#include "plugins/docker/images/image_pull.hpp"

#include <boost/json.hpp>
#include <chrono>
#include <map>
#include <utility>

#include "plugins/docker/engine/json_text.hpp"
#include "plugins/docker/images/credentials.hpp"
#include "plugins/docker/images/progress.hpp"
#include "plugins/docker/images/workspace_image.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

constexpr std::chrono::seconds kPullLimit{300};  // the engine unpacks a large layer in silence

/// Reads the progress of a pull: reports the complete layers, and throws the error of a failed
/// pull.
class Layers {
 public:
  Layers(std::string image, const Host& host) : image_(std::move(image)), reports_(host) {}

  void read(const json::object& line) {
    if (const json::value* words = line.if_contains("error"); words && words->is_string())
      throw pull_error(image_, std::string(words->get_string()));
    const std::string layer = text_in(line, "id");
    const std::string word = text_in(line, "status");
    // The line "Pulling from" has the tag as its id.
    if (layer.empty() || word.empty() || word.starts_with("Pulling from")) return;
    layers_[layer] = word == "Pull complete" || word == "Already exists";
    std::size_t done = 0;
    for (const auto& [id, is_done] : layers_) done += is_done ? 1 : 0;
    reports_.say("docker: pulling " + image_ + ": " + std::to_string(done) + " of " +
                 std::to_string(layers_.size()) + " layers");
  }

 private:
  std::string image_;
  PacedReports reports_;
  std::map<std::string, bool> layers_;  // whether each is complete, by id
};

void pull(const Engine& engine, const std::string& image, const Host& host, const Call& call) {
  const ImageName name = parse_image(image);
  HttpRequest request = post_request("/images/create?fromImage=" + url_text(name.repository) +
                                     "&tag=" + url_text(name.tag));
  if (const std::string auth = registry_auth(name.registry, call); !auth.empty())
    request.headers = {{"X-Registry-Auth", auth}};
  host.log(LogLevel::kInfo, "docker: pulling " + image);
  const auto stream = engine.open(request, call, kPullLimit);
  const Patience patience(call, kPullLimit);
  if (!stream->head().ok()) throw pull_error(image, engine_words(stream->finish(patience)));
  Layers layers(image, host);
  read_progress(*stream, patience, [&](const json::object& line) { layers.read(line); });
}

}  // namespace

void provide_image(const Engine& engine, const std::string& image, PullPolicy policy,
                   const Host& host, const Call& call) {
  HttpRequest request;
  request.target = "/images/" + url_text(image) + "/json";
  const bool is_id = is_image_id(image);
  if (policy != PullPolicy::kAlways || is_id) {
    const Answer answer = engine.ask(request, call);
    if (answer.ok()) return;
    if (answer.status != 404) throw engine_error("cannot look for the image " + image, answer);
    if (is_id) {
      throw Error(Code::kNotFound, "the Docker engine does not have the image " + image,
                  "if it was built from a workspace, --workspace DIR builds it again");
    }
    if (policy == PullPolicy::kNever) {
      throw Error(Code::kNotFound,
                  "the Docker engine does not have the image " + image + ", and may not pull it",
                  "leave out -c pull=never, or load the image with `docker load`");
    }
  }
  pull(engine, image, host, call);
}

}  // namespace slipway::docker
