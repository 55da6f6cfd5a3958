// The common part of the wrappers in this folder: owns an object of a plug-in, calls the functions
// of its table, and turns statuses into exceptions. R5, R6 and R8 are rules of slipway/abi/base.h.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "core/registry/calls/call_error.hpp"
#include "core/registry/calls/plugin_call.hpp"
#include "core/registry/libraries/library.hpp"
#include "slipway/abi/image_provider.h"
#include "slipway/detail/required_functions.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {

/// The exception of a host callback, if any. PluginObject::call() rethrows it after the call of the
/// plug-in, because exceptions must not cross the plug-in (R5).
struct CallbackState {
  std::exception_ptr thrown;
};

/// A callback for a plug-in. Converts to the ABI's C function, whose context `ctx` must be the
/// address of this object, and calls `body` with the other arguments. After an exception of `body`
/// the function returns SLIPWAY_E_CANCELLED, so that the plug-in stops.
template <class Body>
class Callback : public CallbackState {
 public:
  explicit Callback(Body body) : body_(std::move(body)) {}

  template <class... Args>
  using Function = slipway_status (*)(void* ctx, Args... args);

  template <class... Args>
  operator Function<Args...>() const noexcept {  // NOLINT(google-explicit-constructor)
    return [](void* ctx, Args... args) { return static_cast<Callback*>(ctx)->run(args...); };
  }

 private:
  template <class... Args>
  slipway_status run(Args... args) noexcept {
    const PluginCallback in_host;
    try {
      body_(args...);
      return SLIPWAY_OK;
    } catch (...) {
      thrown = std::current_exception();
      return SLIPWAY_E_CANCELLED;
    }
  }

  Body body_;
};

/// Owns a plug-in's object of the interface `Object` with the function table `Table`. The
/// destructor calls the table's `destroy`. Shares ownership of the library. The constructor throws
/// Error kAbi for an object without a table. It destroys an object that only a later host can use
/// (R8), and throws Error kUnimplemented.
template <class Object, class Table>
class PluginObject {
 public:
  PluginObject(std::shared_ptr<Library> library, Object* object)
      : library_(std::move(library)), object_(object) {
    if (object_->vtbl == nullptr) {
      throw Error(Code::kAbi, "the plug-in made an object without a table of functions",
                  "this is an error in the plug-in", plugin_id());
    }
    // This version knows none of the bits that a host must understand.
    if ((table().flags & SLIPWAY_MUST_UNDERSTAND) == 0) return;
    destroy();
    throw Error(Code::kUnimplemented, "the plug-in needs a later version of Slipway",
                "upgrade Slipway", plugin_id());
  }
  PluginObject(PluginObject&& other) noexcept
      : library_(std::move(other.library_)), object_(std::exchange(other.object_, nullptr)) {}
  PluginObject& operator=(PluginObject&&) = delete;
  ~PluginObject() { destroy(); }

  Object* get() const { return object_; }
  const Table& table() const { return *object_->vtbl; }
  const std::string& plugin_id() const { return library_->id(); }

  /// Returns whether the plug-in implements the function (R6).
  template <class Fn>
  bool has(Fn Table::*function) const {
    return abi::has(table(), function);
  }

  /// Returns the function. Throws kUnimplemented with `what` ("delete apps") if the plug-in lacks
  /// it.
  template <class Fn>
  Fn need(Fn Table::*function, const char* what) const {
    if (!has(function)) {
      throw Error(Code::kUnimplemented, std::string("the plug-in cannot ") + what, {}, plugin_id());
    }
    return object_->vtbl->*function;
  }

  /// Throws Error kAbi, with the name of the function, if the plug-in lacks a function that its
  /// kind must have.
  void require_functions() const {
    abi::each_required(table(), [this](auto function, const char* name) {
      if (has(function)) return;
      throw Error(Code::kAbi, std::string("the plug-in lacks the required function ") + name,
                  "this is an error in the plug-in", plugin_id());
    });
  }

  /// Runs `body(slipway_error*)`, which calls the table's function `name`. Rethrows the exception
  /// of a callback: to an Error kAbi without a `where()`, it adds the plug-in's id and the name of
  /// the function. Otherwise throws the Error of a failed status, or returns any other status.
  template <class F>
  slipway_status call(const char* name, const CallbackState& state, F&& body) const {
    slipway_error error;
    const slipway_status status = call_infallible(name, [&] { return body(&error); });
    if (state.thrown) rethrow(state.thrown, name);
    throw_if_failed(status, error, plugin_id());
    return status;
  }
  template <class F>
  slipway_status call(const char* name, F&& body) const {
    return call(name, CallbackState{}, std::forward<F>(body));
  }

  /// Runs `body`, which calls the table's function `name`. For functions that cannot fail.
  template <class F>
  auto call_infallible(const char* name, F&& body) const {
    const PluginCall marked(library_->id().c_str(), library_->version().c_str(), name);
    return marked.run(std::forward<F>(body));
  }

  /// Does the same in a function of the host that must not throw; see PluginCall::run_noexcept().
  template <class F>
  void call_noexcept(const char* name, F&& body) const noexcept {
    const PluginCall marked(library_->id().c_str(), library_->version().c_str(), name);
    marked.run_noexcept(std::forward<F>(body));
  }

 private:
  [[noreturn]] void rethrow(const std::exception_ptr& thrown, const char* function) const {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      if (error.code() != Code::kAbi || !error.where().empty()) throw;
      throw Error(Code::kAbi, std::string(function) + ": " + error.message(), error.hint(),
                  plugin_id());
    }
  }

  void destroy() {
    if (object_ != nullptr && has(&Table::destroy))
      call_noexcept("destroy", [this] { table().destroy(object_); });
  }

  std::shared_ptr<Library> library_;
  Object* object_;
};

/// The host lends image providers to schedulers (lent_image_provider.hpp), and itself uses only
/// their optional abilities (plugin_image_cache.hpp).
using PluginImageProvider = PluginObject<slipway_image_provider, slipway_image_provider_vtbl>;

}  // namespace slipway::registry
