"""Writes app files for tests, as TOML or JSON."""

import json


def role(name, script=None, **fields):
    """Returns a role that runs a shell script, or the program of `entrypoint=`. Slipway replaces `${replica_id}` and
    `${app_id}` in the script, and leaves `$$` to the shell."""
    out = {"name": name, "image": "."}
    if script is not None:
        out.update(entrypoint="/bin/sh", args=["-c", script.replace("$$", "$$$$")])
    out.update(fields)
    return out


def toml_value(value):
    """Returns a value as TOML. TOML writes values as JSON does, except tables and some characters, and has no null."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{toml_value(k)} = {toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if value is None:
        raise ValueError("TOML has no null")
    # JSON's pairs of escaped surrogates are not TOML, and TOML also wants U+007F escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def app_toml(name, *roles):
    """Returns an app file as TOML. The roles are results of role()."""
    out = f"name = {toml_value(name)}\n"
    for each in roles:
        out += "\n[[roles]]\n" + "".join(f"{key} = {toml_value(value)}\n" for key, value in each.items())
    return out


def app_json(name, *roles):
    """Returns an app file as JSON. The roles are results of role()."""
    return json.dumps({"name": name, "roles": list(roles)})
