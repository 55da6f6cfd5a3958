"""Accounting for a cluster: mariadbd and slurmdbd in the cluster's directory, on loopback ports."""

import os
import secrets
import socket
import subprocess

from free_ports import free_ports

PROGRAMS = ("slurmdbd", "sacct", "sacctmgr", "mariadbd", "mariadb-install-db")
ACCOUNT = "physics"  # the only account, which root may use

DBD_CONFIGURATION = """\
AuthType=auth/munge
AuthInfo=socket={directory}/munge.socket
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={dbd_port}
SlurmUser=root
LogFile={directory}/slurmdbd.log
PidFile={directory}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database_port}
StorageUser=slurm
StoragePass={password}
StorageLoc=slurm_acct
"""

# With auth/munge, AccountingStoragePass is the socket of munged.
CLUSTER_CONFIGURATION = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost={host}
AccountingStoragePort={dbd_port}
AccountingStoragePass={directory}/munge.socket
AccountingStorageEnforce=associations
"""


def start(cluster):
    """Starts database and slurmdbd. Returns their lines of slurm.conf."""
    database_port, dbd_port = free_ports(2)
    password = secrets.token_hex(16)
    _start_database(cluster, database_port, password)
    host = socket.gethostname().split(".")[0]
    with open(cluster.path("slurmdbd.conf"), "w", encoding="utf-8") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(DBD_CONFIGURATION.format(
            directory=cluster.directory, host=host, dbd_port=dbd_port, database_port=database_port, password=password,
        ))
    cluster.start("slurmdbd", "-D")
    return CLUSTER_CONFIGURATION.format(directory=cluster.directory, host="127.0.0.1", dbd_port=dbd_port)


def register(cluster):
    """Adds the cluster, the account and its user before the controller starts."""

    def is_up():
        return cluster.run("sacctmgr", "-n", "show", "cluster", check=False).returncode == 0

    cluster.until(is_up, "slurmdbd")
    for words in (("cluster", "slipway"), ("account", ACCOUNT, "Cluster=slipway"),
                  ("user", "root", "Account=" + ACCOUNT)):
        cluster.run("sacctmgr", "-i", "-Q", "add", *words)


def _start_database(cluster, port, password):
    data = cluster.path("database")
    subprocess.run(
        ["mariadb-install-db", "--no-defaults", "--user=root", "--datadir=" + data, "--skip-test-db",
         "--auth-root-authentication-method=normal", "--skip-name-resolve"],
        env=cluster.env, stdin=subprocess.DEVNULL, capture_output=True, check=True,
    )
    with open(cluster.path("database.sql"), "w", encoding="utf-8") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write("CREATE DATABASE slurm_acct;\n"
                   f"CREATE USER slurm@'127.0.0.1' IDENTIFIED BY '{password}';\n"
                   "GRANT ALL ON slurm_acct.* TO slurm@'127.0.0.1';\n")
    cluster.start(
        "mariadbd", "--no-defaults", "--user=root", "--datadir=" + data, f"--port={port}",
        "--socket=" + cluster.path("database.socket"),
        "--bind-address=127.0.0.1", "--skip-name-resolve", "--init-file=" + cluster.path("database.sql"),
        "--pid-file=" + cluster.path("mariadbd.pid"), "--innodb-buffer-pool-size=64M",
        "--innodb-log-file-size=16M", "--innodb-flush-log-at-trx-commit=0", "--innodb-lock-wait-timeout=900",
    )

    def is_up():
        with open(cluster.path("mariadbd.out"), encoding="utf-8", errors="replace") as file:
            return "ready for connections" in file.read()

    cluster.until(is_up, "mariadbd")
