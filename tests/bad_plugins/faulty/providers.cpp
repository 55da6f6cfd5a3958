// An image provider, named resources, components and a workspace without a fault except the one in
// SLIPWAY_FAULT.
#include "tests/bad_plugins/faulty/providers.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "slipway/owned_fd.hpp"
#include "slipway/plugin.hpp"
#include "tests/bad_plugins/faulty/fault.hpp"
#include "tests/bad_plugins/faulty/limits.hpp"
#include "tests/bad_plugins/faulty/tables.hpp"

namespace faulty {

namespace {

using slipway::Call;
using slipway::Code;
using slipway::Error;

class Images : public slipway::ImageProvider {
 public:
  using ImageProvider::ImageProvider;
  std::string resolve(std::string_view image, const Call& call) override {
    ignore_limits("resolve", call);
    crash_in("resolve");
    if (broken("exits_in_resolve")) std::exit(4);
    if (broken("hangs_in_resolve")) std::this_thread::sleep_for(std::chrono::hours(1));
    if (broken("resolve_writes")) std::ofstream(host().state_dir(call)) << "here";
    if (image.empty() && broken("refuses_image_without_message")) throw Error(Code::kInvalid, "");
    if (image.empty() || image[0] != '/') throw Error(Code::kInvalid, "an image is a path");
    return std::string(image);
  }
  std::string fetch(std::string_view image, const Call& call) override {
    ignore_limits("fetch", call);
    used_.push_back(resolve(image, call));
    const std::string lock = host().state_dir(call) + "/images.lock";
    std::filesystem::create_directories(host().state_dir(call));
    slipway::OwnedFd held(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!broken("holds_no_lock")) ::flock(held.get(), LOCK_SH);
    locks_.push_back(std::move(held));
    return used_.back() + (broken("fetches_elsewhere") ? "/elsewhere" : "");
  }
  std::vector<slipway::UnusedImage> unused_images(const Call&) override {
    if (broken("crashes_listing_images")) std::raise(SIGSEGV);
    std::vector<slipway::UnusedImage> out = {{"/faulty/unused", 1}};
    if (broken("lists_used_images")) {
      for (const std::string& root : used_) out.push_back({root, 1});
    }
    return out;
  }
  void remove_image(std::string_view root, const Call&) override {
    if (broken("fails_to_remove")) throw Error(Code::kCantCreate, "not today");
    if (broken("removes_any_directory")) std::filesystem::remove_all(root);
    // An image is a directory of the user, which this provider never deletes.
    const bool is_used = std::find(used_.begin(), used_.end(), root) != used_.end();
    if (is_used && !broken("removes_used_images"))
      throw Error(Code::kPrecondition, "the image is in use");
  }
  std::string fetch_role(const slipway::Role& role, slipway::StrDict&, const Call& call) override {
    return fetch(role.image, call) + (broken("fetches_roles_elsewhere") ? "/elsewhere" : "");
  }
  std::optional<std::string> cwd(std::string_view, const Call&) override {
    if (broken("cwd_is_empty")) return std::string();
    return std::nullopt;
  }
  slipway::ReplicaParam replica_param(std::string_view root, const slipway::Role& role,
                                      const Call& call) override {
    if (broken("command_is_empty")) return {};
    return ImageProvider::replica_param(root, role, call);
  }
  std::optional<std::string> use_lock(std::string_view, const Call& call) override {
    if (broken("lock_is_relative")) return "images.lock";
    return host().state_dir(call) + "/images.lock";
  }

