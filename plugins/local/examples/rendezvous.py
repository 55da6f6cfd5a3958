"""Lets the programs of one app find each other and exchange messages.

A server lets the system choose a port, and writes the port to a file in a directory that belongs to the app. Clients
wait for that file, for a limited time. Messages are JSON, one per line.
"""

import json
import os
import shutil
import socket
import stat
import tempfile
import time

PATIENCE = 30.0  # seconds that a program waits for another one


def directory(app_id):
    """Returns the directory of this app. Creates it if it is missing; fails if it belongs to another user."""
    path = os.path.join(tempfile.gettempdir(), f"slipway-{os.getuid()}-{app_id}")
    os.makedirs(path, mode=0o700, exist_ok=True)
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{path} is not a directory of uid {os.getuid()}; remove it and try again")
    return path


def remove(app_id):
    """Removes the directory of this app."""
    shutil.rmtree(directory(app_id), ignore_errors=True)


def listen(app_id, name):
    """Returns a listening socket that connect(app_id, name) reaches from any process of this user."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(PATIENCE)
    path = os.path.join(directory(app_id), name)
    with open(path + ".new", "w", encoding="ascii") as file:
        file.write(str(server.getsockname()[1]))
    os.replace(path + ".new", path)  # readers see the whole port or no file
    return server


class Connection:
    """One end of a connection.

    receive() returns None if the other end has closed the connection, has died, or sends nothing for PATIENCE seconds.
    send() never fails: the next receive() shows whether the other end still exists.
    """

    def __init__(self, sock):
        sock.settimeout(PATIENCE)
        self._sock = sock
        self._lines = sock.makefile("r", encoding="ascii")

    def send(self, message):
        try:
            self._sock.sendall(json.dumps(message).encode("ascii") + b"\n")
        except (ConnectionError, TimeoutError):
            pass

    def receive(self):
        try:
            line = self._lines.readline()
        except (ConnectionError, TimeoutError):
            return None
        return json.loads(line) if line.endswith("\n") else None


def accept(server):
    """Waits for the next client of a socket from listen(); returns a Connection. Raises TimeoutError after PATIENCE."""
    return Connection(server.accept()[0])


def connect(app_id, name):
    """Returns a Connection to the socket of listen(app_id, name). Raises ConnectionError after PATIENCE."""
    # Not directory(app_id), which would make the directory: a client waits until the server has made it.
    path = os.path.join(tempfile.gettempdir(), f"slipway-{os.getuid()}-{app_id}", name)
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with open(path, encoding="ascii") as file:
                return Connection(socket.create_connection(("127.0.0.1", int(file.read()))))
        except OSError as error:
            if time.monotonic() > deadline:
                raise ConnectionError(f"no {name} within {PATIENCE:.0f} s: {error}") from error
            time.sleep(0.02)
