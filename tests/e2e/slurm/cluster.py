"""A Slurm cluster on this machine: munged, slurmctld and up to eight slurmd of Debian's packages; with accounting also
slurmdbd and its database.

All files are in one temporary directory, and all ports are free ones of the loopback. `stop()` ends each daemon by its
pid. Needs root, as which the daemons and the jobs run.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "cli"))
from free_ports import free_ports  # noqa: E402  (after the change of sys.path)

import accounting  # noqa: E402  (after the change of sys.path)

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol", "sinfo")
NODES = 8
CPUS_PER_NODE = 4
MEMORY_PER_NODE = 2000  # MiB
REQUEUE_PAUSE = 10  # seconds before Slurm starts a requeued job (cred_expire); the default is 120
WITHOUT_ACCOUNTING = "AccountingStorageType=accounting_storage/none\n"
WITHOUT_GATHERING = "JobAcctGatherType=jobacct_gather/none\n"
# Measures the memory of each task every second.
GATHERING = "JobAcctGatherType=jobacct_gather/linux\nJobAcctGatherFrequency=task=1\n"
# Also ends a job that exceeds its request.
MEMORY_LIMITS = GATHERING + "JobAcctGatherParams=OverMemoryKill\n"
DEADLINE = 60  # seconds, after which a wait or a Slurm command fails; enough for a loaded machine
STOP_LIMIT = 20  # seconds that stop() waits for the end of the jobs, and for the end of a daemon before it kills it

# config_overrides: slurmd uses the CPUs and the memory below in place of the machine's. The intervals of
# SchedulerParameters are the shortest useful ones (bf_*: seconds, sched_min_interval: microseconds).
CONFIGURATION = """\
ClusterName=slipway
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={directory}/munge.socket,cred_expire={requeue_pause}
CredType=cred/munge
StateSaveLocation={directory}/state
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd-%n.pid
SlurmdSpoolDir={directory}/spool-%n
SlurmctldLogFile={directory}/slurmctld.log
SlurmdLogFile={directory}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
SlurmdParameters=config_overrides
TaskPlugin={task_plugin}
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_min_interval=100000,bf_resolution=1
PriorityType=priority/basic
{accounting}{gathering}JobRequeue=1
MaxArraySize={max_array_size}
MaxJobCount=20000
MinJobAge={min_job_age}
KillWait={kill_wait}
OverTimeLimit=0
InactiveLimit=0
ReturnToService=2
SlurmdTimeout=300
MessageTimeout=5
{nodes}
PartitionName=main Nodes=n[1-{count}] Default=YES MaxTime=INFINITE State=UP
"""


def missing_programs(with_accounting=False):
    """Returns the programs that are not installed."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    needed = PROGRAMS + (accounting.PROGRAMS if with_accounting else ())
    return [name for name in needed if not shutil.which(name, path=path)]


