"""Functions that make parts of apps from texts."""

import os
from typing import Any, Dict, List

from slipway import standin
from torchx.specs.api import BindMount, DeviceMount, MountType, VolumeMount


def make_app_handle(scheduler_backend: str, session_name: str, app_id: str) -> str:
    return "%s://%s/%s" % (scheduler_backend, session_name, app_id)


_KEYS = {
    "type": "type", "destination": "dst", "dst": "dst", "target": "dst", "read_only": "readonly",
    "readonly": "readonly", "source": "src", "src": "src", "perm": "perm",
}


def parse_mounts(opts: List[str]) -> List[Any]:
    """Reads mounts in the form type=bind,src=PATH,dst=PATH[,readonly], whose words between the commas are `opts`. Each
    `type` begins another mount."""
    every: List[Dict[str, str]] = []
    for opt in opts:
        key, _, value = opt.partition("=")
        if key not in _KEYS:
            raise KeyError("unknown mount option %r" % key)
        if key == "type":
            every.append({})
        elif not every:
            raise KeyError("a mount begins with type=bind, volume or device")
        every[-1][_KEYS[key]] = value
    return [_mount(mount) for mount in every]


def _mount(opts: Dict[str, str]) -> Any:
    kind = opts["type"]
    read_only = "readonly" in opts
    if kind == MountType.BIND:
        return BindMount(src_path=os.path.expanduser(opts["src"]), dst_path=opts["dst"], read_only=read_only)
    if kind == MountType.VOLUME:
        return VolumeMount(src=opts["src"], dst_path=opts["dst"], read_only=read_only)
    if kind == MountType.DEVICE:
        permissions = opts.get("perm", "rwm")
        if not set(permissions) <= set("rwm"):
            raise ValueError("permissions of a device are of r, w and m, not %r" % permissions)
        return DeviceMount(src_path=opts["src"], dst_path=opts.get("dst", opts["src"]), permissions=permissions)
    raise ValueError("unknown type of mount %r" % kind)


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
