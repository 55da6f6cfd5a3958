"""An AppDef, of this package or of TorchX, as the JSON of an app file."""

import math

from slipway.failure import Failure

MAX_ROLES = 10000


def wrong(place, value, wanted):
    return Failure("invalid", "the app's %s is %s, not %s" % (place, type(value).__name__, wanted))


def text(place, value):
    if not isinstance(value, str):
        raise wrong(place, value, "a str")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Failure("invalid", "the app's %s is no text in UTF-8" % place) from None
    return value


def texts(place, values):
    if not isinstance(values, (list, tuple)):
        raise wrong(place, values, "a list")
    return [text("%s[%d]" % (place, i), value) for i, value in enumerate(values)]


def mapping(place, values):
    if not hasattr(values, "items"):
        raise wrong(place, values, "a dict")
    return dict(values)


def number(place, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise wrong(place, value, "a number")
    return int(value) if value == int(value) else value


def resource(place, value):
    if not all(hasattr(value, field) for field in ("cpu", "gpu", "memMB")):
        raise wrong(place, value, "a Resource")
    return {
        "cpu": number(place + ".cpu", value.cpu),
        "gpu": number(place + ".gpu", value.gpu),
        "memMB": number(place + ".memMB", value.memMB),
        "capabilities": mapping(place + ".capabilities", getattr(value, "capabilities", None) or {}),
        "devices": mapping(place + ".devices", getattr(value, "devices", None) or {}),
        "tags": mapping(place + ".tags", getattr(value, "tags", None) or {}),
    }


def mount(place, value):
    kind = {"BindMount": "bind", "VolumeMount": "volume", "DeviceMount": "device"}.get(type(value).__name__)
    if kind is None:
        raise wrong(place, value, "a BindMount, VolumeMount or DeviceMount")
    out = {"type": kind, "dst_path": text(place + ".dst_path", value.dst_path)}
    if kind == "volume":
        out["src"] = text(place + ".src", value.src)
    else:
        out["src_path"] = text(place + ".src_path", value.src_path)
    if kind == "device":
        out["permissions"] = text(place + ".permissions", value.permissions)
    else:
        out["read_only"] = bool(value.read_only)
    return out


def role(place, value):
    if not hasattr(value, "entrypoint"):
        raise wrong(place, value, "a Role")
    policy = value.retry_policy
    out = {
        "name": text(place + ".name", value.name),
        "image": text(place + ".image", value.image),
        "entrypoint": text(place + ".entrypoint", value.entrypoint),
        "args": texts(place + ".args", value.args),
        "env": {text(place + ".env", k): text("%s.env[%s]" % (place, k), v)
                for k, v in mapping(place + ".env", value.env).items()},
        "num_replicas": number(place + ".num_replicas", value.num_replicas),
        "max_retries": number(place + ".max_retries", value.max_retries),
        "retry_policy": getattr(policy, "name", policy),
        "resource": resource(place + ".resource", value.resource),
        "port_map": {text(place + ".port_map", k): number("%s.port_map[%s]" % (place, k), v)
                     for k, v in mapping(place + ".port_map", value.port_map).items()},
        "metadata": mapping(place + ".metadata", value.metadata),
        "mounts": [mount("%s.mounts[%d]" % (place, i), m) for i, m in enumerate(value.mounts)],
    }
    if getattr(value, "min_replicas", None) is not None:
        out["min_replicas"] = number(place + ".min_replicas", value.min_replicas)
    return out


def app(value):
    roles = value.roles
    if not isinstance(roles, (list, tuple)):
        raise wrong("roles", roles, "a list")
    if len(roles) > MAX_ROLES:
        raise Failure("invalid", "the component returned %d roles; Slipway runs at most %d" % (len(roles), MAX_ROLES),
                      "equal roles are replicas of one role")
    return {
        "name": text("name", value.name),
        "roles": [role("roles[%d]" % i, r) for i, r in enumerate(roles)],
        "metadata": {text("metadata", k): text("metadata[%s]" % k, v)
                     for k, v in mapping("metadata", getattr(value, "metadata", None) or {}).items()},
    }
