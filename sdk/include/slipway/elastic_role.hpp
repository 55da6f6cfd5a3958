// A role whose program runs under the torchelastic agent, like ElasticRole of TSM (TorchX's
// ancestor).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/app.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// One option of the agent: `--name value`; for a bool, `--name` if it is true and nothing if it is
/// false.
struct LaunchOption {
  LaunchOption(std::string_view option, std::string text) : name(option), value(std::move(text)) {}
  // Without this constructor a string literal would become a bool.
  LaunchOption(std::string_view option, const char* text) : name(option), value(text) {}
  LaunchOption(std::string_view option, std::int64_t number)
      : name(option), value(std::to_string(number)) {}
  LaunchOption(std::string_view option, int number)
      : LaunchOption(option, static_cast<std::int64_t>(number)) {}
  LaunchOption(std::string_view option, bool flag) : name(option), is_flag(true), is_set(flag) {}

  std::string name;
  std::string value;     ///< empty for a bool
  bool is_flag = false;  ///< the option is a bool
  bool is_set = true;    ///< the command line has the option; false for a bool that is false
};

/// A role that runs `python -m torchelastic.distributed.launch OPTIONS PROGRAM ARGUMENTS`, which
/// starts and supervises several processes of the program in each replica:
///
///     ElasticRole("trainer", {{"nnodes", "2:4"}, {"nproc_per_node", 8}, {"no_python", true}})
///         .runs("main.py", {"--lr", "0.1"}).on(image).replicas(4)
///
/// Call runs() before on(), replicas(), require() and the other functions of Role: these return a
/// Role&, whose own runs() would start the program without the agent.
///
/// The options are in the given order, followed by `--rdzv_backend etcd`, `--rdzv_id ${app_id}` and
/// `--role NAME` unless they were given. The caller must keep `replicas` within `nnodes`. The image
/// must contain torchelastic; for the agent `torch.distributed.run` of newer PyTorch, call
/// launched_by().
class ElasticRole : public Role {
 public:
  explicit ElasticRole(std::string role_name, std::vector<LaunchOption> options = {})
      : Role(std::move(role_name)), options_(std::move(options)) {
    add_unless_given("rdzv_backend", "etcd");
    add_unless_given("rdzv_id", "${app_id}");
    add_unless_given("role", name);
  }

  /// Sets the Python module of the agent. Must be called before runs().
  ElasticRole& launched_by(std::string module) {
    module_ = std::move(module);
    return *this;
  }

  /// Sets the program and its arguments, replacing those of an earlier call. A program that is
  /// neither absolute nor starts with `${img_root}` is relative to the image.
  Role& runs(const std::string& program, const StrList& arguments = {}) {
    entrypoint = "python";
    args = {"-m", module_};
    for (const LaunchOption& option : options_) {
      if (!option.is_set) continue;
      args.push_back("--" + option.name);
      if (!option.is_flag) args.push_back(option.value);
    }
    args.push_back(in_image(program));
    args.insert(args.end(), arguments.begin(), arguments.end());
    return *this;
  }

 private:
  static std::string in_image(const std::string& program) {
    constexpr std::string_view kRoot = "${img_root}";
    const bool has_place =
        program.compare(0, 1, "/") == 0 || program.compare(0, kRoot.size(), kRoot) == 0;
    return has_place ? program : std::string(kRoot) + "/" + program;
  }

  void add_unless_given(std::string_view option, std::string value) {
    for (const LaunchOption& given : options_) {
      if (given.name == option) return;
    }
    options_.emplace_back(option, std::move(value));
  }

  std::string module_ = "torchelastic.distributed.launch";
  std::vector<LaunchOption> options_;
};

}  // namespace sdk_1_0
}  // namespace slipway
