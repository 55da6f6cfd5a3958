"""`slipway runopts`: the run options of schedulers."""

import unittest

from slipway_case import SlipwayCase

# {run option of local_cwd and local_dir: its type}
LOCAL = {"log_dir": "str", "prepend_cwd": "bool", "auto_set_cuda_visible_devices": "bool", "grace_s": "float",
         "cache_size": "int", "extra_paths": "list", "retry_on": "list", "backoff": "dict", "fail_fast": "bool",
         "timeout_s": "float", "app_timeout_s": "float", "max_parallel": "int", "on_end": "str", "gpus": "str",
         "enforce": "str", "log_combined": "bool", "log_pipes": "bool", "log_times": "bool", "log_max_mb": "int",
         "log_keep": "int", "keep_apps": "int", "keep_days": "float", "keep_gb": "float"}


class RunOpts(SlipwayCase):
    def test_json_has_every_option_with_its_type(self):
        document = self.ok("runopts", "--json").json
        self.assertLessEqual({"local_cwd", "local_dir"}, set(document))
        for name in ("local_cwd", "local_dir"):
            for option in document[name]:
                self.assertLessEqual({"name", "type", "required", "default", "help"}, set(option))
                self.assertNotEqual(option["help"], "")
            types = {option["name"]: option["type"] for option in document[name]}
            self.assertEqual(types, LOCAL)
            defaults = {option["name"]: option["default"] for option in document[name]}
            self.assertEqual((defaults["grace_s"], defaults["prepend_cwd"], defaults["log_dir"]), (10, False, None))
            self.assertFalse(any(option["required"] for option in document[name]))

    def test_a_named_scheduler_is_shown_alone(self):
        self.assertEqual(set(self.ok("runopts", "--json", "local_dir").json), {"local_dir"})
        text = self.ok("runopts", "local_dir").stdout
        for name in LOCAL:
            self.assertIn(name, text)
        self.assertNotIn("local_cwd", text)

    def test_options_that_schedulers_share_are_printed_once(self):
        sections = {part.split("\n", 1)[0]: part for part in self.ok("runopts").stdout.split("\n\n")}
        shared = sections["local, local_cwd, local_dir"]
        self.assertEqual([heading for heading, text in sections.items() if "\n  backoff (" in text],
                         ["docker, local, local_cwd, local_dir, local_docker"])
        self.assertIn("\n  grace_s (float, default 10.0)\n", shared)
        self.assertIn("image_provider", sections["local"])
        self.assertNotIn("backoff", sections["local"])

    def test_an_unknown_scheduler_is_not_found(self):
        error = self.expect_failure(66, "not_found", "runopts", "local_cdw")
        self.assertIn("local_cwd", error["message"] + str(error["hint"]))

    def test_creates_no_file(self):
        self.ok("runopts")
        self.assertFalse(self.state.exists())


if __name__ == "__main__":
    unittest.main()
