/* slipway/abi/device_paths.h - the host's service "slipway.host.device_paths/1": where a site keeps
 * its devices. */
#ifndef SLIPWAY_ABI_DEVICE_PATHS_H
#define SLIPWAY_ABI_DEVICE_PATHS_H

#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_HOST_DEVICE_PATHS "slipway.host.device_paths/1"

/* `path`: a device file, "{i}" in it stands for a number counted from 0; without it there is one
 * file for all. `permissions`: a subset of "rwm". */
typedef slipway_status (*slipway_on_device_path)(void* ctx, slipway_str path,
                                                 slipway_str permissions);

/* For schedulers that give containers the device files behind a resource's devices. */
typedef struct slipway_host_device_paths {
  uint32_t struct_size;
  uint32_t reserved0;
  /* Calls `on_path` once with what the site says about devices called `device`; not at all, and
   * SLIPWAY_OK, when it says nothing. SLIPWAY_E_CONFIG when what it says cannot be used. Loads no
   * library. */
  slipway_status (*find)(const slipway_host* host, slipway_str device,
                         slipway_on_device_path on_path, void* ctx, slipway_error* err);
} slipway_host_device_paths;

#ifdef __cplusplus
}
#endif

#endif
