"""The plug-ins of kept/draft-N: how compilers build them, and what a host must do with them."""

import json
import lzma
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from rust_bindings import bindings

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INCLUDE = ROOT / "sdk" / "include"
CANDIDATE = HERE / "1.0-rc1"  # the headers with which the kept plug-ins were built
BASE = (INCLUDE / "slipway/abi/base.h").read_text(encoding="utf-8")
DRAFT = re.search(r"#define SLIPWAY_ABI_DRAFT (\d+)", BASE)[1]
MINOR = int(re.search(r"#define SLIPWAY_ABI_MINOR (\d+)", BASE)[1])
SOURCES = HERE / "kept" / f"draft-{DRAFT}"
TREE = Path(os.environ.get("SLIPWAY_TREE", ROOT / "build" / "release" / "tree")).resolve()
LIMIT_S = 240  # seconds, after which a command counts as hanging
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")
OF_LINKER = ("-l", "-Wl,", "-nodefaultlibs")  # how the flags begin that clang refuses without linking, besides -s
SHARED = ("-shared", f"-Wl,-z,defs,-z,now,--version-script={ROOT / 'sdk' / 'cmake' / 'plugin.map'}")
C = ("-std=c99", "-D_POSIX_C_SOURCE=200809L")
LIBCXX = Path("/usr/lib/llvm-14/include/c++/v1")
# clang finds libc++ by itself; g++ needs its headers and libraries, and warns about them without a reason.
LIBCXX_OF = {
    "clang": ("-stdlib=libc++",),
    "gcc": ("-nostdinc++", f"-isystem{LIBCXX}", "-nodefaultlibs", "-lc++", "-lc++abi", "-lm", "-lc", "-lgcc_s",
            "-lgcc", "-Wno-alloc-size-larger-than"),
}
MANIFEST = """manifest_version = 1

[[plugin]]
id = "org.example.{name}"
version = "1.0.0"
library = "{name}.so"
abi = "1.0"

[plugin.provides]
schedulers = ["{name}"]
image_providers = ["{name}"]
named_resources = ["{name}"]
components = [{components}]
workspaces = ["{name}"]
"""


def has_libcxx():
    """Returns whether this machine can compile for libc++."""
    return (LIBCXX / "vector").exists() and shutil.which("clang++") is not None


