#include "core/registry/queries/load_trial.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/registry/calls/call_context.hpp"
#include "core/registry/calls/host_table.hpp"
#include "core/registry/libraries/elf_facts.hpp"
#include "core/registry/libraries/library.hpp"
#include "core/registry/objects/plugin_components.hpp"
#include "core/registry/objects/plugin_resources.hpp"
#include "core/registry/objects/plugin_scheduler.hpp"
#include "core/registry/objects/plugin_workspace.hpp"
#include "core/registry/queries/query_message.hpp"
#include "core/registry/queries/query_process.hpp"
#include "core/spec/problem.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::registry {
namespace {

// ---- in the query process

// The kinds of replies of a trial. Each reply starts with its kind.
enum class TrialReply : std::int64_t { kDescription, kProvider, kWarning };

void send_warning(const QueryPipe& to, const spec::Problem& warning) {
  to.reply(MessageWriter()
               .number(static_cast<std::int64_t>(TrialReply::kWarning))
               .text(warning.where.file)
               .number(warning.where.line)
               .number(warning.where.column)
               .text(warning.key)
               .text(warning.message)
               .text(warning.hint)
               .number(static_cast<std::int64_t>(warning.code))
               .take());
}

// Returns whether the plug-in may still work on other machines of the site, or only lacks an
// optional function.
bool is_accepted(Code code) { return code == Code::kPrecondition || code == Code::kUnimplemented; }

// Returns whether the plug-in may be intact and only its engine unavailable, for a while or for
// this user.
bool may_be_transient(Code code) {
  return code == Code::kUnavailable || code == Code::kTimeout || code == Code::kTemporary ||
         code == Code::kDenied;
}

class Trial {
 public:
  Trial(const PluginEntry& plugin, const TrustPolicy& trust, const QueryPipe& replies)
      : plugin_(plugin), trust_(trust), replies_(replies) {}

  void run() {
    services_->state_dir = &default_state_dir;
    host_ = make_host_table(plugin_.id, services_);
    std::vector<spec::Problem> problems;
    library_ = Library::load(plugin_, host_, trust_, problems);
    const slipway_plugin& descriptor = library_->descriptor();
    replies_.reply(MessageWriter()
                       .number(static_cast<std::int64_t>(TrialReply::kDescription))
                       .text(library_->id())
                       .text(library_->version())
                       .text(abi::str(descriptor.build))
                       .take());
    warn_of_exports();
    for (const spec::Problem& problem : problems) send_warning(replies_, problem);
    for (std::size_t i = 0; i < descriptor.providers.count; ++i) {
      const slipway_provider* each = SLIPWAY_AT(descriptor.providers, slipway_provider, i);
      replies_.reply(MessageWriter()
                         .number(static_cast<std::int64_t>(TrialReply::kProvider))
                         .text(abi::str(each->kind) + " " + abi::str(each->name))
                         .take());
    }
    for (const Provided& provided : plugin_.provides) attempt(provided);
    if (plugin_.provides.empty()) attempt_all(descriptor);
    if (plugin_.provides.empty() && !plugin_.id.empty()) warn_of_unlisted();
  }

 private:
  // Warns of a manifest without providers: commands find only the providers that it lists.
  void warn_of_unlisted() {
    std::string provided;
    for (const Group group : kGroups) {
      std::string names;
      for (const std::string& name : library_->names(kind(group)))
        names += (names.empty() ? "\"" : ", \"") + name + "\"";
      if (!names.empty())
        provided +=
            fmt::format("{}{} = [{}]", provided.empty() ? "" : ", ", to_string(group), names);
    }
    if (provided.empty()) return;
    warn(plugin_.source, "provides nothing, because the manifest lists no providers",
         "the library has these for [plugin.provides]: " + provided);
  }

  void warn_of_exports() {
    const std::string warning = exports_warning(read_elf(library_->path()));
    if (!warning.empty())
      warn({library_->path()}, warning, "report it to the author: other symbols must be hidden");
  }

  void warn(const spec::Position& where, std::string message, std::string hint,
            Code code = Code::kConfig) {
    send_warning(replies_, {spec::Severity::kWarning, where, library_->id(), std::move(message),
                            std::move(hint), code});
  }

  // Tries all providers of a library without a manifest, or whose manifest lists none.
  void attempt_all(const slipway_plugin& descriptor) {
    for (std::size_t i = 0; i < descriptor.providers.count; ++i) {
      const slipway_provider* each = SLIPWAY_AT(descriptor.providers, slipway_provider, i);
      const auto group = std::find_if(kGroups.begin(), kGroups.end(), [&](Group candidate) {
        return abi::str(each->kind) == kind(candidate);
      });
      if (group == kGroups.end()) continue;
      Provided provided;
      provided.group = *group;
      provided.name = provided.entry = abi::str(each->name);
      attempt(provided);
    }
  }

  void attempt(const Provided& provided) {
    try {
      create_and_call(provided);
    } catch (const Error& error) {
      if (is_accepted(error.code())) return;
      std::string what =
          fmt::format("the {} \"{}\": {}", noun(provided.group), provided.name, error.message());
      if (!may_be_transient(error.code()))
        throw Error(error.code(), what, error.hint(), library_->path());
      warn(plugin_.source, std::move(what),
           error.hint().empty() ? "the plug-in may work at another time or for another user"
                                : error.hint(),
           error.code());
    }
  }

