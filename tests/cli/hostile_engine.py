"""A Docker engine on a unix socket that answers as a test says: it hangs, closes in the middle, or sends nonsense."""

import contextlib
import json
import socket
import threading


def answer(status, body, headers=()):
    """Returns an HTTP answer. `body` is bytes, or a value for JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Status", "Content-Type: application/json", f"Content-Length: {len(data)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def refusal(status, words):
    """Returns an HTTP answer with an error message, as Docker's engine formats it."""
    return answer(status, {"message": words})


def chunks(lines):
    """Yields the chunks of a body. Raises OSError if the connection ends before the last chunk."""
    while True:
        size_line = lines.readline()
        if not size_line:
            raise OSError("the body has no end")
        size = int(size_line, 16)
        data = lines.read(size)
        lines.readline()
        if size == 0:
            return
        yield data


class HostileEngine:
    """Calls `behave(method, target, connection)` for each request, in a thread for each connection. If the result is
    bytes, sends them; if it is None, closes the connection. If `at_header(method, target)` is set, calls it before the
    body of a request is read: if it returns bytes, sends them and closes the connection."""

    def __init__(self, path, behave):
        self.path = str(path)
        self.behave = behave
        self.at_header = None
        self.keep_body = bytes  # the function from a chunk of a body to the bytes that `requests` keeps of it
        self.requests = []  # (method, target, body), in the order of arrival
        self.connections = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError), connection, connection.makefile("rb") as lines:
            while words := lines.readline().decode().split():
                length, is_chunked = 0, False
                while (line := lines.readline().strip()) != b"":
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                    is_chunked = is_chunked or line.lower() == b"transfer-encoding: chunked"
                if self.at_header and (reply := self.at_header(words[0], words[1])):
                    connection.sendall(reply)
                    return
                body = b"".join(map(self.keep_body, chunks(lines))) if is_chunked else lines.read(length)
                self.requests.append((words[0], words[1], body))
                reply = self.behave(words[0], words[1], connection)
                if reply is None:
                    connection.shutdown(socket.SHUT_RDWR)
                    return
                connection.sendall(reply)

    def targets(self, method):
        """Returns the targets of the requests with this method, without their queries."""
        return [target.split("?")[0] for used, target, _ in self.requests if used == method]

    def close(self):
        # Wakes accept(), which close() alone does not.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
