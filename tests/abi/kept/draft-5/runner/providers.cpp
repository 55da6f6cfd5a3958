// An image provider, named resources, components and workspaces, with the classes of the SDK.
#include "providers.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipway/owned_fd.hpp"
#include "slipway/plugin.hpp"

namespace runner {

namespace {

using slipway::Call;
using slipway::Code;
using slipway::Error;

// Returns the path of an image or workspace without its scheme.
std::string path_of(std::string_view name) {
  constexpr std::string_view kScheme = "runner://";
  if (name.substr(0, kScheme.size()) == kScheme) name.remove_prefix(kScheme.size());
  return std::string(name);
}

class Images : public slipway::ImageProvider {
 public:
  using ImageProvider::ImageProvider;
  std::string resolve(std::string_view image, const Call&) override {
    std::string path = path_of(image);
    if (path.empty() || path[0] != '/') throw Error(Code::kInvalid, "an image is a path");
    return path;
  }
  std::string fetch(std::string_view image, const Call& call) override {
    std::string root = resolve(image, call);
    if (!std::filesystem::is_directory(root))
      throw Error(Code::kNotFound, "there is no directory " + root);
    const std::string lock = host().state_dir(call) + "/images.lock";
    std::filesystem::create_directories(host().state_dir(call));
    slipway::OwnedFd held(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    ::flock(held.get(), LOCK_SH);
    locks_.push_back(std::move(held));
    return root;
  }
  std::string fetch_role(const slipway::Role& role, slipway::StrDict&, const Call& call) override {
    return fetch(role.image, call);
  }
  std::optional<std::string> use_lock(std::string_view, const Call& call) override {
    return host().state_dir(call) + "/images.lock";
  }

 private:
  std::vector<slipway::OwnedFd> locks_;  // of the images that were fetched
};

class Resources : public slipway::NamedResources {
 public:
  using NamedResources::NamedResources;
  slipway::Dict<slipway::Resource> list(const Call&) override {
    slipway::Resource small, large;
    small.cpu = 1;
    large.cpu = 8;
    return {{"runner.small", small}, {"runner.large", large}};
  }
};

class Components : public slipway::Components {
 public:
  using slipway::Components::Components;
  std::vector<slipway::ComponentInfo> list(const Call&) override {
    slipway::ComponentParam script;
    script.name = "script";
    script.required = true;
    return {{"runner.run", "runs a script", {script}}};
  }
  slipway::AppDef build(std::string_view name, const slipway::Cfg& args, const Call&) override {
    if (name != "runner.run")
      throw Error(Code::kNotFound, "there is no component " + std::string(name));
    slipway::AppDef app("run");
    app.of(slipway::Role("main").runs(args.text("script")));
    return app;
  }
  std::vector<slipway::ComponentInfo> list_selected(const slipway::ComponentQuery& query,
                                                    const Call& call) override {
    need(query.file);
    return list(call);
  }
  slipway::AppDef build_from_file(std::string_view file, std::string_view name,
                                  const slipway::Cfg& args, const Call& call) override {
    need(std::string(file));
    return build(name, args, call);
  }
  std::vector<slipway::ComponentProblem> check(const slipway::ComponentQuery& query,
                                               const Call&) override {
    need(query.file);
    return {};
  }

 private:
  static void need(const std::string& file) {
    if (!file.empty() && !std::filesystem::exists(file))
      throw Error(Code::kNotFound, "there is no file " + file);
  }
};

class Workspace : public slipway::Workspace {
 public:
  using slipway::Workspace::Workspace;
  slipway::WorkspaceResult plan(const slipway::WorkspaceOrder& order, const Call&) override {
    if (!std::filesystem::is_directory(path_of(order.source)))
      throw Error(Code::kNotFound, "there is no workspace " + order.source);
    return {order.directory + "/" + order.name, -1, -1};
  }
  slipway::WorkspaceResult build(const slipway::WorkspaceOrder& order, const Call& call) override {
    slipway::WorkspaceResult out = plan(order, call);
    std::filesystem::create_directories(order.directory);
    std::filesystem::copy(path_of(order.source), out.image,
                          std::filesystem::copy_options::recursive);
    std::ofstream(out.image + kMark) << "";
    return out;
  }
  void discard(std::string_view image, const Call&) override {
    const std::string path(image);
    if (std::filesystem::exists(path + kMark)) std::filesystem::remove_all(path);
  }

 private:
  static constexpr const char* kMark = "/.runner";  // a file in each image that build() made
};

}  // namespace

const slipway_provider kImages = SLIPWAY_PROVIDER(Images, "runner", "paths");
const slipway_provider kResources = SLIPWAY_PROVIDER(Resources, "runner", "sizes");
const slipway_provider kComponents = SLIPWAY_PROVIDER(Components, "runner", "apps");
const slipway_provider kWorkspace = SLIPWAY_PROVIDER(Workspace, "runner", "directories");

}  // namespace runner
