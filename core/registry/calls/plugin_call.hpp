// Marks calls of plug-ins, so that a crash, an exit or stray output can be attributed to a
// plug-in.
#pragma once

#include <exception>
#include <string>

#include "slipway/error.hpp"

namespace slipway::registry {

/// One call of a plug-in's function, on the stack of the calling thread. Calls of a thread may
/// nest.
class PluginCall {
 public:
  enum class Phase {
    kStart,  ///< the plug-in starts: its constructors, init, create
    kUse,    ///< every other call
  };
  /// Marks the calling thread as being inside the function `call` ("list") of a plug-in. Borrows
  /// the strings for its lifetime.
  PluginCall(const char* plugin_id, const char* version, const char* call,
             Phase phase = Phase::kUse) noexcept;
  ~PluginCall();
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  const char* plugin_id() const noexcept { return plugin_id_; }
  const char* version() const noexcept { return version_; }  ///< may be empty
  const char* call() const noexcept { return call_; }
  Phase phase() const noexcept { return phase_; }

  /// Returns the calling thread's innermost call, or nullptr. Also returns the call in a process
  /// that is forked during it, although that process is not inside it. [also in a signal handler]
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

  /// Does the same for destructors and other functions of the host that must not throw. An
  /// exception that leaves the plug-in's function terminates the process during the call, so that
  /// the crash is attributed to the plug-in.
  template <class F>
  void run_noexcept(F&& body) const noexcept {
    body();
  }

 private:
  /// Returns the error for an exception with the text `what` that left the plug-in's function.
  Error escaped(const char* what) const;

  const char* plugin_id_;
  const char* version_;
  const char* call_;
  Phase phase_;
  const PluginCall* outer_;  // the call of this thread that this one is inside, or null
};

/// Marks the calling thread as being outside of a plug-in that calls back.
class PluginCallback {
 public:
  /// During a callback, the thread runs the code that passed the callback. If this is another
  /// plug-in (a scheduler that uses an image provider), `caller` is its call; without `caller`, it
  /// is the host. Borrows `caller` for its lifetime.
  explicit PluginCallback(const PluginCall* caller = nullptr) noexcept;
  ~PluginCallback();
  PluginCallback(const PluginCallback&) = delete;
  PluginCallback& operator=(const PluginCallback&) = delete;

 private:
  const PluginCall* interrupted_;  // the call whose plug-in called back
};

/// Functions that run before and after each call of a plug-in, in the calling thread.
struct PluginCallObserver {
  void (*enter)(const PluginCall& call) noexcept;
  void (*leave)(const PluginCall& call) noexcept;
};

/// Sets the observer of this process, or removes it with nullptr. `observer` must have static
/// storage duration. [any thread]
void observe_plugin_calls(const PluginCallObserver* observer) noexcept;

/// Returns "org.example.x 1.2.0", or only the id if the version is unknown.
std::string plugin_text(const std::string& plugin_id, const std::string& version);

}  // namespace slipway::registry
