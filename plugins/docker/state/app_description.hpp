// Describes and lists apps from their containers.
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

/// Sorts the containers of one app in the order of the app's roles, replicas and attempts.
/// Containers of TorchX do not have the order of roles; sorts these by the roles' names.
void sort_replicas(std::vector<Container>& containers);

/// Returns the state of the app of `containers`, which are sorted and not empty. Without
/// inspections it can be wrong for an app with rules, because the engine's list does not say why a
/// container ended: for example while a replica whose `retry_on` names `oom` waits for its retry.
AppState app_state(const std::vector<Container>& containers);

/// Returns the description of the app of `containers`, without Description::app. `containers` are
/// sorted and not empty. They must be inspected if `with_replicas`, for the times of an app that
/// has ended, and for the state of an app with rules. `ready` is the helper's report; without it,
/// the readiness of running containers is unknown.
Description description_of(const std::vector<Container>& containers, bool with_replicas,
                           const std::optional<ReadyContainers>& ready = {});

/// Returns whether a role of the app has a readiness probe, whose results only the app's helper
/// knows.
bool has_probes(const std::vector<Container>& containers);

/// Returns the text of the app file that a label keeps; empty if no container has the label.
std::string app_text_of(const std::vector<Container>& containers);

/// Returns one item for each app of `containers`, the newest first. Calls `visit` for each app with
/// its sorted containers and its state.
std::vector<ListItem> list_items(
    const std::vector<Container>& containers,
    const std::function<void(const std::vector<Container>&, AppState)>& visit);

/// Returns the time at which the container's app was submitted.
TimeNs submitted_at(const Container& container);

}  // namespace slipway::docker
