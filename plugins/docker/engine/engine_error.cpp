#include <boost/json.hpp>
#include <initializer_list>
#include <string_view>

#include "plugins/docker/engine/engine.hpp"

namespace slipway::docker {

namespace {

bool is_no_space(std::string_view words) {
  return mentions(words, {"no space left on device", "disk quota exceeded"});
}

constexpr const char* kNoSpaceHint =
    "`docker system df` shows what uses the engine's disk, `docker system prune` frees some";

}  // namespace

bool mentions(std::string_view words, std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    if (words.find(text) != std::string_view::npos) return true;
  }
  return false;
}

std::string engine_words(const Answer& answer) {
  boost::system::error_code ignored;
  const boost::json::value parsed = boost::json::parse(answer.body, ignored);
  if (const auto* object = parsed.if_object()) {
    if (const auto* message = object->if_contains("message"); message && message->is_string())
      return std::string(message->get_string());
  }
  constexpr std::size_t kMaxBytes = 500;  // of a body that is not JSON, such as a web page
  std::string out = answer.body.substr(0, kMaxBytes);
  while (!out.empty() && (out.back() == '\n' || out.back() == '\r')) out.pop_back();
  return out.empty() ? "it answered with HTTP status " + std::to_string(answer.status) : out;
}

bool is_engine_unable(const Answer& answer) {
  // The texts are those of gRPC, over which the engine talks to containerd.
  return answer.status == 503 ||
         (answer.status == 500 &&
          mentions(engine_words(answer), {": unavailable", "client connection is closing"}));
}

Error engine_error(const std::string& what, const Answer& answer) {
  const std::string words = engine_words(answer);
  const std::string message = what + ": " + words;
  // Slipway's requests name no version, but a proxy at the engine's socket may add one.
  if (mentions(words, {"is too new. Maximum supported", "is too old. Minimum supported"}))
    return {Code::kPrecondition, message, "update the engine, or Slipway"};
  if (is_no_space(words)) return {Code::kCantCreate, message, kNoSpaceHint};
  switch (answer.status) {
    case 400: return {Code::kInvalid, message};
    case 401:
    case 403: return {Code::kDenied, message};
    case 404: return {Code::kNotFound, message};
    case 409: return {Code::kExists, message, "`docker ps -a` shows the container with this name"};
    case 501: return {Code::kUnimplemented, message};
    case 503: return {Code::kTemporary, message, "try again later"};
    default: break;
  }
  if (mentions(words, {"could not select device driver", "no known GPU vendor"})) {
    return {Code::kPrecondition, message,
            "install the NVIDIA Container Toolkit on the engine's machine, or ask for no GPUs"};
  }
  if (mentions(words, {"port is already allocated", "address already in use"}))
    return {Code::kExists, message, "leave out -c ports=fixed: the engine then finds free ports"};
  if (mentions(words, {"invalid mount config", "no such file or directory", "not found",
                       "invalid argument", "permission denied: unknown"}))
    return {Code::kInvalid, message};
  return {Code::kUnavailable, message, "the engine's log says more: `journalctl -u docker`"};
}

Error pull_error(const std::string& image, const std::string& words) {
  const std::string message = "cannot pull " + image + ": " + words;
  if (is_no_space(words)) return {Code::kCantCreate, message, kNoSpaceHint};
  if (mentions(words, {"does not exist or may require", "manifest unknown", "not found",
                       "name unknown", "no matching manifest"})) {
    return {Code::kNotFound, message,
            "check the image's name and tag; a private image needs `docker login` first"};
  }
  if (mentions(words, {"unauthorized", "no basic auth credentials", "authentication required",
                       "access denied", "denied:", "403 Forbidden", "401 Unauthorized"})) {
    return {Code::kDenied, message,
            "log in to the registry first: `docker login REGISTRY` stores the credentials that "
            "Slipway sends"};
  }
  if (mentions(words, {"invalid reference format", "invalid tag"}))
    return {Code::kInvalid, message};
  return {Code::kTemporary, message,
          "the registry cannot be reached at the moment; an image that the engine already has "
          "needs none: -c pull=missing"};
}

Error build_error(const std::string& what, const std::string& words, const std::string& output) {
  const std::string message = what + ": " + words + (output.empty() ? "" : "\n" + output);
  if (is_no_space(words)) return {Code::kCantCreate, message, kNoSpaceHint};
  if (mentions(words, {"does not exist or may require", "manifest unknown", "manifest for",
                       "name unknown", "no matching manifest", "access denied"})) {
    return {Code::kNotFound, message,
            "check the image in the FROM line; a private one must be pulled before, with "
            "`docker pull`"};
  }
  if (mentions(words, {"context canceled", "TLS handshake", "i/o timeout", "no such host"}))
    return {Code::kTemporary, message, "try again later"};
  if (mentions(words, {"requires BuildKit", "require BuildKit"})) {
    return {Code::kInvalid, message,
            "Slipway uses the engine's classic builder: leave that out of the Dockerfile, or build "
            "the image with `docker build` and name it in the app"};
  }
  return {Code::kInvalid, message, "correct the Dockerfile, or the files that it copies"};
}

}  // namespace slipway::docker
