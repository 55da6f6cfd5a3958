#!/usr/bin/env -S python3 -S
"""Stands in for sbatch, scancel, squeue, sacct, scontrol and sinfo, which print recorded answers, and for srun.

STAND_IN_ANSWERS names the folder with the answers of one version of Slurm. STAND_IN names a folder by which the test
controls them, with these files:

* `like` has the id of a recorded job. sbatch always submits job 42, which gets the answers of that recorded job: only
  from sacct if that job is not in the queue. If `like` is empty, Slurm has forgotten job 42.
* `unended`: if it exists, the controller has forgotten job 42, and accounting calls it RUNNING.
* `silent`: if it exists, the controller does not answer. The accounting (sacct) does.
* `falls_silent`: if it exists, scontrol renames it to `silent` when it has shown that job 42 has ended.
* `calls` gets a line for each call of a command.
* `mark` has the text in the comment by which Slipway recognises job 42.
* `requeues` has the number of requeues of job 42.
* `task` has the process group of the only task of a step, which srun runs on this machine and scancel signals.
"""

import contextlib
import json
import os
import pwd
import re
import sys
from itertools import dropwhile
from pathlib import Path

OWN_JOB = 42
SUBMITTED, CANCELLED, REQUEUED = "101", "108", "110"  # the recorded jobs whose answers job 42 gets
ANSWERS = Path(os.environ["STAND_IN_ANSWERS"])
STATE = Path(os.environ["STAND_IN"])
# The names of squeue's fields in the lines of scontrol: those of --format and those of --Format.
FIELDS = {"T": "JobState", "V": "SubmitTime", "j": "JobName", "k": "Comment", "o": "Command"}
LONG_FIELDS = {"State": "JobState", "RestartCnt": "Restarts"}


def stored(name):
    """Returns the content of a file that the test or an earlier call wrote."""
    path = STATE / name
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def recorded(name):
    """Returns a recorded answer with the name of the calling user."""
    user = pwd.getpwuid(os.getuid()).pw_name
    return (ANSWERS / name).read_text(encoding="utf-8").replace("@USER@", user)


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(1)


def option(arguments, *names):
    """Returns the value of an option, given as `--name=value`, `--name value`, `-n value` or `-nvalue`."""
    for position, word in enumerate(arguments):
        for name in names:
            if word == name:
                return arguments[position + 1] if position + 1 < len(arguments) else ""
            if word.startswith(name + "=") or (len(name) == 2 and word.startswith(name)):
                return word[len(name):].removeprefix("=")
    return None


def like_in_queue():
    """Returns the id of the recorded job whose answers the controller gives for job 42; empty if it gives none."""
    return "" if (STATE / "unended").exists() else stored("like")


# ---- jobs as scontrol shows them, one a line


def lines():
    """Returns a line for each job in the queue. Job 42 has a copy of the line of the job that it is like."""
    out = recorded("scontrol.txt").splitlines()
    like = like_in_queue()
    for line in [one for one in out if like and one.startswith(f"JobId={like} ")]:
        line = line.replace(f"JobId={like} ", f"JobId={OWN_JOB} ", 1)
        line = line.replace(" Restarts=0 ", f" Restarts={stored('requeues') or 0} ")
        out.append(re.sub(r"Comment=\[slipway [^]]*\]", f"Comment={stored('mark')}", line))
    return out


def field(line, name):
    """Returns the value of `name=value` in a line of scontrol; it ends before the next name. Empty if it is missing."""
    found = re.search(rf"(?:^| ){name}=(.*?)(?= [A-Za-z][\w/:]*=| *$)", line)
    return found.group(1).strip() if found else ""


def tasks(line):
    """Returns the array tasks that a line is about: 2 and 3 for `ArrayTaskId=2-3%2`; [None] for any other job."""
    text = field(line, "ArrayTaskId").split("%")[0]
    if not text:
        return [None]
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def matches(line, number):
    """Returns whether a line is about the job with this id, its array or its heterogeneous job."""
    return number in (field(line, "JobId"), field(line, "ArrayJobId"), field(line, "HetJobId"))


def job_name(line, task):
    """Returns the id as squeue prints it: `42`, `42_1` for an array task, `42+1` for a part of a heterogeneous job."""
    if task is not None:
        return f"{field(line, 'ArrayJobId')}_{task}"
    het = field(line, "HetJobId")
    return f"{het}+{field(line, 'HetJobOffset')}" if het else field(line, "JobId")


def formatted(line, task, form):
    """Returns a line of squeue in the format `form`, such as "%i|%T"."""
    def value(found):
        letter = found.group(1)
        if letter == "i":
            return job_name(line, task)
        text = field(line, FIELDS[letter])
        return "N/A" if text == "Unknown" else text

    return re.sub(r"%(\w)", value, form)


# ---- the commands


def scontrol(arguments):
    words = [word for word in arguments if not word.startswith("-")]
    if words[:2] == ["show", "config"]:
        print("MaxArraySize            = 1001\nMessageTimeout          = 1 sec")
    elif words[:2] == ["show", "job"]:
        found = [line for line in lines() if len(words) < 3 or matches(line, words[2])]
        if not found:
            fail("slurm_load_jobs error: Invalid job id specified")
        print("\n".join(found))
        if any(matches(line, str(OWN_JOB)) and field(line, "EndTime") != "Unknown" for line in found):
            with contextlib.suppress(FileNotFoundError):
                (STATE / "falls_silent").rename(STATE / "silent")
    elif words == ["requeue", str(OWN_JOB)]:
        (STATE / "requeues").write_text(str(int(stored("requeues") or 0) + 1), encoding="utf-8")
        (STATE / "like").write_text(REQUEUED, encoding="utf-8")


