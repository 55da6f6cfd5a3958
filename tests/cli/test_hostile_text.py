"""Text with control characters from files, plug-ins, replicas and arguments: no command prints it unescaped."""

import json
import os
import re
import subprocess
import unittest

from app_text import app_toml, role
from slipway_case import LIMIT_S, TREE, Result, SlipwayCase

# Sequences that set a title, clear the screen, move the cursor or reverse text, and invisible characters.
HOSTILE = "a\x1b]0;owned\x07b\x1b[2Jc\rd\x7fe\u009b31mf\u202eg\u2066h\u200bi\ufeffj\U000e0041k"
# With bytes that are not UTF-8, of which the first two are C1 controls of an 8-bit terminal.
RAW = HOSTILE.encode() + b"\x9b31m\x84\xff"
# The characters that no output may have: control characters except newline and tab, and characters that are
# invisible or change the direction of text.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
                    "\U000e0000-\U000e0fff]")

COMPONENTS = """
[component.good]
help = "HELP %(text)s"
[component.good.params.first]
help = "PARAM %(text)s"
default = "DEFAULT %(text)s"
[component.good.app]
name = "app"
[[component.good.app.roles]]
name = "w"
image = "."
entrypoint = "/bin/true"
"""

MANIFEST = """
manifest_version = 1
"UNKNOWN %(text)s" = 1

[[plugin]]
id = "org.example.hostile"
version = "1 %(text)s"
library = "none %(text)s.so"
abi = "1.0"
description = "DESCRIPTION %(text)s"
license = "LICENSE %(text)s"
url = "https://example.org/%(text)s"
"KEY %(text)s" = true
[plugin.provides]
schedulers = ["good_scheduler", "NAME %(text)s"]
named_resources = ["good_resources"]
[plugin.config]
"CONFIG %(text)s" = "VALUE %(text)s"

[[plugin]]
id = "ID %(text)s"
library = "x.so"

[named_resources.plain]
cpu = 1
deprecated = "DEPRECATED %(text)s"
capabilities = { "CAPABILITY %(text)s" = "VALUE %(text)s" }

[named_resources."RESOURCE %(text)s"]
cpu = 1
"""

CONFIG = """
[cli]
profile = "p"
"UNKNOWN %(text)s" = "x"
[cli.run]
scheduler = "local_cwd"
[scheduler.local_cwd]
log_dir = "%(dir)s/LOGS %(text)s"
[component."COMPONENT %(text)s"]
"PARAM %(text)s" = "VALUE %(text)s"
[profile.p.component.good]
first = "FIRST %(text)s"
"""


def toml(text):
    """Escapes `text` for a TOML string."""
    return "".join(f"\\U{ord(c):08x}" if OBEYED.match(c) or c in "\"\\" else c for c in text)


