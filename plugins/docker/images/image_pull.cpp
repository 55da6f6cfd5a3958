#include "plugins/docker/images/image_pull.hpp"

#include <poll.h>

#include <boost/json.hpp>
#include <chrono>
#include <map>
#include <utility>

#include "plugins/docker/images/credentials.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

constexpr std::chrono::seconds kPullLimit{300};  // a large layer is unpacked in silence
constexpr std::chrono::seconds kReportPause{2};

/// Reads the lines of a pull's progress, each a JSON object.
class Progress {
 public:
  Progress(std::string image, const Host& host) : image_(std::move(image)), host_(host) {}

  void read(std::string& lines) {
    std::size_t start = 0;
    for (std::size_t end = 0; (end = lines.find('\n', start)) != std::string::npos; start = end + 1)
      line(std::string_view(lines).substr(start, end - start));
    lines.erase(0, start);
  }

 private:
  void line(std::string_view text) {
    boost::system::error_code error;
    const json::value parsed = json::parse(text, error);
    if (error || !parsed.is_object()) return;
    const json::object& object = parsed.get_object();
    if (const json::value* words = object.if_contains("error"); words && words->is_string())
      throw pull_error(image_, std::string(words->get_string()));
    const json::value* layer = object.if_contains("id");
    const json::value* status = object.if_contains("status");
    if (layer == nullptr || status == nullptr || !layer->is_string() || !status->is_string())
      return;
    const std::string word(status->get_string());
    if (word.rfind("Pulling from", 0) == 0) return;
    layers_[std::string(layer->get_string())] = word == "Pull complete" || word == "Already exists";
    report();
  }

  void report() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_report_) return;
    next_report_ = now + kReportPause;
    std::size_t done = 0;
    for (const auto& [layer, is_done] : layers_) done += is_done ? 1 : 0;
    host_.log(LogLevel::kInfo, "docker: pulling " + image_ + ": " + std::to_string(done) + " of " +
                                   std::to_string(layers_.size()) + " layers");
  }

  std::string image_;
  Host host_;
  std::map<std::string, bool> layers_;
  std::chrono::steady_clock::time_point next_report_ =
      std::chrono::steady_clock::now() + kReportPause;
};

void pull(const Engine& engine, const std::string& image, const Host& host, const Call& call) {
  const ImageName name = parse_image(image);
  HttpRequest request = post_request("/images/create?fromImage=" + url_text(name.repository) +
                                     "&tag=" + url_text(name.tag));
  if (const std::string auth = registry_auth(name.registry, call); !auth.empty())
    request.headers = {{"X-Registry-Auth", auth}};
  host.log(LogLevel::kInfo, "docker: pulling " + image);
  Patience patience(call, kPullLimit);
  const auto stream = engine.open(request, call, kPullLimit);
  if (!stream->head().status || !stream->head().ok())
    throw pull_error(image, engine_words(stream->finish(patience)));
  Progress progress(image, host);
  std::string lines;
  while (stream->read(lines)) {
    progress.read(lines);
    pollfd fds[2] = {{stream->fd(), POLLIN, 0}, {patience.cancel_fd(), POLLIN, 0}};
    if (::poll(fds, 2, patience.left_ms()) > 0) patience.refresh();
  }
  lines += '\n';
  progress.read(lines);
}

}  // namespace

void provide_image(const Engine& engine, const std::string& image, PullPolicy policy,
                   const Host& host, const Call& call) {
  HttpRequest request;
  request.target = "/images/" + url_text(image) + "/json";
  if (policy != PullPolicy::kAlways) {
    const Answer answer = engine.ask(request, call);
    if (answer.ok()) return;
    if (answer.status != 404) throw engine_error("cannot look for the image " + image, answer);
    if (policy == PullPolicy::kNever) {
      throw Error(Code::kNotFound,
                  "the Docker engine does not have the image " + image + ", and may not pull it",
                  "leave out -c pull=never, or load the image with `docker load`");
    }
  }
  pull(engine, image, host, call);
}

}  // namespace slipway::docker
