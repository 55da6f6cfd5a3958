#include "plugins/docker/images/workspace_image.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <exception>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "plugins/docker/engine/engine_time.hpp"
#include "plugins/docker/engine/json_text.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

constexpr std::string_view kRepository = "slipway-workspace:";
constexpr std::size_t kLongestTag = 128;  // the engine refuses longer ones
constexpr std::string_view kIdStart = "sha256:";
constexpr std::size_t kIdDigits = 64;
constexpr std::chrono::hours kForgottenAfter{24};

bool is_tag_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

HttpRequest get_request(std::string target) {
  HttpRequest out;
  out.target = std::move(target);
  return out;
}

HttpRequest inspection_request(const std::string& name) {
  return get_request("/images/" + url_text(name) + "/json");
}

HttpRequest removal_request(const std::string& name) {
  return delete_request("/images/" + url_text(name));
}

json::value parse_json(const Answer& answer) {
  boost::system::error_code error;
  json::value out = json::parse(answer.body, error);
  if (error) {
    throw Error(Code::kTemporary, "the Docker engine's answer cannot be read as JSON",
                "see whether another program listens on the engine's socket");
  }
  return out;
}

std::string label_in(const json::value& inspection, const char* name) {
  return text_at(inspection, std::string("/Config/Labels/") + name);
}

/// Returns the engine's description of an image; nullopt if it does not have the image.
std::optional<json::value> inspect_image(const Engine& engine, const std::string& name,
                                         const Call& call) {
  const Answer answer = engine.ask(inspection_request(name), call);
  if (answer.status == 404) return std::nullopt;
  if (!answer.ok()) throw engine_error("cannot look for the image " + name, answer);
  return parse_json(answer);
}

std::set<std::string> ids_of_used_images(const Engine& engine, const Call& call) {
  std::set<std::string> out;
  const json::value containers =
      parse_json(engine.ask(get_request("/containers/json?all=1"), call));
  for (const json::value& container : containers.as_array())
    out.insert(text_at(container, "/ImageID"));
  return out;
}

/// Returns the names of this user's images that no container uses.
std::vector<std::string> unused_names(const Engine& engine, const Call& call) {
  // The list of images comes first: a container that is created in between is then in the list of
  // containers, and its image counts as used.
  const std::string label = std::string(kWorkspaceLabel) + "=" + workspace_owner();
  const json::object filter = {{"label", json::array{label}}};
  const json::value images = parse_json(
      engine.ask(get_request("/images/json?filters=" + url_text(json::serialize(filter))), call));
  const std::set<std::string> used = ids_of_used_images(engine, call);
  std::vector<std::string> out;
  for (const json::value& image : images.as_array()) {
    const json::value* names = image.as_object().if_contains("RepoTags");
    if (used.count(text_at(image, "/Id")) != 0 || names == nullptr || !names->is_array()) continue;
    for (const json::value& name : names->get_array()) {
      if (is_workspace_image(std::string_view(name.as_string())))
        out.emplace_back(name.as_string());
    }
  }
  return out;
}

void remove_unused(const Engine& engine, const Call& call) {
  const std::vector<std::string> names = unused_names(engine, call);
  std::vector<HttpRequest> requests;
  for (const std::string& name : names) requests.push_back(inspection_request(name));
  const std::vector<Answer> answers = engine.ask_all(requests, call);
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  std::vector<HttpRequest> removals;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!answers[i].ok()) continue;
    const TimeNs named_at = parse_time(text_at(parse_json(answers[i]), "/Metadata/LastTagTime"));
    if (named_at && now - std::chrono::nanoseconds(*named_at) > kForgottenAfter)
      removals.push_back(removal_request(names[i]));
  }
  engine.ask_all(removals, call, kChangeLimit);
}

}  // namespace

std::string workspace_image_name(std::string tag) {
  std::replace_if(
      tag.begin(), tag.end(), [](char c) { return !is_tag_character(c); }, '-');
  tag.erase(0, tag.size() - std::min(tag.size(), kLongestTag));
  if (tag.empty()) tag = "_";
  // A tag cannot begin with these characters.
  if (tag.front() == '-' || tag.front() == '.') tag.front() = '_';
  return std::string(kRepository) + tag;
}

bool is_workspace_image(std::string_view name) { return name.rfind(kRepository, 0) == 0; }

bool is_image_id(std::string_view image) {
  return image.size() == kIdStart.size() + kIdDigits && image.rfind(kIdStart, 0) == 0;
}

std::string workspace_owner() { return std::to_string(::geteuid()); }

std::optional<std::string> find_workspace_image(const Engine& engine, const std::string& name,
                                                const Call& call) {
  const auto inspection = inspect_image(engine, name, call);
  if (!inspection || label_in(*inspection, kWorkspaceLabel).empty()) return std::nullopt;
  return text_at(*inspection, "/Id");
}

std::string base_of(const Engine& engine, const std::string& image, const Call& call) {
  if (!is_workspace_image(image) && !is_image_id(image)) return image;
  const auto inspection = inspect_image(engine, image, call);
  const std::string base = inspection ? label_in(*inspection, kBaseLabel) : std::string();
  return base.empty() ? image : base;
}

void use_image_ids(const Engine& engine, AppDef& app, AppPlan& plan, const Call& call) {
  std::map<std::string, std::string> ids;
  for (Role& role : app.roles) {
    if (!is_workspace_image(role.image)) continue;
    const auto [id, is_new] = ids.try_emplace(role.image);
    if (is_new) {
      auto found = find_workspace_image(engine, role.image, call);
      if (!found) {
        throw Error(Code::kNotFound, "the Docker engine does not have the image " + role.image,
                    "--workspace DIR builds it again");
      }
      id->second = *std::move(found);
    }
    role.image = id->second;
  }
  for (ContainerPlan& container : plan.containers) {
    if (const auto id = ids.find(container.image); id != ids.end()) container.image = id->second;
  }
}

void remove_workspace_image(const Engine& engine, const std::string& name, const Call& call) {
  if (!is_workspace_image(name) || !find_workspace_image(engine, name, call)) return;
  const Answer answer = engine.ask(removal_request(name), call, kChangeLimit);
  constexpr int kInUse = 409;
  if (!answer.ok() && answer.status != 404 && answer.status != kInUse)
    throw engine_error("cannot remove the image " + name, answer);
}

void remove_forgotten_images(const Engine& engine, const Call& call) noexcept {
  try {
    remove_unused(engine, call);
  } catch (const std::exception&) {
    return;  // the next build tries again
  }
}

}  // namespace slipway::docker
