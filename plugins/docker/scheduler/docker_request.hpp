// The request of the scheduler: the plan, and the app from which it was made.
#pragma once

#include <utility>

#include "plugins/docker/request/container_plan.hpp"
#include "sdk/support/shell_words.hpp"
#include "slipway/json_text.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::docker {

class DockerRequest : public Request {
 public:
  DockerRequest(AppPlan plan, AppDef app) : plan_(std::move(plan)), app_(std::move(app)) {}

  const AppPlan& plan() const { return plan_; }
  const AppDef& app() const { return app_; }

  void print_text(const Sink& sink) const override {
    if (!plan_.on_end.empty())
      sink("at its end: " + shell_joined({"sh", "-c", plan_.on_end}) + "\n");
    for (const ContainerPlan& container : plan_.containers)
      sink(plan_text(plan_, without_copied_values(container)));
  }
  void print_json(const Sink& sink) const override {
    sink("{\"app_id\":" + json_quote(plan_.app_id) + ",\"network\":" + json_quote(plan_.network));
    if (!plan_.on_end.empty()) sink(",\"on_end\":" + json_quote(plan_.on_end));
    sink(",\"containers\":[");
    bool is_first = true;
    for (const ContainerPlan& container : plan_.containers) {
      sink((is_first ? "" : ",") + plan_json(plan_, without_copied_values(container)));
      is_first = false;
    }
    sink("]}");
  }

 private:
  AppPlan plan_;
  AppDef app_;
};

}  // namespace slipway::docker
