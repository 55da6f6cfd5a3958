"""`run --workspace DIR` on Docker: the directory becomes a layer on the images of the roles, built by the engine."""

import io
import json
import os
import resource
import signal
import tarfile
import threading
import unittest
from urllib.parse import parse_qs, urlsplit

from hostile_engine import HostileEngine, answer, refusal
from slipway_case import LIMIT_S, SANITIZED, SlipwayCase

ROLE = '[[roles]]\nname = "{name}"\nimage = "{image}"\nentrypoint = "true"\n'
APP = 'name = "app"\n\n' + ROLE.format(name="w", image="img:1")
RUN = ("run", "-d", "-s", "local_docker", "--workspace")
BUILT = "sha256:" + "b" * 64  # the id of the image that each build makes


def progress(*lines):
    """Returns the engine's answer to a pull or a build: a JSON document on each line."""
    return answer(200, "".join(json.dumps(line) + "\r\n" for line in lines).encode())


def built():
    """Returns the engine's answer to a build that succeeds."""
    return progress({"stream": "Step 1/3 : ARG IMAGE\n"}, {"aux": {"ID": BUILT}},
                    {"stream": "Successfully built bbb\n"})


class Builder:
    """An engine that has images with the names `names`, and answers builds with `on_build()`."""

    def __init__(self, path, names, on_build=built):
        self.names = set(names)
        self.on_build = on_build
        self.removed = []  # names of removed images
        self.made = []  # descriptions of the created containers
        self.engine = HostileEngine(path, self.behave)

    def behave(self, method, target, _connection):
        path = urlsplit(target).path
        if path == "/build":
            reply = self.on_build()
            if reply and b'"aux"' in reply:
                self.names.add(self.query(target)["t"])
            return reply
        if path == "/images/create":
            query = self.query(target)
            self.names.add(f"{query['fromImage']}:{query['tag']}")
            return progress({"status": "Pull complete", "id": "1"})
        if path.startswith("/images/") and path != "/images/json":
            return self.image(method, path.removeprefix("/images/").removesuffix("/json").replace("%3A", ":"))
        if path == "/containers/create":
            self.made.append(json.loads(self.engine.requests[-1][2]))
            return answer(201, {"Id": "c0"})
        return answer(200, []) if method == "GET" else answer(200, {"Id": "x"})

    def image(self, method, name):
        """Answers a request about one image."""
        if method == "DELETE":
            self.removed.append(name)
            self.names.discard(name)
            return answer(200, [])
        if name not in self.names and name != BUILT:
            return refusal(404, f"No such image: {name}")
        ours = name == BUILT or name.startswith("slipway-workspace:")
        labels = {"org.slipway.workspace": "0", "org.slipway.workspace-base": "img:1"} if ours else None
        return answer(200, {"Id": BUILT if ours else "sha256:" + "a" * 64, "Config": {"Labels": labels}})

    @staticmethod
    def query(target):
        """Returns the query of a target as a dictionary."""
        return {key: values[0] for key, values in parse_qs(urlsplit(target).query).items()}

    def order(self):
        """Returns (method, path) of each request."""
        return [(method, urlsplit(target).path) for method, target, _ in self.engine.requests]

    def builds(self):
        """Returns for each build the query, and the context: the archive of files that the command sent."""
        return [(self.query(target), tarfile.open(fileobj=io.BytesIO(body)))
                for _, target, body in self.engine.requests if target.startswith("/build?")]


