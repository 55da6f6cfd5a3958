// Checks of the optional ability to list and remove the images that a provider keeps
// (abi/image_cache.h).
#include "slipway/abi/image_cache.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/loaded.hpp"
#include "sdk/check/host/samples.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

namespace fs = std::filesystem;

// The result of list_unused. The callback returns `stop`.
struct Listed : Answer {
  std::vector<std::string> roots;
  slipway_status stop = SLIPWAY_OK;
};

struct Fetched : Answer {
  std::string root;
  static slipway_status take(void* self, const slipway_image* given) {
    static_cast<Fetched*>(self)->root = abi::str(abi::widen(given).root);
    return SLIPWAY_OK;
  }
};

slipway_status take_image(void* self, const slipway_unused_image* image) {
  auto& to = *static_cast<Listed*>(self);
  to.roots.push_back(abi::str(abi::widen(image).root));
  return to.stop;
}

// The ability of an image provider to remove images.
class Cache {
 public:
  // Throws Inconclusive if the provider has no such ability.
  explicit Cache(const Instance& instance) : instance_(instance) {
    const slipway_image_provider_vtbl& table = *instance.images()->vtbl;
    if (abi::has(table, &slipway_image_provider_vtbl::get_extension)) {
      GuardedMemory memory;
      const slipway_str id = memory.text(SLIPWAY_IMAGE_PROVIDER_CACHE);
      memory.seal();
      instance.trial().progress.step("get_extension");
      table_ = static_cast<const slipway_image_provider_cache*>(
          table.get_extension(instance.images(), id));
    }
    if (table_ == nullptr) throw Inconclusive(kNone);
    if (!abi::has(*table_, &slipway_image_provider_cache::list_unused) ||
        !abi::has(*table_, &slipway_image_provider_cache::remove))
      throw Broken("its table lacks a function");
  }

  Listed list(slipway_status stop = SLIPWAY_OK) const {
    Listed out;
    out.stop = stop;
    instance_.trial().progress.step("list_unused");
    out.status = table_->list_unused(instance_.images(), plain_call(), kChecked<&take_image>, &out,
                                     &out.error);
    if (out.status == SLIPWAY_E_UNIMPLEMENTED) throw Inconclusive(kNone);
    return out;
  }

  Answer remove(std::string_view root) const {
    GuardedMemory memory;
    const slipway_str name = memory.text(root);
    memory.seal();
    Answer out;
    instance_.trial().progress.step("remove");
    out.status = table_->remove(instance_.images(), plain_call(), name, &out.error);
    memory.vanish();
    return out;
  }

 private:
  static constexpr const char* kNone = "it keeps no images that a host can remove";

  const Instance& instance_;
  const slipway_image_provider_cache* table_ = nullptr;
};

void images_remove_unknown(const Trial& trial) {
  const Instance instance(trial);
  const Cache cache(instance);
  const Listed listed = cache.list();
  require_ok("list_unused", listed.status, listed.error);
  for (const std::string& root : listed.roots)
    require(!root.empty() && root[0] == '/', "list_unused lists the directory \"" + root + "\"");
  require(std::set(listed.roots.begin(), listed.roots.end()).size() == listed.roots.size(),
          "list_unused lists a directory twice");
  require(listed.roots.empty() || cache.list(kCallbackStop).status == kCallbackStop,
          "list_unused does not return what its callback answered");
  const std::string directory = trial.directory + "/not-an-image";
  fs::create_directory(directory);
  std::ofstream(directory + "/file") << "of the user";
  // Only paths below the kit's directory: a plug-in that fails this check deletes what it gets.
  for (const std::string& root :
       {directory, directory + "/file", directory + "/none", directory + "\xff\xfe"}) {
    const Answer removed = cache.remove(root);
    require_ok("remove", removed.status, removed.error);
  }
  require(fs::exists(directory + "/file"), "remove deleted a directory that is not an image");
}

void images_remove_used(const Trial& trial) {
  const Instance instance(trial);
  const Cache cache(instance);
  (void)cache.list();  // ends the check if the provider keeps no images
  GuardedMemory memory;
  const slipway_str image = memory.text(sample_image(trial));
  memory.seal();
  Fetched fetched;
  trial.progress.step("fetch");
  fetched.status = instance.images()->vtbl->fetch(
      instance.images(), plain_call(), image, kChecked<&Fetched::take>, &fetched, &fetched.error);
  if (fetched.status < 0) throw Inconclusive("it has no image " + sample_image(trial));
  for (const std::string& root : cache.list().roots)
    require(root != fetched.root, "list_unused lists an image that this process has fetched");
  require(cache.remove(fetched.root).status == SLIPWAY_E_PRECONDITION && fs::exists(fetched.root),
          "remove does not refuse to remove an image that this process has fetched");
}

}  // namespace

std::vector<Check> image_cache_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_IMAGE_PROVIDER;
  return {
      {"images.remove_unknown",
       kKind,
       Needs::kNothing,
       "list_unused lists each unused image once, and remove deletes nothing but an image of the "
       "provider (abi/image_cache.h)",
       "compare the directory with those that list_unused lists",
       &images_remove_unknown,
       {"provider.functions"}},
      {"images.remove_used",
       kKind,
       Needs::kNothing,
       "an image is in use from fetch to destroy, and is then neither listed nor removed "
       "(abi/image_cache.h)",
       "take the lock of get_use_lock exclusively before you remove an image",
       &images_remove_used,
       {"provider.functions"}},
  };
}

}  // namespace slipway::check
