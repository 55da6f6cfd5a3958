// Checks of image providers. Most of the images that they name do not exist.
#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/hostile_app.hpp"
#include "sdk/check/host/loaded.hpp"
#include "sdk/check/host/samples.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::check {

namespace {

// Receives an image. The callback returns `stop`.
struct ImageSink {
  std::string text;  // the image's root
  int calls = 0;
  slipway_status stop = SLIPWAY_OK;
  static slipway_status take(void* self, const slipway_image* given) {
    auto& sink = *static_cast<ImageSink*>(self);
    ++sink.calls;
    const slipway_image image = abi::widen(given);
    sink.text = abi::str(image.root);
    (void)abi::read(image.env);  // an invalid pointer or length crashes here
    return sink.stop;
  }
};

// The functions that find an image by its name.
enum class Find : std::uint8_t { kResolve, kFetch };

const char* name_of(Find function) { return function == Find::kFetch ? "fetch" : "resolve"; }

struct Root : Answer {
  ImageSink sink;
};

Root call(const Instance& instance, Find function, std::string_view image,
          slipway_status stop = SLIPWAY_OK) {
  GuardedMemory memory;
  const slipway_str name = memory.text(image);
  memory.seal();
  slipway_image_provider* images = instance.images();
  const auto find = function == Find::kFetch ? images->vtbl->fetch : images->vtbl->resolve;
  Root out;
  out.sink.stop = stop;
  instance.trial().progress.step(name_of(function));
  out.status = find(images, plain_call(), name, kChecked<&ImageSink::take>, &out.sink, &out.error);
  memory.vanish();
  return out;
}

void images_names(const Trial& trial) {
  const Instance instance(trial);
  // "\xff\xfe" is not UTF-8, and 5000 bytes are more than a path may have.
  for (const std::string& image :
       {std::string(), std::string("no/such/image"), trial.provider + ":///no/such/image",
        std::string("://"), std::string("\xff\xfe"), std::string(5000, 'x'), sample_image(trial)}) {
    for (const Find function : {Find::kResolve, Find::kFetch}) {
      const std::string what =
          std::string(name_of(function)) + " of the image \"" + image.substr(0, 40) + "\"";
      const Root root = call(instance, function, image);
      require(root.status >= 0 || !root.error.message.empty(), what + " failed without a message",
              "call host->error_set with what is wrong with the name");
      require(root.status < 0 || root.sink.calls == 1,
              what + " succeeded and called back " + std::to_string(root.sink.calls) + " times");
      require(root.status >= 0 || root.sink.calls == 0, what + " called back and failed");
    }
  }
}

void images_resolve_is_dry(const Trial& trial) {
  const Instance instance(trial);
  (void)call(instance, Find::kResolve, sample_image(trial));
  (void)call(instance, Find::kResolve, trial.provider + ":///no/such/image");
  require(std::filesystem::is_empty(trial.directory), "resolve made files");
}

void images_same_place(const Trial& trial) {
  const Instance instance(trial);
  const Root resolved = call(instance, Find::kResolve, sample_image(trial));
  const Root fetched = call(instance, Find::kFetch, sample_image(trial));
  if (resolved.status < 0 || fetched.status < 0)
    throw Inconclusive("it has no image " + sample_image(trial));
  require(resolved.sink.text == fetched.sink.text,
          "resolve says \"" + resolved.sink.text + "\" and fetch \"" + fetched.sink.text + "\"");
  require(
      call(instance, Find::kResolve, sample_image(trial), kCallbackStop).status == kCallbackStop,
      "resolve does not return what its callback answered");
}

struct ParamSink {
  std::string text;  // the words of the command, one on each line
  int calls = 0;
  static slipway_status take(void* self, const slipway_replica_param* param) {
    auto& sink = *static_cast<ParamSink*>(self);
    for (const std::string& word : abi::read(abi::widen(param).args)) sink.text += word + '\n';
    ++sink.calls;
    return SLIPWAY_OK;
  }
};

// The answer of a function that takes a role.
struct RoleAnswer {
  std::string function;
  slipway_status status = SLIPWAY_OK;
  std::string text;  // the image's root, the entrypoint, or the words of the command
  bool operator==(const RoleAnswer&) const = default;
};

// Calls the functions that take a role.
class RoleCalls {
 public:
  RoleCalls(const Instance& instance, Awkwardness how) : instance_(instance) {
    Role role = built_in_app(sample_image(instance.trial())).roles.front();
    role.mounts = {sample_mount(sample_image(instance.trial()))};
    role_ = hostile_role(memory_, role, how);
    root_ = memory_.text(sample_image(instance.trial()));
    memory_.seal();
  }