class DockerWorkspace(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.project = self.root / "project"
        (self.project / "src").mkdir(parents=True)
        (self.project / "src" / "train.py").write_text("print('hello')\n")
        self.write("app.toml", APP)
        self.path = self.root / "engine.sock"
        self.env["DOCKER_HOST"] = f"unix://{self.path}"

    def builder(self, names=("img:1",), on_build=built):
        """Starts a Builder in place of an earlier one."""
        if self.path.exists():
            os.unlink(self.path)
        out = Builder(self.path, names, on_build)
        self.addCleanup(out.engine.close)
        return out

    def names_in(self, *arguments):
        """Runs the app on an engine, and returns the names in the context of the only build."""
        builder = self.builder()
        self.ok(*RUN, self.project, *arguments, "app.toml")
        ((_, context),) = builder.builds()
        return sorted(context.getnames())

    def fails(self, status, code, words, builder):
        """Checks that a run fails with `words`, and leaves no container and no image. Returns the error document."""
        error = self.expect_failure(status, code, *RUN, self.project, "app.toml")
        self.assertIn(words, error["message"])
        self.assertEqual(builder.made, [])
        self.assertEqual([name for name in builder.names if name.startswith("slipway")], [])
        return error

    # ---- what is built

    def test_directory_is_a_layer_on_the_image_of_the_role(self):
        (self.project / ".git").mkdir()
        (self.project / "run.sh").write_text("true\n")
        os.chmod(self.project / "run.sh", 0o751)
        os.utime(self.project / "run.sh", (1_000_000_000, 1_000_000_000))
        (self.project / "link").symlink_to("../elsewhere")
        builder = self.builder()
        result = self.ok(*RUN, self.project, "app.toml")
        ((query, context),) = builder.builds()
        self.assertEqual(context.extractfile("Dockerfile").read(), b"ARG IMAGE\nFROM $IMAGE\nCOPY workspace/ ./\n")
        self.assertEqual(sorted(context.getnames()), ["Dockerfile", "workspace", "workspace/link", "workspace/run.sh",
                                                      "workspace/src", "workspace/src/train.py"])
        script = context.getmember("workspace/run.sh")
        self.assertEqual((script.mode, script.mtime, script.uid), (0o751, 1_000_000_000, 0))
        self.assertEqual(context.getmember("workspace/link").linkname, "../elsewhere")
        self.assertEqual(context.extractfile("workspace/src/train.py").read(), b"print('hello')\n")
        self.assertEqual(json.loads(query["buildargs"]), {"IMAGE": "img:1"})
        self.assertEqual(json.loads(query["labels"]), {"org.slipway.workspace": str(os.geteuid()),
                                                       "org.slipway.workspace-base": "img:1"})
        self.assertRegex(query["t"], r"^slipway-workspace:app-[a-z0-9]+-[0-9a-f]{8}$")
        self.assertIn(f"are copied to {query['t']}\n", result.stderr)

    def test_containers_and_the_app_have_the_id_of_the_image(self):
        builder = self.builder()
        self.ok(*RUN, self.project, "app.toml")
        (container,) = builder.made
        self.assertEqual(container["Image"], BUILT)
        self.assertIn(BUILT, container["Labels"]["org.slipway.app"])
        self.assertNotIn("slipway-workspace:", container["Labels"]["org.slipway.app"])

    def test_own_dockerfile_gets_the_image_and_the_workspace_as_arguments(self):
        for name in ("Dockerfile.torchx", "Dockerfile.slipway"):  # the second one takes precedence
            with self.subTest(name):
                (self.project / name).write_text("ARG IMAGE\nFROM $IMAGE\nCOPY src /app\n")
                builder = self.builder()
                self.ok(*RUN, self.project, "app.toml")
                ((query, context),) = builder.builds()
                self.assertEqual(query["dockerfile"], name)
                self.assertEqual(json.loads(query["buildargs"]), {"IMAGE": "img:1", "WORKSPACE": str(self.project)})
                self.assertLessEqual({name, "src/train.py"}, set(context.getnames()))

    def test_dockerfile_is_sent_even_if_it_is_ignored(self):
        (self.project / "Dockerfile.slipway").write_text("FROM other:2\n")
        (self.project / ".dockerignore").write_text("*\n")
        self.assertEqual(self.names_in(), [".dockerignore", "Dockerfile.slipway"])

    def test_image_that_the_dockerfile_does_not_name_is_not_pulled(self):
        (self.project / "Dockerfile.slipway").write_text("FROM other:2\n")
        builder = self.builder(names=())
        self.ok(*RUN, self.project, "app.toml")
        self.assertNotIn(("POST", "/images/create"), builder.order())

    def test_dockerignore_includes_files_of_ignored_directories_again(self):
        (self.project / ".dockerignore").write_text("# comment\n**\n!src/*.py\n")
        (self.project / "src" / "train.pyc").write_text("")
        (self.project / "data").mkdir()
        (self.project / "data" / "x.py").write_text("")
        self.assertEqual(self.names_in(), ["Dockerfile", "workspace", "workspace/src", "workspace/src/train.py"])
        (self.project / ".slipwayignore").write_text("data\n.*\n")  # .dockerignore has no effect beside it
        self.assertEqual(self.names_in(), ["Dockerfile", "workspace", "workspace/src", "workspace/src/train.py",
                                           "workspace/src/train.pyc"])

    def test_long_names_and_large_files_arrive(self):
        deep = self.project / ("d" * 120) / ("e" * 150)
        deep.mkdir(parents=True)
        # The header of a tar entry has room for 100 bytes of a name and of a link's target.
        (deep / "ümlaut").write_bytes(b"x" * 600_000)
        (deep / "link").symlink_to("t" * 200)
        builder = self.builder()
        self.ok(*RUN, self.project, "app.toml")
        ((_, context),) = builder.builds()
        place = f"workspace/{'d' * 120}/{'e' * 150}"
        self.assertEqual(context.getmember(f"{place}/link").linkname, "t" * 200)
        self.assertEqual(context.extractfile(f"{place}/ümlaut").read(), b"x" * 600_000)

    @unittest.skipIf(SANITIZED, "a sanitizer keeps freed memory")
    def test_workspace_is_not_held_in_memory(self):
        size = 256 << 20
        with open(self.project / "large", "wb") as large:
            large.truncate(size)
        builder = self.builder()
        count = []
        builder.engine.keep_body = lambda data: count.append(len(data)) or b""
        self.ok(*RUN, self.project, "app.toml")
        self.assertGreater(sum(count), size)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, size / 2)

    def test_roles_with_one_image_share_a_build(self):
        roles = [("a", "img:1"), ("b", "img:2"), ("c", "img:1")]
        texts = [ROLE.format(name=name, image=image) for name, image in roles]
        self.write("app.toml", 'name = "app"\n' + "\n".join(texts))
        builder = self.builder(names=("img:1", "img:2"))
        document = self.ok("run", "-n", "--json", "-s", "local_docker", "--workspace", self.project, "app.toml").json
        images = document["workspace"]["images"]
        self.assertEqual(len(images), 2)
        # The host gives each image a name, to which the plug-in appends a checksum. The names differ even without it.
        self.assertEqual(images[0].rsplit("-", 1)[0] + "-2", images[1].rsplit("-", 1)[0])
        self.assertEqual(builder.engine.requests, [])
        self.ok(*RUN, self.project, "app.toml")
        self.assertEqual([json.loads(query["buildargs"])["IMAGE"] for query, _ in builder.builds()], ["img:1", "img:2"])
        self.assertEqual(len({query["t"] for query, _ in builder.builds()}), 2)

    def test_workspace_replaces_an_earlier_one(self):
        self.write("app.toml", APP.replace("img:1", BUILT))  # an image with a workspace, built on img:1
        builder = self.builder()
        self.ok(*RUN, self.project, "app.toml")
        self.assertEqual(json.loads(builder.builds()[0][0]["buildargs"]), {"IMAGE": "img:1"})

    def test_image_that_is_named_by_its_id_is_never_pulled(self):
        self.write("app.toml", APP.replace("img:1", "sha256:" + "c" * 64))
        builder = self.builder()
        error = self.expect_failure(66, "not_found", "run", "-d", "-s", "local_docker", "-c", "pull=always", "app.toml")
        self.assertIn("--workspace DIR builds it again", error["hint"])
        self.assertNotIn(("POST", "/images/create"), builder.order())

    def test_image_of_the_role_is_pulled_first(self):
        builder = self.builder(names=())
        self.ok(*RUN, self.project, "app.toml")
        order = builder.order()
        self.assertLess(order.index(("POST", "/images/create")), order.index(("POST", "/build")))

    def test_nothing_is_pulled_or_built_against_the_policy(self):
        builder = self.builder(names=())
        error = self.expect_failure(66, "not_found", *RUN, self.project, "-c", "pull=never", "app.toml")
        self.assertIn("may not pull it", error["message"])
        self.assertEqual(builder.builds(), [])
        self.assertNotIn(("POST", "/images/create"), builder.order())

    def test_progress_of_a_long_build_is_shown(self):
        builder = self.builder()
        seen = threading.Event()
        plain = builder.engine.behave

        def chunk(value):
            data = json.dumps(value).encode() + b"\n"
            return b"%x\r\n%s\r\n" % (len(data), data)

        def behave(method, target, connection):
            reply = plain(method, target, connection)
            if not target.startswith("/build?"):
                return reply
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while not seen.wait(0.05):
                connection.sendall(chunk({"stream": "Step 2/3 : RUN make\n"}))
            return b"0\r\n\r\n"

        builder.engine.behave = behave
        process = self.start(*RUN, self.project, "app.toml")
        limit = threading.Timer(LIMIT_S, seen.set)  # ends a build whose progress is not printed
        limit.start()
        self.addCleanup(limit.cancel)
        is_printed = any(b"Step 2/3 : RUN make" in line for line in process.stderr)
        seen.set()
        self.assertTrue(is_printed)
        self.assertEqual(self.finish(process).status, 0)

    # ---- how a workspace is asked for

    def test_dry_run_asks_the_engine_nothing(self):
        builder = self.builder()
        document = self.ok("run", "-n", "--json", "-s", "local_docker", "--workspace", self.project, "app.toml").json
        workspace = document["workspace"]
        self.assertEqual((workspace["provider"], workspace["source"], workspace["files"], workspace["bytes"]),
                         ("image", str(self.project), 1, 15))
        self.assertEqual(workspace["images"], [workspace["image"]])
        self.assertEqual(document["request"]["containers"][0]["image"], workspace["image"])
        self.assertEqual(builder.engine.requests, [])

    def test_url_of_the_workspace_gives_kind_image_and_pull_policy(self):
        url = f"image://{self.project}?from=other:3&pull=never"
        builder = self.builder(names=("other:3",))
        self.ok(*RUN, url, "app.toml")
        self.assertEqual(json.loads(builder.builds()[0][0]["buildargs"]), {"IMAGE": "other:3"})
        builder = self.builder(names=())
        self.expect_failure(66, "not_found", *RUN, url, "app.toml")
        self.assertNotIn(("POST", "/images/create"), builder.order())
        for url in (f"image://{self.project}", f"file://{self.project}"):
            with self.subTest(url):
                builder = self.builder()
                self.ok(*RUN, url, "app.toml")
                self.assertEqual(json.loads(builder.builds()[0][0]["buildargs"]), {"IMAGE": "img:1"})

    def test_impossible_url_is_reported_before_the_engine_is_asked(self):
        builder = self.builder()
        for status, code, url in ((66, "not_found", "image:///no/such/directory"),
                                  (65, "invalid", f"image://{self.project}?form=x"),
                                  (65, "invalid", f"image://{self.project}?pull=often"),
                                  (65, "invalid", f"image://{self.project}%2"),
                                  (65, "invalid", "image://relative")):
            with self.subTest(url):
                self.expect_failure(status, code, *RUN, url, "app.toml")
        self.assertEqual(builder.engine.requests, [])

    def test_role_without_an_image_needs_a_dockerfile(self):
        self.write("app.toml", APP.replace('image = "img:1"\n', ""))
        self.builder()
        error = self.expect_failure(65, "invalid", *RUN, self.project, "app.toml")
        self.assertIn("give each role an image", error["hint"])
        (self.project / "Dockerfile.slipway").write_text("ARG IMAGE\nFROM $IMAGE\nCOPY src /\n")
        builder = self.builder(names=())
        self.ok(*RUN, self.project, "app.toml")
        self.assertEqual(json.loads(builder.builds()[0][0]["buildargs"])["IMAGE"], "scratch")

    def test_directory_with_special_characters_in_its_name_is_accepted(self):
        project = self.root / "a b?c%d&e"
        self.project.rename(project)
        builder = self.builder()
        self.ok(*RUN, project, "app.toml")
        self.assertEqual(len(builder.builds()), 1)

    # ---- when a build fails

    def test_failed_builds_have_the_words_of_the_engine(self):
        words = {
            "The command '/bin/sh -c make' returned a non-zero code: 2": (65, "invalid"),
            "COPY failed: file not found in build context": (65, "invalid"),
            "the --mount option requires BuildKit": (65, "invalid"),
            "pull access denied for x, repository does not exist or may require 'docker login'": (66, "not_found"),
            "write /var/lib/docker: no space left on device": (73, "cant_create"),
        }
        for text, (status, code) in words.items():
            with self.subTest(text):
                builder = self.builder(on_build=lambda text=text: progress(
                    {"stream": "Step 2/3 : RUN make\n"}, {"stream": "Step on it\n"}, {"stream": "cc: no input\n"},
                    {"errorDetail": {"message": text}, "error": text}))
                error = self.fails(status, code, text, builder)
                self.assertIn("Step 2/3 : RUN make", error["message"])
                self.assertIn("cc: no input", error["message"])

    def test_a_refused_build_has_the_words_of_the_engine(self):
        builder = self.builder(on_build=lambda: refusal(400, "parse error line 1: unknown instruction: FORM"))
        error = self.fails(65, "invalid", "unknown instruction: FORM", builder)
        self.assertIn("correct the Dockerfile", error["hint"])

    def test_a_refusal_in_the_middle_of_the_upload_is_reported(self):
        with open(self.project / "large", "wb") as large:
            large.truncate(64 << 20)
        builder = self.builder()
        builder.engine.at_header = lambda method, target: (
            refusal(500, "Error: write /x: no space left on device") if target.startswith("/build?") else None)
        self.fails(73, "cant_create", "no space left on device", builder)

    def test_an_engine_that_closes_the_connection_of_a_build_is_a_temporary_failure(self):
        for name, piece in {"before the answer": None, "in the header": b"HTTP/1.1 200 OK\r\nConte",
                            "in the progress": built()[:-20]}.items():
            with self.subTest(name):
                builder = self.builder()

                def behave(method, target, connection, builder=builder, piece=piece):
                    if not target.startswith("/build?"):
                        return builder.behave(method, target, connection)
                    if piece:
                        connection.sendall(piece)
                    return None

                builder.engine.behave = behave
                self.fails(75, "temporary", "closed the connection", builder)

    def test_a_build_that_ends_without_an_image_is_a_temporary_failure(self):
        builder = self.builder(on_build=lambda: progress({"stream": "Step 1/3 : ARG IMAGE\n"}))
        self.fails(75, "temporary", "ended the build without the image", builder)

    def test_interrupt_ends_a_build_and_leaves_nothing(self):
        arrived = threading.Event()

        def hang():
            arrived.set()
            threading.Event().wait()

        builder = self.builder(on_build=hang)
        process = self.start(*RUN, self.project, "app.toml")
        self.assertTrue(arrived.wait(LIMIT_S))
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).status, 130)
        self.assertEqual((builder.made, len(builder.removed)), ([], 1))

    def test_image_is_removed_if_the_app_cannot_be_submitted(self):
        builder = self.builder()
        plain = builder.engine.behave

        def behave(method, target, connection):
            if target.startswith("/containers/create"):
                return refusal(400, "invalid mount config")
            return plain(method, target, connection)

        builder.engine.behave = behave
        self.fails(65, "invalid", "invalid mount config", builder)
        self.assertEqual(len(builder.removed), 2)  # of the run, and of the run with --json

    def test_first_image_is_removed_if_the_second_build_fails(self):
        self.write("app.toml", APP + ROLE.format(name="v", image="img:2"))
        replies = []  # to two builds of the run, and to two of the run with --json

        def on_build():
            replies.append(built() if len(replies) % 2 == 0 else refusal(400, "dockerfile parse error"))
            return replies[-1]

        self.fails(65, "invalid", "parse error", self.builder(names=("img:1", "img:2"), on_build=on_build))

    def test_images_of_dead_commands_are_removed_by_the_next_build(self):
        builder = self.builder()
        plain = builder.engine.behave
        old, new, used = (f"slipway-workspace:app-{name}" for name in ("old", "new", "used"))
        long_ago = "2024-01-02T03:04:05Z"

        def behave(method, target, connection):
            if target.startswith("/images/json"):
                return answer(200, [{"Id": "1", "RepoTags": [old]}, {"Id": "2", "RepoTags": [new]},
                                    {"Id": "3", "RepoTags": [used]}, {"Id": "4", "RepoTags": None}])
            if target.startswith("/containers/json"):
                return answer(200, [{"Id": "c9", "ImageID": "3", "Names": ["/x"], "State": "running", "Labels": {}}])
            for name, time in ((old, long_ago), (used, long_ago), (new, "2199-01-02T03:04:05Z")):
                if method == "GET" and name.replace(":", "%3A") in target:
                    return answer(200, {"Id": "1", "Metadata": {"LastTagTime": time}})
            return plain(method, target, connection)

        builder.engine.behave = behave
        self.ok(*RUN, self.project, "app.toml")
        self.assertEqual(builder.removed, [old])


if __name__ == "__main__":
    unittest.main()
