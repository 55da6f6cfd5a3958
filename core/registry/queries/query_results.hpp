// Encodes the results of plug-in functions with MessageWriter (query_message.hpp), and decodes
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/components.hpp"
#include "slipway/image_provider.hpp"
#include "slipway/run_opts.hpp"
#include "slipway/status.hpp"

namespace slipway::registry {

// Each pair of functions encodes and decodes one type. Decoding throws Error kAbi for bytes that
// are too short.

std::string to_bytes(const std::vector<ListItem>& items);
std::vector<ListItem> items_from(std::string_view bytes);

std::string to_bytes(const std::vector<UnusedImage>& images);
std::vector<UnusedImage> images_from(std::string_view bytes);

std::string to_bytes(const RunOpts& options);
RunOpts options_from(std::string_view bytes);

std::string to_bytes(const Dict<Resource>& resources);
Dict<Resource> resources_from(std::string_view bytes);

std::string to_bytes(const std::vector<ComponentInfo>& components);
std::vector<ComponentInfo> components_from(std::string_view bytes);

}  // namespace slipway::registry
