"""The input of `run`: run options, sessions, standard input; and the files that an app leaves."""

import json
import os
import stat
import unittest

from app_text import app_json, role
from slipway_case import HANDLE, SlipwayCase


class RunOptions(SlipwayCase):
    def test_log_dir_is_created_with_its_layout(self):
        logs = self.root / "not" / "yet" / "there"
        app = self.app(role("a", "echo o; echo e >&2", num_replicas=2), role("b", "exit 3"))
        result = self.expect(3, "run", "--session", "mine", "-c", f"log_dir={logs}", app)
        app_id = HANDLE.fullmatch(result.stdout.strip())["app_id"]
        base = logs / "mine" / app_id
        files = sorted(str(p.relative_to(base)) for p in base.rglob("*") if p.is_file())
        self.assertEqual(files, ["SUCCESS"] + [f"{r}/{s}.log" for r in ("a/0", "a/1", "b/0")
                                              for s in ("combined", "stderr", "stdout")])
        for k in range(2):
            self.assertEqual((base / "a" / str(k) / "stdout.log").read_text(), "o\n")
            self.assertEqual((base / "a" / str(k) / "stderr.log").read_text(), "e\n")
            self.assertEqual(sorted((base / "a" / str(k) / "combined.log").read_text().split()), ["e", "o"])
        self.assertEqual((base / "b" / "0" / "combined.log").read_text(), "")

    def test_a_relative_log_dir_is_below_the_working_directory(self):
        handle = self.ok("run", "-c", "log_dir=logs", self.app("echo x")).stdout.strip()
        base = self.cwd / "logs" / "slipway" / HANDLE.fullmatch(handle)["app_id"]
        self.assertEqual((base / "w" / "0" / "stdout.log").read_text(), "x\n")
        self.assertEqual(self.ok("log", handle, cwd=self.root).stdout, "x\n")

    def test_the_success_file_has_the_end_of_each_replica(self):
        logs = self.root / "logs"
        app = self.app(role("ok", "exit 0"), role("bad", "exit 3"), role("hit", "kill -9 $$"))
        result = self.run_slipway("run", "-c", f"log_dir={logs}", app)
        app_id = HANDLE.fullmatch(result.stdout.strip())["app_id"]
        base = logs / "slipway" / app_id
        document = json.loads((base / "SUCCESS").read_text())
        self.assertEqual((document["app_id"], document["log_dir"], document["final_state"]),
                         (app_id, str(base), "FAILED"))
        self.assertIsInstance(document["last_updated"], float)
        codes = {}
        for name, replicas in document["roles"].items():
            for replica in replicas:
                k = replica["replica_id"]
                codes[name] = replica["exitcode"]
                self.assertGreater(replica["pid"], 0)
                self.assertEqual(replica["stdout"], str(base / name / str(k) / "stdout.log"))
                self.assertEqual(replica["stderr"], str(base / name / str(k) / "stderr.log"))
                self.assertEqual(replica["error_file"], str(base / name / str(k) / "error.json"))
        self.assertEqual(codes, {"ok": 0, "bad": 3, "hit": -9})

    def test_without_log_dir_everything_is_in_the_state_directory(self):
        handle = self.ok("run", self.app("echo x")).stdout.strip()
        base = self.app_dir(handle)
        self.assertEqual((base / "logs" / "w" / "0" / "stdout.log").read_text(), "x\n")
        self.assertTrue((base / "logs" / "SUCCESS").exists())

    def test_a_record_has_only_the_documented_files(self):
        documented = {"events.log", "logs", "plan.bin", "spec.json", "state.bin"}
        app = self.app(role("w", "exit 4", max_retries=1, port_map={"http": 0}))
        handle = self.expect(4, "run", app).stdout.strip()
        self.assertEqual({path.name for path in self.app_dir(handle).iterdir()}, documented)
        handle = self.expect(4, "run", "-c", f"log_dir={self.root}/logs", app).stdout.strip()
        self.assertEqual({path.name for path in self.app_dir(handle).iterdir()}, documented - {"logs"})

    def test_only_the_user_can_read_the_state_directory(self):
        handle = self.ok("run", self.app("true")).stdout.strip()
        directory = self.app_dir(handle)
        self.assertEqual(stat.S_IMODE(directory.stat().st_mode), 0o700)
        self.assertEqual(stat.S_IMODE((directory / "spec.json").stat().st_mode), 0o600)

    def test_nothing_is_written_beside_the_state_directory(self):
        self.ok("run", self.app("true"))
        self.assertEqual(sorted(p.name for p in self.root.iterdir()), ["config", "cwd", "state"])
        self.assertEqual([p.name for p in self.cwd.iterdir()], ["app.toml"])

    def test_the_error_file_of_a_replica_is_the_structured_error(self):
        script = 'echo "{\\"message\\": \\"it broke\\"}" > "$TORCHELASTIC_ERROR_FILE"; exit 1'
        handle = self.expect(1, "run", self.app(script)).stdout.strip()
        self.assertIn("it broke", self.status_of(handle)["structured_error_msg"])
        self.assertIn("it broke", self.replicas_of(handle)["w/0"]["structured_error_msg"])

    def test_an_error_file_may_have_every_form_that_python_reads(self):
        cases = {'{"message": "bad \\udc80 byte", "a\\\\udc80": "\\ud83d\\ude00"}':
                 '{"message": "bad \\udc80 byte", "a\\\\udc80": "\\ud83d\\ude00"}',
                 '{"message":' + '[' * 50 + ']' * 50 + '}': '{"message": ' + '[' * 50 + ']' * 50 + '}'}
        app = self.app('cp error "$TORCHELASTIC_ERROR_FILE"; exit 1')
        for text, shown in cases.items():
            with self.subTest(text=text):
                json.loads(text)
                self.write("error", text)
                handle = self.expect(1, "run", app).stdout.strip()
                self.assertEqual(self.status_of(handle)["structured_error_msg"], shown)

    def test_options_are_separated_by_comma_or_semicolon_and_the_flag_may_be_repeated(self):
        app = self.app("true")
        for arguments in (["-c", "cache_size=7,grace_s=1.5"], ["-c", "cache_size=7;grace_s=1.5"],
                          ["-c", "cache_size=7", "-c", "grace_s=1.5"], ["--cfg", "cache_size=7,grace_s=1.5"]):
            with self.subTest(arguments=arguments):
                cfg = self.ok("run", "-n", "--json", *arguments, app).json["cfg"]
                self.assertEqual((cfg["cache_size"], cfg["grace_s"]), (7, 1.5))

    def test_a_list_option_takes_several_values(self):
        cfg = self.ok("run", "-n", "--json", "-c", "extra_paths=/a,/b;/c,cache_size=3", self.app("true")).json["cfg"]
        self.assertEqual((cfg["extra_paths"], cfg["cache_size"]), (["/a", "/b", "/c"], 3))

    def test_quotes_protect_a_value_from_being_cut(self):
        cfg = self.ok("run", "-n", "--json", "-c", f"log_dir='{self.root}/a=b,c',cache_size=3",
                      self.app("true")).json["cfg"]
        self.assertEqual((cfg["log_dir"], cfg["cache_size"]), (f"{self.root}/a=b,c", 3))

    def test_a_quotation_mark_that_is_not_closed_is_a_usage_error(self):
        app = self.app("true")
        for text in ("log_dir='x", 'log_dir="x', "cache_size=3,log_dir='x"):
            with self.subTest(text):
                error = self.expect_failure(64, "usage", "run", "-c", text, app)
                self.assertIn("a quotation mark is not closed", error["message"])
        self.expect_failure(78, "config", "run", app, env={"SLIPWAY_CFG": "log_dir='x"})
        self.assertEqual([path.name for path in self.cwd.iterdir()], ["app.toml"])
        self.assert_no_app()

    def test_empty_value_without_quotes_is_a_warning(self):
        app = self.app("true")
        # Without its last `=`, the text gives log_dir the value `/x,cache_size`.
        for end in ("", " "):
            with self.subTest(end=end):
                result = self.ok("run", "-n", "--json", "-c", "grace_s=1,log_dir=/x,cache_size=" + end, app)
                self.assertIn("the last '='", result.stderr)
                self.assertEqual(result.json["cfg"]["log_dir"], "/x,cache_size")

    def test_replicas_get_the_trackers_of_the_environment(self):
        result = self.ok("run", self.app("echo $TORCHX_TRACKERS:$TORCHX_TRACKER_FSSPEC_CONFIG"),
                         env={"TORCHX_TRACKERS": "fsspec", "TORCHX_TRACKER_FSSPEC_CONFIG": "c"})
        self.assertIn("w/0 fsspec:c\n", result.stderr)

    def test_extra_paths_come_before_the_inherited_path(self):
        for directory in ("one", "two"):
            (self.cwd / directory).mkdir()
            program = self.cwd / directory / "program"
            program.write_text(f"#!/bin/sh\necho {directory}\n")
            program.chmod(0o755)
        app = self.app(role("w", entrypoint="program"))
        result = self.ok("run", "-c", f"extra_paths={self.cwd}/two", app,
                         env={"PATH": f"{self.cwd}/one:{os.environ['PATH']}"})
        self.assertIn("w/0 two\n", result.stderr)

    def test_extra_paths_come_before_the_roles_own_path(self):
        for directory in ("own", "extra"):
            (self.cwd / directory).mkdir()
            program = self.cwd / directory / "program"
            program.write_text(f"#!/bin/sh\necho {directory}\n")
            program.chmod(0o755)
        app = self.app(role("w", entrypoint="program", env={"PATH": f"{self.cwd}/own:{os.environ['PATH']}"}))
        self.assertIn("w/0 own\n", self.ok("run", app).stderr)
        self.assertIn("w/0 extra\n", self.ok("run", "-c", f"extra_paths={self.cwd}/extra", app).stderr)

    def test_a_run_option_that_is_null_has_its_default(self):
        self.write(".torchxconfig", "[local_cwd]\ngrace_s = None\n")
        self.assertEqual(self.ok("run", "-n", "--json", self.app("true")).json["cfg"]["grace_s"], 10)
        (self.cwd / ".torchxconfig").unlink()
        request = {"component_name": "utils.echo", "scheduler": "local_cwd",
                   "scheduler_args": {"grace_s": None, "log_dir": None, "prepend_cwd": None}}
        cfg = self.ok("run", "-n", "--json", "--stdin", stdin=json.dumps(request).encode()).json["cfg"]
        self.assertEqual((cfg["grace_s"], cfg["log_dir"], cfg["prepend_cwd"]), (10, None, False))

    def test_an_integer_for_a_truth_value_is_refused(self):
        for value in (0, 1):
            request = {"component_name": "utils.echo", "scheduler": "local_cwd",
                       "scheduler_args": {"prepend_cwd": value}}
            result = self.expect(65, "run", "--stdin", stdin=json.dumps(request).encode())
            self.assertIn("run option prepend_cwd must be of type bool, but is", result.stderr)

    def test_cache_size_limits_the_number_of_finished_apps(self):
        app = self.app("true")
        handles = [self.ok("run", "-c", "cache_size=2", app).stdout.strip() for _ in range(5)]
        known = [each["handle"] for each in self.ok("list", "--all", "--json").json["apps"]]
        self.assertIn(handles[-1], known)
        # Two, and the newest app unless it had ended when the command counted.
        self.assertLessEqual(len(known), 3)
        self.expect_failure(66, "not_found", "status", handles[0])

    def test_a_value_out_of_the_range_of_its_option_is_refused_with_the_range(self):
        for option, word in (("grace_s=604801", "604800"), ("timeout_s=31536001", "31536000"), ("max_parallel=-1", "0"),
                             ("log_keep=0", "1000"), ("log_max_mb=1048577", "1048576"), ("keep_days=36501", "36500"),
                             ("keep_apps=-1", "0"), ("backoff=factor:0.5", "1000"), ("backoff=pause:1", "initial"),
                             ("enforce=hard", "rlimit"), ("gpus=all", "lease"), ("retry_on=bad luck", "not_ready")):
            with self.subTest(option=option):
                error = self.expect(65, "run", "-n", "-c", option, self.app("true")).stderr
                self.assertIn(f"run option {option.partition('=')[0]}: ", error)
                self.assertIn(word, error)

    def test_options_that_contradict_each_other_are_refused(self):
        for options in ("log_combined=false,log_pipes=true", "log_combined=false,log_max_mb=1",
                        "gpus=lease,auto_set_cuda_visible_devices=true"):
            with self.subTest(options=options):
                self.assertIn("contradict", self.expect(65, "run", "-n", "-c", options, self.app("true")).stderr)

    def test_options_of_the_wrong_type_or_out_of_range_are_refused(self):
        for option in ("cache_size=many", "grace_s=soon", "cache_size=1.5", "cache_size=-1", "grace_s=-1",
                       "grace_s=nan", "cache_size=99999999999999999999"):
            with self.subTest(option=option):
                error = self.expect_failure(65, "invalid", "run", "-c", option, self.app("true"))
                self.assertIn(option.split("=")[0], error["message"])
        self.assert_no_app()

    def test_an_option_without_a_name_is_refused(self):
        result = self.expect(65, "run", "-c", "=x", self.app("exit 0"))
        self.assertIn("KEY=VALUE", result.stderr)
        self.assert_no_app()

    def test_an_option_without_a_value_is_refused(self):
        self.expect_failure(65, "invalid", "run", "-c", "log_dir", self.app("true"))
        self.assert_no_app()

    def test_a_misspelt_option_is_an_error_with_a_suggestion(self):
        app = self.app("touch ran")
        error = self.expect_failure(65, "invalid", "run", "-c", "log_dri=/x", app)
        self.assertEqual(error["hint"], "did you mean log_dir?")
        error = self.expect_failure(65, "invalid", "run", "-c", "log_dri=/x,graze_s=1", app)
        for name in ("log_dri", "graze_s"):
            self.assertIn(f"local_cwd has no run option '{name}'", error["message"])
        self.expect_failure(65, "invalid", "lint", "-s", "local_cwd", "-c", "log_dri=/x", app)
        self.assertFalse((self.cwd / "ran").exists())

    def test_an_option_of_another_scheduler_is_a_warning(self):
        result = self.ok("run", "-c", "partition=cpu,sbatch.gres=gpu:2", self.app("true"))
        for name in ("partition", "sbatch.gres"):
            self.assertIn(f"local_cwd ignores the run option '{name}', which slurm has", result.stderr)

    def test_an_unknown_scheduler_is_not_found(self):
        error = self.expect_failure(66, "not_found", "run", "-s", "local_cdw", self.app("true"))
        self.assertIn("local_cwd", error["message"] + str(error["hint"]))
        self.assert_no_app()

    def test_the_session_is_part_of_the_handle_and_of_the_directory(self):
        handle = self.ok("run", "--session", "night", self.app("true")).stdout.strip()
        self.assertEqual(HANDLE.fullmatch(handle)["session"], "night")
        self.assertTrue(self.app_dir(handle).is_dir())
        self.assertEqual(self.status_of(handle)["session"], "night")

    def test_a_session_that_cannot_be_a_directory_name_is_refused(self):
        for session in ("a/b", "..", ".", ""):
            with self.subTest(session=session):
                self.expect_failure(64, "usage", "run", "--session", session, self.app("true"))
        self.assert_no_app()

    def test_dash_reads_json_from_standard_input(self):
        text = app_json("piped", role("w", "echo from stdin; exit 3"))
        result = self.expect(3, "run", "-", stdin=text.encode())
        self.assertIn("://slipway/piped-", result.stdout)
        self.assertIn("w/0 from stdin\n", result.stderr)

    def test_bad_json_on_standard_input_is_reported_with_its_place(self):
        for text in (b"", b"{", b"[]", b'{"name": "x"}', b'{"name": "x", "roles": 3}', b"\xff\xfe", b"name = 'toml'"):
            with self.subTest(text=text):
                result = self.expect(65, "run", "--json", "-", stdin=text)
                self.json_error(result)
                self.assertIn("stdin", result.stderr)
        self.assert_no_app()

    def test_an_app_file_may_be_json(self):
        path = self.write("app.json", app_json("app", role("w", "exit 3")))
        self.expect(3, "run", path)

    def test_the_parent_run_id_reaches_the_replicas(self):
        result = self.ok("run", "--parent-run-id", "run-7", self.app('echo "parent=$TORCHX_PARENT_RUN_ID"'))
        self.assertIn("w/0 parent=run-7\n", result.stderr)

    def test_every_app_gets_its_own_id(self):
        app = self.app("true")
        handles = {self.ok("run", app).stdout for _ in range(5)}
        self.assertEqual(len(handles), 5)


if __name__ == "__main__":
    unittest.main()
