// Exports a plug-in in C++, with one macro at namespace scope of one source file.
//
//     SLIPWAY_PLUGIN("org.example.slurm", "1.2.0",
//                    SLIPWAY_PROVIDER(SlurmScheduler, "slurm", "runs apps on a Slurm cluster"),
//                    SLIPWAY_PROVIDER(SlurmResources, "partitions", "Slurm's partitions"))
//
// A provider is a class derived from slipway::Scheduler, ImageProvider, NamedResources, Components
// or Workspace with a constructor (slipway::Host, slipway::CreateArgs), or (slipway::Host,
// slipway::CreateArgs, const slipway::Call&) if the creation may block. slipway_add_plugin() and
// the version script of the SDK make sure that the library exports only one symbol. The C++ layer
// is compiled into the plug-in; its inline namespace sdk_1_0 keeps plug-ins with different SDKs
// apart in one process.
#pragma once

#if __cplusplus < 201703L
#error "slipway/plugin.hpp needs C++17: compile with -std=c++17 or later"
#endif

#include <memory>
#include <type_traits>
#include <utility>

#include "slipway/abi/plugin.h"
#include "slipway/components.hpp"
#include "slipway/detail/components_thunks.hpp"
#include "slipway/detail/image_provider_thunks.hpp"
#include "slipway/detail/named_resources_thunks.hpp"
#include "slipway/detail/scheduler_thunks.hpp"
#include "slipway/detail/workspace_thunks.hpp"
#include "slipway/image_provider.hpp"
#include "slipway/named_resources.hpp"
#include "slipway/scheduler.hpp"
#include "slipway/workspace.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

// Returns whether the host can create a T, and otherwise ends the compilation with the reason.
template <class T>
constexpr bool is_provider() {
  constexpr bool has_kind = std::is_base_of_v<Scheduler, T> ||
                            std::is_base_of_v<ImageProvider, T> ||
                            std::is_base_of_v<NamedResources, T> ||
                            std::is_base_of_v<Components, T> || std::is_base_of_v<Workspace, T>;
  constexpr bool is_complete = !std::is_abstract_v<T>;
  // An abstract class, which nothing can construct, gets only the message about is_complete.
  constexpr bool has_constructor = !is_complete || std::is_constructible_v<T, Host, CreateArgs> ||
                                   std::is_constructible_v<T, Host, CreateArgs, const Call&>;
  static_assert(has_kind,
                "SLIPWAY_PROVIDER: derive from slipway::Scheduler, ImageProvider, NamedResources, "
                "Components or Workspace");
  static_assert(is_complete,
                "SLIPWAY_PROVIDER: the class is abstract: override every function of its base "
                "that is declared with = 0, with the same parameters");
  static_assert(has_constructor,
                "SLIPWAY_PROVIDER: the class has no public constructor from (slipway::Host, "
                "slipway::CreateArgs): write `using Scheduler::Scheduler;` after `public:`, with "
                "the name of its base");
  return has_kind && is_complete && has_constructor;
}

template <class T, class Object, class Table>
slipway_status create_object(const Table* table, const slipway_host* host, const slipway_call* call,
                             const slipway_create_args* args, void** out, slipway_error* err) {
  return guard(host, err, [&] {
    const slipway_create_args a = widen(args);
    auto object = std::make_unique<Object>();
    object->base.vtbl = table;
    object->host = host;
    CreateArgs given{str(a.entry), str(a.name), str(a.session), str(a.config_json)};
    if constexpr (std::is_constructible_v<T, Host, CreateArgs, const Call&>) {
      object->impl = std::make_unique<T>(Host(host), std::move(given), Call(call, host, err));
    } else {
      object->impl = std::make_unique<T>(Host(host), std::move(given));
    }
    *out = &object.release()->base;
  });
}

