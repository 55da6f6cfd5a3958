#include "core/runner/status_watch.hpp"

#include <utility>

#include "slipway/error.hpp"

namespace slipway {

StatusWatch::StatusWatch(const registry::PluginScheduler& scheduler, std::string app_id,
                         Outage::Log log)
    : scheduler_(scheduler),
      app_id_(std::move(app_id)),
      outage_(scheduler.name(), std::move(log)) {}

StatusWatch::Answer StatusWatch::query() {
  try {
    Answer out;
    out.description = scheduler_.describe(app_id_, 0);
    // An app that has ended needs no subscription. Any other app is described again, because the
    // new subscription does not report changes before it.
    if (!is_watching_ && out.description && !is_over(*out.description)) {
      subscribe();
      out.description = scheduler_.describe(app_id_, 0);
    }
    outage_.query_succeeded();
    return out;
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary) throw;
    outage_.query_failed(error.message());
    return {false, std::nullopt};
  }
}

void StatusWatch::subscribe() {
  if (watch_) {
    watch_->renew();
  } else {
    watch_.emplace(scheduler_, app_id_, EventScope::kState);
  }
  is_watching_ = true;
}

int StatusWatch::fd() const { return outage_.next_query() || !is_watching_ ? -1 : watch_->fd(); }

void StatusWatch::drain() {
  try {
    is_watching_ = watch_->drain();
  } catch (const Error& error) {
    if (error.code() != Code::kTemporary) throw;
    // The subscription continues. Its descriptor may still be readable, so it is not polled before
    // the next query of the outage.
    outage_.query_failed(error.message());
  }
}

}  // namespace slipway