 private:
  std::vector<std::string> used_;
  std::vector<slipway::OwnedFd> locks_;
};

class Resources : public slipway::NamedResources {
 public:
  using NamedResources::NamedResources;
  slipway::Dict<slipway::Resource> list(const Call& call) override {
    ignore_limits("resources_list", call);
    slipway::Resource small;
    small.cpu = 1;
    if (broken("capabilities_are_text")) small.capabilities_json = "fast";
    slipway::Dict<slipway::Resource> out = {{"faulty.small", small}, {"faulty.large", small}};
    if (broken("lists_twice")) out.push_back(out.front());
    return out;
  }
  std::optional<slipway::Resource> get(std::string_view name, const Call& call) override {
    ignore_limits("resources_get", call);
    return broken("finds_anything") ? list(call).front().second : NamedResources::get(name, call);
  }
};

class Components : public slipway::Components {
 public:
  using slipway::Components::Components;
  std::vector<slipway::ComponentInfo> list(const Call& call) override {
    hang_with("components_list_hangs");
    ignore_limits("components_list", call);
    slipway::ComponentParam script;
    script.name = "script";
    script.required = true;
    if (broken("required_with_default")) script.default_value = std::string("x.py");
    return {{"faulty.run", "runs a script", {script}}};
  }
  slipway::AppDef build(std::string_view name, const slipway::Cfg& args,
                        const Call& call) override {
    ignore_limits("components_build", call);
    if (name != "faulty.run" && !broken("builds_anything"))
      throw Error(Code::kNotFound, "there is no component " + std::string(name));
    if (broken("builds_every_second_time") && std::exchange(has_built_, !has_built_))
      throw Error(Code::kInvalid, "the arguments are used up");
    slipway::AppDef app("run");
    if (!broken("builds_nothing")) app.of(slipway::Role("main").runs(args.text("script")));
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
    if (!file.empty() && !std::filesystem::exists(file) && !broken("invents_files"))
      throw Error(Code::kNotFound, "there is no file " + file);
  }

  bool has_built_ = false;
};

class Workspace : public slipway::Workspace {
 public:
  using slipway::Workspace::Workspace;
  slipway::WorkspaceResult plan(const slipway::WorkspaceOrder& order, const Call& call) override {
    ignore_limits("workspace_plan", call);
    if (!std::filesystem::is_directory(order.source) && !broken("plans_anything"))
      throw Error(Code::kNotFound, "there is no workspace " + order.source);
    if (broken("plan_writes")) std::filesystem::create_directories(order.directory);
    return {order.directory + "/" + order.name, -1, -1};
  }
  slipway::WorkspaceResult build(const slipway::WorkspaceOrder& order, const Call& call) override {
    slipway::WorkspaceResult out = plan(order, call);
    ignore_limits("workspace_build", call);
    std::filesystem::create_directories(out.image);
    if (broken("builds_elsewhere")) out.image += "-elsewhere";
    return out;
  }
  void discard(std::string_view image, const Call& call) override {
    ignore_limits("discard", call);
    const std::string made = "/copies/copy";  // directory and name in the kit's order
    const bool is_mine =
        image.size() > made.size() && image.substr(image.size() - made.size()) == made;
    if (is_mine || broken("discards_anything")) std::filesystem::remove_all(image);
  }
};

template <class Class, class Handle>
slipway_status create(const slipway_host* host, const slipway_call* call,
                      const slipway_create_args* args, void** out, slipway_error* err) {
  const slipway_status status = slipway::abi::create<Class>(host, call, args, out, err);
  if (status >= 0) break_table(*static_cast<Handle*>(*out));
  return status;
}

template <class Class, class Handle>
constexpr slipway_provider provider(std::string_view description) {
  slipway_provider out = slipway::abi::provider<Class>(slipway::abi::literal("faulty"),
                                                       {description.data(), description.size()});
  out.create = &create<Class, Handle>;
  return out;
}

}  // namespace

const slipway_provider kImages = provider<Images, slipway_image_provider>("paths");
const slipway_provider kResources = provider<Resources, slipway_named_resources>("sizes");
const slipway_provider kWorkspace = provider<Workspace, slipway_workspace>("directories");
const slipway_provider kComponents = provider<Components, slipway_components>("apps");

}  // namespace faulty
