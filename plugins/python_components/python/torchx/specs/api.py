"""The types of apps, with the fields and defaults of TorchX."""

import copy
import inspect
import re
from dataclasses import asdict, dataclass, field
from enum import Enum
from string import Template
from typing import Any, Dict, List, NamedTuple, Optional, Union

from slipway import standin

ALL = "all"
MISSING = "<MISSING>"
NONE = "<NONE>"

AppHandle = str
CfgVal = Union[str, int, float, bool, List[str], Dict[str, str], None]


@dataclass
class Resource:
    """The CPUs, GPUs and memory that each replica of a role needs. memMB is in MiB."""

    cpu: int
    gpu: int
    memMB: int
    capabilities: Dict[str, Any] = field(default_factory=dict)
    devices: Dict[str, int] = field(default_factory=dict)
    tags: Dict[str, object] = field(default_factory=dict)

    @staticmethod
    def copy(original: "Resource", **capabilities: Any) -> "Resource":
        """Returns a copy with further capabilities, which replace those of the same name. Does not copy the tags."""
        merged = dict(original.capabilities)
        merged.update(capabilities)
        return Resource(original.cpu, original.gpu, original.memMB, merged, dict(original.devices))


NULL_RESOURCE = Resource(cpu=-1, gpu=-1, memMB=-1)


class RetryPolicy(str, Enum):
    """What restarts when a replica fails."""

    REPLICA = "REPLICA"
    APPLICATION = "APPLICATION"
    ROLE = "ROLE"


class MountType(str, Enum):
    BIND = "bind"
    VOLUME = "volume"
    DEVICE = "device"


@dataclass
class BindMount:
    src_path: str
    dst_path: str
    read_only: bool = False


@dataclass
class VolumeMount:
    src: str
    dst_path: str
    read_only: bool = False


@dataclass
class DeviceMount:
    src_path: str
    dst_path: str
    permissions: str = "rwm"


class macros:
    """The macros, which the scheduler replaces for each replica."""

    img_root = "${img_root}"
    base_img_root = "${base_img_root}"
    app_id = "${app_id}"
    replica_id = "${replica_id}"
    rank0_env = "${rank0_env}"

    @dataclass
    class Values:
        img_root: str
        app_id: str
        replica_id: str
        rank0_env: str
        base_img_root: str = "DEPRECATED"

        def to_dict(self) -> Dict[str, str]:
            return asdict(self)

        def substitute(self, text: str) -> str:
            return Template(text).safe_substitute(**self.to_dict())

        def apply(self, role: "Role") -> "Role":
            """Returns a copy of the role with the values in its arguments, variables and metadata."""
            out = copy.deepcopy(role)
            out.args = [self.substitute(arg) for arg in role.args]
            out.env = {name: self.substitute(value) for name, value in role.env.items()}
            out.metadata = self._in_dict(out.metadata)
            return out

        def _in_dict(self, values: Dict[str, Any]) -> Dict[str, Any]:
            return {key: self._in_dict(value) if isinstance(value, dict)
                    else [self._in_text(item) for item in value] if isinstance(value, list)
                    else self._in_text(value) for key, value in values.items()}

        def _in_text(self, value: Any) -> Any:
            return self.substitute(value) if isinstance(value, str) else value


@dataclass
class Role:
    """A program and the number of its replicas."""

    name: str
    image: str
    min_replicas: Optional[int] = None
    base_image: Optional[str] = None
    entrypoint: str = MISSING
    args: List[str] = field(default_factory=list)
    env: Dict[str, str] = field(default_factory=dict)
    num_replicas: int = 1
    max_retries: int = 0
    retry_policy: RetryPolicy = RetryPolicy.APPLICATION
    resource: Resource = field(default_factory=lambda: NULL_RESOURCE)
    port_map: Dict[str, int] = field(default_factory=dict)
    metadata: Dict[str, Any] = field(default_factory=dict)
    mounts: List[Union[BindMount, VolumeMount, DeviceMount]] = field(default_factory=list)
    overrides: Dict[str, Any] = field(default_factory=dict)

    def __getattribute__(self, name: str) -> Any:
        """Returns the attribute. If `overrides` has it, gets it from there once, by calling or awaiting the entry."""
        read = super().__getattribute__
        overrides = {} if name == "overrides" else read("__dict__").get("overrides") or {}
        if name not in overrides:
            return read(name)
        made = overrides[name]
        value = _awaited(made) if inspect.isawaitable(made) else made()
        overrides[name] = lambda: value
        return value


def _awaited(value: Any) -> Any:
    with standin.OwnPath():
        import asyncio

    async def wait() -> Any:
        return await value

    return asyncio.run(wait())


@dataclass
class AppDef:
    """Roles that start, succeed and fail together."""

    name: str
    roles: List[Role] = field(default_factory=list)
    metadata: Dict[str, str] = field(default_factory=dict)


class AppState(int, Enum):
    UNSUBMITTED = 0
    SUBMITTED = 1
    PENDING = 2
    RUNNING = 3
    SUCCEEDED = 4
    FAILED = 5
    CANCELLED = 6
    UNKNOWN = 7

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return "%s (%d)" % (self.name, self.value)


ReplicaState = AppState


def is_terminal(state: AppState) -> bool:
    return state in (AppState.SUCCEEDED, AppState.FAILED, AppState.CANCELLED)


def is_started(state: AppState) -> bool:
    return is_terminal(state) or state == AppState.RUNNING


@dataclass
class ReplicaStatus:
    id: int
    state: ReplicaState
    role: str
    hostname: str
    structured_error_msg: str = NONE


@dataclass
class RoleStatus:
    role: str
    replicas: List[ReplicaStatus]


@dataclass
class AppStatus:
    state: AppState
    num_restarts: int = 0
    msg: str = ""
    structured_error_msg: str = NONE
    ui_url: Optional[str] = None
    roles: List[RoleStatus] = field(default_factory=list)

    def is_terminal(self) -> bool:
        return is_terminal(self.state)


class MalformedAppHandleException(Exception):
    def __init__(self, app_handle: str) -> None:
        super().__init__("%r is not a handle: scheduler://session/app_id" % app_handle)


class ParsedAppHandle(NamedTuple):
    scheduler_backend: str
    session_name: str
    app_id: str


def parse_app_handle(app_handle: AppHandle) -> ParsedAppHandle:
    found = re.match(r"(.+)://(.*)/(.+)", app_handle)
    if not found:
        raise MalformedAppHandleException(app_handle)
    return ParsedAppHandle(*found.groups())


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
