// Which plug-in a thread is in, so that a crash, an exit or stray output can be put down to it.
#pragma once

#include <sys/types.h>

#include <exception>
#include <string>

#include "slipway/error.hpp"

namespace slipway::registry {

/// One call of a plug-in's function. It lives on the stack of the thread that makes the call; calls
/// of one thread nest.
class PluginCall {
 public:
  /// Marks the calling thread as being inside `call` ("list") of a plug-in. The strings are
  /// borrowed for as long as the object lives.
  PluginCall(const char* plugin_id, const char* version, const char* call) noexcept;
  ~PluginCall();
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  const char* plugin_id() const noexcept { return plugin_id_; }
  const char* version() const noexcept { return version_; }  ///< may be empty
  const char* call() const noexcept { return call_; }
  /// The process that made the call: a fork of it is not the plug-in's caller.
  pid_t process() const noexcept { return process_; }

  /// Returns the calling thread's innermost call, or nullptr. [also in a signal handler]
  static const PluginCall* current() noexcept;

  /// Runs `body`, which calls the plug-in. An exception that leaves the plug-in's C function
  /// becomes an Error kInternal that names the plug-in and the call.
  template <class F>
  auto run(F&& body) const {
    try {
      return body();
    } catch (const std::exception& error) {
      throw escaped(error.what());
    } catch (...) {
      throw escaped("of an unknown type");
    }
  }

 private:
  friend class HostCallback;
  Error escaped(const char* what) const;

  const char* plugin_id_;
  const char* version_;
  const char* call_;
  pid_t process_;
  const PluginCall* outer_;
};

/// Marks the calling thread as being in the host again while it serves a plug-in's callback.
class HostCallback {
 public:
  HostCallback() noexcept;
  ~HostCallback();
  HostCallback(const HostCallback&) = delete;
  HostCallback& operator=(const HostCallback&) = delete;

 private:
  const PluginCall* interrupted_;
};

/// Functions that run before and after every call of a plug-in, in the calling thread.
struct PluginCallObserver {
  void (*enter)(const PluginCall& call) noexcept;
  void (*leave)(const PluginCall& call) noexcept;
};

/// Sets the process's observer, of static storage duration; nullptr: none. [any thread]
void observe_plugin_calls(const PluginCallObserver* observer) noexcept;

/// "org.example.x 1.2.0", or the id alone where the version is unknown.
std::string plugin_text(const std::string& plugin_id, const std::string& version);

/// Says how to go on without the plug-in.
std::string way_around(const std::string& plugin_id);

}  // namespace slipway::registry
