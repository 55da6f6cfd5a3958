"""Images that the engine builds from workspaces."""

import json
import os
import signal
import subprocess
import unittest

import engine
from docker_case import LIMIT, DockerCase, role, why_unable
from test_kit import KIT, TREE

unable = why_unable()
DOCKER = ("-s", "local_docker")


@unittest.skipIf(unable, unable)
class Workspace(DockerCase):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.images(), {})
        self.project = self.root / "project"
        (self.project / "src").mkdir(parents=True)
        (self.project / "src" / "data").write_text("first version\n", encoding="utf-8")

    def tearDown(self):
        super().tearDown()
        for name in self.images():
            self.engine.request("DELETE", f"/images/{name}")

    def images(self):
        """Returns {name: id} of the images that were built from workspaces."""
        images = self.engine.request("GET", "/images/json")[1]
        return {name: one["Id"] for one in images for name in one["RepoTags"] or ()
                if name.startswith("slipway-workspace:")}

    def submit_in_workspace(self, *roles):
        """Submits an app with the project as workspace, and returns its handle."""
        return self.submit(*roles, options=("--workspace", self.project))

    def image_of(self, handle):
        return json.loads(self.slipway("describe", "--json", handle).stdout)["roles"][0]["image"]

    def test_app_runs_in_the_files_with_their_modes_and_links(self):
        (self.project / "run.sh").write_text("#!/bin/sh\ncat link\n", encoding="utf-8")
        (self.project / "run.sh").chmod(0o755)
        (self.project / "link").symlink_to("src/data")
        (self.project / ".dockerignore").write_text("src/*\n!src/data\n", encoding="utf-8")
        (self.project / "src" / "secret").write_text("secret\n", encoding="utf-8")
        handle = self.submit_in_workspace(role("w", "./run.sh; ls src; test -L link && echo link"))
        self.wait(handle)
        self.assertEqual(self.log(handle), "first version\ndata\nlink\n")

    def test_app_has_the_id_of_the_image(self):
        handle = self.submit_in_workspace(role("w", "true"))
        self.wait(handle)
        ((_, image),) = self.images().items()
        self.assertEqual(self.image_of(handle), image)
        self.assertEqual(self.only_replica(handle)["image"], image)

    def test_unchanged_files_give_the_same_image(self):
        first = self.submit_in_workspace(role("w", "true"))
        os.utime(self.project / "src" / "data", (1_000_000_000, 1_000_000_000))
        second = self.submit_in_workspace(role("w", "true"))
        self.assertEqual(self.image_of(first), self.image_of(second))
        (self.project / "src" / "data").write_text("second version\n", encoding="utf-8")
        third = self.submit_in_workspace(role("w", "cat src/data"))
        self.assertNotEqual(self.image_of(first), self.image_of(third))
        for handle in (first, second, third):
            self.wait(handle)
        self.assertEqual(self.log(third), "second version\n")

    def test_own_dockerfile_gets_the_image_of_the_roles_and_the_workspace(self):
        (self.project / "Dockerfile.slipway").write_text(
            "ARG IMAGE\nFROM $IMAGE\nARG WORKSPACE\nENV FROM=$WORKSPACE\nWORKDIR /app\nCOPY src/data .\n",
            encoding="utf-8")
        handle = self.submit_in_workspace(role("a", "cat data; echo $FROM"), role("b", "true"))
        self.wait(handle)
        self.assertEqual(self.slipway("log", f"{handle}/a").stdout, f"first version\n{self.project}\n")
        self.assertEqual(len(self.images()), 1)

    def test_rerun_with_another_workspace_has_no_file_of_the_first(self):
        first = self.submit_in_workspace(role("w", "cat src/*"))
        self.wait(first)
        (self.project / "src" / "data").rename(self.project / "src" / "other")
        second = self.slipway("rerun", "-d", "--workspace", self.project, first).stdout.strip()
        self.wait(second)
        self.assertEqual(self.log(second), "first version\n")

    def test_image_is_deleted_with_the_last_app_that_runs_in_it(self):
        first = self.submit_in_workspace(role("w", "cat src/data"))
        self.wait(first)
        (self.project / "src" / "data").write_text("second version\n", encoding="utf-8")
        second = self.slipway("rerun", "-d", first).stdout.strip()
        self.wait(second)
        self.assertEqual(self.log(second), "first version\n")
        self.slipway("delete", first)
        self.assertEqual(len(self.images()), 1)
        self.slipway("prune", "--yes", *DOCKER, "--state", "SUCCEEDED")
        self.assertEqual(self.images(), {})

    def test_failed_build_leaves_nothing(self):
        for text, status, words in (("FORM x\n", 65, "unknown instruction: FORM"),
                                    ("FROM scratch\nCOPY missing /\n", 65, "COPY failed"),
                                    ("FROM nosuch.invalid/image\n", 75, "nosuch.invalid")):
            with self.subTest(words):
                (self.project / "Dockerfile.slipway").write_text(text, encoding="utf-8")
                self.app(role("w", "true"))
                failed = self.slipway("run", "-d", *DOCKER, "--workspace", self.project, "app.toml", status=status)
                self.assertIn(words, failed.stderr)
                self.assertEqual(self.images(), {})
                self.assert_nothing_is_left()

    def test_interrupt_in_the_middle_of_a_build_leaves_nothing(self):
        # A sparse file, whose upload takes long enough for the interrupt.
        with open(self.project / "large", "wb") as large:
            large.truncate(1 << 30)
        self.app(role("w", "true"))
        process = self.start("run", "-d", *DOCKER, "--workspace", self.project, "app.toml")
        contexts = self.engine.directory / "data" / "tmp"
        self.eventually(lambda: any(contexts.glob("docker-builder*")), "the engine gets the workspace")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130)
        self.eventually(lambda: not any(contexts.glob("docker-builder*")), "the engine removes the workspace")
        self.assertEqual(self.images(), {})
        self.assert_nothing_is_left()

    def test_kit_finds_no_mistake(self):
        done = subprocess.run(
            [KIT, "--json", "--provider", "image", TREE / "share" / "slipway" / "plugins.d" / "slipway_docker.toml"],
            cwd=self.root, env=self.env, capture_output=True, text=True, timeout=4 * LIMIT, check=False)
        result = json.loads(done.stdout)
        self.assertEqual([one for one in result["checks"] if one["verdict"] == "failed"], [], done.stderr)
        self.assertIn("workspaces.same_image", [one["check"] for one in result["checks"] if one["verdict"] == "passed"])

    def test_base_image_of_the_role_stays(self):
        handle = self.submit_in_workspace(role("w", "true"))
        self.wait(handle)
        self.slipway("delete", handle)
        names = [name for one in self.engine.request("GET", "/images/json")[1] for name in one["RepoTags"] or ()]
        self.assertIn(engine.IMAGE, names)


if __name__ == "__main__":
    unittest.main()