def _end_with_parent():
    """Makes this process, which becomes a daemon, end when the test is killed."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


class Cluster:
    """Starts at construction; `stop()` ends every daemon. `env` has the variables that Slurm's commands need.

    with_accounting: slurmdbd and its database also run, and Slurm measures what jobs use.
    min_job_age: seconds that the controller remembers a finished job for, 2 at least.
    binds_cpus: task/affinity binds tasks to CPUs, of which a node has as many as this machine.
    kill_wait: seconds between SIGTERM and SIGKILL when Slurm ends a job.
    limits_memory: Slurm ends a job that exceeds its memory request.
    """

    def __init__(self, nodes=NODES, max_array_size=1001, min_job_age=3600, with_accounting=False, binds_cpus=False,
                 limits_memory=False, kill_wait=3):
        self.nodes = nodes
        self.cpus_per_node = os.cpu_count() if binds_cpus else CPUS_PER_NODE
        self.directory = tempfile.mkdtemp(prefix="slipway-slurm-")
        os.chmod(self.directory, 0o755)
        self.daemons = []
        self.env = dict(os.environ)
        self.env["PATH"] += ":/usr/sbin:/sbin"
        self.env["SLURM_CONF"] = self.path("slurm.conf")
        try:
            self._start_munge()
            storage = accounting.start(self) if with_accounting else WITHOUT_ACCOUNTING
            self._configure(
                max_array_size=max_array_size, min_job_age=min_job_age, accounting=storage, kill_wait=kill_wait,
                task_plugin="task/affinity" if binds_cpus else "task/none",
                gathering=MEMORY_LIMITS if limits_memory else GATHERING if with_accounting else WITHOUT_GATHERING,
            )
            if with_accounting:
                accounting.register(self)
            self.start_controller()
            for number in range(1, nodes + 1):
                self.start("slurmd", "-D", "-N", f"n{number}")
            self.until_idle()
        except BaseException:
            self.stop()
            raise

    def path(self, name):
        """Returns the path of a file in the cluster's directory."""
        return os.path.join(self.directory, name)

    def start(self, *command):
        """Starts a daemon that ends with the cluster."""
        with open(self.path(os.path.basename(command[0]) + ".out"), "ab") as output:
            process = subprocess.Popen(
                command, env=self.env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
                preexec_fn=_end_with_parent,
            )
        self.daemons.append(process)
        return process

    def _start_munge(self):
        with open(self.path("munge.key"), "wb") as key:
            os.fchmod(key.fileno(), 0o600)
            key.write(os.urandom(1024))
        self.start(
            "munged", "--foreground", "--force", "--num-threads=4",
            "--key-file=" + self.path("munge.key"), "--socket=" + self.path("munge.socket"),
            "--pid-file=" + self.path("munged.pid"), "--seed-file=" + self.path("munged.seed"),
            "--log-file=" + self.path("munged.log"),
        )
        self.until(lambda: os.path.exists(self.path("munge.socket")), "munged")

    def _configure(self, **settings):
        ports = free_ports(self.nodes + 1)
        host = socket.gethostname().split(".")[0]
        nodes = "\n".join(
            f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[number]}"
            f" CPUs={self.cpus_per_node} RealMemory={MEMORY_PER_NODE} State=UNKNOWN"
            for number in range(1, self.nodes + 1)
        )
        text = CONFIGURATION.format(
            host=host, controller_port=ports[0], directory=self.directory, nodes=nodes, count=self.nodes,
            requeue_pause=REQUEUE_PAUSE, **settings,
        )
        os.mkdir(self.path("state"))
        # slurmd sometimes makes this directory only after it has tried to make its socket there.
        for number in range(1, self.nodes + 1):
            os.mkdir(self.path(f"spool-n{number}"))
        with open(self.env["SLURM_CONF"], "w", encoding="utf-8") as file:
            file.write(text)

    def start_controller(self):
        self.controller = self.start("slurmctld", "-D")

    def stop_controller(self, by=signal.SIGTERM):
        self.controller.send_signal(by)
        self.controller.wait(DEADLINE)
        self.daemons.remove(self.controller)

    def until(self, holds, what):
        """Waits until `holds()`. Raises if a daemon ends or DEADLINE passes; the message names `what`."""
        deadline = time.monotonic() + DEADLINE
        while not holds():
            dead = [one for one in self.daemons if one.poll() is not None]
            if dead or time.monotonic() > deadline:
                raise RuntimeError(f"the wait failed: {what}; ended daemons: {[one.args for one in dead]}\n"
                                   + self.logs())
            time.sleep(0.1)

    def until_idle(self):
        def idle():
            state = self.run("sinfo", "-h", "-o", "%t %D", check=False).stdout.split()
            return state == ["idle", str(self.nodes)]

        self.until(idle, "nodes")

    def until_answers(self):
        """Waits until the controller answers, and knows the states of its nodes."""
        self.until(lambda: self.run("scontrol", "ping", check=False).returncode == 0, "slurmctld")
        self.until(lambda: self.run("sinfo", "-h", "-N", "-o", "%t", check=False).stdout.count("unk") == 0, "nodes")

    def save_job(self, job):
        """Changes a job, which makes the controller save all jobs, and waits until it has saved them."""

        def saved_at():
            with contextlib.suppress(FileNotFoundError):  # the controller is replacing the file
                return os.stat(self.path("state/job_state")).st_mtime_ns
            return 0

        before = saved_at()
        self.run("scontrol", "update", f"JobId={job}", "AdminComment=saved")
        self.until(lambda: saved_at() > before, "saved jobs")

    def run(self, *command, check=True):
        """Runs a Slurm command, and returns the completed process, whose output is text."""
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=DEADLINE, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{command}: {done.stderr}")
        return done

    def logs(self):
        """Returns the ends of the daemons' logs, for a failure."""
        out = []
        for name in sorted(os.listdir(self.directory)):
            if name.endswith((".log", ".out")):
                with open(self.path(name), encoding="utf-8", errors="replace") as file:
                    out.append(f"--- {name}\n" + "".join(file.readlines()[-15:]))
        return "\n".join(out)

    def stop(self):
        """Cancels all jobs, ends the daemons and removes the directory."""
        if os.path.exists(self.env["SLURM_CONF"]):
            with contextlib.suppress(Exception):
                self.run("scancel", "--user=root", check=False)
                deadline = time.monotonic() + STOP_LIMIT
                while self.run("squeue", "-h", check=False).stdout and time.monotonic() < deadline:
                    time.sleep(0.2)
        for process in reversed(self.daemons):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in reversed(self.daemons):
            try:
                process.wait(STOP_LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def main():
    """`cluster.py COMMAND...` runs a command, such as a conformance kit or a shell, on such a cluster."""
    here = Cluster()
    try:
        return subprocess.call(sys.argv[1:], env=here.env)
    finally:
        here.stop()


if __name__ == "__main__":
    sys.exit(main())
