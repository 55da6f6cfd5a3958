"""The names that components import from `torchx.specs`."""

from typing import Any, Iterator, Mapping, Optional

from slipway import standin
from torchx.specs.api import (  # noqa: F401
    ALL,
    MISSING,
    NONE,
    NULL_RESOURCE,
    AppDef,
    AppHandle,
    AppState,
    AppStatus,
    BindMount,
    CfgVal,
    DeviceMount,
    MalformedAppHandleException,
    MountType,
    ParsedAppHandle,
    ReplicaState,
    ReplicaStatus,
    Resource,
    RetryPolicy,
    Role,
    RoleStatus,
    VolumeMount,
    is_started,
    is_terminal,
    macros,
    parse_app_handle,
)
from torchx.specs.builders import make_app_handle, parse_mounts  # noqa: F401

GiB = 1024  # in MiB, the unit of memMB


def _as_resource(found: Any) -> Resource:
    return found if isinstance(found, Resource) else Resource(**found)


class _NamedResources(Mapping):
    """The named resources that the host knows, by name. It cannot list them, because the host finds one name at
    a time."""

    def __getitem__(self, name: str) -> Resource:
        return _as_resource(standin.named_resource(name))

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
    """Returns the named resource `h`, or the given numbers; 0 and None mean 2 CPUs, no GPU and 1024 MiB."""
    if h:
        return get_named_resources(h)
    return Resource(cpu=cpu or 2, gpu=gpu or 0, memMB=memMB or 1024)


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
