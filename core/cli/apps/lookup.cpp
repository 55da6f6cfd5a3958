#include "core/cli/apps/lookup.hpp"

#include "sdk/support/ascii_case.hpp"

namespace slipway::cli {

AppStatus existing_app(Invocation& invocation, const AppHandle& handle, StatusDetail detail) {
  auto status = invocation.runner().status(handle, detail);
  if (!status) {
    throw Error(Code::kNotFound, "there is no app " + to_string(handle),
                "`slipway list --all` shows all apps");
  }
  return std::move(*status);
}

std::optional<AppStatus> app_to_remove(Invocation& invocation, const AppHandle& handle) {
  try {
    return existing_app(invocation, handle, StatusDetail::kApp);
  } catch (const Error& error) {
    if (error.code() != Code::kInvalid) throw;
    return std::nullopt;
  }
}

AppStatus as_told(Invocation& invocation, AppStatus status) {
  if (!invocation.json() && status.description.state != AppState::kFailed) return status;
  return existing_app(invocation, status.handle);
}

std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    if (comma > from) out.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return out;
}

AppState parse_state(const std::string& option, const std::string& name) {
  const std::string upper = upper_case(name);
  if (const auto state = app_state_from(std::string_view(upper))) return *state;
  std::string names;
  for (const std::string_view known : kAppStateNames)
    names += (names.empty() ? "" : ", ") + std::string(known);
  throw Error(Code::kUsage, option + " " + name + ": there is no such state",
              "the states are " + names);
}

}  // namespace slipway::cli
