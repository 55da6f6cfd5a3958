/* slipway/abi/device_paths.h - the host service "slipway.host.device_paths/1": the device files of
 * a site. */
#ifndef SLIPWAY_ABI_DEVICE_PATHS_H
#define SLIPWAY_ABI_DEVICE_PATHS_H

#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_HOST_DEVICE_PATHS "slipway.host.device_paths/1"

/* The files of a kind of devices. */
typedef struct slipway_device_path {
  uint32_t struct_size;
  uint32_t reserved0;
  /* "{i}" stands for the number of the device, from 0; without "{i}", all devices share the file.
   */
  slipway_str path;
  slipway_str permissions; /* a subset of "rwm" (read, write, mknod) */
} slipway_device_path;
#define SLIPWAY_DEVICE_PATH_1_0_SIZE 40
/* Receives the files of a device, which are valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_device_path)(void* ctx, const slipway_device_path* path);

/* For schedulers that add the device files of a resource to containers. */
typedef struct slipway_host_device_paths {
  uint32_t struct_size;
  uint32_t reserved0;
  /* Calls `on_path` once if the site has configured the device `device`. Otherwise returns
   * SLIPWAY_OK without a callback. Loads no library. SLIPWAY_E_CONFIG: the site's configuration of
   * the device is invalid. */
  slipway_status (*find)(const slipway_host* host, slipway_str device,
                         slipway_on_device_path on_path, void* ctx, slipway_error* err);
} slipway_host_device_paths;
#define SLIPWAY_HOST_DEVICE_PATHS_1_0_SIZE 16

#ifdef __cplusplus
}
#endif

#endif