template <class T>
slipway_status create(const slipway_host* host, const slipway_call* call,
                      const slipway_create_args* args, void** out, slipway_error* err) {
  if constexpr (!is_provider<T>()) {
    return SLIPWAY_E_INTERNAL;  // not reached: is_provider() has ended the compilation
  } else if constexpr (std::is_base_of_v<Scheduler, T>) {
    return create_object<T, SchedulerObject>(&kSchedulerTable<T::kFlags>, host, call, args, out,
                                             err);
  } else if constexpr (std::is_base_of_v<ImageProvider, T>) {
    return create_object<T, ImageProviderObject>(&kImageProviderTable, host, call, args, out, err);
  } else if constexpr (std::is_base_of_v<NamedResources, T>) {
    return create_object<T, NamedResourcesObject>(&kNamedResourcesTable, host, call, args, out,
                                                  err);
  } else if constexpr (std::is_base_of_v<Workspace, T>) {
    return create_object<T, WorkspaceObject>(&kWorkspaceTable, host, call, args, out, err);
  } else {
    return create_object<T, ComponentsObject>(&kComponentsTable, host, call, args, out, err);
  }
}

template <std::size_t N>
constexpr slipway_str literal(const char (&text)[N]) {
  return {text, N - 1};
}

template <class T>
constexpr slipway_str kind_of() {
  if constexpr (std::is_base_of_v<Scheduler, T>) return literal(SLIPWAY_KIND_SCHEDULER);
  if constexpr (std::is_base_of_v<ImageProvider, T>) return literal(SLIPWAY_KIND_IMAGE_PROVIDER);
  if constexpr (std::is_base_of_v<NamedResources, T>) return literal(SLIPWAY_KIND_NAMED_RESOURCES);
  if constexpr (std::is_base_of_v<Workspace, T>) return literal(SLIPWAY_KIND_WORKSPACE);
  return literal(SLIPWAY_KIND_COMPONENT);
}

template <class T>
constexpr slipway_provider provider(slipway_str name, slipway_str description) {
  return {sizeof(slipway_provider), 0, kind_of<T>(), name, description, &create<T>};
}

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway

/// The compiler and SDK, for bug reports (slipway_plugin::build).
#if defined(__clang__)
#define SLIPWAY_BUILD_INFO "sdk 1.0; clang " __clang_version__
#else
#define SLIPWAY_BUILD_INFO "sdk 1.0; gcc " __VERSION__
#endif

/// One provider for SLIPWAY_PLUGIN: its class, its name, and one line for users.
#define SLIPWAY_PROVIDER(Type, name, description)               \
  ::slipway::abi::provider<Type>(::slipway::abi::literal(name), \
                                 ::slipway::abi::literal(description))

/// Defines the symbol of a plug-in. The arguments after its id and version are SLIPWAY_PROVIDER(),
/// at least one. The plug-in runs on hosts of any version 1.x (the 0 is min_host_minor), and until
/// the freeze of 1.0 only on those of the same SLIPWAY_ABI_DRAFT. It has no `init` and `deinit`.
#define SLIPWAY_PLUGIN(id, version, ...)                                                     \
  static constexpr slipway_provider slipway_providers_v1[] = {__VA_ARGS__};                  \
  extern "C" SLIPWAY_EXPORT const slipway_plugin slipway_plugin_v1;                          \
  const slipway_plugin slipway_plugin_v1 = {                                                 \
      SLIPWAY_PLUGIN_MAGIC,                                                                  \
      sizeof(slipway_plugin),                                                                \
      SLIPWAY_ABI_MAJOR,                                                                     \
      SLIPWAY_ABI_MINOR,                                                                     \
      0,                                                                                     \
      SLIPWAY_ABI_DRAFT,                                                                     \
      ::slipway::abi::literal(id),                                                           \
      ::slipway::abi::literal(version),                                                      \
      ::slipway::abi::literal(SLIPWAY_BUILD_INFO),                                           \
      nullptr,                                                                               \
      nullptr,                                                                               \
      {slipway_providers_v1, sizeof(slipway_providers_v1) / sizeof(slipway_providers_v1[0]), \
       sizeof(slipway_provider)}};
