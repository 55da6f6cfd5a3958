"""`slipway run --stdin`: TorchX's JSON run arguments."""

import json
import unittest

from slipway_case import SlipwayCase
from test_component_files import ONE


class RunRequest(SlipwayCase):
    def setUp(self):
        super().setUp()
        (self.cwd / "hello.toml").write_text(ONE)

    def request(self, **fields):
        """Returns a request for the component `hello` with these fields; the value "absent" omits a field."""
        document = {"component_name": "hello.toml:hello", "scheduler": "local_cwd", "scheduler_args": {}, **fields}
        return json.dumps({key: value for key, value in document.items() if value != "absent"}).encode()

    def test_requested_component_runs(self):
        result = self.ok("run", "--stdin", stdin=self.request(component_args={"who": "you", "times": 2}))
        self.assertEqual(result.stderr.count("hello you"), 2)

    def test_run_options_dryrun_and_words_of_the_component_are_applied(self):
        stdin = self.request(scheduler_args={"log_dir": "logs", "grace_s": 3.5}, dryrun=True, parent_run_id="p1",
                             component_args_str=["--who", "words"])
        document = self.ok("--json", "run", "--stdin", stdin=stdin).json
        self.assertEqual((document["cfg"]["log_dir"], document["cfg"]["grace_s"]), ("logs", 3.5))
        self.assertEqual(document["app"]["roles"][0]["args"][1], "echo hello words")
        self.assertEqual(document["app"]["roles"][0]["env"]["TORCHX_PARENT_RUN_ID"], "p1")

    def test_words_of_the_program_may_be_a_list_or_one_string(self):
        def args(**component_args):
            stdin = self.request(component_name="dist.ddp", dryrun=True,
                                 component_args={"script": "train.py", "j": "1x2", **component_args})
            return self.ok("--json", "run", "--stdin", stdin=stdin).json["app"]["roles"][0]["args"][1]
        self.assertTrue(args().endswith("train.py"), args())
        self.assertTrue(args(script_args=["--lr", "0.1", "two words"]).endswith("train.py --lr 0.1 'two words'"))
        self.assertTrue(args(script_args=["--epochs", 3, 0.5, True]).endswith("train.py --epochs 3 0.5 True"))
        self.assertTrue(args(script_args="--lr 0.1").endswith("train.py --lr 0.1"))
        self.assertTrue(args(script_args=None).endswith("train.py"))

    def test_the_workspace_of_the_request_is_used(self):
        stdin = self.request(scheduler="local", workspace=str(self.cwd))
        document = self.ok("run", "-n", "--json", "--stdin", stdin=stdin).json
        self.assertEqual(document["workspace"]["source"], str(self.cwd))

    def test_mistakes_are_reported_with_their_places(self):
        error = self.expect_failure(65, "invalid", "run", "--stdin",
                                    stdin=self.request(scheduler="absent", componet_args={}, dryrun="yes"))
        problems = {problem["key"]: problem for problem in error["problems"]}
        self.assertEqual(set(problems), {"scheduler", "componet_args", "dryrun"})
        self.assertEqual(problems["componet_args"]["file"], "stdin")
        self.assertIn("component_args", problems["componet_args"]["hint"])

    def test_json_of_another_shape_is_refused(self):
        for text in (b"", b"[]", b"{", b'"x"'):
            with self.subTest(text):
                self.expect_failure(65, "invalid", "run", "--stdin", stdin=text)

    def test_values_of_the_wrong_type_are_refused(self):
        error = self.expect_failure(64, "usage", "run", "--stdin",
                                    stdin=self.request(component_args={"times": ["1"], "whom": "x"}))
        self.assertIn("--times: expected an int, found a list", error["message"])
        self.assertIn("unknown parameter 'whom', did you mean who?", error["message"])

    def test_an_app_or_a_scheduler_beside_stdin_is_refused(self):
        self.expect_failure(64, "usage", "run", "--stdin", "hello.toml", stdin=self.request())
        self.expect_failure(64, "usage", "run", "--stdin", "-s", "local_dir", stdin=self.request())


if __name__ == "__main__":
    unittest.main()
