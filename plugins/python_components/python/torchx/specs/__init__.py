"""The names that components import from `torchx.specs`."""

from typing import Any, Dict, Iterator, List, Mapping, Optional

from slipway import standin
from torchx.specs.api import (  # noqa: F401
    MISSING,
    NONE,
    NULL_RESOURCE,
    AppDef,
    AppHandle,
    AppState,
    BindMount,
    CfgVal,
    DeviceMount,
    MalformedAppHandleException,
    MountType,
    ReplicaState,
    Resource,
    RetryPolicy,
    Role,
    VolumeMount,
    is_started,
    is_terminal,
    macros,
    make_app_handle,
    parse_app_handle,
)

GiB = 1024


def _as_resource(found: Any) -> Resource:
    return found if isinstance(found, Resource) else Resource(**found)


class _NamedResources(Mapping):
    """The named resources that the host knows, by name. It cannot list them: the host's plug-ins are asked by name."""

    def __getitem__(self, name: str) -> Resource:
        return _as_resource(standin.named_resource(name))

    def __contains__(self, name: object) -> bool:
        if name in ("NULL", "MISSING"):
            return True
        try:
            standin.named_resource(str(name))
        except KeyError:
            return False
        return True

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default

    def __iter__(self) -> Iterator[str]:
        raise NotImplementedError("`slipway resource list` lists the named resources")

    def __len__(self) -> int:
        raise NotImplementedError("`slipway resource list` lists the named resources")


named_resources: Mapping[str, Resource] = _NamedResources()


def get_named_resources(res: str) -> Resource:
    return named_resources[res]


def resource(
    cpu: Optional[int] = None, gpu: Optional[int] = None, memMB: Optional[int] = None, h: Optional[str] = None
) -> Resource:
    """The named resource `h`, or the given numbers; 0 and None mean 2 CPUs, no GPU and 1024 MiB."""
    if h:
        return get_named_resources(h)
    return Resource(cpu=cpu or 2, gpu=gpu or 0, memMB=memMB or 1024)


_KEYS = {
    "type": "type", "destination": "dst", "dst": "dst", "target": "dst", "read_only": "readonly",
    "readonly": "readonly", "source": "src", "src": "src", "perm": "perm",
}


def parse_mounts(opts: List[str]) -> List[Any]:
    """Reads mounts in the form type=bind,src=PATH,dst=PATH[,readonly]; each `type` begins one."""
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
    return [_mount(opts) for opts in every]


def _mount(opts: Dict[str, str]) -> Any:
    kind = opts.get("type", "bind")
    read_only = "readonly" in opts
    if kind == MountType.BIND:
        return BindMount(src_path=opts["src"], dst_path=opts["dst"], read_only=read_only)
    if kind == MountType.VOLUME:
        return VolumeMount(src=opts["src"], dst_path=opts["dst"], read_only=read_only)
    if kind == MountType.DEVICE:
        permissions = opts.get("perm", "rwm")
        if not set(permissions) <= set("rwm"):
            raise ValueError("permissions of a device are of r, w and m, not %r" % permissions)
        return DeviceMount(src_path=opts["src"], dst_path=opts.get("dst", opts["src"]), permissions=permissions)
    raise ValueError("unknown type of mount %r" % kind)


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    raise standin.missing("torchx.specs." + name)
