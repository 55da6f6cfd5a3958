#include "core/runner/pre_proc.hpp"

#include "slipway/error.hpp"

namespace slipway {

void apply_pre_procs(const AppDef& app, const std::string& scheduler, AppRequest& request) {
  for (const Role& role : app.roles) {
    if (!role.pre_proc) continue;
    const std::string patch = role.pre_proc(scheduler, request.json());
    if (patch.empty()) continue;
    try {
      request.patch(patch);
    } catch (const Error& error) {
      throw Error(error.code(), "pre_proc of role " + role.name + ": " + error.message(),
                  error.hint(), error.where())
          .with_details(error.details());
    }
  }
}

}  // namespace slipway
