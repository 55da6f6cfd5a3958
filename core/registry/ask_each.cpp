// PluginHost::ask_each(): calls of several providers, in query processes if they are allowed.
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "core/registry/calls/call_context.hpp"
#include "core/registry/plugin_host.hpp"
#include "core/registry/queries/query_message.hpp"
#include "core/registry/queries/query_process.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {
namespace {

// The kinds of answers of a query process. Each starts with the provider's place in `names` and the
// kind.
enum class AnswerKind : std::int64_t { kAnswer, kError };

MessageWriter reply_about(std::size_t place, AnswerKind kind) {
  MessageWriter out;
  out.number(static_cast<std::int64_t>(place)).number(static_cast<std::int64_t>(kind));
  return out;
}

// Adds the reply to `answers`. `mine` has the places of the plug-in's providers. Throws Error kAbi
// for a reply that cannot be decoded.
void add_reply(std::string_view reply, const std::vector<std::size_t>& mine,
               std::vector<ProviderAnswer>& answers) {
  MessageReader from(reply);
  const auto place = static_cast<std::size_t>(from.number());
  if (std::find(mine.begin(), mine.end(), place) == mine.end())
    throw Error(Code::kAbi, "the answer of a query process is about another plug-in");
  ProviderAnswer answer;
  if (static_cast<AnswerKind>(from.number()) == AnswerKind::kAnswer) {
    answer.bytes = from.text();
  } else {
    answer.error = from.error();
  }
  answers[place] = std::move(answer);
}

// Adds all replies of a query process to `answers`. The first damaged reply makes the process one
// that has failed.
void add_replies(const std::string& plugin_id, QueryAnswer& answer,
                 const std::vector<std::size_t>& mine, std::vector<ProviderAnswer>& answers) {
  try {
    for (const std::string& reply : answer.replies) add_reply(reply, mine, answers);
  } catch (const Error& error) {
    if (error.code() != Code::kAbi) throw;
    answer.failure = plugin_id + " sent a damaged answer: it has overwritten memory";
  }
}

std::string without_final_newlines(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// Throws the error of the first provider whose answer the limit of limit_calls() has ended.
void throw_if_limit_is_over(const std::vector<std::string>& names,
                            const std::vector<ProviderAnswer>& answers) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::optional<Error>& error = answers[i].error;
    if (error && is_end_of_call_limit(error->code()))
      throw Error(error->code(), names[i] + ": " + error->message(), error->hint(), error->where())
          .with_details(error->details());
  }
}

}  // namespace

void PluginHost::use_query_processes(std::chrono::milliseconds limit) { query_limit_ = limit; }

void PluginHost::exclude(const std::string& plugin_id) { excluded_.insert(plugin_id); }

std::vector<ProviderAnswer> PluginHost::ask_each(Group group, const std::vector<std::string>& names,
                                                 const Ask& ask, const Enough& enough) {
  std::vector<ProviderAnswer> answers(names.size());
  if (!query_limit_ || !process_has_one_thread()) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      try {
        answers[i].bytes = ask(names[i]);
        if (enough && enough(answers[i])) break;
      } catch (const Error& error) {
        answers[i].error = error;
      }
    }
    throw_if_limit_is_over(names, answers);
    return answers;
  }
  // One process calls all providers of a plug-in. `places` has the places of these providers in
  // `names`, by plug-in id.
  std::map<std::string, std::vector<std::size_t>> places;
  std::vector<PluginQuery> queries;
  for (std::size_t i = 0; i < names.size(); ++i) {
    try {
      const PluginEntry& plugin = *registry_.find_provider(group, names[i]).plugin;
      // Replaced by a reply. Remains for an excluded plug-in, whose failure was reported.
      answers[i].lost = true;
      answers[i].error.emplace(Code::kUnavailable, plugin.id + " failed before");
      if (excluded_.contains(plugin.id)) continue;
      std::vector<std::size_t>& mine = places[plugin.id];
      mine.push_back(i);
      if (mine.size() > 1) continue;
      queries.push_back(
          {plugin.id, plugin.version, [&](const QueryPipe& pipe) {  // in the query process
             services_->log = [&pipe](LogLevel level, std::string_view, std::string_view text) {
               pipe.log(level, text);
             };
             for (const std::size_t place : mine) {
               try {
                 const std::string bytes = ask(names[place]);
                 pipe.reply(reply_about(place, AnswerKind::kAnswer).text(bytes).take());
               } catch (const Error& error) {
                 pipe.reply(reply_about(place, AnswerKind::kError).error(error).take());
               }
             }
           }});
    } catch (const Error& error) {
      answers[i].error = error;
    }
  }
  run_queries(queries, *query_limit_, [&](std::size_t i, QueryAnswer answer) {
    if (answer.error && is_end_of_call_limit(answer.error->code())) throw Error(*answer.error);
    const std::string& id = queries[i].plugin_id;
    add_replies(id, answer, places.at(id), answers);
    if (services_->log) {
      for (const QueryAnswer::Message& message : answer.messages)
        services_->log(message.level, id, message.text);
      if (!answer.printed.empty())
        services_->log(LogLevel::kWarning, id,
                       "printed: " + without_final_newlines(answer.printed));
    }
    if (answer.error) {
      for (const std::size_t place : places.at(id)) {
        if (answers[place].lost) answers[place] = {{}, answer.error, false};
      }
    }
    if (answer.failure.empty()) return;
    exclude(id);
    for (const std::size_t place : places.at(id)) {
      if (answers[place].lost) answers[place].error.emplace(Code::kUnavailable, answer.failure);
    }
    if (services_->log)
      services_->log(LogLevel::kWarning, {}, answer.failure + ", continuing without it");
  });
  throw_if_limit_is_over(names, answers);
  return answers;
}

}  // namespace slipway::registry
