// Checks of image providers, with names of images most of which do not exist.
#include <filesystem>
#include <string>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/hostile_app.hpp"
#include "sdk/check/host/loaded.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

struct ImageSink {
  std::string text;
  int calls = 0;
  slipway_status stop = SLIPWAY_OK;
  static slipway_status take(void* self, const slipway_image* given) {
    auto& sink = *static_cast<ImageSink*>(self);
    ++sink.calls;
    const slipway_image image = abi::widen(given);
    sink.text = abi::str(image.root);
    (void)abi::read(image.env);
    return sink.stop;
  }
};

struct Root : Answer {
  ImageSink sink;
};

Root call(const Instance& instance, bool fetch, std::string_view image,
          slipway_status stop = SLIPWAY_OK) {
  GuardedMemory memory;
  const slipway_str name = memory.text(image);
  memory.seal();
  slipway_image_provider* images = instance.images();
  const auto function = fetch ? images->vtbl->fetch : images->vtbl->resolve;
  Root out;
  out.sink.stop = stop;
  instance.trial().progress.step(fetch ? "fetch" : "resolve");
  out.status = function(images, plain_call(), name, &ImageSink::take, &out.sink, &out.error);
  memory.vanish();
  return out;
}

// Returns an image that exists for providers whose images are directories; others may refuse it
// with a message.
std::string sample(const Trial& trial) { return trial.directory; }

void images_names(const Trial& trial) {
  const Instance instance(trial);
  for (const std::string& image :
       {std::string(), std::string("no/such/image"), trial.provider + ":///no/such/image",
        std::string("://"), std::string("\xff\xfe"), std::string(5000, 'x'), sample(trial)}) {
    for (const bool fetch : {false, true}) {
      const std::string what = std::string(fetch ? "fetch" : "resolve") + " of the image \"" +
                               image.substr(0, 40) + "\"";
      const Root root = call(instance, fetch, image);
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
  (void)call(instance, false, sample(trial));
  (void)call(instance, false, trial.provider + ":///no/such/image");
  require(std::filesystem::is_empty(trial.directory), "resolve made files");
}

void images_same_place(const Trial& trial) {
  const Instance instance(trial);
  const Root resolved = call(instance, false, sample(trial));
  const Root fetched = call(instance, true, sample(trial));
  if (resolved.status < 0 || fetched.status < 0)
    throw Inconclusive("it has no image " + sample(trial));
  require(resolved.sink.text == fetched.sink.text,
          "resolve says \"" + resolved.sink.text + "\" and fetch \"" + fetched.sink.text + "\"");
  require(call(instance, false, sample(trial), kCallbackStop).status == kCallbackStop,
          "resolve does not return what its callback answered");
}

slipway_status take_param(void* calls, const slipway_replica_param* param) {
  (void)abi::read(abi::widen(param).args);
  ++*static_cast<int*>(calls);
  return SLIPWAY_OK;
}

void images_roles(const Trial& trial) {
  const Instance instance(trial);
  slipway_image_provider* images = instance.images();
  GuardedMemory memory;
  const AppDef app = built_in_app(sample(trial));
  const slipway_role* role = hostile_role(memory, app.roles.front(), {24, false});
  const slipway_str root = memory.text(sample(trial));
  memory.seal();
  slipway_error error;
  TextSink text;
  if (abi::has(*images->vtbl, &slipway_image_provider_vtbl::get_entrypoint)) {
    trial.progress.step("get_entrypoint");
    inspect_failure("get_entrypoint",
                    images->vtbl->get_entrypoint(images, plain_call(), root, role, &TextSink::take,
                                                 &text, &error),
                    error);
  }
  if (abi::has(*images->vtbl, &slipway_image_provider_vtbl::get_cwd)) {
    trial.progress.step("get_cwd");
    inspect_failure(
        "get_cwd",
        images->vtbl->get_cwd(images, plain_call(), root, &TextSink::take, &text, &error), error);
  }
  if (abi::has(*images->vtbl, &slipway_image_provider_vtbl::get_replica_param)) {
    int calls = 0;
    trial.progress.step("get_replica_param");
    const slipway_status status = images->vtbl->get_replica_param(images, plain_call(), root, role,
                                                                  &take_param, &calls, &error);
    inspect_failure("get_replica_param", status, error);
    require(status < 0 || calls == 1,
            "get_replica_param called back " + std::to_string(calls) + " times, not once");
  }
}

}  // namespace

std::vector<Check> image_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_IMAGE_PROVIDER;
  return {
      {"images.names",
       kKind,
       Needs::kNothing,
       "an image that cannot exist is an error with a message; any other calls back once "
       "(abi/image_provider.h)",
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
       "fetch puts the files where resolve said, and returns a callback's negative answer",
       "compute the directory in one function",
       &images_same_place,
       {"provider.functions"}},
      {"images.roles",
       kKind,
       Needs::kNothing,
       "a role is read by its strides and lengths (R2, R7)",
       "index with SLIPWAY_AT",
       &images_roles,
       {"provider.functions"}},
  };
}

}  // namespace slipway::check
