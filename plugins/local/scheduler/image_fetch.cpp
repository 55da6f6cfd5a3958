#include "plugins/local/scheduler/image_fetch.hpp"

#include <algorithm>

#include "slipway/macros.hpp"

namespace slipway::local {

namespace {

void add_environment(const LaunchPlan& plan, LaunchGroup& group, const StrDict& env) {
  // A group whose macros are replaced already is of one replica.
  const MacroValues values = macro_values(plan, group, group.first_replica);
  for (const auto& [key, value] : env)
    set(group.env, key, group.expand_macros ? value : substitute_macros(value, values));
}

}  // namespace

void fetch_images(const LocalRequest& request, LaunchPlan& plan, ImageProviders& providers,
                  const Call& call) {
  for (std::size_t i = 0; i < request.app().roles.size(); ++i) {
    const Role& role = request.app().roles[i];
    if (role.num_replicas == 0) continue;
    ImageProvider& provider = providers.named(request.image_providers()[i], role.image, call);
    StrDict env;
    const std::string root = provider.fetch_role(role, env, call);
    for (LaunchGroup& group : plan.groups) {
      if (group.role != role.name) continue;
      if (group.img_root != root) {
        throw Error(Code::kPrecondition,
                    "the image of " + role.name + ", \"" + role.image +
                        "\", has changed since the request was made",
                    "it was to be in " + group.img_root + " and is now in " + root + "; run again");
      }
      add_environment(plan, group, env);
    }
    const auto lock = provider.use_lock(role.image, call);
    if (lock &&
        std::find(plan.held_files.begin(), plan.held_files.end(), *lock) == plan.held_files.end())
      plan.held_files.push_back(*lock);
  }
}

}  // namespace slipway::local
