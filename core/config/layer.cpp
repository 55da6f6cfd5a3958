#include "core/config/layer.hpp"

namespace slipway::config {

const char* to_string(Layer layer) {
  switch (layer) {
    case Layer::kSite: return "site";
    case Layer::kUser: return "user";
    case Layer::kTorchx: return "torchx";
    case Layer::kProject: return "project";
    case Layer::kVariableFile: return "env_file";
    case Layer::kFlagFile: return "flag_file";
    case Layer::kVariable: return "env";
    case Layer::kFlag: return "flag";
    case Layer::kDefault: break;
  }
  return "default";
}

}  // namespace slipway::config
