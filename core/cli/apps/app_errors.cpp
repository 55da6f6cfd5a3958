#include "core/cli/apps/app_errors.hpp"

#include <algorithm>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/time_limit.hpp"

namespace slipway::cli {

namespace {

/// Returns the error with the app's handle in front of its message.
Error with_handle(const std::string& handle, const Error& error) {
  return Error(error.code(), handle + ": " + error.message(), error.hint(), error.where())
      .with_details(error.details());
}

}  // namespace

const Error* AppErrors::of(const AppHandle& handle) const {
  const std::string text = to_string(handle);
  const auto found = std::find_if(errors_.begin(), errors_.end(),
                                  [&](const auto& each) { return each.first == text; });
  return found == errors_.end() ? nullptr : &found->second;
}

bool AppErrors::forget_if_not_found(const AppHandle& handle) {
  const Error* const error = of(handle);
  if (error == nullptr || error->code() != Code::kNotFound) return false;
  std::erase_if(errors_,
                [text = to_string(handle)](const auto& each) { return each.first == text; });
  return true;
}

void AppErrors::throw_if_not_found() const {
  for (const auto& [handle, error] : errors_)
    if (error.code() == Code::kNotFound) throw error;
}

int AppErrors::report(std::size_t app_count) const {
  if (errors_.empty()) return kExitOk;
  const bool all_failed = errors_.size() == app_count;
  // If all failed, the first error is thrown below.
  for (std::size_t i = all_failed ? 1 : 0; i < errors_.size(); ++i)
    say(with_handle(errors_[i].first, errors_[i].second));
  const auto& [handle, first] = errors_.front();
  if (all_failed) throw app_count == 1 ? first : with_handle(handle, first);
  return exit_status(first.code());
}

void AppErrors::add(const AppHandle& handle, const Error& error) {
  if (is_end_of_time_limit(error.code())) throw error;
  errors_.emplace_back(to_string(handle), error);
}

}  // namespace slipway::cli
