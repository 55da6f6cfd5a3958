#include "plugins/docker/images/image_build.hpp"

#include <boost/json.hpp>
#include <chrono>
#include <string_view>
#include <utility>

#include "plugins/docker/images/progress.hpp"
#include "slipway/lines.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

constexpr std::chrono::minutes kContextLimit{5};  // the engine unpacks the context in silence
constexpr std::chrono::minutes kStepLimit{30};    // a step may print nothing for so long
constexpr std::size_t kKeptOutput = 2000;         // bytes of a step's output in an error

/// Returns whether the engine announces a step, as in "Step 3/7 : RUN make". A program of a step
/// may also print a line that begins with "Step".
bool begins_step(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kStart = "Step ";
  if (!text.starts_with(kStart)) return false;
  text.remove_prefix(kStart.size());
  const std::size_t slash = text.find_first_not_of(kDigits);
  if (slash == 0 || slash >= text.size() || text[slash] != '/') return false;
  const std::size_t end = text.find_first_not_of(kDigits, slash + 1);
  return end > slash + 1 && end < text.size() && text.substr(end).starts_with(" : ");
}

/// Reads the progress of a build: reports each step, and throws the error of a step that fails.
class Steps {
 public:
  Steps(const std::string& name, PacedReports& reports) : name_(name), reports_(reports) {}

  void read(const json::object& line) {
    if (const json::value* words = line.if_contains("error"); words && words->is_string()) {
      const std::string what = "cannot build the image " + name_;
      throw build_error(step_.empty() ? what : what + ", " + step_,
                        std::string(words->get_string()), std::string(last_output()));
    }
    const json::value* stream = line.if_contains("stream");
    if (stream == nullptr || !stream->is_string()) return;
    const std::string_view text(stream->get_string());
    if (begins_step(text)) {
      step_ = trimmed(text);
      output_.clear();
    } else {
      output_ += text;
      if (output_.size() > 2 * kKeptOutput) output_.erase(0, output_.size() - kKeptOutput);
    }
    if (!step_.empty()) reports_.say("docker: building " + name_ + ": " + step_);
  }

 private:
  /// Returns the last lines of the step's output.
  std::string_view last_output() const {
    const std::string_view all = trimmed(output_);
    if (all.size() <= kKeptOutput) return all;
    const std::string_view end = all.substr(all.size() - kKeptOutput);
    return end.substr(end.find('\n') + 1);
  }

  const std::string& name_;
  PacedReports& reports_;
  std::string step_;
  std::string output_;
};

std::string object_text(const StrDict& dict) {
  json::object out;
  for (const auto& [key, value] : dict) out[key] = value;
  return json::serialize(out);
}

HttpRequest request_of(const BuildOrder& order) {
  HttpRequest out = post_request("/build?rm=1&forcerm=1&t=" + url_text(order.name) +
                                 "&dockerfile=" + url_text(order.dockerfile) +
                                 "&buildargs=" + url_text(object_text(order.arguments)) +
                                 "&labels=" + url_text(object_text(order.labels)));
  out.content_type = "application/x-tar";
  return out;
}

}  // namespace

void build_image(const Engine& engine, const BuildOrder& order, BuildContext& context,
                 const Host& host, const Call& call) {
  constexpr int kBadRequest = 400;  // for a Dockerfile that the engine cannot read
  PacedReports reports(host);
  HttpRequest request = request_of(order);
  request.body_source = [&](std::string& piece) {
    const bool is_more = context.next(piece);
    reports.say("docker: building " + order.name + ": " +
                std::to_string(context.sent_bytes() >> 20) + " MiB of the workspace are sent");
    return is_more;
  };
  const auto stream = engine.open(request, call, kContextLimit);
  const Patience patience(call, kStepLimit);
  if (!stream->head().ok()) {
    const Answer answer = stream->finish(patience);
    const std::string what = "cannot build the image " + order.name;
    if (answer.status == kBadRequest) throw build_error(what, engine_words(answer), {});
    throw engine_error(what, answer);
  }
  Steps steps(order.name, reports);
  read_progress(*stream, patience, [&](const json::object& line) { steps.read(line); });
}

}  // namespace slipway::docker
