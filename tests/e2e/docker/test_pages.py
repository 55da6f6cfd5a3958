"""The commands in the documentation that need a Docker engine."""

import sys
import unittest
from pathlib import Path

import docker_case
import engine

sys.path.append(str(Path(__file__).resolve().parents[2] / "docs"))
from run_page import run_pages  # noqa: E402


@unittest.skipIf(docker_case.why_unable(), docker_case.why_unable())
class Pages(docker_case.DockerCase):
    def test_commands_print_what_the_pages_say(self):
        # The image of the pages.
        self.engine.request("POST", "/images/create?fromSrc=-&repo=alpine&tag=latest", engine.image_archive(),
                            {"Content-Type": "application/x-tar"})
        pages, differences = run_pages("docker", docker_case.TREE, {"DOCKER_HOST": self.env["DOCKER_HOST"]})
        self.assertEqual(differences, [], "\n".join(differences))
        self.assertTrue(pages)


if __name__ == "__main__":
    unittest.main()
