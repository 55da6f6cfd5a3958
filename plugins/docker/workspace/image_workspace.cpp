#include "plugins/docker/workspace/image_workspace.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "plugins/docker/images/image_build.hpp"
#include "plugins/docker/images/image_pull.hpp"
#include "plugins/docker/images/workspace_image.hpp"
#include "plugins/docker/workspace/image_source.hpp"
#include "sdk/support/checksum.hpp"
#include "sdk/support/file_text.hpp"
#include "sdk/support/workspace/file_failure.hpp"
#include "sdk/support/workspace/workspace_tree.hpp"
#include "slipway/app.hpp"

namespace slipway::docker {

namespace {

namespace fs = std::filesystem;
using workspaces::Entry;
using workspaces::EntryKind;
using workspaces::WorkspaceTree;

/// The workspace's own Dockerfiles; the first that exists is used.
constexpr std::array kDockerfiles = {"Dockerfile.slipway", "Dockerfile.torchx"};
/// The Dockerfile for a workspace that has none. In the context, the files of the workspace are in
/// a directory beside it, so the image does not get it.
constexpr const char* kPlainDockerfile = "ARG IMAGE\nFROM $IMAGE\nCOPY workspace/ ./\n";
constexpr const char* kPlainName = "Dockerfile";
constexpr const char* kPlainPrefix = "workspace/";
constexpr const char* kImageArgument = "IMAGE";
constexpr const char* kNoImage = "scratch";  // the engine's name for an image without files
constexpr std::chrono::milliseconds kRemovalTime{500};  // for the answer to a removal

struct Plan {
  ImageSource source;
  WorkspaceTree tree;
  std::string dockerfile;  ///< name of the workspace's own Dockerfile; empty: it has none
  WorkspaceResult result;
};

std::string own_dockerfile(const std::string& root) {
  std::error_code error;
  for (const char* name : kDockerfiles)
    if (fs::exists(fs::symlink_status(root + "/" + name, error))) return name;
  return {};
}

/// Adds a file that the engine needs for the build, even if the workspace ignores it. The engine
/// leaves it out of the image if `.dockerignore` names it.
void add_needed(WorkspaceTree& tree, const std::string& root, const std::string& name) {
  const auto place = std::find_if(tree.entries.begin(), tree.entries.end(),
                                  [&](const Entry& entry) { return entry.path == name; });
  std::error_code error;
  if (place == tree.entries.end() &&
      fs::is_regular_file(fs::symlink_status(root + "/" + name, error)))
    tree.entries.push_back({name, EntryKind::kFile, 0});
}

Plan make_plan(const WorkspaceOrder& order, const Call& call) {
  Plan out;
  out.source = parse_image_source(order.source);
  const std::string& root = out.source.path;
  out.tree = workspaces::read_tree(root, workspaces::ignore_rules_of(root), order.directory,
                                   [&] { return call.cancelled(); });
  out.dockerfile = own_dockerfile(root);
  if (out.source.from && (out.source.from->empty() || *out.source.from == kMissing)) {
    if (out.dockerfile.empty()) {
      throw Error(
          Code::kInvalid, "the workspace " + root + " needs an image below it",
          "give each role an image, as in image = \"python:3.12\", or add a Dockerfile.slipway");
    }
    out.source.from.reset();
  }
  // The checksum makes the name unique in the engine: the order's is unique only in its directory.
  std::array<char, 9> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x",
                static_cast<unsigned>(crc32(order.directory + '\n' + order.source)));
  out.result = {workspace_image_name(order.name + "-" + digits.data()), out.tree.files(),
                out.tree.bytes()};
  return out;
}

std::string text_of(const std::string& path) {
  if (auto text = file_text(path)) return *std::move(text);
  throw workspaces::file_failure("read", path, {errno, std::generic_category()});
}

/// Returns the context of the build. Moves the files out of the plan.
BuildContext context_of(Plan& plan) {
  const std::string& root = plan.source.path;
  if (!plan.dockerfile.empty()) {
    add_needed(plan.tree, root, plan.dockerfile);
    add_needed(plan.tree, root, ".dockerignore");
    return {root, {}, std::move(plan.tree.entries)};
  }
  BuildContext out(root, kPlainPrefix, std::move(plan.tree.entries));
  out.add_text(kPlainName, kPlainDockerfile);
  return out;
}

/// Pulls the image below the workspace. Does nothing if the workspace has its own Dockerfile, and
/// that does not use the argument IMAGE.
void provide_base(const Engine& engine, const Plan& plan, const std::string& base, const Host& host,
                  const Call& call) {
  const std::string& root = plan.source.path;
  const bool is_named =
      plan.dockerfile.empty() ||
      text_of(root + "/" + plan.dockerfile).find(kImageArgument) != std::string::npos;
  if (is_named) provide_image(engine, base, plan.source.pull, host, call);
}

/// Removes the image of a build that failed or was cancelled: the engine may have completed it just
/// before.
void take_back(const Engine& engine, const std::string& name) noexcept {
  try {
    engine.order({delete_request("/images/" + url_text(name))}, Call(), kRemovalTime);
  } catch (const std::exception&) {
    return;  // a later build removes an image that is left; see remove_forgotten_images()
  }
}

}  // namespace

WorkspaceResult ImageWorkspace::plan(const WorkspaceOrder& order, const Call& call) {
  return make_plan(order, call).result;
}

WorkspaceResult ImageWorkspace::build(const WorkspaceOrder& order, const Call& call) {
  Plan plan = make_plan(order, call);
  const Engine engine = configured_engine(host(), args().config_json);
  const std::string& name = plan.result.image;
  for (const std::string& path : plan.tree.skipped)
    host().log(LogLevel::kWarning, "not copied, because it is not a file, directory or link: " +
                                       plan.source.path + "/" + path);
  if (find_workspace_image(engine, name, call))
    throw Error(Code::kExists, "the Docker engine already has the image " + name);
  BuildOrder build;
  build.name = name;
  build.dockerfile = plan.dockerfile.empty() ? kPlainName : plan.dockerfile;
  build.arguments = {{kImageArgument, kNoImage}};
  build.labels = {{kWorkspaceLabel, workspace_owner()}};
  if (plan.source.from) {
    const std::string base = base_of(engine, *plan.source.from, call);
    provide_base(engine, plan, base, host(), call);
    build.arguments = {{kImageArgument, base}};
    build.labels.emplace_back(kBaseLabel, base);
  }
  if (!plan.dockerfile.empty()) build.arguments.emplace_back("WORKSPACE", plan.source.path);
  BuildContext context = context_of(plan);
  try {
    build_image(engine, build, context, host(), call);
    if (!find_workspace_image(engine, name, call)) {
      throw Error(Code::kTemporary, "the Docker engine ended the build without the image " + name,
                  "try again; the engine's log says more: `journalctl -u docker`");
    }
  } catch (...) {
    take_back(engine, name);
    throw;
  }
  remove_forgotten_images(engine, call);
  return plan.result;
}

void ImageWorkspace::discard(std::string_view image, const Call& call) {
  if (!is_workspace_image(image)) return;
  remove_workspace_image(configured_engine(host(), args().config_json), std::string(image), call);
}

}  // namespace slipway::docker
