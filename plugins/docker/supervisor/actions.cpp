#include "plugins/docker/supervisor/actions.hpp"

#include <exception>
#include <vector>

#include "plugins/docker/scheduler/app_network.hpp"
#include "plugins/docker/scheduler/app_orders.hpp"
#include "plugins/docker/supervisor/next_attempt.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

constexpr int kNotModified = 304;  // the container already runs
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kInternalError = 500;

/// Returns whether the container's name is taken in its network; see remove_endpoint().
bool is_name_taken(const Answer& answer) {
  return answer.status == kForbidden &&
         engine_words(answer).find("already exists in network") != std::string::npos;
}

}  // namespace

void Actions::carry_out(const Decision& decision) {
  stop(decision.stops);
  // An attempt that the engine refuses to create must not prevent the starts of others.
  std::exception_ptr failure;
  try {
    create(decision.attempts);
  } catch (const Error&) {
    failure = std::current_exception();
  }
  start(decision.starts);
  if (failure) std::rethrow_exception(failure);
}

/// Returns whether a command, and not this object, has marked the container as cancelled. The
/// command also orders it to stop, perhaps with a grace time of its own.
bool Actions::is_stopped_by_command(const Decision::Stop& stop) const {
  return stop.mark == Mark::kCancelled && stop.container->mark == stop.mark &&
         marked_.count(stop.container->id) == 0;
}

void Actions::stop(const std::vector<Decision::Stop>& stops) {
  std::vector<MarkOrder> marks;
  std::vector<const Container*> running;
  for (const Decision::Stop& one : stops) {
    if (one.container->mark == one.mark) continue;
    marks.push_back({one.container, one.mark});
    marked_.insert(one.container->id);
  }
  if (!marks.empty()) mark_containers(engine_, marks, Call());
  for (const Decision::Stop& one : stops) {
    if (!one.container->has_started()) continue;
    const bool by_command = is_stopped_by_command(one);
    if (by_command) stopped_.try_emplace(one.container->id, Clock::now());
    const auto last = stopped_.find(one.container->id);
    const Clock::duration pause = by_command ? Clock::duration(kRepeatOfCommand) : kRepeat;
    if (last == stopped_.end() || Clock::now() - last->second >= pause)
      running.push_back(one.container);
  }
  if (running.empty()) return;
  stop_containers(engine_, running, {}, Call());
  for (const Container* one : running) stopped_[one->id] = Clock::now();
}

void Actions::create(const std::vector<Decision::Attempt>& attempts) {
  std::vector<HttpRequest> inspection_requests;
  std::vector<HttpRequest> renames;
  for (const Decision::Attempt& one : attempts) {
    inspection_requests.emplace_back();
    inspection_requests.back().target = "/containers/" + one.previous->id + "/json";
    if (one.previous->mark != Mark::kNone) continue;  // its mark has freed the replica's name
    const std::string name = one.previous->has_started()
                                 ? earlier_name(*one.previous)
                                 : marked_name(*one.previous, Mark::kRestarted);
    renames.push_back(
        post_request("/containers/" + one.previous->id + "/rename?name=" + url_text(name)));
  }
  if (inspection_requests.empty()) return;
  const std::vector<Answer> inspections =
      engine_.ask_all(inspection_requests, Call(), kSilenceLimit, kConnections);
  std::vector<HttpRequest> requests;
  for (std::size_t i = 0; i < inspections.size(); ++i) {
    if (!inspections[i].ok())
      throw engine_error("the Docker engine does not show a container", inspections[i]);
    requests.push_back(
        post_request("/containers/create?name=" + url_text(attempts[i].previous->name),
                     next_attempt_body(inspections[i].body, attempts[i].round)));
  }
  // The answers do not matter: the engine refuses a rename that another supervisor, or this one
  // before a failure, has made.
  engine_.ask_all(renames, Call(), kChangeLimit, kConnections);
  for (const Answer& answer : engine_.ask_all(requests, Call(), kChangeLimit, kConnections)) {
    if (!answer.ok()) throw engine_error("cannot create the next attempt", answer);
  }
}

/// Removes what an earlier attempt has left under the container's name in its network. Meanwhile,
/// the container has the name of an earlier attempt. It may keep that name if this throws.
void Actions::free_name(const Container& container) {
  const std::string rename = "/containers/" + container.id + "/rename?name=";
  engine_.ask(post_request(rename + url_text(earlier_name(container))), Call(), kChangeLimit);
  remove_endpoint(engine_, container.network, container.name, Call());
  engine_.ask(post_request(rename + url_text(container.name)), Call(), kChangeLimit);
}

void Actions::start(const std::vector<const Container*>& starts) {
  std::vector<HttpRequest> requests;
  for (const Container* one : starts)
    requests.push_back(post_request("/containers/" + one->id + "/start"));
  const std::vector<Answer> answers = engine_.ask_all(requests, Call(), kChangeLimit, kConnections);
  std::vector<MarkOrder> failed;
  const Answer* unable = nullptr;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const int status = answers[i].status;
    // With the same status the engine reports that the container's network is missing.
    const bool is_gone = status == kNotFound &&
                         engine_words(answers[i]).find("No such container") != std::string::npos;
    if (answers[i].ok() || status == kNotModified || is_gone) continue;
    const bool has_name_taken = is_name_taken(answers[i]);
    const bool may_pass = status == kInternalError || status == kNotFound || has_name_taken;
    if (is_engine_unable(answers[i]) || (may_pass && ++refused_[starts[i]->id] < kStarts)) {
      unable = &answers[i];
      if (has_name_taken) free_name(*starts[i]);
    } else {
      failed.push_back({starts[i], Mark::kSpawnFailed});
    }
  }
  if (!failed.empty()) mark_containers(engine_, failed, Call());
  if (unable != nullptr) throw engine_error("cannot start a container", *unable);
}

}  // namespace slipway::docker