  std::vector<RoleAnswer> all() {
    slipway_image_provider* self = instance_.images();
    if (has(&slipway_image_provider_vtbl::fetch_role)) {
      ImageSink sink;
      slipway_error error;
      step("fetch_role");
      const slipway_status status = self->vtbl->fetch_role(
          self, plain_call(), role_, kChecked<&ImageSink::take>, &sink, &error);
      add("fetch_role", status, error, sink.calls, sink.text);
    }
    if (has(&slipway_image_provider_vtbl::get_entrypoint)) {
      TextSink sink;
      slipway_error error;
      step("get_entrypoint");
      const slipway_status status = self->vtbl->get_entrypoint(self, plain_call(), root_, role_,
                                                               &TextSink::take, &sink, &error);
      add("get_entrypoint", status, error, sink.calls, sink.text);
    }
    if (has(&slipway_image_provider_vtbl::get_replica_param)) {
      ParamSink sink;
      slipway_error error;
      step("get_replica_param");
      const slipway_status status = self->vtbl->get_replica_param(
          self, plain_call(), root_, role_, kChecked<&ParamSink::take>, &sink, &error);
      add("get_replica_param", status, error, sink.calls, sink.text);
    }
    memory_.vanish();
    return std::move(answers_);
  }

 private:
  template <class Function>
  bool has(Function slipway_image_provider_vtbl::*function) const {
    return abi::has(*instance_.images()->vtbl, function);
  }
  void step(const char* function) const { instance_.trial().progress.step(function); }
  void add(const char* function, slipway_status status, const slipway_error& error, int calls,
           const std::string& text) {
    inspect_failure(function, status, error);
    require(status < 0 || calls == 1,
            std::string(function) + " called back " + std::to_string(calls) + " times, not once");
    answers_.push_back({function, status, text});
  }

