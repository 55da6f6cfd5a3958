"""Runs the commands of a documentation page and compares their output with the page.

    run_page.py PAGE        with SLIPWAY_TREE, the built tree

Tests that have more than the tree, such as a cluster, call run_pages() for the blocks that need it.

A block of commands is an indented block with lines that begin with `$ `; the lines after a command are its output, both
streams together. README.md in this folder describes the marks that a page may have for this program."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = Path(__file__).with_name("pages.txt")
NOT_RUN = Path(__file__).with_name("not_run.txt")
HOME = "/home/ada"  # as the pages show it
LIMIT_S = 240  # after which the commands of a page count as hanging
MARKER = "\x01"  # printed before the output of each command

# The texts that differ from run to run, and their placeholders. Ids have no vowels.
VARIABLE = (
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "UUID"),
    (re.compile(r"-[b-df-hj-np-tv-z0-9]{9,14}\b"), "-ID"),
    (re.compile(r"(?<=slurm://slipway/)\d+"), "JOB"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)"), "TIME"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "SHA256"),
    (re.compile(r"\bpid \d+"), "pid N"),
    (re.compile(r"\bafter \d+(\.\d+)? s\b"), "after N s"),
    (re.compile(r"\b\d+\.\d s CPU, \d+ MiB\b"), "N s CPU, N MiB"),
    (re.compile(r"(?<=\S)   *"), "  "),  # ids of different lengths move the columns of a table
)


class Block:
    """An indented block of a page, and the marks before it."""

    def __init__(self, line, lines, marks):
        self.line = line  # number of its first line
        self.lines = lines  # without the indent
        self.marks = marks  # words after `docs:`

    def commands(self):
        """Returns pairs of a command and the lines of its output."""
        out = []
        for line in self.lines:
            if line.startswith("$ "):
                out.append((line[2:], []))
            elif out and out[-1][0].endswith("\\"):
                out[-1] = (out[-1][0] + "\n" + line, [])
            elif out:
                out[-1][1].append(line)
        for _, output in out:
            while output and not output[-1]:
                output.pop()
        return out

    def mark(self, word):
        """Returns the rest of the mark that begins with `word`; None if there is none."""
        for mark in self.marks:
            if mark == word or mark.startswith((word + " ", word + ":", word + "\n")):
                return mark[len(word):].lstrip(": ")
        return None


def blocks_of(text):
    """Returns the blocks of a page in order. A `setup` mark is a block without lines."""
    setup = re.compile(r"(with \w+ )?((root )?setup\b.*)", re.DOTALL)
    out = []
    marks = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("<!-- docs: "):
            first = at
            while "-->" not in lines[at]:
                at += 1
                if at == len(lines):
                    raise ValueError(f"line {first + 1}: a mark does not end")
            mark = "\n".join(lines[first:at + 1]).removeprefix("<!-- docs: ").removesuffix("-->").strip()
            if found := setup.fullmatch(mark):
                out.append(Block(first + 1, [], [part.strip() for part in found.group(1, 2) if part]))
            else:
                marks.append(mark)
        elif line.startswith("    "):
            first = at
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at]):
                at += 1
            own = [each[4:] for each in lines[first:at]]
            command = next((k for k, each in enumerate(own) if each.startswith("$ ")), 0)
            # A file and the commands on it may follow each other without a text between them.
            if command > 0:
                out.append(Block(first + 1, own[:command], marks))
                marks = [mark for mark in marks if not mark.startswith("file")]
            out.append(Block(first + command + 1, own[command:], marks))
            marks = []
            continue
        elif line.strip():
            if marks and not line.startswith("<!--"):
                raise ValueError(f"line {at + 1}: a mark must stand right before its block")
        at += 1
    return out


def without_variables(text):
    """Replaces the texts that differ from run to run by their placeholders."""
    for pattern, placeholder in VARIABLE:
        text = pattern.sub(placeholder, text)
    return text


def matches(expected, actual, unordered=False, numbers=False):
    """Returns whether the lines are the same. In `expected`, a line `…` stands for any lines, and `…` in a line for any
    text. `unordered`: in any order. `numbers`: all numbers count as equal."""
    def plain(line):
        line = without_variables(line.rstrip())
        return re.sub(r"\d+(\.\d+)?", "N", line) if numbers else line

    expected = [plain(line) for line in expected]
    actual = [plain(line) for line in actual]
    if unordered:
        expected, actual = sorted(expected), sorted(actual)
    pattern = ""
    for line in expected:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.split("…")) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


# Follows each `run -d`, because the next commands of the pages show an app whose replicas run.
WAIT_FOR_START = """for _ in $(seq 300); do
  slipway status @last | grep -q -e PENDING -e SUBMITTED || break
  sleep 0.1
