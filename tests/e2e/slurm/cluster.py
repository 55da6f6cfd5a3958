"""A Slurm cluster of eight nodes on this machine: munged, slurmctld and eight slurmd of Debian's packages.

Everything is in one temporary directory and on free loopback ports; what was started is stopped by its pid. Needs root:
slurmd runs the jobs of other users.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol", "sinfo")
NODES = 8
CPUS_PER_NODE = 4
MEMORY_PER_NODE = 2000  # MiB
DEADLINE = 60  # seconds; how long the cluster may take to come up on a loaded machine

CONFIGURATION = """\
ClusterName=slipway
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={directory}/munge.socket
CredType=cred/munge
StateSaveLocation={directory}/state
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd-%n.pid
SlurmdSpoolDir={directory}/spool-%n
SlurmctldLogFile={directory}/slurmctld.log
SlurmdLogFile={directory}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
SlurmdParameters=config_overrides
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_min_interval=100000,bf_resolution=1
PriorityType=priority/basic
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobRequeue=1
MaxArraySize={max_array_size}
MaxJobCount=20000
MinJobAge={min_job_age}
KillWait=3
OverTimeLimit=0
InactiveLimit=0
ReturnToService=2
SlurmdTimeout=300
MessageTimeout=5
{nodes}
PartitionName=main Nodes=n[1-{count}] Default=YES MaxTime=INFINITE State=UP
"""


def missing_programs():
    """The programs that are not installed."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    return [name for name in PROGRAMS if not shutil.which(name, path=path)]


def free_ports(count):
    """Ports that nobody listens on now."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _end_with_parent():
    """A test that is killed leaves no daemon behind."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


class Cluster:
    """Starts at construction; `stop()` ends every daemon. `env` is what the Slurm commands need."""

    def __init__(self, max_array_size=1001, min_job_age=300):
        self.directory = tempfile.mkdtemp(prefix="slipway-slurm-")
        os.chmod(self.directory, 0o755)
        self.daemons = []
        self.env = dict(os.environ)
        self.env["PATH"] += ":/usr/sbin:/sbin"
        self.env["SLURM_CONF"] = os.path.join(self.directory, "slurm.conf")
        try:
            self._start_munge()
            self._configure(max_array_size, min_job_age)
            self.start_controller()
            for number in range(1, NODES + 1):
                self._start("slurmd", "-D", "-N", f"n{number}")
            self.until_idle()
        except BaseException:
            self.stop()
            raise

    def _path(self, name):
        return os.path.join(self.directory, name)

    def _start(self, *command):
        with open(self._path(os.path.basename(command[0]) + ".out"), "ab") as output:
            process = subprocess.Popen(
                command, env=self.env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
                preexec_fn=_end_with_parent,
            )  # fmt: skip
        self.daemons.append(process)
        return process

    def _start_munge(self):
        with open(self._path("munge.key"), "wb") as key:
            os.fchmod(key.fileno(), 0o600)
            key.write(os.urandom(1024))
        self._start(
            "munged", "--foreground", "--force", "--num-threads=4",
            "--key-file=" + self._path("munge.key"), "--socket=" + self._path("munge.socket"),
            "--pid-file=" + self._path("munged.pid"), "--seed-file=" + self._path("munged.seed"),
            "--log-file=" + self._path("munged.log"),
        )  # fmt: skip
        self._until(lambda: os.path.exists(self._path("munge.socket")), "munged")

    def _configure(self, max_array_size, min_job_age):
        ports = free_ports(NODES + 1)
        host = socket.gethostname().split(".")[0]
        nodes = "\n".join(
            f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[number]}"
            f" CPUs={CPUS_PER_NODE} RealMemory={MEMORY_PER_NODE} State=UNKNOWN"
            for number in range(1, NODES + 1)
        )
        text = CONFIGURATION.format(
            host=host, controller_port=ports[0], directory=self.directory, nodes=nodes, count=NODES,
            max_array_size=max_array_size, min_job_age=min_job_age,
        )  # fmt: skip
        os.mkdir(self._path("state"))
        with open(self.env["SLURM_CONF"], "w", encoding="utf-8") as file:
            file.write(text)

    def start_controller(self):
        self.controller = self._start("slurmctld", "-D")

    def stop_controller(self):
        self.controller.terminate()
        self.controller.wait(DEADLINE)
        self.daemons.remove(self.controller)

    def _until(self, holds, what):
        deadline = time.monotonic() + DEADLINE
        while not holds():
            dead = [one for one in self.daemons if one.poll() is not None]
            if dead or time.monotonic() > deadline:
                raise RuntimeError(f"the cluster does not start ({what}; ended: {[one.args for one in dead]})\n" + self.logs())
            time.sleep(0.1)

    def until_idle(self):
        def idle():
            state = self.run("sinfo", "-h", "-o", "%t %D", check=False).stdout.split()
            return state == ["idle", str(NODES)]

        self._until(idle, "nodes")

    def run(self, *command, check=True):
        """Runs a Slurm command; its output as text."""
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=DEADLINE, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{command}: {done.stderr}")
        return done

    def logs(self):
        """The ends of the daemons' logs, for a failure."""
        out = []
        for name in sorted(os.listdir(self.directory)):
            if name.endswith((".log", ".out")):
                with open(self._path(name), encoding="utf-8", errors="replace") as file:
                    out.append(f"--- {name}\n" + "".join(file.readlines()[-15:]))
        return "\n".join(out)

    def stop(self):
        """Cancels what runs, ends the daemons and removes the directory."""
        if os.path.exists(self.env["SLURM_CONF"]):
            with contextlib.suppress(Exception):
                self.run("scancel", "--user=root", check=False)
                deadline = time.monotonic() + 20
                while self.run("squeue", "-h", check=False).stdout and time.monotonic() < deadline:
                    time.sleep(0.2)
        for process in reversed(self.daemons):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in reversed(self.daemons):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