class HostileText(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.outputs = 0  # streams that check() has seen with content, so that a test fails if commands print nothing

    def check(self, result):
        """Checks that both streams are UTF-8 without a character of OBEYED. Returns the result."""
        for name, data in (("stdout", result.out), ("stderr", result.err)):
            if not data:
                continue
            self.outputs += 1
            with self.subTest(command=" ".join(map(repr, result.arguments)), stream=name):
                try:
                    found = OBEYED.search(data.decode())
                except UnicodeDecodeError as error:
                    self.fail(f"{error}: {data!r}")
                if found:
                    self.fail(f"{found[0]!r} in {data[max(0, found.start() - 60):found.end() + 60]!r}")
        return result

    def check_text_and_json(self, *arguments, **options):
        """Runs a command without and with --json, and checks both outputs. Returns both results."""
        plain = self.check(self.run_slipway(*arguments, **options))
        result = self.check(self.run_slipway("--json", *arguments, **options))
        if result.out:
            for line in result.out.splitlines():
                json.loads(line)
        return plain, result

    def manifests(self):
        """Makes a directory with the manifest MANIFEST. Returns its path."""
        site = self.root / "site"
        site.mkdir(mode=0o755)
        (site / "hostile.toml").write_text(MANIFEST % {"text": toml(HOSTILE)})
        return site

    def test_fields_of_an_app_are_escaped(self):
        """Tests every field of an app that has run, with every command that shows an app."""
        failing = "printf '%s' \"$WHAT\" > \"$TORCHELASTIC_ERROR_FILE\"; exit 3"
        report = json.dumps({"message": {"message": f"MESSAGE {HOSTILE}", "extraInfo": {"timestamp": "1"}}})
        fields = {"env": {"WHAT": report, f"NAME {HOSTILE}": HOSTILE, "DB_PASS": HOSTILE},
                  "metadata": {f"KEY {HOSTILE}": HOSTILE}, "port_map": {f"PORT {HOSTILE}": 8080},
                  "base_image": f"BASE {HOSTILE}"}
        text = json.dumps({"name": "app", "metadata": {f"META {HOSTILE}": HOSTILE},
                           "roles": [role("w", failing, **fields)]})
        app = self.write(f"APP {HOSTILE.replace('/', '')}.json", text)
        for scheduler in ("local_cwd", "local_dir", "local"):
            self.check_text_and_json("run", "-n", "-s", scheduler, app)
        self.check_text_and_json("lint", app)
        self.check_text_and_json("lint", "--strict", "-s", "local_cwd", app)
        result = self.check(self.run_slipway("run", "--no-log", app))
        self.assertEqual(result.status, 3, result)
        handle = result.lines[0]
        self.assertIn("MESSAGE", self.check(self.ok("status", handle)).stdout)
        document = self.check_text_and_json("status", handle)[1].json
        self.assertIn(HOSTILE, json.loads(document["structured_error_msg"])["message"]["message"])
        for command in (("wait",), ("log",), ("describe",), ("describe", "--show-secrets"), ("attach",), ("list",),
                        ("list", "--all"), ("cancel",), ("rerun", "-n"), ("resource", "list"), ("events",),
                        ("describe", "--full")):
            self.check_text_and_json(*command, *(() if command[0] in ("list", "resource") else (handle,)))
        self.check_text_and_json("signal", handle, "USR1")
        self.check_text_and_json("prune", "-n", "--before", "0s")
        for option in (("--name", f"*{HOSTILE}*"), ("--label", f"META {HOSTILE}={HOSTILE}"), ("--state", HOSTILE)):
            for command in (("list", "--all"), ("cancel",), ("wait",), ("prune", "-n")):
                self.check_text_and_json(*command, *option)
        described = self.check(self.ok("describe", "--show-secrets", handle))
        again = self.write("again.toml", described.stdout)
        shown = [self.ok("--show-secrets", "run", "-n", "--json", file).json["app"] for file in (app, again)]
        for each in shown:
            self.assertIn(f"NAME {HOSTILE}", each["roles"][0]["env"])
            del each["roles"][0]["env"]["TORCHX_INTERNAL_SESSION_ID"]  # each run has its own
        self.assertEqual(*shown)
        self.check_text_and_json("delete", handle)
        self.assertGreater(self.outputs, 30)

    def test_messages_about_app_files_are_escaped(self):
        """Tests a mistake in every field, with hostile keys and values, in TOML and in JSON."""
        wrong = {"image": 1, "args": [1], "num_replicas": HOSTILE, "retry_policy": HOSTILE, "mounts": [HOSTILE],
                 "resource": HOSTILE, "port_map": {HOSTILE: HOSTILE}, "env": {HOSTILE: 1}, HOSTILE: HOSTILE,
                 "min_replicas": HOSTILE, "metadata": HOSTILE, "entrypoint": [HOSTILE], "name": f"n{HOSTILE}"}
        for key, value in wrong.items():
            one = {**role("w", "true"), key: value}
            document = {"name": "app", "roles": [one]}
            self.check_text_and_json("run", "-n", self.write("bad.json", json.dumps(document)))
            self.check_text_and_json("lint", self.write("bad.json", json.dumps(document, ensure_ascii=False)))
        self.check_text_and_json("run", self.write("syntax.toml", f"name = \"{HOSTILE}\n"))
        self.check_text_and_json("run", self.write("syntax2.toml", f"name = [{HOSTILE}\n"))
        self.check_text_and_json("run", self.write("raw.toml", b"name = \"" + RAW + b"\"\n"))
        self.check_text_and_json("run", "-n", "-", stdin=RAW)
        for program in (f"/none/{HOSTILE}", f"none{HOSTILE}"):
            app = self.write("gone.json", json.dumps({"name": "app", "roles": [
                {"name": "w", "image": ".", "entrypoint": program}]}))
            self.check_text_and_json("run", app)
        self.check_text_and_json("status", "@last")
        self.check_text_and_json("list", "--all")
        self.assertGreater(self.outputs, 60)

    def test_names_with_control_characters_are_refused(self):
        """Tests names of apps, roles, sessions, resources and plug-ins: each is an error, and no app is created."""
        for text, shown in (("a\x1bb", "control character"), ("a\u009bb", "control character"),
                            ("a\u202eb", "\\u202e"), ("a\u200bb", "\\u200b"), ("a\ufeffb", "\\ufeff")):
            with self.subTest(text=repr(text)):
                for name, app in (("app", json.dumps({"name": text, "roles": [role("w", "true")]})),
                                  ("role", json.dumps({"name": "app", "roles": [role(text, "true")]}))):
                    path = self.write(f"{name}.json", app)
                    self.assertIn(shown, self.check(self.expect(65, "run", "-d", path)).stderr)
                self.assertIn(shown, self.check(self.expect(64, "--session", text, "list")).stderr)
                site = self.root / "names"
                site.mkdir(mode=0o755, exist_ok=True)
                (site / "x.toml").write_text(f'[named_resources."{toml(text)}"]\ncpu = 1\n')
                self.assertIn(shown, self.check(self.expect(78, "--plugin-path", site, "plugin", "doctor")).stdout)
                (site / "x.toml").write_text(f'[[plugin]]\nid = "{toml(text)}"\nlibrary = "x.so"\n')
                self.assertIn("is not an id",
                              self.check(self.expect(78, "--plugin-path", site, "plugin", "doctor")).stdout)
        self.assert_no_app()

    def test_texts_of_manifests_and_configuration_are_escaped(self):
        site = self.manifests()
        config = self.write("config.toml", CONFIG % {"text": toml(HOSTILE), "dir": self.root})
        app = self.app("true")
        for command in (("plugin", "list"), ("plugin", "show", "org.example.hostile"), ("plugin", "doctor"),
                        ("plugin", "check", site / "hostile.toml"), ("resource", "list"), ("resource", "show", "plain"),
                        ("resource", "check"), ("run", "-n", "-s", "good_scheduler", app),
                        ("runopts", "good_scheduler"),
                        ("run", "-n", self.app(role("w", "true", resource="plain"), file="plain.toml"))):
            self.check_text_and_json("--plugin-path", site, *command)
        for command in (("config", "show"), ("config", "path"), ("config", "explain", "scheduler.local_cwd.log_dir"),
                        ("config", "explain", HOSTILE), ("config", "init", "--output", "-"), ("run", "-n", app),
                        ("list",), ("plugin", "doctor")):
            self.check_text_and_json("--config", config, *command)
        (self.config / "slipway").mkdir()
        (self.config / "slipway" / "config.toml").write_text(f"[{HOSTILE}")
        self.check_text_and_json("config", "show")
        self.check_text_and_json("plugin", "doctor")
        self.assertGreater(self.outputs, 40)

    def test_output_of_the_conformance_kit_is_escaped(self):
        site = self.manifests()
        bad = site / f"{HOSTILE.replace('/', '')}.toml"
        bad.write_text("[[plugin]]\nid = 1\n")
        for target in (site / "hostile.toml", bad, f"/none/{os.fsdecode(RAW)}",
                       TREE / "lib" / "slipway" / "libslipway_generic.so"):
            for options in ((), ("--json",), ("--only", HOSTILE)):
                done = subprocess.run([TREE / "bin" / "slipway-plugin-check", *options, target], env=self.env,
                                      cwd=self.cwd,
                                      capture_output=True, timeout=LIMIT_S, check=False)
                self.check(Result((*options, target), done.returncode, done.stdout, done.stderr))
        self.assertGreater(self.outputs, 10)

    def test_texts_of_components_are_escaped(self):
        file = self.write("components.toml", COMPONENTS % {"text": toml(HOSTILE)})
        place = f"{file}:good"
        self.assertIn("HELP", self.check(self.ok("run", place, "--help")).stdout)
        for command in (("run", "-n", place), ("run", place, f"--{HOSTILE}"),
                        ("component", "list"), ("component", "show", place), ("component", "show", HOSTILE),
                        ("lint", file), ("lint", place), ("run", "-n", "utils.sh", HOSTILE),
                        ("run", "-n", "utils.echo", "--msg", HOSTILE), ("run", f"{file}:{HOSTILE}")):
            self.check_text_and_json(*command)
        bad = self.write("bad.toml", f'[component."{toml(HOSTILE)}"]\n"{toml(HOSTILE)}" = 1\n')
        self.check_text_and_json("lint", bad)
        self.check_text_and_json("run", bad)
        self.assertGreater(self.outputs, 25)

    def test_arguments_and_variables_are_escaped(self):
        """Tests words, file names, run options, handles and variables, as UTF-8 and as other bytes."""
        app = self.app("true")
        for text in (HOSTILE, os.fsdecode(RAW)):
            words = (("run", text), ("run", "-s", text, app), ("run", "-c", f"{text}={text}", app),
                     ("run", "-c", f"log_dir={text}", "-n", app), (text,), (f"--{text}",), ("status", text),
                     ("status", f"local_cwd://s/{text}"), ("log", f"@last/{text}"),
                     ("log", "--regex", f"({text}", "@last"),
                     ("log", "--since", text, "@last"), ("log", "--stream", text, "@last"), ("cancel", text),
                     ("delete", text),
                     ("wait", "--for", text, "@last"), ("wait", "--timeout", text, "@last"), ("describe", text),
                     ("rerun", text), ("attach", text), ("list", "-s", text), ("lint", text),
                     ("lint", "--allow", text, app),
                     ("runopts", text), ("plugin", "show", text), ("plugin", "check", text), ("resource", "show", text),
                     ("resource", "list", "--fits", text), ("component", "show", text), ("config", "explain", text),
                     ("config", "show", text), ("completion", text), ("--log-level", text, "list"),
                     ("--config", text, "list"), ("--plugin-path", text, "plugin", "list"), ("--profile", text, "list"),
                     ("events", text), ("signal", text, "USR1"), ("signal", "@last", text), ("prune", "--before", text),
                     ("list", "--name", text), ("list", "--label", text), ("list", "--state", text),
                     ("cancel", "--name", text), ("run", "-n", "--set", f"roles.w.args={text}", app),
                     ("run", "-n", "--set", text, app), ("run", "-n", "--env", f"A{text}={text}", app),
                     ("run", "-n", "--env-file", text, app), ("run", "-n", "--label", f"a={text}", app),
                     ("run", "-n", "--label", text, app),
                     ("run", "-n", "--", "echo", text), ("describe", "--full", text),
                     ("config", "init", "--output", f"{text}/x"), ("__complete", "words", "status", text[:1]))
            for command in words:
                self.check_text_and_json(*command)
            for command in ((text, "--help"), ("run", text, "--help"), ("--help", text)):
                self.check(self.run_slipway(*command))
            for name in ("SLIPWAY_SCHEDULER", "SLIPWAY_PLUGIN_PATH", "SLIPWAY_CONFIG", "SLIPWAY_PROFILE",
                         "SLIPWAY_LOG_LEVEL",
                         "SLIPWAY_SESSION", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "NO_COLOR"):
                for command in (("config", "show"), ("config", "path"), ("list",), ("run", "-n", app)):
                    value = str(self.root) + "/" + text if name.startswith("XDG") else text
                    self.check_text_and_json(*command, env={name: value})
        self.assertGreater(self.outputs, 200)

    def test_dry_runs_of_slurm_and_docker_are_escaped(self):
        """None of these schedulers asks its engine before it prints what it would send."""
        fields = {"env": {f"NAME {HOSTILE}": HOSTILE, "DB_PASS": HOSTILE}, "metadata": {f"KEY {HOSTILE}": HOSTILE},
                  "image": "busybox"}
        app = self.write("app.json", json.dumps({"name": "app", "metadata": {f"META {HOSTILE}": HOSTILE},
                                                 "roles": [{**role("w", f"echo '{HOSTILE}'"), **fields}]}))
        for scheduler in ("slurm", "docker", "local_docker"):
            self.check_text_and_json("run", "-n", "-s", scheduler, app)
        self.assertGreater(self.outputs, 5)

    def test_file_names_are_escaped(self):
        """Tests names of files and directories beside the app, in its path, and in the state directory."""
        for text in (HOSTILE, os.fsdecode(RAW)):
            directory = self.root / f"D {text.replace('/', '')}"
            directory.mkdir()
            app = directory / f"A {text.replace('/', '')}.toml"
            app.write_text(app_toml("app", role("w", "exit 4")))
            bad = directory / "bad.toml"
            bad.write_text("name = 1")
            for command in (("run", "-n", app), ("lint", app, bad), ("run", bad), ("run", directory)):
                self.check_text_and_json(*command)
            self.check_text_and_json("run", app, env={"XDG_STATE_HOME": str(directory)}, cwd=directory)
            plain, document = self.check_text_and_json("status", "@last", env={"XDG_STATE_HOME": str(directory)})
            self.assertRegex(plain.stdout, r"logs: +file:///[-A-Za-z0-9._~/%]+\n")
            self.assertRegex(document.json["ui_url"], r"^file:///[-A-Za-z0-9._~/%]+$")
            planted = directory / "slipway" / "local" / "slipway" / f"P {text.replace('/', '')}"
            planted.mkdir()
            for name in ("state.bin", "plan.bin", "spec.json"):
                (planted / name).write_bytes(RAW)
            for command in (("list", "--all"), ("status", "P"), ("delete", "P"), ("describe", "@last"),
                            ("log", "@last")):
                self.check_text_and_json(*command, env={"XDG_STATE_HOME": str(directory)})
        self.assertGreater(self.outputs, 40)


if __name__ == "__main__":
    unittest.main()
