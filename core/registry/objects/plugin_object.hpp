// What the adopted interfaces share: an object of a plug-in, its table's functions if they are
// there, and the way back from a status to an exception.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "core/registry/calls/call_error.hpp"
#include "core/registry/calls/plugin_call.hpp"
#include "core/registry/libraries/library.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {

/// A host callback's exception on its way around the plug-in (R5): kept here and thrown again after
/// the call.
struct CallbackState {
  std::exception_ptr thrown;

  /// Runs `body` as the inside of a callback: an exception becomes a status that tells the plug-in
  /// to stop.
  template <class F>
  slipway_status run(F&& body) noexcept {
    const HostCallback in_host;
    try {
      body();
      return SLIPWAY_OK;
    } catch (...) {
      thrown = std::current_exception();
      return SLIPWAY_E_CANCELLED;
    }
  }
};

/// A plug-in's object of interface `Object` with function table `Table`. Moved, not copied; the
/// destructor calls the table's `destroy`. Keeps the library loaded.
template <class Object, class Table>
class PluginObject {
 public:
  PluginObject(std::shared_ptr<Library> library, Object* object)
      : library_(std::move(library)), object_(object) {}
  PluginObject(PluginObject&& other) noexcept
      : library_(std::move(other.library_)), object_(std::exchange(other.object_, nullptr)) {}
  PluginObject& operator=(PluginObject&&) = delete;
  ~PluginObject() {
    if (object_ != nullptr && has(&Table::destroy))
      quietly("destroy", [this] { table().destroy(object_); });
  }

  Object* get() const { return object_; }
  const Table& table() const { return *object_->vtbl; }
  const std::string& plugin_id() const { return library_->id(); }
  const std::shared_ptr<Library>& library() const { return library_; }

  /// True when the plug-in implements the function (R6).
  template <class Fn>
  bool has(Fn Table::*function) const {
    return abi::has(table(), function);
  }

  /// The function; throws kUnimplemented with `what` ("delete apps") where the plug-in lacks it.
  template <class Fn>
  Fn need(Fn Table::*function, const char* what) const {
    if (!has(function)) {
      throw Error(Code::kUnimplemented, std::string("the plug-in cannot ") + what, {}, plugin_id());
    }
    return object_->vtbl->*function;
  }

  /// Runs `body(slipway_error*)`, which calls the table's function `name`; throws what a callback
  /// threw, or the Error that the status means; returns a status that is no error.
  template <class F>
  slipway_status call(const char* name, const CallbackState& state, F&& body) const {
    slipway_error error;
    const slipway_status status = quietly(name, [&] { return body(&error); });
    if (state.thrown) std::rethrow_exception(state.thrown);
    throw_if_failed(status, error, plugin_id());
    return status;
  }
  template <class F>
  slipway_status call(const char* name, F&& body) const {
    return call(name, CallbackState{}, std::forward<F>(body));
  }

  /// Runs `body`, which calls the table's function `name` that reports no error.
  template <class F>
  auto quietly(const char* name, F&& body) const {
    const PluginCall marked(library_->id().c_str(), library_->version().c_str(), name);
    return marked.run(std::forward<F>(body));
  }

 private:
  std::shared_ptr<Library> library_;
  Object* object_;
};

}  // namespace slipway::registry
