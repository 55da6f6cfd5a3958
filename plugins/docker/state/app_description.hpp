// Apps from their containers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugins/docker/state/container.hpp"
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
Description description_of(const std::vector<Container>& containers, bool with_replicas);

/// Returns the text of the app file that the containers keep, or an empty one.
std::string app_text_of(const std::vector<Container>& containers);

/// Returns one item for each app of `containers`, the newest first.
std::vector<ListItem> list_items(const std::vector<Container>& containers);

/// Returns the nanoseconds at which the container was submitted.
TimeNs submitted_at(const Container& container);

}  // namespace slipway::docker
