// Services: roles that the app does not wait for, such as a parameter server or TensorBoard.
#pragma once

#include "slipway/app.hpp"

namespace slipway {

/// The key in a role's metadata that `service = true` in an app file sets. Its value is a boolean.
inline constexpr char kServiceKey[] = "slipway.service";

/// Returns whether the role is a service. Throws Error kInvalid if the value of the key is not a
/// boolean.
bool is_service(const Role& role);

/// Throws Error kInvalid if every role of the app is a service: such an app has no work whose end
/// could end it.
void check_services(const AppDef& app);

}  // namespace slipway
