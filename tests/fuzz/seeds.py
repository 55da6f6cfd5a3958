#!/usr/bin/env python3
"""Writes seeds for the fuzz targets to DIR/TARGET/: texts of the behaviour vectors, of the repository's TOML files, and
of this file.

The targets of binary formats, local_index and local_plan, get no seeds: their corpus has examples."""
import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"


def cases(name):
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))["cases"]


def strings(value):
    """Yields every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)


def apps(value):
    """Yields every object in a JSON value that looks like an app."""
    if isinstance(value, dict):
        if "roles" in value and "name" in value:
            yield value
        for item in value.values():
            yield from apps(item)
    elif isinstance(value, list):
        for item in value:
            yield from apps(item)


def vector_texts(*names):
    for name in names:
        for case in cases(name):
            yield from strings(case["input"])


def example_texts(wanted):
    """Yields the texts of the TOML files of the repository that contain `wanted`."""
    for part in ("core", "named_resources", "plugins", "sdk", "tests"):
        for path in sorted((ROOT / part).rglob("*.toml")):
            text = path.read_text(encoding="utf-8")
            if wanted in text:
                yield text


CONFIG_FILES = [
    '[cli]\nprofile = "gpu"\n[cli.run]\nscheduler = "local_dir"\n[scheduler.local_cwd]\nlog_dir = "/l"\ngrace_s = '
    '2.5\n',
    '[component."utils.echo"]\nmsg = "hi"\n[component.dist.ddp]\nj = "1x2"\nenv = { A = "1" }\n',
    '[profile.gpu.scheduler.local_cwd]\nextra_paths = ["/a", "/b"]\n[profile.none]\n',
]

SEEDS = {
    "app_json": lambda: (
        json.dumps(app) for path in sorted(VECTORS.glob("*.json")) for app in apps(json.loads(path.read_text("utf-8")))
    ),
    "app_toml": lambda: example_texts("[[roles]]"),
    "component_arguments": lambda: (
        " ".join(strings(case["input"].get("args", []))) for case in cases("builders.json") if "args" in case["input"]
    ),
    "component_file": lambda: example_texts("[component."),
    "config_file": lambda: CONFIG_FILES,
    "handle": lambda: vector_texts("app_handle_parse.json"),
    "macros": lambda: vector_texts("macros_substitute.json"),
    "manifest": lambda: example_texts("manifest_version"),
    "torchx_config": lambda: vector_texts("torchxconfig.json"),
    "run_options": lambda: vector_texts("runopts_cfg_from_str.json"),
}


def main(directory):
    for target, texts in SEEDS.items():
        folder = pathlib.Path(directory) / target
        folder.mkdir(parents=True, exist_ok=True)
        seeds = {text.encode("utf-8", "surrogatepass") for text in texts()}
        if not seeds:
            sys.exit(f"seeds.py: nothing found for {target}")
        for seed in seeds:
            path = folder / hashlib.sha1(seed).hexdigest()[:16]
            if not path.exists():
                path.write_bytes(seed)


main(sys.argv[1])