done > "$DOCS_LOG/started.log" 2>&1"""


# Mounts a root directory $1, with a copy of /etc except /etc/slipway, empty /opt and /srv, and without /scratch, which
# a page may make. Runs the script $3 there in the directory $2.
PRIVATE_ROOT = """set -e
mount -t tmpfs -o mode=0755 none "$1"
for path in /*; do
  here="$1$path"
  case $path in
    /etc | /opt | /scratch | /srv) ;;
    *) if [ -L "$path" ]; then cp -P "$path" "$here"; elif [ -d "$path" ]; then
         mkdir "$here"; mount --rbind "$path" "$here"; fi ;;
  esac
done
mkdir "$1/opt" "$1/srv"
cp -a /etc "$1"
rm -rf "$1/etc/slipway"
sed -i '1i ada:x:0:0::/root:/bin/bash' "$1/etc/passwd"
exec chroot "$1" bash -c 'cd "$0"; sudo() { "$@"; }; eval "$1"' "$2" "$3"
"""


def private_root():
    """Returns whether this process may mount a root directory for a page."""
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"],
                                                capture_output=True, check=False).returncode == 0


def script_of(blocks, as_root=False, need=None):
    """Returns a bash script that runs the page and prints MARKER before the output of each command, and a list with
    (block, command, expected lines) of these commands.

    `need`: such as `docker`; the script runs only the commands with the mark `with docker`. None: only commands without
    such a mark. Files and setups without such a mark are in every script."""
    out = ["exec 2>&1", "status=0"]
    run = []
    for block in blocks:
        if any(mark.startswith("root") for mark in block.marks) and not as_root:
            continue
        needs = block.mark("with")
        if needs != need and (needs is not None or block.commands()):
            continue
        setup = block.mark("setup") or block.mark("root setup")
        name = block.mark("file")
        if setup is not None:
            out += ["{", setup, "} > \"$DOCS_LOG/setup.log\" 2>&1"]
        elif name is not None:
            text = "\n".join(block.lines).rstrip("\n")
            out.append(f"cat > {name} <<'END OF FILE'\n{text}\nEND OF FILE")
        elif block.commands() and block.mark("not run") is None:
            for command, output in block.commands():
                # The subshell gives the command the `$?` of the command before it.
                out.append(f"printf '{MARKER}{len(run)}\\n'; (exit $status)")
                out.append(f"{command}\nstatus=$?")
                if command.startswith("slipway run -d"):
                    out.append(WAIT_FOR_START)
                run.append((block, command, output))
    out.append(f"printf '{MARKER}\\n'")
    return "\n".join(out) + "\n", run


def run_script(script, tree, home, log, root=None, variables=None):
    """Runs a script of script_of() with the commands of `tree`, and returns its output. `log`: a directory for the
    output that is not compared. `root`: an empty directory for a private root directory, in which the script runs.
    `variables`: further variables of the environment."""
    env = {key: value for key, value in os.environ.items()
           if not key.startswith(("SLIPWAY_", "TORCHX", "XDG_", "SLURM_"))}
    # SLURM_CONF: no command asks a cluster of this machine.
    env.update(HOME=str(home), PATH=f"{tree}/bin:{env['PATH']}", LC_ALL="C.UTF-8", TERM="dumb", USER="ada",
               SLURM_CONF=os.devnull, DOCS_LOG=str(log), DOCS_REPOSITORY=str(REPOSITORY))
    env.update(variables or {})
    try:
        command = ["bash", "-c", script]
        if root is not None:
            command = ["unshare", "--mount", "--propagation", "private", "bash", "-c", PRIVATE_ROOT, "bash", str(root),
                       str(home), script]
        done = subprocess.run(command, cwd=home, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              timeout=LIMIT_S, check=False)
        return done.stdout.decode("utf-8", "replace").replace(str(home), HOME)
    finally:
        # Cancels the apps that the page started in the background.
        options = dict(cwd="/", env=env, capture_output=True, timeout=LIMIT_S, check=False)
        listed = subprocess.run([tree / "bin/slipway", "list", "--json"], **options)
        for handle in re.findall(r'"handle":"([^"]+)"', listed.stdout.decode()):
            subprocess.run([tree / "bin/slipway", "cancel", "--now", handle], **options)
            subprocess.run([tree / "bin/slipway", "wait", handle], **options)


def check(page, tree, need=None, variables=None):
    """Returns the number of blocks that were run, and a text for each command whose output differs."""
    blocks = blocks_of(page.read_text())
    as_root = any(mark.startswith("root") for block in blocks for mark in block.marks) and private_root()
    script, commands = script_of(blocks, as_root, need)
    home, log, root = (Path(tempfile.mkdtemp(prefix="slipway-docs-")) for _ in range(3))
    try:
        output = run_script(script, tree, home, log, root if as_root else None, variables)
    finally:
        shutil.rmtree(home)
        shutil.rmtree(log)
        root.rmdir()
    differences = []
    pieces = output.split(MARKER)[1:]
    for at, (block, command, expected) in enumerate(commands):
        piece = pieces[at].split("\n") if at < len(pieces) else ["", "(the page's script ended before)"]
        actual = piece[1:-1] if piece[-1] == "" else piece[1:]
        if not matches(expected, actual, block.mark("unordered") is not None, block.mark("numbers") is not None):
            differences.append(f"{page}:{block.line}: $ {command}\n--- on the page\n" + "\n".join(expected) +
                               "\n--- printed\n" + "\n".join(actual) + "\n")
    return len({id(block) for block, _, _ in commands}), differences


def pages():
    """Returns the pages whose commands a test must run."""
    globs = [line for line in PAGES.read_text().splitlines() if not line.startswith("#")]
    return sorted({page for glob in globs for page in REPOSITORY.glob(glob)})


def run_pages(need, tree, variables):
    """Runs the commands with the mark `with NEED` of all pages. Returns the names of the pages, and a text for each
    command whose output differs."""
    names, differences = [], []
    for page in pages():
        if any(block.mark("with") == need for block in blocks_of(page.read_text())):
            names.append(page.relative_to(REPOSITORY))
            differences += check(page, tree, need, variables)[1]
    return names, differences


def main():
    page = Path(sys.argv[1])
    count, differences = check(page, Path(os.environ["SLIPWAY_TREE"]).resolve())
    print("\n".join(differences) or f"{page}: {count} blocks of commands")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
