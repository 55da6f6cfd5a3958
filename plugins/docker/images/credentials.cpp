#include "plugins/docker/images/credentials.hpp"

#include <algorithm>
#include <boost/beast/core/detail/base64.hpp>
#include <boost/json.hpp>
#include <cstdlib>
#include <optional>

#include "plugins/docker/engine/json_text.hpp"
#include "sdk/support/file_text.hpp"
#include "slipway/error.hpp"
#include "slipway/lines.hpp"
#include "slipway/program.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;
namespace base64 = boost::beast::detail::base64;

/// The key of Docker Hub in config.json.
constexpr const char* kDockerHub = "https://index.docker.io/v1/";

struct Credentials {
  std::string user;
  std::string secret;  ///< a password or an identity token
  bool is_token = false;
};

std::string config_path() {
  if (const char* directory = std::getenv("DOCKER_CONFIG"); directory != nullptr && *directory != 0)
    return std::string(directory) + "/config.json";
  const char* home = std::getenv("HOME");
  return home != nullptr ? std::string(home) + "/.docker/config.json" : std::string();
}

/// Returns config.json; nullopt if the file is missing or this user cannot read it.
std::optional<json::object> read_config(const std::string& path) {
  const auto text = file_text(path);
  if (!text) return std::nullopt;
  boost::system::error_code error;
  const json::value parsed = json::parse(*text, error);
  if (error || !parsed.is_object())
    throw Error(Code::kConfig, path + " is not a JSON object", "repair it, or log in again");
  return parsed.get_object();
}

const json::object* object_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr ? value->if_object() : nullptr;
}

/// Returns the text in standard base64.
std::string encoded(std::string_view text) {
  std::string out(base64::encoded_size(text.size()), '\0');
  out.resize(base64::encode(out.data(), text.data(), text.size()));
  return out;
}

std::string decoded(std::string_view text) {
  // decoded_size() rounds down, and a text may lack padding.
  std::string out(base64::decoded_size(text.size()) + 3, '\0');
  out.resize(base64::decode(out.data(), text.data(), text.size()).first);
  return out;
}

/// Asks a credential helper of `docker login`, which reads the registry from its standard input.
/// Returns nullopt if it has no credentials for the registry.
std::optional<Credentials> ask_helper(const std::string& helper, const std::string& registry,
                                      const Call& call) {
  const std::string program = "docker-credential-" + helper;
  const StrList shell = {"sh", "-c", "printf %s \"$1\" | exec \"$0\" get", program, registry};
  ProgramLimits limits;
  limits.cancel_fd = call.cancel_fd();
  const ProgramResult result = run_program(shell, limits);
  if (result.end == ProgramResult::End::kCancelled) throw Error(Code::kCancelled, "cancelled");
  const std::string words = std::string(trimmed(result.err + result.out));
  if (!result.ok()) {
    if (words.find("credentials not found") != std::string::npos) return std::nullopt;
    throw Error(Code::kPrecondition,
                program + ", which " + config_path() + " names, fails" +
                    (words.empty() ? std::string() : ": " + words),
                "install the helper, or log in without it");
  }
  boost::system::error_code error;
  const json::value parsed = json::parse(result.out, error);
  if (error || !parsed.is_object())
    throw Error(Code::kPrecondition, program + " did not answer with a JSON object");
  Credentials out{text_in(parsed.get_object(), "Username"), text_in(parsed.get_object(), "Secret"),
                  false};
  out.is_token = out.user == "<token>";  // the name that helpers give to an identity token
  return out;
}

/// Returns the credentials for the registry that config.json itself has.
std::optional<Credentials> stored_credentials(const json::object& config,
                                              const std::string& registry) {
  const json::object* auths = object_at(config, "auths");
  if (auths == nullptr) return std::nullopt;
  const json::object* entry = object_at(*auths, registry);
  // Some keys have the scheme.
  if (entry == nullptr) entry = object_at(*auths, "https://" + registry);
  if (entry == nullptr) return std::nullopt;
  if (const std::string token = text_in(*entry, "identitytoken"); !token.empty())
    return Credentials{"", token, true};
  const std::string pair = decoded(text_in(*entry, "auth"));
  const std::size_t colon = pair.find(':');
  if (colon == std::string::npos) return std::nullopt;
  return Credentials{pair.substr(0, colon), pair.substr(colon + 1), false};
}

}  // namespace

ImageName parse_image(std::string_view image) {
  ImageName out;
  const std::size_t digest = image.find('@');
  const std::size_t slash = image.rfind('/', digest);
  const std::size_t colon =
      image.substr(0, digest).find(':', slash == std::string_view::npos ? 0 : slash);
  out.tag = "latest";
  if (digest != std::string_view::npos) {
    out.tag = image.substr(digest + 1);
  } else if (colon != std::string_view::npos) {
    out.tag = image.substr(colon + 1);
  }
  out.repository = image.substr(0, std::min(digest, colon));
  const std::string_view first = image.substr(0, image.find('/'));
  const bool has_registry =
      first.size() < image.size() &&
      (first == "localhost" || first.find_first_of(".:") != std::string_view::npos);
  out.registry = has_registry && first != "docker.io" ? std::string(first) : kDockerHub;
  return out;
}

std::string registry_auth(const std::string& registry, const Call& call) {
  const auto config = read_config(config_path());
  if (!config) return {};
  std::string helper = text_in(*config, "credsStore");
  if (const json::object* helpers = object_at(*config, "credHelpers")) {
    if (const std::string own = text_in(*helpers, registry); !own.empty()) helper = own;
  }
  const std::optional<Credentials> found =
      helper.empty() ? stored_credentials(*config, registry) : ask_helper(helper, registry, call);
  if (!found) return {};
  json::object header = {{"serveraddress", registry}};
  if (found->is_token) {
    header["identitytoken"] = found->secret;
  } else {
    header["username"] = found->user;
    header["password"] = found->secret;
  }
  std::string out = encoded(json::serialize(header));
  // The engine expects base64 in its alphabet for URLs.
  for (char& c : out) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return out;
}

}  // namespace slipway::docker
