#include "core/registry/calls/plugin_call.hpp"

#include <atomic>

namespace slipway::registry {
namespace {

thread_local const PluginCall* innermost = nullptr;
std::atomic<const PluginCallObserver*> the_observer{nullptr};

// Returns the hint that explains how to run a command without the plug-in.
std::string avoiding_hint(const std::string& plugin_id) {
  return "to continue without it: --no-plugins, or enabled = false under [plugins.\"" + plugin_id +
         "\"] in the configuration";
}

}  // namespace

PluginCall::PluginCall(const char* plugin_id, const char* version, const char* call,
                       Phase phase) noexcept
    : plugin_id_(plugin_id), version_(version), call_(call), phase_(phase), outer_(innermost) {
  if (const PluginCallObserver* observer = the_observer.load()) observer->enter(*this);
  innermost = this;
}

PluginCall::~PluginCall() {
  innermost = outer_;
  if (const PluginCallObserver* observer = the_observer.load()) observer->leave(*this);
}

const PluginCall* PluginCall::current() noexcept { return innermost; }

Error PluginCall::escaped(const char* what) const {
  return Error(
      Code::kInternal,
      plugin_text(plugin_id_, version_) + " threw an exception out of " + call_ + ": " + what,
      avoiding_hint(plugin_id_), plugin_id_);
}

PluginCallback::PluginCallback(const PluginCall* caller) noexcept : interrupted_(innermost) {
  innermost = caller;
}

PluginCallback::~PluginCallback() { innermost = interrupted_; }

void observe_plugin_calls(const PluginCallObserver* observer) noexcept {
  the_observer.store(observer);
}

std::string plugin_text(const std::string& plugin_id, const std::string& version) {
  return version.empty() ? plugin_id : plugin_id + " " + version;
}

}  // namespace slipway::registry
