// Apps from their containers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/docker/state/container.hpp"
#include "plugins/docker/state/readiness_report.hpp"
#include "slipway/status.hpp"

namespace slipway::docker {

/// Sorts the containers of one app in the order of the app's roles and replicas; those of TorchX,
/// which do not say the order of roles, by the roles' names.
void sort_replicas(std::vector<Container>& containers);

/// Returns the state of the app of `containers`, which are sorted and not empty.
AppState app_state(const std::vector<Container>& containers);

/// Returns the description of the app of `containers`, which are sorted and not empty, without the
/// app itself.
/// The containers must be inspected if `with_replicas`, and for the times of an app that has ended.
/// `ready` is what the helper reports; without it, which running containers are ready is unknown.
Description description_of(const std::vector<Container>& containers, bool with_replicas,
                           const std::optional<ReadyContainers>& ready = {});

/// Returns whether `status` can show which replicas of the app are ready, if its helper reports it.
bool has_probes(const std::vector<Container>& containers);

/// Returns the text of the app file that the containers keep, or an empty one.
std::string app_text_of(const std::vector<Container>& containers);

/// Returns one item for each app of `containers`, the newest first. Calls `visit` for each with its
/// containers, sorted.
std::vector<ListItem> list_items(
    const std::vector<Container>& containers,
    const std::function<void(const std::vector<Container>&, AppState)>& visit);

/// Returns the nanoseconds at which the container was submitted.
TimeNs submitted_at(const Container& container);

}  // namespace slipway::docker
