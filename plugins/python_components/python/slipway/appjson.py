"""Converts an AppDef, of this package or of TorchX, into the JSON of an app file.

`place` names a field in messages, such as `roles[0].env`. The functions raise Failure for a value of another type.
"""

import math

from slipway.failure import Failure

MAX_ROLES = 10000
MAX_DEPTH = 50  # of a value; app files have at most 64 levels, including the app and its roles


def wrong(place, value, wanted):
    return Failure("invalid", "the app's %s is %s, not %s" % (place, type(value).__name__, wanted))


def text(place, value):
    if not isinstance(value, str):
        raise wrong(place, value, "a str")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Failure("invalid", "the app's %s is not text in UTF-8" % place) from None
    return value


def list_of(convert, place, values):
    if not isinstance(values, (list, tuple)):
        raise wrong(place, values, "a list")
    return [convert("%s[%d]" % (place, i), value) for i, value in enumerate(values)]


def mapping(place, values):
    if not hasattr(values, "items"):
        raise wrong(place, values, "a dict")
    return dict(values)


def is_finite(value):
    try:
        return math.isfinite(value)
    except OverflowError:  # an int that no float can hold
        return False


def number(place, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise wrong(place, value, "a number")
    if not is_finite(value):
        raise Failure("invalid", "the app's %s is not a finite number that a float can hold" % place)
    return int(value) if value == int(value) else value


def plain(place, value, depth=0):
    """Returns the value as JSON has it: None, a bool, a number, a text, or a list or dict of such values."""
    if depth > MAX_DEPTH:
        raise Failure("invalid", "the app's %s is nested in more than %d levels, or contains itself" %
                      (place[:100] + "…", MAX_DEPTH))
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(place, value)
    if isinstance(value, (int, float)):
        number(place, value)  # raises Failure for one that JSON does not have
        return value
    if isinstance(value, (list, tuple)):
        return [plain("%s[%d]" % (place, i), item, depth + 1) for i, item in enumerate(value)]
    if hasattr(value, "items"):
        return plain_dict(place, value, depth)
    raise wrong(place, value, "a value that JSON has")


def plain_dict(place, values, depth=0):
    out = {}
    for key, value in mapping(place, values).items():
        name = str(key) if type(key) is int else text("key in " + place, key)  # an int as json.dumps() writes it
        out[name] = plain("%s[%s]" % (place, name), value, depth + 1)
    return out


def resource(place, value):
    if not all(hasattr(value, field) for field in ("cpu", "gpu", "memMB")):
        raise wrong(place, value, "a Resource")
    return {
        "cpu": number(place + ".cpu", value.cpu),
        "gpu": number(place + ".gpu", value.gpu),
        "memMB": number(place + ".memMB", value.memMB),
        "capabilities": plain_dict(place + ".capabilities", getattr(value, "capabilities", None) or {}),
        "devices": plain_dict(place + ".devices", getattr(value, "devices", None) or {}),
        "tags": plain_dict(place + ".tags", getattr(value, "tags", None) or {}),
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
        "args": list_of(text, place + ".args", value.args),
        "env": {text(place + ".env", k): text("%s.env[%s]" % (place, k), v)
                for k, v in mapping(place + ".env", value.env).items()},
        "num_replicas": number(place + ".num_replicas", value.num_replicas),
        "max_retries": number(place + ".max_retries", value.max_retries),
        "retry_policy": text(place + ".retry_policy", getattr(policy, "name", policy)),
        "resource": resource(place + ".resource", value.resource),
        "port_map": {text(place + ".port_map", k): number("%s.port_map[%s]" % (place, k), v)
                     for k, v in mapping(place + ".port_map", value.port_map).items()},
        "metadata": plain_dict(place + ".metadata", value.metadata),
        "mounts": list_of(mount, place + ".mounts", value.mounts),
    }
    if getattr(value, "min_replicas", None) is not None:
        out["min_replicas"] = number(place + ".min_replicas", value.min_replicas)
    return out


def app(value):
    roles = value.roles
    if isinstance(roles, (list, tuple)) and len(roles) > MAX_ROLES:
        raise Failure("invalid", "the app has %d roles; Slipway runs at most %d" % (len(roles), MAX_ROLES),
                      "equal roles are replicas of one role")
    return {
        "name": text("name", value.name),
        "roles": list_of(role, "roles", roles),
        "metadata": {text("metadata", k): text("metadata[%s]" % k, v)
                     for k, v in mapping("metadata", getattr(value, "metadata", None) or {}).items()},
    }