def steps(numbers):
    """Prints the steps of the jobs. Job 42 has those of the recorded job that it is like."""
    like = stored("like")
    for step in recorded("steps.txt").splitlines():
        job, _, name = step.partition(".")
        if job.split("_")[0] in numbers:
            print(step)
        if job == like and str(OWN_JOB) in numbers:
            print(f"{OWN_JOB}.{name}")


def squeue(arguments):
    if "--version" in arguments:
        print(recorded("sinfo.txt").strip())
        return
    if "--steps" in arguments:
        steps(option(arguments, "--jobs", "-j").split(","))
        return
    number = option(arguments, "--jobs", "-j")
    if any(word.startswith("--json") for word in arguments):
        document = json.loads(recorded("squeue.json"))
        like = like_in_queue()
        for job in [one for one in document["jobs"] if str(one["job_id"]) == like]:
            document["jobs"].append({**job, "job_id": OWN_JOB, "comment": stored("mark")})
        if number:
            ids = {str(job["job_id"]) for job in document["jobs"]}
            document["jobs"] = [
                job for job in document["jobs"]
                if number in (str(job["job_id"]), str(job["array_job_id"]["number"]), str(job["het_job_id"]["number"]))
            ]
            if number not in ids:
                fail("slurm_load_jobs error: Invalid job id specified")
        print(json.dumps(document))
        return
    form = option(arguments, "--format", "-o")
    long_form = option(arguments, "--Format", "-O")
    found = [line for line in lines() if not number or matches(line, number)]
    if number and not found:
        fail("slurm_load_jobs error: Invalid job id specified")
    for line in found:
        if long_form:
            print("".join(f"{field(line, LONG_FIELDS[name]):20}" for name in long_form.split(",")))
            continue
        for task in tasks(line):
            print(formatted(line, task, form))


def sacct(arguments):
    number = option(arguments, "--jobs", "-j")
    title, *rows = [line.split("|") for line in recorded("sacct.txt").splitlines()]
    like = stored("like")
    # The last column is the comment.
    for row in [one for one in rows if like and one[0].split(".")[0] == like]:
        rows.append([row[0].replace(like, str(OWN_JOB), 1), *row[1:-1], stored("mark")])
        if (STATE / "unended").exists():
            rows[-1][title.index("State")] = "RUNNING"
            rows[-1][title.index("End")] = "Unknown"
    if "--allocations" in arguments:
        rows = [row for row in rows if "." not in row[0]]
    # No recorded row is an array task or a part of a heterogeneous job, so JobIDRaw equals JobID.
    title, rows = ["JobIDRaw", *title], [row[:1] + row for row in rows]
    names = option(arguments, "--format", "-o").split(",")
    for name in names:
        if name not in title:
            fail(f'sacct: fatal: Invalid field requested: "{name}"')
    separator = option(arguments, "--delimiter") or "|"
    print(separator.join(names))
    newest = {row[0]: row for row in rows}  # older runs of a requeued job only with --duplicates
    for row in rows if "--duplicates" in arguments else newest.values():
        if not number or number == re.split(r"[_+.]", row[0])[0]:
            print(separator.join(row[title.index(name)] for name in names))


def sbatch(arguments):
    script = Path(arguments[-1]).read_text(encoding="utf-8")
    (STATE / "mark").write_text(re.search(r"\[slipway [^]]*\]", " ".join(arguments) + script).group(), encoding="utf-8")
    (STATE / "like").write_text(SUBMITTED, encoding="utf-8")
    print(OWN_JOB)


def scancel(arguments):
    signal_number = option(arguments, "--signal", "-s")
    if signal_number:
        if f"{OWN_JOB}.0" in arguments:
            os.killpg(int(stored("task")), int(signal_number))
    elif str(OWN_JOB) in arguments and stored("like"):
        (STATE / "like").write_text(CANCELLED, encoding="utf-8")


def srun(arguments):
    command = list(dropwhile(lambda word: word.startswith("--"), arguments))
    if "--overlap" not in arguments:  # a step that only sends a signal has it
        os.setpgid(0, 0)
        (STATE / "task").write_text(str(os.getpid()), encoding="utf-8")
    os.execvpe(command[0], command, {**os.environ, "SLURM_PROCID": "0", "SLURMD_NODENAME": "n1"})


def sinfo(arguments):
    print(recorded("sinfo.txt").strip() if "--version" in arguments else "PARTITION,MEMORY,NODES\nmain*,2000,3")


def main():
    name, arguments = Path(sys.argv[0]).name, sys.argv[1:]
    with open(STATE / "calls", "a", encoding="utf-8") as calls:
        calls.write(" ".join([name, *arguments]) + "\n")
    if (STATE / "silent").exists() and name == "squeue" and "--json" in arguments:
        # With --json, squeue ends with 0 even if it has only an error to print.
        print(json.dumps({"jobs": [], "errors": [{"description": "Unable to contact slurm controller"}]}))
        return
    if (STATE / "silent").exists() and name != "sacct" and arguments != ["--version"]:
        fail(f"{name}: error: Unable to contact slurm controller (connect failure)")
    {"sbatch": sbatch, "scancel": scancel, "squeue": squeue, "sacct": sacct, "scontrol": scontrol, "sinfo": sinfo,
     "srun": srun}[name](arguments)


if __name__ == "__main__":
    main()