  // Calls only functions that change nothing, for the default session of commands.
  void create_and_call(const Provided& provided) {
    void* object =
        library_->create(provider_of(plugin_, provided), host_, call_context(nullptr), "slipway");
    switch (provided.group) {
      case Group::kSchedulers: {
        const PluginScheduler scheduler(library_, static_cast<slipway_scheduler*>(object),
                                        provided.name);
        (void)scheduler.run_opts();
        ListQuery query;
        query.one_of_several = true;  // a scheduler without its engine need not search for it long
        (void)scheduler.list(query);
        break;
      }
      case Group::kNamedResources:
        compare(provided,
                PluginResources(library_, static_cast<slipway_named_resources*>(object)).list());
        break;
      case Group::kComponents:
        (void)PluginComponents(library_, static_cast<slipway_components*>(object)).list();
        break;
      case Group::kImageProviders:
        PluginImageProvider(library_, static_cast<slipway_image_provider*>(object))
            .require_functions();
        break;
      case Group::kWorkspaces:
        PluginWorkspace(library_, static_cast<slipway_workspace*>(object));
        break;
    }
  }

  // Warns if the manifest's list of resources differs from the provider's, because the host uses
  // the manifest's.
  void compare(const Provided& provided, const Dict<Resource>& resources) {
    if (provided.resources.empty()) return;
    const auto warn_of = [&](const std::string& what, const char* hint) {
      warn(provided.source,
           fmt::format("the named-resource provider \"{}\" {}", provided.name, what), hint);
    };
    for (const std::string& listed : provided.resources) {
      if (!listed.ends_with('*') && find(resources, listed) == nullptr)
        warn_of("does not have " + spec::quoted(listed) + ", which the manifest lists",
                "remove it from `resources`, or install manifest and library together");
    }
    for (const auto& [name, resource] : resources) {
      if (!provided.lists_resource(name))
        warn_of("has " + spec::quoted(name) + ", which `resources` in the manifest lacks",
                "add it to `resources`, because the host uses this list");
    }
  }

  const PluginEntry& plugin_;
  const TrustPolicy& trust_;
  const QueryPipe& replies_;
  std::shared_ptr<HostServices> services_ = std::make_shared<HostServices>();
  const slipway_host* host_ = nullptr;
  std::shared_ptr<Library> library_;
};

// ---- in the command

spec::Problem warning_from(MessageReader& from) {
  spec::Problem out;
  out.severity = spec::Severity::kWarning;
  out.where.file = from.text();
  out.where.line = static_cast<std::uint32_t>(from.number());
  out.where.column = static_cast<std::uint32_t>(from.number());
  out.key = from.text();
  out.message = from.text();
  out.hint = from.text();
  out.code = static_cast<Code>(from.number());
  return out;
}

// Throws the first error or warning of the trial that comes from the limit of limit_calls().
void throw_if_limit_is_over(const LoadTrial& trial) {
  if (trial.error && is_end_of_call_limit(trial.error->code())) throw Error(*trial.error);
  for (const spec::Problem& warning : trial.warnings) {
    if (is_end_of_call_limit(warning.code)) throw Error(warning.code, warning.message);
  }
}

/// Throws Error kAbi for a damaged reply.
void read_replies(const std::vector<std::string>& replies, LoadTrial& out) {
  for (const std::string& reply : replies) {
    MessageReader from(reply);
    switch (static_cast<TrialReply>(from.number())) {
      case TrialReply::kDescription:
        out.id = from.text();
        out.version = from.text();
        out.build = from.text();
        break;
      case TrialReply::kProvider: out.provides.push_back(from.text()); break;
      case TrialReply::kWarning: out.warnings.push_back(warning_from(from)); break;
    }
  }
}

LoadTrial trial_of(const PluginEntry& plugin, QueryAnswer answer) {
  LoadTrial out;
  try {
    read_replies(answer.replies, out);
  } catch (const Error& damage) {  // the plug-in has overwritten the memory of its process
    answer.failure = damage.message();
  }
  out.error = std::move(answer.error);
  if (!answer.failure.empty()) {
    out.error.emplace(Code::kAbi, answer.failure,
                      "no function of a plug-in may crash, end the process or block forever",
                      plugin.library);
  }
  if (!answer.printed.empty()) {
    out.warnings.push_back(
        {spec::Severity::kWarning, plugin.source, plugin.id,
         "prints to standard output or error: " +
             answer.printed.substr(0, answer.printed.find('\n')),
         "report it to the plug-in's author: a plug-in writes messages with the host's log",
         Code::kAbi});
  }
  return out;
}

}  // namespace

void try_each(const std::vector<const PluginEntry*>& plugins, const TrustPolicy& trust,
              std::chrono::milliseconds limit,
              const std::function<void(std::size_t, LoadTrial)>& tried) {
  std::vector<PluginQuery> queries;
  for (const PluginEntry* plugin : plugins) {
    queries.push_back(
        {plugin->id.empty() ? plugin->library : plugin->id, plugin->version,
         [plugin, &trust](const QueryPipe& replies) { Trial(*plugin, trust, replies).run(); }});
  }
  run_queries(queries, limit, [&](std::size_t place, QueryAnswer answer) {
    LoadTrial trial = trial_of(*plugins[place], std::move(answer));
    throw_if_limit_is_over(trial);
    tried(place, std::move(trial));
  });
}

LoadTrial try_load(const PluginEntry& plugin, const TrustPolicy& trust,
                   std::chrono::milliseconds limit) {
  LoadTrial out;
  try_each({&plugin}, trust, limit, [&](std::size_t, LoadTrial trial) { out = std::move(trial); });
  return out;
}

}  // namespace slipway::registry