  const Instance& instance_;
  GuardedMemory memory_;
  const slipway_role* role_ = nullptr;
  slipway_str root_{};
  std::vector<RoleAnswer> answers_;
};

void images_roles(const Trial& trial) {
  const Instance instance(trial);
  constexpr std::size_t kExtra = 24;
  const std::vector<RoleAnswer> plain = RoleCalls(instance, {.extra_stride = kExtra}).all();
  for (const UnknownValue value : {UnknownValue::kRetryPolicy, UnknownValue::kMountKind}) {
    const std::vector<RoleAnswer> later =
        RoleCalls(instance, {.extra_stride = kExtra, .unknown_value = value}).all();
    for (std::size_t i = 0; i < plain.size(); ++i) {
      require(later[i] == plain[i] || later[i].status == SLIPWAY_E_UNIMPLEMENTED,
              later[i].function + " gave status " + std::to_string(later[i].status) +
                  " for a role with a value of a later version",
              "ignore it, or return SLIPWAY_E_UNIMPLEMENTED with a message");
    }
  }
  // get_cwd gets the image's name in place of a role, and must also read it by its length.
  if (!abi::has(*instance.images()->vtbl, &slipway_image_provider_vtbl::get_cwd)) return;
  GuardedMemory memory;
  const slipway_str image = memory.text(sample_image(trial));
  memory.seal();
  slipway_error error;
  TextSink text;
  trial.progress.step("get_cwd");
  const slipway_status status = instance.images()->vtbl->get_cwd(
      instance.images(), plain_call(), image, &TextSink::take, &text, &error);
  inspect_failure("get_cwd", status, error);
}

void images_fetch_role(const Trial& trial) {
  const Instance instance(trial);
  const Root fetched = call(instance, Find::kFetch, sample_image(trial));
  for (const RoleAnswer& answer : RoleCalls(instance, {}).all()) {
    if (answer.function != "fetch_role") continue;
    require((answer.status >= 0) == (fetched.status >= 0),
            "fetch_role gave status " + std::to_string(answer.status) + " and fetch " +
                std::to_string(fetched.status) + " for one image");
    require(answer.text == fetched.sink.text,
            "fetch says \"" + fetched.sink.text + "\" and fetch_role \"" + answer.text + "\"");
    return;
  }
  throw Inconclusive("it has no fetch_role");
}

// Returns whether another process may delete the image to which the lock file belongs.
bool is_free(const std::string& lock) {
  const OwnedFd file(::open(lock.c_str(), O_RDONLY | O_CLOEXEC));
  require(
      static_cast<bool>(file),
      "get_use_lock named the file " + lock + ", which cannot be opened: " + std::strerror(errno),
      "make the file in fetch");
  return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

void images_use_lock(const Trial& trial) {
  Instance instance(trial);
  slipway_image_provider* self = instance.images();
  if (!abi::has(*self->vtbl, &slipway_image_provider_vtbl::get_use_lock))
    throw Inconclusive("it has no get_use_lock");
  if (call(instance, Find::kFetch, sample_image(trial)).status < 0)
    throw Inconclusive("it has no image " + sample_image(trial));
  GuardedMemory memory;
  const slipway_str image = memory.text(sample_image(trial));
  memory.seal();
  slipway_error error;
  TextSink path;
  trial.progress.step("get_use_lock");
  require_ok("get_use_lock",
             self->vtbl->get_use_lock(self, plain_call(), image, &TextSink::take, &path, &error),
             error);
  memory.vanish();
  if (path.calls == 0) throw Inconclusive("its images stay without a lock");
  require(path.calls == 1, "get_use_lock called back " + std::to_string(path.calls) + " times");
  require(path.text.substr(0, 1) == "/",
          "get_use_lock named \"" + path.text + "\", which is not an absolute path");
  require(!is_free(path.text), "the provider does not hold the lock after fetch",
          "take a shared lock of flock(2) in fetch, and hold it until destroy");
  instance.destroy();
  require(is_free(path.text), "the lock is held after destroy",
          "close the descriptor of the lock in destroy");
}

void images_newer_host(const Trial& trial) {
  require_known_version(trial);
  const std::vector<RoleAnswer> plain = RoleCalls(Instance(trial), {}).all();
  play_newer_host();
  const std::vector<RoleAnswer> newer = RoleCalls(Instance(trial), {}).all();
  if (plain.empty()) throw Inconclusive("it has no function for roles");
  for (std::size_t i = 0; i < plain.size(); ++i) {
    require(i < newer.size() && newer[i] == plain[i],
            plain[i].function + " gives a newer host another answer than a host of this version");
  }
}

}  // namespace

std::vector<Check> image_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_IMAGE_PROVIDER;
  return {
      {"images.names",
       kKind,
       Needs::kNothing,
       "an image that cannot exist is an error with a message; for any other image the function "
       "calls back once (abi/image_provider.h)",
       "check the name before using it",
       &images_names,
       {"provider.functions"}},
      {"images.resolve_is_dry",
       kKind,
       Needs::kNothing,
       "resolve changes nothing (abi/image_provider.h)",
       "make files in fetch",
       &images_resolve_is_dry,
       {"provider.functions"}},
      {"images.same_place",
       kKind,
       Needs::kNothing,
       "fetch puts the files where resolve said, and resolve returns a callback's negative answer",
       "compute the directory in one function",
       &images_same_place,
       {"provider.functions"}},
      {"images.roles",
       kKind,
       Needs::kNothing,
       "a role is read by its strides and lengths (R2, R7), and values of a later version are "
       "ignored or refused (R8)",
       "index with SLIPWAY_AT",
       &images_roles,
       {"provider.functions"},
       Remedy::kAlsoForCrash},
      {"images.fetch_role",
       kKind,
       Needs::kNothing,
       "fetch_role puts the files where fetch does (abi/image_provider.h)",
       "call fetch in it, and add variables for the role",
       &images_fetch_role,
       {"images.roles"}},
      {"images.use_lock",
       kKind,
       Needs::kNothing,
       "get_use_lock names a lock file, which the provider locks from fetch to destroy "
       "(abi/image_provider.h)",
       "leave get_use_lock NULL if the provider never deletes images",
       &images_use_lock,
       {"images.names"}},
      {"images.newer_host",
       kKind,
       Needs::kNothing,
       "a role is read in the same way when the host's structs are larger than this version's (R1, "
       "R9)",
       "ask SLIPWAY_HAS for fields, and ignore reserved ones",
       &images_newer_host,
       {"images.roles", "provider.newer_host"},
       Remedy::kAlsoForCrash},
  };
}

}  // namespace slipway::check
