#include "core/cli/commands/cached_images.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/registry/objects/plugin_image_cache.hpp"
#include "core/registry/plugin_host.hpp"
#include "core/registry/queries/query_results.hpp"

namespace slipway::cli {

std::vector<CachedImage> unused_images(Invocation& invocation) {
  registry::PluginHost& plugins = invocation.runner().plugins();
  const StrList providers = plugins.registry().names(registry::Group::kImageProviders);
  const auto answers =
      plugins.ask_each(registry::Group::kImageProviders, providers, [&](const std::string& name) {
        return registry::to_bytes(registry::unused_images(plugins.image_provider(name)));
      });
  std::vector<CachedImage> out;
  for (std::size_t i = 0; i < providers.size(); ++i) {
    if (const auto& error = answers[i].error) {
      const bool has_no_cache = error->code() == Code::kUnimplemented;
      if (!has_no_cache && !answers[i].lost)  // the host has already reported a lost answer
        say(LogLevel::kWarning,
            "the images of " + providers[i] + " cannot be listed: " + error->message());
      continue;
    }
    std::vector<UnusedImage> images = registry::images_from(answers[i].bytes);
    std::sort(images.begin(), images.end(), [](const UnusedImage& a, const UnusedImage& b) {
      return a.last_used_at < b.last_used_at;
    });
    for (UnusedImage& image : images) out.push_back({providers[i], std::move(image)});
  }
  return out;
}

void remove_image(Invocation& invocation, const CachedImage& image) {
  registry::remove_image(invocation.runner().plugins().image_provider(image.provider),
                         image.image.root);
}

std::int64_t disk_bytes(const std::string& directory) {
  constexpr std::int64_t kBlock = 512;  // the unit of st_blocks, in bytes
  std::int64_t out = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    struct stat found {};
    if (::lstat(at->path().c_str(), &found) == 0) out += found.st_blocks * kBlock;
  }
  return out;
}

}  // namespace slipway::cli