def run(*command, **options):
    """Returns the standard output of a command that must succeed."""
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False,
                          timeout=LIMIT_S, **options)
    if done.returncode != 0:
        raise AssertionError(f"{done.args}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def put_manifest(directory, library, name="kept"):
    """Makes a directory for SLIPWAY_PLUGIN_PATH with the library and a manifest of the plug-in `name`. Returns it."""
    directory.mkdir(parents=True, exist_ok=True)
    if Path(library) != directory / f"{name}.so":
        shutil.copy(library, directory / f"{name}.so")
    # The runner also reads components from files.
    components = f'"{name}"' if name == "kept" else f'{{ name = "{name}", component_files = ["{name}"] }}'
    (directory / f"{name}.toml").write_text(MANIFEST.format(name=name, components=components), encoding="utf-8")
    return directory


def build_library(library, compiler, *flags, sources, include=INCLUDE):
    """Compiles each source by itself and links the library.

    A compiler cache finds an object only if no path in its command is new in each run, so the paths are relative to the
    directory of the library.
    """
    directory = library.parent
    directory.mkdir(parents=True, exist_ok=True)
    include = os.path.relpath(include, directory)
    of_compiler = [flag for flag in flags if not flag.startswith(OF_LINKER) and flag != "-s"]
    objects = [f"{library.stem}-{number}.o" for number in range(len(sources))]
    for source, name in zip(sources, objects, strict=True):
        run(compiler, *WARNINGS, "-fPIC", "-fvisibility=hidden", f"-I{include}", *of_compiler, "-c",
            os.path.relpath(source, directory), "-o", name, cwd=directory)
    run(compiler, *SHARED, *objects, *flags, "-o", library.name, cwd=directory)
    for name in objects:
        (directory / name).unlink()
    return library


def compile_c(directory, compiler="gcc", *flags, include=INCLUDE):
    """Compiles the plug-in in C, and returns `directory` with its manifest."""
    library = build_library(directory / "kept.so", compiler, *C, *flags, sources=sorted(SOURCES.glob("*.c")),
                            include=include)
    return put_manifest(directory, library)


def compile_cpp(directory, compiler="g++", *flags, include=INCLUDE):
    """Compiles the plug-in in C++, and returns `directory` with its manifest."""
    library = build_library(directory / "kept.so", compiler, "-fvisibility-inlines-hidden", *flags,
                            sources=[SOURCES / "plugin.cpp"], include=include)
    return put_manifest(directory, library)


def compile_runner(directory, compiler="g++", *flags):
    """Compiles the runner, and returns `directory` with its manifest."""
    library = build_library(directory / "runner.so", compiler, "-std=c++17", "-fvisibility-inlines-hidden", *flags,
                            sources=sorted((SOURCES / "runner").glob("*.cpp")))
    return put_manifest(directory, library, "runner")


def compile_rust(directory, *flags, include=INCLUDE):
    """Compiles the plug-in in Rust, without crates, and returns `directory` with its manifest."""
    directory.mkdir(parents=True, exist_ok=True)
    declarations = directory / "bindings.rs"
    declarations.write_text(bindings(include), encoding="utf-8")
    # rustc before 1.65, Debian's for example, calls an `unsafe` in an `unsafe fn` superfluous.
    run("rustc", "--edition", "2021", "--crate-type", "cdylib", "--crate-name", "kept", "-D", "warnings",
        "-A", "unused-unsafe", f"--remap-path-prefix={SOURCES}=.", f"--remap-path-prefix={directory}=.", *flags,
        SOURCES / "plugin.rs", "-o", directory / "kept.so", env={**os.environ, "SLIPWAY_BINDINGS": str(declarations)})
    return put_manifest(directory, directory / "kept.so")


def compile_host(program, *flags, include=INCLUDE):
    """Compiles the small host of the worked example."""
    run("gcc", *C, *WARNINGS, f"-I{include}", *flags, HERE / "growth" / "host.c", "-ldl", "-o", program)
    return program


def unpack(name, directory):
    """Unpacks a kept program or library into `directory`, and returns its path."""
    file = directory / name
    file.write_bytes(lzma.decompress((SOURCES / f"{name}.xz").read_bytes()))
    file.chmod(0o755)
    return file


class HostCase(unittest.TestCase):
    """Runs plug-ins with the built host: the conformance kit and the command line."""

    @classmethod
    def setUpClass(cls):
        if not SOURCES.is_dir():
            raise FileNotFoundError(f"{SOURCES}: run tests/abi/keep.py, see tests/abi/README.md")

    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="slipway-abi-"))
        self.addCleanup(shutil.rmtree, self.work)
        home = self.work / "home"
        home.mkdir()
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("SLIPWAY_", "TORCHX_"))}
        self.env.update(HOME=str(home), XDG_STATE_HOME=str(home / "state"), XDG_CONFIG_HOME=str(home / "config"),
                        LC_ALL="C.UTF-8", SLURM_CONF=os.devnull)  # so that no command asks a cluster of this machine

    def passes_the_kit(self, manifest, *arguments):
        """Returns the kit's report; fails if a check failed or nothing was checked."""
        done = subprocess.run([TREE / "bin" / "slipway-plugin-check", "--json", *arguments, manifest], env=self.env,
                              capture_output=True, text=True, check=False, timeout=LIMIT_S)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual([each for each in report["checks"] if each["verdict"] == "failed"], [])
        self.assertGreater(report["passed"], 10)
        return report

    def slipway(self, plugins, *arguments):
        env = {**self.env, "SLIPWAY_PLUGIN_PATH": str(plugins)}
        return run(TREE / "bin" / "slipway", *arguments, env=env, cwd=self.work)

    def works_with_the_host(self, plugins):
        """Runs the plug-in of put_manifest() through the kit and the command line, with each of its providers. Returns
        the kit's report.
        """
        app = SOURCES / "app.toml"
        report = self.passes_the_kit(plugins / "kept.toml", "--app", app)
        listed = json.loads(self.slipway(plugins, "plugin", "list", "--json"))["plugins"]
        self.assertEqual([each["state"] for each in listed if each["id"] == "org.example.kept"], ["ok"])
        self.assertIn("verb", self.slipway(plugins, "runopts", "kept"))
        self.assertIn("kept.large", self.slipway(plugins, "resource", "list"))

        handle = self.slipway(plugins, "run", "-d", "-s", "kept", app).strip()
        self.assertTrue(handle.startswith("kept://"), handle)
        self.assertIn("SUCCEEDED", self.slipway(plugins, "status", handle))
        self.assertEqual(sorted(self.slipway(plugins, "log", handle).splitlines()),
                         ["one/0 was kept", "one/1 was kept"])
        self.assertIn(handle.rsplit("/", 1)[-1], self.slipway(plugins, "list", "--all", "-s", "kept"))
        self.slipway(plugins, "delete", handle)

        # The image provider, the named resource and the component, with a scheduler of the host.
        sized = self.work / "sized.toml"
        sized.write_text(app.read_text(encoding="utf-8") + 'resource = "kept.small"\n', encoding="utf-8")
        dryrun = json.loads(self.slipway(plugins, "run", "-n", "--json", "-s", "local", "-c", "image_provider=kept",
                                         sized))
        self.assertEqual(dryrun["app"]["roles"][0]["resource"]["cpu"], 1)
        self.slipway(plugins, "run", "-s", "local", "-c", "image_provider=kept", "kept.echo", "--text", "heard")
        self.assertEqual(sorted(self.slipway(plugins, "log", "@last").splitlines()), ["echo/0 heard", "echo/1 heard"])

        workspace = self.work / "workspace"
        workspace.mkdir(exist_ok=True)
        (workspace / "train.py").write_text("print('hello')\n", encoding="utf-8")
        handle = self.slipway(plugins, "run", "-d", "-s", "kept", "--workspace", f"kept://{workspace}", app).strip()
        self.assertTrue(list(self.work.glob("home/state/slipway/workspaces/*/.kept*")), handle)
        return report

    def runner_works_with_the_host(self, plugins):
        """Does the same as works_with_the_host() with the runner, whose apps run programs."""
        app = SOURCES / "runner" / "app.toml"
        report = self.passes_the_kit(plugins / "runner.toml", "--app", app)
        self.slipway(plugins, "run", "-s", "runner", app)  # in the foreground, as the owner
        self.assertEqual(sorted(self.slipway(plugins, "log", "@last").splitlines()), ["one/0 0 runs", "one/1 1 runs"])
        self.assertIn("SUCCEEDED", self.slipway(plugins, "status", "@last"))
        described = json.loads(self.slipway(plugins, "describe", "--json", "@last"))
        self.assertEqual(described["roles"][0]["args"], ["${replica_id} runs"])

        handle = self.slipway(plugins, "run", "-d", "-s", "runner", SOURCES / "runner" / "sleep.toml").strip()
        self.slipway(plugins, "wait", "--for", "RUNNING", handle)
        self.slipway(plugins, "signal", handle, "CONT")
        self.slipway(plugins, "cancel", handle)
        self.assertIn("CANCELLED", self.slipway(plugins, "list", "--all", "-s", "runner"))
        self.slipway(plugins, "delete", handle)

        self.assertIn("runner.large", self.slipway(plugins, "resource", "list"))
        self.slipway(plugins, "run", "-s", "local", "-c", "image_provider=runner", app)
        self.slipway(plugins, "run", "-s", "runner", "runner.run", "--script", "true")
        workspace = self.work / f"workspace of {plugins.name}"
        workspace.mkdir()
        (workspace / plugins.name).touch()
        self.slipway(plugins, "run", "-s", "runner", "--workspace", f"runner://{workspace}", app)
        self.assertTrue(list(self.work.glob(f"home/state/slipway/workspaces/*/{plugins.name}")))
        return report
