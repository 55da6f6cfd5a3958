// The growable structs of the ABI that the reading side copies with widen(), with their sizes in
// version 1.0.
#pragma once

#include <cstddef>

#include "slipway/abi/app.h"
#include "slipway/abi/base.h"
#include "slipway/abi/component.h"
#include "slipway/abi/device_paths.h"
#include "slipway/abi/host_text.h"
#include "slipway/abi/image_cache.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/logs.h"
#include "slipway/abi/named_resources.h"
#include "slipway/abi/options.h"
#include "slipway/abi/plugin.h"
#include "slipway/abi/scheduler.h"
#include "slipway/abi/signal.h"
#include "slipway/abi/status.h"
#include "slipway/abi/workspace.h"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

struct StructFacts {
  const char* name;         ///< for messages; NULL: `T` is not in this list
  std::size_t size_in_1_0;  ///< no struct of the other side is smaller (abi/base.h)
};

/// The facts about the struct `T`.
template <class T>
inline constexpr StructFacts kFacts{nullptr, 0};

template <>
inline constexpr StructFacts kFacts<slipway_resource>{"slipway_resource",
                                                      SLIPWAY_RESOURCE_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_mount>{"slipway_mount", SLIPWAY_MOUNT_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_scheduler_resource>{
    "slipway_scheduler_resource", SLIPWAY_SCHEDULER_RESOURCE_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_role>{"slipway_role", SLIPWAY_ROLE_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_app_def>{"slipway_app_def", SLIPWAY_APP_DEF_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_call>{"slipway_call", SLIPWAY_CALL_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_component_param>{"slipway_component_param",
                                                             SLIPWAY_COMPONENT_PARAM_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_component_info>{"slipway_component_info",
                                                            SLIPWAY_COMPONENT_INFO_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_component_query>{"slipway_component_query",
                                                             SLIPWAY_COMPONENT_QUERY_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_component_order>{"slipway_component_order",
                                                             SLIPWAY_COMPONENT_ORDER_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_component_problem>{"slipway_component_problem",
                                                               SLIPWAY_COMPONENT_PROBLEM_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_device_path>{"slipway_device_path",
                                                         SLIPWAY_DEVICE_PATH_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_json_value>{"slipway_json_value",
                                                        SLIPWAY_JSON_VALUE_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_unused_image>{"slipway_unused_image",
                                                          SLIPWAY_UNUSED_IMAGE_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_image>{"slipway_image", SLIPWAY_IMAGE_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_replica_param>{"slipway_replica_param",
                                                           SLIPWAY_REPLICA_PARAM_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_log_target>{"slipway_log_target",
                                                        SLIPWAY_LOG_TARGET_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_log_query>{"slipway_log_query",
                                                       SLIPWAY_LOG_QUERY_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_log_chunk>{"slipway_log_chunk",
                                                       SLIPWAY_LOG_CHUNK_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_named_resource>{"slipway_named_resource",
                                                            SLIPWAY_NAMED_RESOURCE_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_cfg_entry>{"slipway_cfg_entry",
                                                       SLIPWAY_CFG_ENTRY_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_cfg>{"slipway_cfg", SLIPWAY_CFG_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_run_opt>{"slipway_run_opt", SLIPWAY_RUN_OPT_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_create_args>{"slipway_create_args",
                                                         SLIPWAY_CREATE_ARGS_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_finding>{"slipway_finding", SLIPWAY_FINDING_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_app_field>{"slipway_app_field",
                                                       SLIPWAY_APP_FIELD_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_schedule_opts>{"slipway_schedule_opts",
                                                           SLIPWAY_SCHEDULE_OPTS_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_submission>{"slipway_submission",
                                                        SLIPWAY_SUBMISSION_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_cancel_opts>{"slipway_cancel_opts",
                                                         SLIPWAY_CANCEL_OPTS_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_events_opts>{"slipway_events_opts",
                                                         SLIPWAY_EVENTS_OPTS_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_delete_opts>{"slipway_delete_opts",
                                                         SLIPWAY_DELETE_OPTS_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_signal_order>{"slipway_signal_order",
                                                          SLIPWAY_SIGNAL_ORDER_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_signal_result>{"slipway_signal_result",
                                                           SLIPWAY_SIGNAL_RESULT_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_attempt_status>{"slipway_attempt_status",
                                                            SLIPWAY_ATTEMPT_STATUS_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_replica_status>{"slipway_replica_status",
                                                            SLIPWAY_REPLICA_STATUS_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_role_status>{"slipway_role_status",
                                                         SLIPWAY_ROLE_STATUS_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_description>{"slipway_description",
                                                         SLIPWAY_DESCRIPTION_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_describe_opts>{"slipway_describe_opts",
                                                           SLIPWAY_DESCRIBE_OPTS_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_list_query>{"slipway_list_query",
                                                        SLIPWAY_LIST_QUERY_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_list_item>{"slipway_list_item",
                                                       SLIPWAY_LIST_ITEM_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_workspace_order>{"slipway_workspace_order",
                                                             SLIPWAY_WORKSPACE_ORDER_1_0_SIZE};
template <>
inline constexpr StructFacts kFacts<slipway_workspace_result>{"slipway_workspace_result",
                                                              SLIPWAY_WORKSPACE_RESULT_1_0_SIZE};

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
